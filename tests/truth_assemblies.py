#!/usr/bin/env python3
"""truth_assemblies.py STLCLASH DIR [long] - every manifest of DIR/data runs; where
DIR/truth/assemblies gives pairs of one, all of them agree: distances within 4e-7 of the
extent, and the status of all that are deeper or farther apart than that (the truth was
computed from placed coordinates that were rounded to 32-bit floats). Pairs beyond the limit
of the truth are clear. summary.pairs is checked + ignored + undecided = n (n - 1) / 2.
Manifests of more than 100 parts are for long runs. Prints what differs; exit status 1 if
anything does.
"""
import glob
import json
import os
import subprocess
import sys

TOLERANCE = 4e-7


def run(program, manifest, *options):
    done = subprocess.run([program, *options, '-f', 'json', manifest], capture_output=True,
                          text=True)
    if not done.stdout or done.stderr:
        raise SystemExit(f'{manifest}: {done.stderr.strip()}')
    return done.returncode, json.loads(done.stdout)


def extent(report):
    boxes = [p['bounds'] for p in report['parts']]
    return max(max(b['max'][k] for b in boxes) - min(b['min'][k] for b in boxes)
               for k in range(3))


def summary_faults(status, report):
    s, n = report['summary'], len(report['parts'])
    if not s['pairs'] == s['checked'] + s['ignored'] + s['undecided'] == n * (n - 1) // 2:
        yield f'the pairs of the summary do not add up: {s}'
    if s['checked'] != s['clash'] + s['contact'] + s['near'] + s['clear']:
        yield f'the checked pairs do not add up: {s}'
    if status != (2 if s['undecided'] else 0 if s['pass'] else 1):
        yield f'exit status {status} with {s}'
    names = {p['name']: i for i, p in enumerate(report['parts'])}
    order = [(names[p['a']], names[p['b']]) for p in report['pairs']]
    if order != sorted(set(order)) or any(a >= b for a, b in order):
        yield 'pairs are out of order, or there twice'


def pair_faults(truth, pair, tolerance):
    """pair: what the report has, or None if its boxes alone tell that it is clear."""
    where = f"{truth['a']} {truth['b']}"
    if truth['relation'] == 'clear':
        if truth['distance'] <= tolerance:
            return
        if pair is None or pair['distance'] is None:
            yield f"{where}: not looked at, though {truth['distance']} apart"
        elif abs(pair['distance'] - truth['distance']) > tolerance:
            yield f"{where}: distance {pair['distance']}, not {truth['distance']}"
        elif pair['status'] not in ('clear', 'near'):
            yield f"{where}: {pair['status']}, though {truth['distance']} apart"
        return
    if pair is None:
        yield f'{where}: not looked at, but a {truth["relation"]}'
        return
    depth = truth['depth']
    if depth is None:  # not told: what crosses may be deep or only rounded
        if pair['status'] not in ('clash', 'contact') and pair['distance'] > tolerance:
            yield f"{where}: {pair['status']} at {pair['distance']}, not {truth['relation']}"
    elif depth > tolerance:
        if pair['status'] != 'clash':
            yield f"{where}: {pair['status']}, but {depth} deep"
        overlap = pair['overlap']
        if overlap and overlap['depth'] + overlap['depth_error'] < depth - tolerance:
            yield f"{where}: depth {overlap['depth']}, but a vertex is {depth} deep"
        if overlap and truth['volume'] is not None:
            room = tolerance * overlap['contact_area'] if overlap['contact_area'] else 0
            area = sum(2 * (d[0] * d[1] + d[1] * d[2] + d[2] * d[0]) for d in
                       [[overlap['bounds']['max'][k] - overlap['bounds']['min'][k]
                         for k in range(3)]])
            if abs(overlap['volume'] - truth['volume']) > room + 4 * tolerance * area:
                yield f"{where}: volume {overlap['volume']}, not {truth['volume']}"


def faults(program, manifest, truth):
    options = [] if truth or 'long' in sys.argv else ['--no-overlap']
    status, report = run(program, manifest, *options)
    yield from summary_faults(status, report)
    if truth is None:
        return
    limit = truth['bbox_gap_limit']
    _, report = run(program, manifest, f'--clearance={limit}')
    found = {(p['a'], p['b']): p for p in report['pairs']}
    tolerance = TOLERANCE * extent(report)
    listed = set()
    for pair in truth['pairs']:
        key = (pair['a'], pair['b'])
        listed |= {key, key[::-1]}
        yield from pair_faults(pair, found.get(key) or found.get(key[::-1]), tolerance)
    if len(truth['pairs']) + truth['pairs_beyond_limit'] == truth['pairs_total']:
        for key, pair in found.items():
            if key not in listed and pair['status'] != 'clear':
                yield f"{key[0]} {key[1]}: {pair['status']}, but their boxes are {limit} apart"


def main():
    program, root = sys.argv[1:3]
    most = 10 ** 9 if 'long' in sys.argv[3:] else 100
    truths, bad = {}, 0
    for path in glob.glob(root + '/truth/assemblies/*.json'):
        truth = json.load(open(path))
        truths[os.path.normpath(root + '/data/' + truth['manifest'])] = truth
    manifests = sorted(path for folder in ('robot-*', 'parts-*')
                       for path in glob.glob(f'{root}/data/{folder}/*.json')
                       if len(json.load(open(path))['parts']) <= most)
    for path in manifests:
        for fault in faults(program, path, truths.pop(os.path.normpath(path), None)):
            print(f'{os.path.relpath(path, root)}: {fault}')
            bad += 1
    bad += len(truths)
    for path in truths:
        print(f'{path} is missing')
    print(f'{len(manifests)} manifests run, {bad} faults')
    sys.exit(bad > 0)


main()
