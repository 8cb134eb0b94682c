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
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

SIZES = (10, 1000, 10000)
BIG_BORES, BIG_PARTS = 120, 2001  # a plate of 1M triangles
BALLS, BALL_GAPS = 200, {7: -0.125, 33: 0.125}  # of 1M triangles each; by number modulo 50, else 0.5
HERE = os.path.dirname(os.path.abspath(__file__))


def tail(file, size=4096):
    """The end of a file. All of it would make this process large, and its children look large too."""
    file.seek(max(0, file.seek(0, os.SEEK_END) - size))
    return file.read().decode()


def last_object(text, key):
    """The value of a key near the end of a JSON text, a flat object."""
    return json.loads(re.search(f'"{key}": *({{[^{{}}]*}})', text)[1])


class Run:
    """One process to its end: wall and CPU in seconds, peak memory in bytes, end of output, exit status."""

    def __init__(self, *argv):
        with tempfile.TemporaryFile() as out:
            begin = time.perf_counter()
            pid = os.posix_spawn(argv[0], argv, os.environ,
                                 file_actions=[(os.POSIX_SPAWN_DUP2, out.fileno(), 1)])
            _, status, usage = os.wait4(pid, 0)
            self.wall = time.perf_counter() - begin
            self.output = tail(out)
        self.cpu = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss * 1024
        self.exit = os.waitstatus_to_exitcode(status)


def cpu(runs):
    return f'{statistics.median(r.cpu for r in runs):.2f}'


def wall(runs):
    return f'{statistics.median(r.wall for r in runs):.2f}'


def memory(runs):
    """What is below this script's own memory cannot be told."""
    bytes_used = statistics.median(r.memory for r in runs)
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return f'{"<" if bytes_used <= own else ""}{bytes_used / 1e6:.0f}'


def take_turns(commands, runs):
    """Name -> its runs, all commands in turns so that a busy machine disturbs them alike."""
    results = collections.defaultdict(list)
    for _ in range(runs):
        for name, argv in commands.items():
            results[name].append(Run(*argv))
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
        return last_object(tail(file), '_expected')


def our_faults(manifest, runs, statuses):
    """The summaries of all runs have what was planted of these statuses."""
    for run in runs:
        summary, planted = last_object(run.output, 'summary'), expected_of(manifest)
        if run.exit != 1 or summary['undecided'] or any(summary[s] != planted.get(s, 0) for s in statuses):
            yield f'{os.path.basename(manifest)}: exit status {run.exit}, {summary}'
            return


def build_fcl(folder):
    """The peer's program, or a line that says why there is none."""
    flags = subprocess.run(['pkg-config', '--cflags', '--libs', 'fcl', 'eigen3'], capture_output=True, text=True)
    if flags.returncode != 0:
        return None, 'FCL is not installed (libfcl-dev): not measured.'
    program = os.path.join(folder, 'fcl_assembly')
    options = [f for f in flags.stdout.split() if not f.startswith('-std')]
    made = subprocess.run(['c++', '-std=c++17', '-O2', '-DNDEBUG', '-o', program,
                           os.path.join(HERE, 'fcl_assembly.cpp'), *options], capture_output=True, text=True)
    if made.returncode != 0:
        return None, 'fcl_assembly.cpp does not compile with the FCL that is installed: not measured.'
    return program, None


class Assemblies:
    def __init__(self, build, runs, folder):
        self.tool, self.runs, self.folder = os.path.join(build, 'stlclash'), runs, folder
        self.make = os.path.join(build, 'bench', 'assembly')
        self.fcl, self.fcl_note = build_fcl(folder)
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


def ball(build):
    """The plain ball of radius 1 among the benchmark parts."""
    data = os.environ.get('BENCH_DIR') or os.path.join(os.environ.get('TMPDIR') or '/tmp', 'stlclash-bench')
    path = os.path.join(data, 'sphshell_1M_A.stl')
    if not os.path.exists(path):
        os.makedirs(data, exist_ok=True)
        subprocess.run([os.path.join(build, 'bench', 'gen'), '-o', data, 'sphshell', '1M'], check=True)
    return path


def section(build, peers, runs):
    """Markdown, and a list of wrong answers of ours. `peers` is not needed: FCL is found by pkg-config."""
    del peers
    build = os.path.abspath(build)
    folder = tempfile.mkdtemp(prefix='stlclash-assemblies-')
    try:
        bench = Assemblies(build, runs, folder)
        rows = list(bench.rows(ball(build)))
    finally:
        shutil.rmtree(folder)
    lines = ['## Assemblies', '',
             'Time in s, peak memory in MB, medians. `-c 0.25`: every planted clash (with volume and depth), contact '
             'and near miss (with its distance) is found, and nothing else. FCL tells which pairs have a common point, '
             'with one thread; nearest to that is `--quick -j1`. Pairs that FCL finds too many or too few are counted.',
             '',
             '| assembly | `-c 0.25` wall | CPU | MB | with `-j1` CPU | `--quick -j1` CPU | FCL CPU | MB | wrong |',
             '| --- |' + ' ---: |' * 8, *rows, '']
    lines += [f'FCL, wrong: {fault}' for fault in bench.fcl_faults] + ([bench.fcl_note] if bench.fcl_note else [])
    return '\n'.join(lines) + '\n', bench.faults


def main():
    text, faults = section(sys.argv[1] if len(sys.argv) > 1 else 'build/release', sys.argv[2:],
                           int(os.environ.get('RUNS') or 3))
    print(text)
    for fault in faults:
        print(f'wrong: {fault}')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
