#!/usr/bin/env python3
"""Measures the sweep of a part that moves straight or turns, or of two: next to the static check of the same pair, and
to FCL's continuous collision.

    python3 bench/bench_motion.py [build/release]      (RUNS=3, BENCH_DIR=dir)

Every answer of ours is checked by poses: apart just before the contact that is reported and together just after it; a
way that is said to be clear is sampled. Answers of FCL that differ are counted.
"""
import json
import math

from common import Run, alone, compile_fcl, in_scratch, median, ms, part_files

SIZES = ('10k', '100k')
# Pair, how far B moves, by how many degrees it turns about the z axis, what that does, and by how many A turns.
WAYS = (('far', (0, 2, 0), 0, 'passes far away', 0), ('far', (-1, 0, 0), 0, 'comes nearer', 0),
        ('far', (-16, 0, 0), 0, 'runs into A', 0), ('gap', (2, 0, 0), 0, 'leaves', 0),
        ('gap', (0, 2, 0), 0, 'passes close by', 0), ('gap', (-2, 0, 0), 0, 'runs into A', 0),
        ('gear', (2, 0, 0), 0, 'leaves', 0), ('gear', (0, 0, 0.5), 0, 'is pulled out', 0),
        ('gear', (0, 2, 0), 0, 'catches', 0), ('links', (2, 0, 0), 0, 'catches', 0),
        ('gap', (-1000, 0, 0), 0, 'shoots through A', 0), ('far', (0, 0, 0), 90, 'turns', 0),
        ('gap', (0, 0, 0), 30, 'turns close by', 0), ('gear', (0, 0, 0), 3, 'turns', 0),
        ('links', (0, 0, 0), 30, 'turns close by', 0), ('links', (0, 0, 0.2), 90, 'screws into A', 0),
        ('gap', (-0.1, 0, 0), 0, 'comes nearer, A turns', 90),
        ('links', (0, 0, 0.2), 90, 'screws into A, which turns', -20))
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

    def status_at(self, files, way, turn, turn_of_a, time):
        place = f'--place-b={placement(way, turn, time)}', f'--place-a={placement((0, 0, 0), turn_of_a, time)}'
        report = Run([self.tool, '--exact', '--quick', '-f', 'json', *place, *files]).output
        return json.loads(report)['pairs'][0]['status']

    def check_ours(self, where, files, way, turn, turn_of_a, pair):
        """By poses, which know nothing of motion."""
        contact = pair['motion']['first_contact']
        late = 1e-2 if turn or turn_of_a else 1e-4  # what turns may be in contact at a distance
        before = [i / 16 * (contact['time'] if contact else 1.0) for i in range(16)]
        if contact:
            before.append(contact['time'] * (1 - 1e-9))
            if self.status_at(files, way, turn, turn_of_a, contact['time'] + late) not in ('clash', 'contact'):
                self.faults.append(f'{where}: apart after the contact at {contact["time"]}')
        for time in before:
            if self.status_at(files, way, turn, turn_of_a, time) not in ('clear', 'near'):
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

    def row(self, size, case, way, turn, what, turn_of_a):
        files, where = part_files(self.build, case, size), f'{case} {size}, {what}'
        move = [f'--end-b={placement(way, turn)}' if turn else '--move-b=' + ','.join(str(x) for x in way)]
        move += [f'--end-a={placement((0, 0, 0), turn_of_a)}'] if turn_of_a else []
        still, swept = [], []
        for _ in range(self.runs):
            still.append(Run([self.tool, '-j1', '-f', 'json', *files]))
            swept.append(Run([self.tool, '-j1', '-f', 'json', *move, *files]))
        if len({run.output for run in swept}) > 1:
            self.faults.append(f'{where}: the report differs from run to run')
        pair = json.loads(swept[0].output)['pairs'][0]
        contact = pair['motion']['first_contact']
        self.check_ours(where, files, way, turn, turn_of_a, pair)
        cells = [case, what, pair['status'], f'{contact["time"]:.6g}' if contact else '', ms(median(still)),
                 ms(median(swept)), f'{median(swept) / median(still):.2f}']
        for mode in FCL if self.fcl else ():
            run = Run([self.fcl, mode, *files, *(str(x) for x in (*way, turn, turn_of_a))], FCL_LIMIT)
            cells.append(self.check_fcl(where, mode, run, contact))
        return cells

    def text(self):
        lines = ['## Parts that move straight, or turn', '',
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
