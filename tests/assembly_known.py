#!/usr/bin/env python3
"""assembly_known.py STLCLASH MANIFEST... - generated assemblies (bench/assembly.c), whose
names and member "_expected" tell what must come out at a clearance of 0.25: every planted
clash, contact and near miss with its number, and none else. Prints what differs."""
import json
import subprocess
import sys

DEPTH, GAP = 0.5, 0.125


def check(program, manifest):
    expected = json.load(open(manifest))['_expected']
    run = subprocess.run([program, '-f', 'json', '--clearance=0.25', manifest],
                         capture_output=True, text=True)
    report = json.loads(run.stdout)
    if run.returncode != 1 or run.stderr:
        yield f'exit status {run.returncode}: {run.stderr}'
    found = dict.fromkeys(expected, 0)
    for pair in report['pairs']:
        status = pair['status']
        plate, bolt = pair['a'], pair['b']
        if status == 'clear':
            continue
        if not plate.startswith('plate-') or not bolt.endswith('-' + status):
            yield f'{plate}, {bolt}: {status}'
            continue
        found[status] += 1
        if status == 'clash' and abs(pair['overlap']['depth'] - DEPTH) > 0.01 * DEPTH:
            yield f"{bolt}: depth {pair['overlap']['depth']}"
        if status != 'clash' and pair['distance'] != (GAP if status == 'near' else 0):
            yield f"{bolt}: distance {pair['distance']}"
    if found != expected:
        yield f'{found}, not {expected}'
    parts, summary = len(report['parts']), report['summary']
    if summary['pairs'] != parts * (parts - 1) // 2:
        yield f'{summary}'
    for status, count in expected.items():
        if summary[status] != count:
            yield f'{summary}'


def main():
    bad = 0
    for manifest in sys.argv[2:]:
        for fault in check(sys.argv[1], manifest):
            print(f'{manifest}: {fault}')
            bad += 1
    print(f'{len(sys.argv) - 2} assemblies, {bad} faults')


main()
