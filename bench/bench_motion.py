#!/usr/bin/env python3
"""Measures the sweep of a part that moves straight: next to the static check of the same pair, and to FCL's continuous
collision.

    python3 bench/bench_motion.py build/release [PEERS]

Every answer of ours is checked by poses: apart just before the contact that is reported and together just after it; a
way that is said to be clear is sampled. Answers of FCL that differ are counted.
"""
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile

SIZES = ('10k', '100k')
# Pair, how far B moves, and what that does.
WAYS = (('far', (0, 2, 0), 'passes far away'), ('far', (-1, 0, 0), 'comes nearer'), ('far', (-16, 0, 0), 'runs into A'),
        ('gap', (2, 0, 0), 'leaves'), ('gap', (0, 2, 0), 'passes close by'), ('gap', (-2, 0, 0), 'runs into A'),
        ('gear', (2, 0, 0), 'leaves'), ('gear', (0, 0, 0.5), 'is pulled out'), ('gear', (0, 2, 0), 'catches'),
        ('links', (2, 0, 0), 'catches'), ('gap', (-1000, 0, 0), 'shoots through A'))
FCL = ('ca', 'polynomial', 'naive')  # naive: 100 poses, and the first of them that collides
FCL_LIMIT = 60  # seconds
CLOSE = 1e-5    # times that differ by more are different


class Run:
    """One process: CPU in ms, exit status, standard output; late: stopped after `limit` seconds."""

    def __init__(self, argv, limit=600):
        self.late = False
        with tempfile.TemporaryFile() as out:
            process = subprocess.Popen(argv, stdout=out, stderr=subprocess.DEVNULL)

            def stop(*_):
                self.late = True
                process.kill()
            signal.signal(signal.SIGALRM, stop)
            signal.alarm(limit)
            _, status, usage = os.wait4(process.pid, 0)
            signal.alarm(0)
            process.returncode = self.exit = os.waitstatus_to_exitcode(status)
            out.seek(0)
            self.output = out.read()
        self.cpu = (usage.ru_utime + usage.ru_stime) * 1e3


def median(runs):
    return statistics.median(run.cpu for run in runs)


def ms(x):
    return f'{x:.2f}' if x < 10 else f'{x:.1f}' if x < 100 else f'{x:.0f}'


