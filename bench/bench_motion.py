#!/usr/bin/env python3
"""Measures the sweep of a part that moves straight or turns: next to the static check of the same pair, and to FCL's
continuous collision.

    python3 bench/bench_motion.py [build/release]      (RUNS=3, BENCH_DIR=dir)

Every answer of ours is checked by poses: apart just before the contact that is reported and together just after it; a
way that is said to be clear is sampled. Answers of FCL that differ are counted.
"""
import json
import math

from common import Run, alone, compile_fcl, in_scratch, median, ms, part_files

SIZES = ('10k', '100k')
# Pair, how far B moves, by how many degrees it turns about the z axis, and what that does.
WAYS = (('far', (0, 2, 0), 0, 'passes far away'), ('far', (-1, 0, 0), 0, 'comes nearer'),
        ('far', (-16, 0, 0), 0, 'runs into A'), ('gap', (2, 0, 0), 0, 'leaves'),
        ('gap', (0, 2, 0), 0, 'passes close by'), ('gap', (-2, 0, 0), 0, 'runs into A'),
        ('gear', (2, 0, 0), 0, 'leaves'), ('gear', (0, 0, 0.5), 0, 'is pulled out'),
        ('gear', (0, 2, 0), 0, 'catches'), ('links', (2, 0, 0), 0, 'catches'),
        ('gap', (-1000, 0, 0), 0, 'shoots through A'), ('far', (0, 0, 0), 90, 'turns'),
        ('gap', (0, 0, 0), 30, 'turns close by'), ('gear', (0, 0, 0), 3, 'turns'),
        ('links', (0, 0, 0), 30, 'turns close by'), ('links', (0, 0, 0.2), 90, 'screws into A'))
FCL = ('ca', 'polynomial', 'naive')  # naive: 100 poses, and the first of them that collides
FCL_LIMIT = 60  # seconds
CLOSE = 1e-5    # times that differ by more are different


def placement(way, turn, time=1.0):
    """Where B is by then, as an option has it."""
    sine, cosine = math.sin(math.radians(time * turn)), math.cos(math.radians(time * turn))
    x, y, z = (time * d for d in way)
    return ','.join(repr(n) for n in (cosine, -sine, 0, x, sine, cosine, 0, y, 0, 0, 1, z))


class Bench:
    def __init__(self, build, runs, folder):
        self.build, self.runs, self.tool = build, runs, f'{build}/stlclash'
        self.fcl, self.missing = compile_fcl('fcl_motion.cpp', folder)
        self.faults, self.odd, self.answers = [], [], {mode: 0 for mode in FCL}

    def status_at(self, files, way, turn, time):
        place = f'--place-b={placement(way, turn, time)}'
        report = Run([self.tool, '--exact', '--quick', '-f', 'json', place, *files]).output
        return json.loads(report)['pairs'][0]['status']

    def check_ours(self, where, files, way, turn, pair):
        """By poses, which know nothing of motion."""
        contact = pair['motion']['first_contact']
        late = 1e-2 if turn else 1e-4  # what turns may be in contact at a distance
        before = [i / 16 * (contact['time'] if contact else 1.0) for i in range(16)]
        if contact:
            before.append(contact['time'] * (1 - 1e-9))
            if self.status_at(files, way, turn, contact['time'] + late) not in ('clash', 'contact'):
                self.faults.append(f'{where}: apart after the contact at {contact["time"]}')
        for time in before:
            if self.status_at(files, way, turn, time) not in ('clear', 'near'):
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

    def row(self, size, case, way, turn, what):
        files, where = part_files(self.build, case, size), f'{case} {size}, {what}'
        move = f'--end-b={placement(way, turn)}' if turn else '--move-b=' + ','.join(str(x) for x in way)
        still, swept = [], []
        for _ in range(self.runs):
            still.append(Run([self.tool, '-j1', '-f', 'json', *files]))
            swept.append(Run([self.tool, '-j1', '-f', 'json', move, *files]))
        if len({run.output for run in swept}) > 1:
            self.faults.append(f'{where}: the report differs from run to run')
        pair = json.loads(swept[0].output)['pairs'][0]
        contact = pair['motion']['first_contact']
        self.check_ours(where, files, way, turn, pair)
        cells = [case, what, pair['status'], f'{contact["time"]:.6g}' if contact else '', ms(median(still)),
                 ms(median(swept)), f'{median(swept) / median(still):.2f}']
        for mode in FCL if self.fcl else ():
            run = Run([self.fcl, mode, *files, *(str(x) for x in (*way, turn))], FCL_LIMIT)
            cells.append(self.check_fcl(where, mode, run, contact))
        return cells

    def text(self):
        lines = ['## A part that moves straight, or turns', '',
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
        return '\n'.join(lines)


def section(build, runs):
    """Markdown, and what is wrong with our answers. FCL is found by pkg-config."""
    def measure(folder):
        bench = Bench(build, runs, folder)
        return bench.text(), bench.faults
    return in_scratch(measure)


if __name__ == '__main__':
    alone(section)
