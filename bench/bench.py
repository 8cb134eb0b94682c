#!/usr/bin/env python3
"""Measures stlclash against the physical floor and, with PEERS=dir, against other tools.

    make bench [SIZES=10k,100k,1M] [CASES=overlap,gap,...] [QUESTIONS=any,pairs,dist,volume,mesh]
               [RUNS=5] [BENCH_DIR=dir] [PEERS=dir] [SECTIONS=pairs,assemblies,motion,probes,text]

Whole processes, in turns (floor, sort, one thread, two threads, peers, and again), files in the page
cache. bench/README.md tells how to read the tables. Exits with 1 if an answer is wrong.
"""
import glob
import json
import math
import os
import platform
import resource
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time

import bench_assemblies
import bench_motion
import bench_probes
import bench_text
from common import Run, median, ms, part_files

# What is measured beside pairs, each by a file of its own.
SECTIONS = {'assemblies': bench_assemblies, 'motion': bench_motion, 'probes': bench_probes,
            'text': bench_text}

# Pairs of benchmark parts, and whether their surfaces meet (from 10k triangles a part).
CASES = {'overlap': True, 'gap': False, 'far': False, 'links': False, 'shell': False, 'sphshell': False,
         'gear': False, 'gearx': True, 'touch': True, 'contain': False, 'shuffled': True, 'cross': True,
         'slivers': True, 'trap': False, 'screw': True, 'sleeve': True, 'pins': True}
SHELLS_MEET = ('shell', 'sphshell')  # coarse facets of the two tessellations may cross

QUESTIONS = {'any': 'do they interfere (--quick)', 'pairs': 'all intersecting pairs', 'dist': 'the distance',
             'volume': 'the volume they have in common',
             'mesh': 'the same, and what they have in common as an STL file',
             'whole': 'everything: the distance, and volume and depth where they clash'}
VOLUME_CASES = ('overlap', 'shell', 'gearx')  # for which these two are asked
STATUS_OF_EXIT = {0: ('contact', 'clear'), 1: ('clash',), 2: ('undecided',)}

# What one thread may use at 1M triangles a part: CPU <= F + c S; (must, aim).
GOALS = {}
for _questions, _cases, _goal in (
        (('any', 'pairs'), ('far', 'gap', 'links'), (0.10, 0.03)),
        (('dist', 'whole'), ('far', 'gap', 'links'), (0.35, 0.08)),
        (('pairs',), ('overlap', 'gearx'), (0.60, 0.15)),
        (('pairs',), ('shuffled',), (0.75, 0.30)),
        (('any',), ('overlap', 'cross'), (0.30, 0.05)),
        (('pairs',), ('cross', 'shell'), (4, 1.3)),
        (('dist',), ('shell', 'sphshell'), (5, 2)),
        (('any', 'pairs', 'dist', 'whole'), ('touch',), (16, 4))):
    GOALS.update({(q, c): _goal for q in _questions for c in _cases})
WHOLE_GOAL = (4, 2)  # times all pairs, of parts that clash
SMALL_GOAL = (2.0, 0.6)  # at 10k: wall milliseconds above F, twice that for shells

PEERS = {'fcl': 'any pairs dist', 'fcl-aabb': 'any pairs dist', 'cgal': 'any pairs dist volume', 'embree': 'any pairs'}
KNOWN_WRONG = {('fcl', 'touch'), ('fcl-aabb', 'touch')}  # counts of coplanar touching pairs
TIMEOUT, SLOW = 60, 8  # seconds: stopped; run once


def number(size):
    return float(size.replace('k', 'e3').replace('M', 'e6'))


def spread(runs, what='cpu'):
    values = [getattr(r, what) for r in runs]
    return f'{ms(statistics.median(values))} ({ms(min(values))}..{ms(max(values))})'


def stl_volume(path):
    """That of a binary STL file, as it is stored."""
    with open(path, 'rb') as file:
        file.seek(84)
        facets = struct.iter_unpack('<12fH', file.read())
    return sum(a * (e * k - f * h) + b * (f * g - d * k) + c * (d * h - e * g)
               for _, _, _, a, b, c, d, e, f, g, h, k, _ in facets) / 6