def build_fcl(build):
    """The program, or why there is none."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'fcl_motion.cpp')
    program = os.path.join(build, 'bench', 'fcl_motion')
    flags = subprocess.run(['pkg-config', '--cflags', '--libs', 'fcl', 'eigen3'], capture_output=True, text=True,
                           check=False)
    if flags.returncode != 0:
        return None, 'FCL is not installed (libfcl-dev), so it is not measured.'
    if not os.path.exists(program) or os.path.getmtime(program) < os.path.getmtime(source):
        made = subprocess.run(['g++', '-O2', '-std=c++17', '-o', program, source, *flags.stdout.split()],
                              capture_output=True, check=False)
        if made.returncode != 0:
            return None, 'fcl_motion.cpp does not compile here, so FCL is not measured.'
    return program, None


class Bench:
    def __init__(self, build, runs):
        self.build, self.runs = os.path.abspath(build), runs
        self.tool = f'{self.build}/stlclash'
        self.data = os.environ.get('BENCH_DIR') or os.path.join(os.environ.get('TMPDIR') or '/tmp', 'stlclash-bench')
        self.fcl, self.missing = build_fcl(self.build)
        self.faults, self.odd, self.answers = [], [], {mode: 0 for mode in FCL}

    def files(self, case, size):
        paths = [f'{self.data}/{case}_{size}_{part}.stl' for part in 'AB']
        if not all(os.path.exists(path) for path in paths):
            os.makedirs(self.data, exist_ok=True)
            subprocess.run([f'{self.build}/bench/gen', '-o', self.data, case, size], stdout=subprocess.DEVNULL,
                           check=True)
        return paths

    def status_at(self, files, way, time):
        place = ','.join(repr(time * x) for x in way)
        report = Run([self.tool, '--exact', '--quick', '-f', 'json', f'--place-b={place}', *files]).output
        return json.loads(report)['pairs'][0]['status']

    def check_ours(self, where, files, way, pair):
        """By poses, which know nothing of motion."""
        contact = pair['motion']['first_contact']
        before = [i / 16 * (contact['time'] if contact else 1.0) for i in range(16)]
        if contact:
            before.append(contact['time'] * (1 - 1e-9))
            if self.status_at(files, way, contact['time'] + 1e-4) not in ('clash', 'contact'):
                self.faults.append(f'{where}: apart after the contact at {contact["time"]}')
        for time in before:
            if self.status_at(files, way, time) not in ('clear', 'near'):
                self.faults.append(f'{where}: together at {time}, before {contact and contact["time"]}')

    def check_fcl(self, where, mode, run, contact):
        if run.late:
            return f'> {FCL_LIMIT} s'
        try:
            answer = json.loads(run.output.splitlines()[-1])
        except (ValueError, LookupError):
            self.odd.append(f'{where}: FCL {mode} failed (exit {run.exit})')
            self.answers[mode] += 1
            return 'failed'
        mine = contact['time'] if contact else None
        theirs = answer['time'] if answer['collide'] else None
        close = 0.011 if mode == 'naive' else CLOSE
        if (mine is None) != (theirs is None) or (mine is not None and abs(mine - theirs) > close):
            late = mine is not None and (theirs is None or theirs > mine)
            self.odd.append(f'{where}: FCL {mode} says {theirs}, stlclash {mine}' + (' (late or missed)' if late else ''))
            self.answers[mode] += 1
            return f'{ms(run.cpu)} ({ms(answer["query_ms"])}), wrong'
        return f'{ms(run.cpu)} ({ms(answer["query_ms"])})'

    def row(self, size, case, way, what):
        files, where = self.files(case, size), f'{case} {size}, {what}'
        move = '--move-b=' + ','.join(str(x) for x in way)
        still, swept = [], []
        for _ in range(self.runs):
            still.append(Run([self.tool, '-j1', '-f', 'json', *files]))
            swept.append(Run([self.tool, '-j1', '-f', 'json', move, *files]))
        if len({run.output for run in swept}) > 1:
            self.faults.append(f'{where}: the report differs from run to run')
        pair = json.loads(swept[0].output)['pairs'][0]
        contact = pair['motion']['first_contact']
        self.check_ours(where, files, way, pair)
        cells = [case, what, pair['status'], f'{contact["time"]:.6g}' if contact else '', ms(median(still)),
                 ms(median(swept)), f'{median(swept) / median(still):.2f}']
        for mode in FCL if self.fcl else ():
            run = Run([self.fcl, mode, *files, *(str(x) for x in way)], FCL_LIMIT)
            cells.append(self.check_fcl(where, mode, run, contact))
        return cells

    def text(self):
        lines = ['## A part that moves straight', '',
                 'CPU milliseconds of whole processes, one thread: the static check of the pair, the sweep, and FCL\'s '
                 'continuous collision (in brackets its query alone, without reading and building).', '']
        head = ['pair', 'B', 'status', 'contact at', 'static', 'swept', 'ratio']
        head += [f'FCL {mode}' for mode in FCL] if self.fcl else []
        for size in SIZES:
            lines += [f'### {size} triangles a part', '', '| ' + ' | '.join(head) + ' |', '|' + ' --- |' * len(head)]
            lines += ['| ' + ' | '.join(self.row(size, *way)) + ' |' for way in WAYS] + ['']
        if self.missing:
            lines += [self.missing, '']
        else:
            asked = len(SIZES) * len(WAYS)
            lines += ['Wrong answers of FCL: ' + ', '.join(f'{n} of {asked} ({m})' for m, n in self.answers.items())
                      + '.', '', *(f'- {text}' for text in self.odd), '']
        lines += [f'- **wrong:** {text}' for text in self.faults]
        return '\n'.join(lines)


def section(build, peers, runs):
    """Markdown, and what is wrong with our answers. FCL is compiled here where it is installed; `peers` is not used."""
    del peers
    bench = Bench(build, runs)
    return bench.text(), bench.faults


if __name__ == '__main__':
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    markdown, faults = section(sys.argv[1], None, int(os.environ.get('RUNS') or 5))
    print(markdown)
    sys.exit(1 if faults else 0)
