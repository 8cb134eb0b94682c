#!/usr/bin/env python3
"""truth.py STLCLASH DIR - real pairs with known answers, in DIR/truth/pairs.json.

Checks with --exact, in both orders: the count of intersecting pairs, the distance, the
witness points (on the named triangles, as far apart as it says), the vector, and that
the second report mirrors the first; the relation, which part contains the other, the
common volume, and that the depth is no less than that of the deepest vertex. Pairs
that graze must be contacts at the default tolerances. Prints what differs; exit status 1
if anything does.
"""
import json
import math
import subprocess
import struct
import sys

TOLERANCE = 1e-12  # of the larger of 1 and the extent


STATUS = {'clash': 'clash', 'contained': 'clash', 'contact': 'contact', 'clear': 'clear'}
CONTAINED = {'a_in_b': 'a', 'b_in_a': 'b'}


def report(program, a, b, *options):
    run = subprocess.run([program, *options, '-f', 'json', a, b], capture_output=True, text=True)
    if not run.stdout:
        raise SystemExit(f'{a} {b}: {run.stderr.strip()}')
    return json.loads(run.stdout)


def corners(path, triangle):
    data = open(path, 'rb').read(84 + 50 * (triangle + 1))[84 + 50 * triangle:]
    v = struct.unpack('<12f', data[:48])[3:]
    return [v[0:3], v[3:6], v[6:9]]


def sub(p, q):
    return [x - y for x, y in zip(p, q)]


def dot(p, q):
    return math.fsum(x * y for x, y in zip(p, q))


def distance_to_triangle(p, t):
    """By projection to the plane where it falls inside, else to the edges."""
    e, f, w = sub(t[1], t[0]), sub(t[2], t[0]), sub(p, t[0])
    ee, ef, ff, we, wf = dot(e, e), dot(e, f), dot(f, f), dot(w, e), dot(w, f)
    det = ee * ff - ef * ef
    if det > 0:
        s, r = (ff * we - ef * wf) / det, (ee * wf - ef * we) / det
        if s >= 0 and r >= 0 and s + r <= 1:
            return math.hypot(*(w[k] - s * e[k] - r * f[k] for k in range(3)))
    best = math.inf
    for i in range(3):
        a, u = t[i], sub(t[(i + 1) % 3], t[i])
        at = max(0.0, min(1.0, dot(sub(p, a), u) / dot(u, u) if dot(u, u) > 0 else 0.0))
        best = min(best, math.dist(p, [a[k] + at * u[k] for k in range(3)]))
    return best


def extent(there):
    return max(high - low for part in there['parts']
               for low, high in zip(part['bounds']['min'], part['bounds']['max']))


def solid_faults(truth, p, size):
    """p: the pair's report; size: the larger part's extent."""
    overlap, volume = p['overlap'], truth['volume']
    if p['status'] != STATUS[truth['relation']]:
        yield f"{p['status']}, not {truth['relation']}"
    if (overlap and overlap['contained']) != CONTAINED.get(truth['contained']):
        yield f"{overlap and overlap['contained']} is contained, not {truth['contained']}"
    if volume is not None:
        got = overlap['volume'] if overlap else 0
        if got is None or abs(got - volume) > 1e-9 * volume + 1e-15 * size ** 3:
            yield f'volume {got}, not {volume}'
    deepest = max(truth.get('depth_verts_a_in_b', -1), truth.get('depth_verts_b_in_a', -1))
    if overlap and overlap['depth'] is not None:
        if overlap['depth'] + overlap['depth_error'] < deepest * (1 - 1e-8):
            yield f"depth {overlap['depth']}, but a vertex is {deepest} deep"
    elif overlap:
        yield 'no depth'


def faults(program, root, truth):
    a, b = root + '/' + truth['a'], root + '/' + truth['b']
    there, back = report(program, a, b, '--exact'), report(program, b, a, '--exact')
    p, q = there['pairs'][0], back['pairs'][0]
    scale = max([1.0] + [abs(x) for part in there['parts'] for x in part['bounds']['max']
                         + part['bounds']['min']])
    limit = TOLERANCE * scale
    if p['intersecting_pairs'] != truth['n_pairs']:
        yield f"{p['intersecting_pairs']} intersecting pairs, not {truth['n_pairs']}"
    if abs(p['distance'] - truth['distance']) > limit:
        yield f"distance {p['distance']}, not {truth['distance']}"
    if p['vector'] != sub(p['point_a'], p['point_b']):
        yield 'the vector is not point_a - point_b'
    if abs(math.dist(p['point_a'], p['point_b']) - p['distance']) > limit:
        yield 'the points are not the distance apart'
    for path, side in ((a, 'a'), (b, 'b')):
        off = distance_to_triangle(p['point_' + side], corners(path, p['triangle_' + side]))
        if off > limit:
            yield f'point_{side} is {off} off its triangle'
    for mine, other in (('a', 'b'), ('b', 'a')):
        for key in ('point_', 'triangle_', 'feature_'):
            if p[key + mine] != q[key + other]:
                yield f'{key}{mine} is not mirrored'
    if [-x for x in p['vector']] != q['vector'] or p['status'] != q['status']:
        yield 'vector or status is not mirrored'
    yield from solid_faults(truth, p, extent(there))
    if truth.get('grazing'):
        status = report(program, a, b)['pairs'][0]['status']
        if status != 'contact':
            yield f'{status} at the default tolerances, not contact'


def main():
    program, root = sys.argv[1:3]
    pairs, bad = json.load(open(root + '/truth/pairs.json')), 0
    for truth in pairs:
        for fault in faults(program, root, truth):
            print(truth['id'] + ': ' + fault)
            bad += 1
    print(f'{len(pairs)} pairs, {bad} faults')
    sys.exit(bad > 0)


main()
