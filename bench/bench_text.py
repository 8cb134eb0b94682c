#!/usr/bin/env python3
"""Measures how fast ASCII STL is read, from a file and through a pipe, by one thread.

    python3 bench/bench_text.py [build/release]      (RUNS=3, BENCH_DIR=dir, TEXT_SIZE=1M)

One part of a pair is written as text, as exporters do: with six places behind the point, or with all the digits
that a float needs. What reading it costs is the time of a whole run less that of the same run with the binary
file, of which nothing is read but what the check looks at. Exits with 1 if file, pipe and binary file differ
in anything but rounding to six places.
"""
import json
import os
import struct

from common import Run, alone, data_folder, median, ms, part_files

PAIR = 'gap'
FORMS = {'six places': '%.6e', 'nine digits': '%.9g'}
ANSWER = ('status', 'distance', 'point_a', 'point_b', 'triangle_a', 'triangle_b')


def text_file(binary, name, form):
    """The binary file as text, made if it is not there or older."""
    path = f'{os.path.splitext(binary)[0]}_{name.split()[0]}.stl'
    if os.path.exists(path) and os.path.getmtime(path) >= os.path.getmtime(binary):
        return path
    point = ' '.join([form] * 3)
    facet = (f'  facet normal {point}\n    outer loop\n' + f'      vertex {point}\n' * 3
             + '    endloop\n  endfacet\n')
    with open(binary, 'rb') as source, open(path + '.new', 'w', encoding='ascii') as target:
        source.seek(84)
        target.write('solid part\n')
        while block := source.read(50 << 14):
            target.write(''.join(facet % record[:12] for record in struct.iter_unpack('<12fH', block)))
        target.write('endsolid part\n')
    os.rename(path + '.new', path)
    return path


def answer(run):
    pair = json.loads(run.output)['pairs'][0]
    return {key: pair[key] for key in ANSWER}


class Text:
    def __init__(self, build, runs):
        self.build, self.runs, self.faults = os.path.abspath(build), runs, []
        self.size = os.environ.get('TEXT_SIZE') or '1M'

    def run(self, part, other, through=None):
        command = [f'{self.build}/stlclash', '-j1', '-f', 'json', '-n', '0', part, other]
        return Run(command, through=through)

    def row(self, name, binary, other):
        text = text_file(binary, name, FORMS[name])
        ways = {'binary': (binary, None), 'file': (text, None), 'pipe': ('-', text)}
        results = {way: [] for way in ways}
        for _ in range(self.runs + 1):  # the first of each is for the page cache
            for way, (part, through) in ways.items():
                results[way].append(self.run(part, other, through))
        answers = {way: answer(runs[0]) for way, runs in results.items()}
        if answers['file'] != answers['pipe'] or (name != 'six places' and answers['file'] != answers['binary']):
            self.faults.append(f'text with {name}: {answers}')
        size = os.path.getsize(text)
        cells = [name, f'{size / 1e6:.0f}']
        base = median(results['binary'][1:])
        for way in ('file', 'pipe'):
            runs = results[way][1:]
            cpu = median(runs)
            cells += [f'{size / 1e3 / (cpu - base):.0f}', ms(cpu), ms(median(runs, 'wall')),
                      f'{median(runs, "memory") / 1e6:.0f}']
        cells.append(f'{median(results["pipe"][1:]) / median(results["file"][1:]):.2f}')
        return '| ' + ' | '.join(cells) + ' |'


def section(build, runs):
    """Markdown, and a list of wrong answers."""
    text = Text(build, runs)
    binary, other = part_files(build, PAIR, text.size)
    os.makedirs(data_folder(), exist_ok=True)
    rows = [text.row(name, binary, other) for name in FORMS]
    lines = ['## ASCII STL', '',
             f'A part of {text.size} triangles as text, the other one binary; one thread, medians of {runs} runs. MB/s: of '
             'the text, for the CPU time above that of the same check with both binary. CPU and wall time of the whole '
             'run in ms, its peak memory in MB; the pipe is from cat, which is not counted.', '',
             '| numbers with | MB | file MB/s | CPU | wall | RSS | pipe MB/s | CPU | wall | RSS | CPU pipe / file |',
             '| --- |' + ' ---: |' * 10, *rows, '']
    return '\n'.join(lines) + '\n', text.faults


if __name__ == '__main__':
    alone(section)
