#!/usr/bin/env python3
"""Measures assemblies of known answers: time and memory against the number of parts.

    python3 bench/bench_assemblies.py [build/release]      (RUNS=3, BENCH_DIR=dir)

Plates and bolts of assembly.c, beside FCL's dynamic tree of boxes over the same parts where FCL is
installed; one large plate with many bolts; one large file placed many times. Every planted clash, contact
and near miss must be found, and nothing else. Exits with 1 if an answer of ours is wrong.
"""
import collections
import json
import os
import re
import resource
import subprocess

from common import Run, alone, compile_fcl, in_scratch, median, part_files, tail

SIZES = (10, 1000, 10000)
BIG_BORES, BIG_PARTS = 120, 2001  # a plate of 1M triangles
END = 4096  # bytes of an output that are looked at
BALLS, BALL_GAPS = 200, {7: -0.125, 33: 0.125}  # of 1M triangles each; by number modulo 50, else 0.5


def last_object(text, key):
    """The value of a key near the end of a JSON text, a flat object."""
    return json.loads(re.search(f'"{key}": *({{[^{{}}]*}})', text.decode())[1])


def cpu(runs):
    return f'{median(runs) / 1e3:.2f}'


def wall(runs):
    return f'{median(runs, "wall") / 1e3:.2f}'


def memory(runs):
    """What is below this script's own memory cannot be told."""
    bytes_used = median(runs, 'memory')
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return f'{"<" if bytes_used <= own else ""}{bytes_used / 1e6:.0f}'


def take_turns(commands, runs):
    """Name -> its runs, all commands in turns so that a busy machine disturbs them alike."""
    results = collections.defaultdict(list)
    for _ in range(runs):
        for name, argv in commands.items():
            results[name].append(Run(argv, last=END))
    return results


def write_balls(folder, stl):
    """A row of balls of radius 1 along x."""
    parts, expected, x = [], collections.Counter(), 0.0
    for i in range(BALLS):
        parts.append({'name': f'ball-{i}', 'file': stl,
                      'placement': [1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]})
        gap = BALL_GAPS.get(i % 50, 0.5)
        x += 2.0 + gap
        if gap < 0.25 and i + 1 < BALLS:
            expected['clash' if gap < 0 else 'near'] += 1
    path = os.path.join(folder, 'balls.json')
    with open(path, 'w') as file:
        json.dump({'parts': parts, '_expected': expected}, file)
    return path


def expected_of(manifest):
    with open(manifest, 'rb') as file:
        return last_object(tail(file, END), '_expected')


def our_faults(manifest, runs, statuses):
    """The summaries of all runs have what was planted of these statuses."""
    for run in runs:
        summary, planted = last_object(run.output, 'summary'), expected_of(manifest)
        if run.exit != 1 or summary['undecided'] or any(summary[s] != planted.get(s, 0) for s in statuses):
            yield f'{os.path.basename(manifest)}: exit status {run.exit}, {summary}'
            return


class Assemblies:
    def __init__(self, build, runs, folder):
        self.tool, self.runs, self.folder = os.path.join(build, 'stlclash'), runs, folder
        self.make = os.path.join(build, 'bench', 'assembly')
        self.fcl, self.fcl_note = compile_fcl('fcl_assembly.cpp', folder)
        self.faults, self.fcl_faults = [], []

    def measure(self, title, manifest, with_fcl):
        ours = [self.tool, '-f', 'json']
        commands = {'all': [*ours, '-c', '0.25', manifest], 'one': [*ours, '-c', '0.25', '-j1', manifest],
                    'quick': [*ours, '--quick', '-j1', manifest]}
        if with_fcl and self.fcl:
            commands['fcl'] = [self.fcl, manifest]
        results = take_turns(commands, self.runs)
        self.faults += our_faults(manifest, results['all'] + results['one'], ('clash', 'contact', 'near'))
        self.faults += our_faults(manifest, results['quick'], ('clash', 'contact'))
        every, fcl = results['all'], results.get('fcl')
        peer = f'{cpu(fcl)} | {memory(fcl)} | {self.fcl_wrong(title, manifest, fcl)}' if fcl else '– | – | –'
        return (f'| {title} | {wall(every)} | {cpu(every)} | {memory(every)} | {cpu(results["one"])} '
                f'| {cpu(results["quick"])} | {peer} |')

    def fcl_wrong(self, title, manifest, runs):
        """How many pairs with a common point it finds too many or too few."""
        planted = sum(expected_of(manifest).get(s, 0) for s in ('clash', 'contact'))
        found = last_object(runs[0].output, 'result')['interfering']
        if found != planted:
            self.fcl_faults.append(f'{title}: {found} pairs with a common point, {planted} are planted')
        return abs(found - planted)

    def rows(self, balls_stl):
        subprocess.run([self.make, '-o', self.folder, *map(str, SIZES)], check=True)
        for n in SIZES:
            yield self.measure(f'{n:,} parts', os.path.join(self.folder, f'assembly-{n}.json'), True)
        big = os.path.join(self.folder, 'big')
        os.mkdir(big)
        subprocess.run([self.make, '-o', big, '-b', str(BIG_BORES), str(BIG_PARTS)], check=True)
        yield self.measure(f'{BIG_PARTS - 1:,} bolts in one plate of 1M triangles',
                           os.path.join(big, f'assembly-{BIG_PARTS}.json'), True)
        yield self.measure(f'{BALLS} balls of 1M triangles, one file', write_balls(self.folder, balls_stl), False)


def section(build, runs):
    """Markdown, and a list of wrong answers of ours. FCL is found by pkg-config."""
    def measure(folder):
        bench = Assemblies(build, runs, folder)
        return bench, list(bench.rows(part_files(build, 'sphshell', '1M')[0]))  # the plain ball of radius 1
    bench, rows = in_scratch(measure)
    lines = ['## Assemblies', '',
             'Time in s, peak memory in MB, medians. `-c 0.25`: every planted clash (with volume and depth), contact '
             'and near miss (with its distance) is found, and nothing else. FCL tells which pairs have a common point, '
             'with one thread; nearest to that is `--quick -j1`. Pairs that FCL finds too many or too few are counted.',
             '',
             '| assembly | `-c 0.25` wall | CPU | MB | with `-j1` CPU | `--quick -j1` CPU | FCL CPU | MB | wrong |',
             '| --- |' + ' ---: |' * 8, *rows, '']
    lines += [f'FCL, wrong: {fault}' for fault in bench.fcl_faults] + ([bench.fcl_note] if bench.fcl_note else [])
    return '\n'.join(lines) + '\n', bench.faults


if __name__ == '__main__':
    alone(section)
