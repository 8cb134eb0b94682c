#!/usr/bin/env python3
"""Measures probes through the library: millions of segments a second, one thread.

    python3 bench/bench_probes.py [build/release]      (RUNS=3, BENCH_DIR=dir, COUNT=200000)

Segments across a part, into it, short ones near its surface, and ones aimed at vertices and edges; first
hit and any hit, many at once and one by one; beside Embree where it is installed, whose answers are
compared with the exact ones. Exits with 1 if the library's own answers are not the same each time.
"""
import array
import os
import statistics
import subprocess

from common import alone, compile_peer, in_scratch, part_files

PARTS = (('overlap', '10k'), ('overlap', '100k'), ('overlap', '1M'), ('gear', '1M'), ('shuffled', '1M'))
KINDS = {'across': 'a line of sight', 'inwards': 'a tool', 'near': 'a finger', 'aimed': 'at edges and vertices'}
PEERS = {'embree': {}, 'embree robust': {'ROBUST': '1'}}
PLACE = 1e-3  # parameters of first hits that differ by more are of different places


class Answers:
    """What one run of a program printed, {'tree': {...}, kind: {...}}, and its first hits, {kind: parameters}."""

    def __init__(self, program, part, count, folder, environment):
        path = os.path.join(folder, 'answers')
        lines = subprocess.run([program, part, str(count), path], env={**os.environ, **environment}, text=True,
                               stdout=subprocess.PIPE, check=True).stdout.splitlines()
        words = [line.split() for line in lines]
        self.figures = {w[0]: dict(zip(w[1::2], map(float, w[2::2]))) for w in words[1:]}
        self.figures['tree'] = dict(zip(words[0][::2], map(float, words[0][1::2])))
        everything = array.array('f')
        with open(path, 'rb') as file:
            everything.frombytes(file.read())
        self.first = {kind: everything[i * count:(i + 1) * count] for i, kind in enumerate(KINDS)}


def median(runs, row, column):
    return statistics.median(r.figures[row][column] for r in runs)


def compare(truth, answers):
    """How many probes miss what they hit, hit what they miss, or hit something else first."""
    missed = sum(x >= 0 > y for x, y in zip(truth, answers))
    invented = sum(x < 0 <= y for x, y in zip(truth, answers))
    elsewhere = sum(x >= 0 and y >= 0 and abs(x - y) > PLACE for x, y in zip(truth, answers))
    return missed, invented, elsewhere


class Probes:
    def __init__(self, build, runs, folder):
        self.build, self.runs, self.folder, self.faults = build, runs, folder, []
        self.count = int(os.environ.get('COUNT') or 200000)
        self.embree = compile_peer('probes_embree.cpp', folder, ['-lembree3'])

    def rows(self, case, size):
        """Of one part: a row for its tree, and rows for each kind of probe. All programs take turns."""
        part = part_files(self.build, case, size)[0]
        programs = {'ours': (os.path.join(self.build, 'bench', 'probes'), {})}
        programs.update({name: (self.embree, how) for name, how in PEERS.items() if self.embree})
        results = {name: [] for name in programs}
        for _ in range(self.runs):
            for name, (program, how) in programs.items():
                results[name].append(Answers(program, part, self.count, self.folder, how))
        ours = results['ours']
        if any(r.first != ours[0].first for r in ours):
            self.faults.append(f'{case} {size}: not the same answers each time')
        cells = [f'{median(r, "tree", "build"):.3f} | {median(r, "tree", "memory"):.0f}' for r in results.values()]
        tree = f'| {case} {size} | ' + ' | '.join(cells) + ' |'
        return tree, [self.row(f'{case} {size}', kind, results) for kind in KINDS]

    def row(self, title, kind, results):
        ours = results['ours']
        rates = [f'{median(ours, kind, column):.2f}' for column in ('first', 'any', 'first_each', 'any_each')]
        for name in results:
            if name != 'ours':
                wrong = compare(ours[0].first[kind], results[name][0].first[kind])
                rates += [f'{median(results[name], kind, column):.2f}' for column in ('first', 'any')]
                rates.append(' / '.join(map(str, wrong)))
        hits = ours[0].figures[kind]['hits'] / self.count
        return f'| {title} | {kind} | {hits:.0%} | ' + ' | '.join(rates) + ' |'


def section(build, runs):
    """Markdown, and a list of wrong answers of ours. Embree is found by the linker."""
    def measure(folder):
        bench = Probes(build, runs, folder)
        return bench, [bench.rows(case, size) for case, size in PARTS]
    bench, parts = in_scratch(measure)
    names = list(PEERS) if bench.embree else []
    heads = ''.join(f' {n} first | any | wrong |' for n in names)
    lines = ['## Probes', '',
             f'Million segments a second, one thread, CPU time, medians of {runs} runs of {bench.count} probes: '
             + ', '.join(f'{kind} ({what})' for kind, what in KINDS.items()) + '. "each": one call for each probe. '
             'Wrong answers of peers against the exact ones: hits missed / hits where there are none / another '
             'first hit.', '',
             '| part | probes | hit | first | any | first, each | any, each |' + heads,
             '| --- | --- |' + ' ---: |' * (5 + 3 * len(names)), *(row for _, rows in parts for row in rows), '',
             'The tree: seconds to build it, and MB.', '',
             '| part | ours | MB |' + ''.join(f' {n} | MB |' for n in names),
             '| --- |' + ' ---: |' * (2 + 2 * len(names)), *(tree for tree, _ in parts), '']
    if not bench.embree:
        lines.append('Embree 3 is not installed (libembree-dev): not measured.')
    return '\n'.join(lines) + '\n', bench.faults


if __name__ == '__main__':
    alone(section)