def same(question, x, y):
    if question in ('dist', 'volume'):
        return abs(x - y) <= 1e-6 * max(abs(x), abs(y))
    return x == y


class Bench:
    def __init__(self, build):
        self.build = os.path.abspath(build)
        self.tool = f'{self.build}/stlclash'
        env = os.environ.get
        self.sizes = (env('SIZES') or '10k,100k,1M').split(',')
        self.sections = (env('SECTIONS') or ','.join(['pairs', *SECTIONS])).split(',')
        self.cases = (env('CASES') or ','.join(CASES)).split(',')
        self.questions = (env('QUESTIONS') or ','.join(QUESTIONS)).split(',')
        self.runs = int(env('RUNS') or 5)
        self.peers = self.find_peers(env('PEERS'))
        self.out = os.path.join(os.path.dirname(self.build), 'bench.md')
        self.scratch = tempfile.mkdtemp(prefix='stlclash-bench-')
        self.lines, self.wrong, self.odd, self.missed, self.dead = [], [], [], [], set()
        self.points = []  # what was measured, for bench/figure.py

    # ---- what is run ----

    def find_peers(self, folder):
        """Peer name -> program; builds them in a copy where there are none."""
        if not folder:
            return {}
        folder = os.path.abspath(folder)
        if not glob.glob(f'{folder}/bin/*'):
            copy = os.path.join(os.path.dirname(self.build), 'peers')
            if not os.path.exists(copy):
                shutil.copytree(folder, copy)
                subprocess.run(['chmod', '-R', 'u+w', copy], check=True)
            subprocess.run(['make', '-k', '-C', copy], check=False, stdout=sys.stderr)
            folder = copy
        os.environ['PEER_THREADS'] = '1'
        return {p: f'{folder}/bin/{p}' for p in PEERS if os.access(f'{folder}/bin/{p}', os.X_OK)}

    def files(self, case, size):
        try:
            paths = part_files(self.build, case, size)
        except subprocess.CalledProcessError:
            return None
        for path in paths:
            with open(path, 'rb') as file:
                while file.read(1 << 22):  # into the page cache
                    pass
        return paths

    def command(self, question, threads, files):
        report = f'{self.scratch}/{question}-{threads}.json'
        options = {'any': ['--quick', '-q'],
                   'pairs': ['--no-overlap', '--no-distance', '-f', 'json', '-o', report, '-q'],
                   'dist': ['--no-overlap', '-f', 'json'],
                   'volume': ['--no-depth', '--no-distance', '-f', 'json'],
                   'mesh': ['--no-depth', '--no-distance', '-f', 'json', f'--overlap={self.scratch}/common.stl'],
                   'whole': ['-f', 'json']}[question]
        return [self.tool, *options, f'-j{threads}', *files], report

    def asked(self, case):
        return [q for q in self.questions if q not in ('volume', 'mesh') or case in VOLUME_CASES]

    # ---- answers ----

    def say_wrong(self, where, text):
        self.wrong.append(f'{where}: {text}')

    def check_ours(self, case, size, files, ours):
        """Our answers, question -> value, after checks against each other and the shapes."""
        where, found, status, answers = f'{case} {size}', {}, {}, {}
        for (question, threads), runs in ours.items():
            outputs = {r.output for r in runs}
            if len(outputs) > 1 or len({r.exit for r in runs}) > 1 or runs[0].exit not in (0, 1, 2):
                self.say_wrong(where, f'{question} -j{threads}: exit {sorted({r.exit for r in runs})}, '
                                      f'{len(outputs)} different outputs in {len(runs)} runs')
            found.setdefault(question, set()).add(outputs.pop())
        for question, outputs in found.items():
            if len(outputs) > 1:
                self.say_wrong(where, f'{question}: the report depends on the number of threads')
            if question == 'any':
                output = Run([self.tool, '--quick', '-f', 'json', *files]).output
            else:
                output = outputs.pop()
            try:
                pair = json.loads(output)['pairs'][0]
                status[question] = pair['status']
            except (ValueError, LookupError):
                self.say_wrong(where, f'{question}: no report')
                continue
            if pair['status'] not in STATUS_OF_EXIT.get(ours[question, 1][0].exit, ()):
                self.say_wrong(where, f'{question}: {pair["status"]}, but exit {ours[question, 1][0].exit}')
            count, distance = pair['intersecting_pairs'], pair['distance']
            if question != 'any':
                if count is None or (count > 0) != (distance == 0):
                    self.say_wrong(where, f'{question}: {count} pairs, distance {distance}')
                meet = CASES.get(case)
                if number(size) >= 1e4 and meet is not None and count is not None and (count > 0) != meet and not (
                        case in SHELLS_MEET and number(size) < 1e5):
                    self.say_wrong(where, f'{question}: {count} pairs')
                answers['pairs'] = count
                answers['any'] = None if count is None else count > 0
                if distance is not None:  # else it was not asked for
                    answers['dist'] = distance
                answers['volume'] = (pair['overlap'] or {}).get('volume')
                if question == 'mesh':
                    volume = stl_volume(f'{self.scratch}/common.stl')
                    if abs(volume - answers['volume']) > 1e-4 * answers['volume']:  # its coordinates are rounded
                        self.say_wrong(where, f'the mesh holds {volume}, not {answers["volume"]}')
        if len(set(status.values()) - {'undecided'}) > 1:
            self.say_wrong(where, f'status depends on the question: {status}')
        return status, answers

    def check_peers(self, case, size, answers, theirs):
        for question in self.questions:
            ours, views = answers.get(question), {}
            for (peer, asked), runs in theirs.items():
                if asked == question and not runs[0].late:
                    try:
                        key = {'any': 'intersect', 'pairs': 'pairs', 'dist': 'dist', 'volume': 'volume'}[question]
                        views[peer] = json.loads(runs[0].output.splitlines()[-1])['result'][key]
                    except (ValueError, LookupError):
                        self.odd.append(f'{case} {size} {question}: {peer} failed (exit {runs[0].exit})')
            if ours is None or not views:
                continue
            others = {p: v for p, v in views.items() if not same(question, v, ours)}
            for peer, value in others.items():
                known = ' (known)' if (peer, case) in KNOWN_WRONG else ''
                self.odd.append(f'{case} {size} {question}: {peer} says {value}, stlclash {ours}{known}')
            if len(others) == len(views):
                self.say_wrong(f'{case} {size}', f'{question}: {ours}, but every peer disagrees: {others}')

    # ---- rounds ----

    def measure(self, case, size):
        """All runs of a pair: floor mode -> runs, (question, threads) -> runs, (peer, question) -> runs."""
        files = self.files(case, size)
        if not files:
            return None
        floor, ours, theirs = {}, {}, {}
        small = number(size) < 1e6
        for turn in range(self.runs * 3 if small else self.runs):
            for mode in ('aabb', 'sort'):
                floor.setdefault(mode, []).append(Run([f'{self.build}/bench/floor', mode, *files]))
            for question in self.asked(case):
                for threads in (1, 2):
                    argv, report = self.command(question, threads, files)
                    if os.path.exists(report):
                        os.remove(report)
                    run = Run(argv)
                    if question == 'pairs' and os.path.exists(report):
                        with open(report, 'rb') as file:
                            run.output = file.read()
                    ours.setdefault((question, threads), []).append(run)
                for peer, program in self.peers.items():
                    done = theirs.get((peer, question), [])
                    if turn >= self.runs or question not in PEERS[peer].split() or \
                            (peer, question, case) in self.dead or (done and done[0].wall > SLOW * 1e3):
                        continue
                    run = Run([program, question, *files], TIMEOUT)
                    if run.late:
                        self.dead.add((peer, question, case))  # at larger sizes too
                    theirs.setdefault((peer, question), []).append(run)
        return files, floor, ours, theirs

    # ---- tables ----

    def goal(self, case, size, question, c, above):
        """Text for the goal, and whether it is met."""
        if number(size) == 1e6 and (question, case) in GOALS:
            must, aim = GOALS[question, case]
            return f'c {must:g} / {aim:g}', c, must, aim
        if number(size) == 1e4:
            must, aim = (g * (2 if case in SHELLS_MEET else 1) for g in SMALL_GOAL)
            return f'F + {must:g} / {aim:g} ms', above, must, aim
        return '', 0, 1, 1

    def row(self, case, size, question, status, floor, ours, theirs):
        runs = ours[question, 1]
        base, sort = median(floor['aabb']), median(floor['sort'])
        c = (median(runs) - base) / max(sort - base, 1e-3)
        text, value, must, aim = self.goal(case, size, question, c, median(runs, 'wall') - median(floor['aabb'], 'wall'))
        if case == 'slivers' and question == 'pairs' and number(size) <= 1e5 and theirs:
            best = min([median(r) for (p, q), r in theirs.items() if q == 'pairs' and not r[0].late] or [math.inf])
            text, value, must, aim = 'best peer / a quarter', median(runs) / best, 1, 0.25
        if question == 'whole' and status == 'clash' and number(size) >= 1e5 and ('pairs', 1) in ours:
            (must, aim), text = WHOLE_GOAL, f'pairs x {WHOLE_GOAL[0]} / {WHOLE_GOAL[1]}'
            value = median(runs) / median(ours['pairs', 1])
        if question == 'volume' and 1e5 <= number(size) <= 1e6 and ('cgal', question) in theirs:
            text, value, must, aim = 'CGAL / 20', median(runs) / median(theirs['cgal', question]), 0.05, 0.025
        met = '' if not text else 'aim' if value <= aim else 'yes' if value <= must else '**no**'
        if met == '**no**':
            self.missed.append(f'{case} {size} {question}: {value:.3g}, goal {must:g}')
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        memory = max(r.memory for r in runs)
        beyond = (memory - median(floor['aabb'], 'memory')) / (2 * number(size))
        rss = f'{memory / 1e6:.0f}' + (f' ({beyond:+.0f} B)' if memory > 2 * own else ' (<)')
        cells = [case, status or '', ms(base), ms(sort - base), spread(runs), spread(runs, 'wall'),
                 f'{median(runs) / base:.2f}', f'{c:.3f}', text, met, rss]
        for peer in self.peers:
            result = theirs.get((peer, question))
            if question not in PEERS[peer].split():
                continue
            if not result or result[0].late:
                cells.append(f'> {TIMEOUT} s')
            else:
                cells.append(f'{ms(median(result))} ({median(result) / median(runs):.1f}x)')
        if self.peers:
            real = [median(r) for (p, q), r in theirs.items() if q == question and not r[0].late]
            cells.append(f'**{min(real) / median(runs):.2f}x**' if real else '')
        return cells

    def threads_row(self, case, question, floor, ours):
        one, two = median(ours[question, 1], 'wall'), median(ours[question, 2], 'wall')
        limit = 0.65 if one > 4 * median(floor['aabb'], 'wall') else 1.05
        return [case, question, spread(ours[question, 1], 'wall'), spread(ours[question, 2], 'wall'),
                f'{two / one:.2f}', f'{limit:g}', 'yes' if two / one <= limit else '**no**',
                ms(median(ours[question, 2]))]

    def table(self, head, rows):
        self.lines += ['| ' + ' | '.join(head) + ' |', '|' + ' --- |' * len(head)]
        self.lines += ['| ' + ' | '.join(row) + ' |' for row in rows] + ['']

    def show(self, size, results):
        for question in self.questions:
            peers = [p for p in self.peers if question in PEERS[p].split()]
            self.lines += [f'## {question}: {QUESTIONS[question]}; {size} triangles a part, one thread', '']
            head = ['pair', 'status', 'F', 'S', 'CPU', 'wall', 'CPU/F', 'c', 'goal (must / aim)', 'met', 'RSS MB']
            head += peers + (['best peer / ours'] if self.peers else [])
            self.table(head, [self.row(case, size, question, status.get(question), floor, ours, theirs)
                              for case, (status, floor, ours, theirs) in results.items()
                              if question in self.asked(case)])
        self.lines += [f'## Two threads; {size} triangles a part', '']
        self.table(['pair', 'question', 'wall, 1 thread', 'wall, 2 threads', 'ratio', 'goal', 'met', 'CPU, 2 threads'],
                   [self.threads_row(case, q, floor, ours)
                    for case, (_, floor, ours, _) in results.items() for q in self.asked(case)])

    def machine(self):
        cpu = platform.processor() or platform.machine()
        try:
            text = subprocess.run(['lscpu'], capture_output=True, text=True, check=False).stdout
            cpu = next((line.split(':', 1)[1].strip() for line in text.splitlines() if line.startswith('Model name')), cpu)
        except OSError:
            pass
        compiler = subprocess.run([os.environ.get('CC') or 'gcc', '--version'], capture_output=True, text=True,
                                  check=False).stdout.split('\n')[0]
        names = ('SIZES', 'CASES', 'QUESTIONS', 'RUNS', 'PEERS', 'SECTIONS')
        given = [f'{n}={os.environ[n]}' for n in names if os.environ.get(n)]
        return [f'- machine: {cpu}, {len(os.sched_getaffinity(0))} processors, '
                f'{platform.system()} {platform.release()}, {compiler}',
                f'- command: `{" ".join(["make", "bench", *given])}`',
                f'- medians (min..max) of {self.runs} runs, {3 * self.runs} below 1M, in turns; milliseconds; CPU is '
                f'user + system; peers over {SLOW} s run once, over {TIMEOUT} s are stopped', '']

    def record(self, case, size, floor, ours, theirs):
        """Keeps medians for bench/figure.py: a point for each program and question."""
        def point(program, question, threads, runs):
            self.points.append({'program': program, 'question': question, 'case': case, 'size': size,
                                'triangles': int(number(size)), 'threads': threads,
                                'cpu': median(runs), 'wall': median(runs, 'wall')})
        for (question, threads), runs in ours.items():
            point('stlclash', question, threads, runs)
        for question in self.asked(case):
            point('floor', question, 1, floor['aabb'])
        for (peer, question), runs in theirs.items():
            if not runs[0].late:
                point(peer, question, 1, runs)

    def save(self):
        with open(self.out, 'w', encoding='utf-8') as file:
            file.write('\n'.join(self.lines))
        with open(os.path.splitext(self.out)[0] + '.json', 'w', encoding='utf-8') as file:
            json.dump({'machine': self.machine(), 'points': self.points}, file, indent=1)

    def measure_pairs(self):
        for size in self.sizes:
            results = {}
            for case in self.cases:
                begin = time.perf_counter()
                measured = self.measure(case, size)
                if not measured:
                    continue
                files, floor, ours, theirs = measured
                status, answers = self.check_ours(case, size, files, ours)
                self.check_peers(case, size, answers, theirs)
                self.record(case, size, floor, ours, theirs)
                self.save()
                results[case] = status, floor, ours, theirs
                print(f'{case} {size}: {time.perf_counter() - begin:.1f} s', file=sys.stderr, flush=True)
            self.show(size, results)
            self.save()

    def main(self):
        self.lines += ['# stlclash: benchmark', '', *self.machine()]
        if 'pairs' in self.sections:
            self.measure_pairs()
        for name, module in SECTIONS.items():
            if name in self.sections:
                text, faults = module.section(self.build, self.runs)
                self.lines.append(text)
                self.wrong += faults
                self.save()
        for title, entries in (('Goals missed', self.missed), ('Peers that disagree', self.odd),
                               ('Wrong answers', self.wrong)):
            self.lines += [f'## {title}', '', *([f'- {e}' for e in entries] or ['none']), '']
        print('\n'.join(self.lines))
        self.save()
        print(f'written to {self.out}', file=sys.stderr)
        shutil.rmtree(self.scratch)
        return 1 if self.wrong else 0


sys.exit(Bench(sys.argv[1] if len(sys.argv) > 1 else 'build/release').main())
