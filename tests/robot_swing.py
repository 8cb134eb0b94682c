#!/usr/bin/env python3
"""Links of robot arms that swing from one pose to another, against dense sampling.

    robot_swing.py STLCLASH DATA [STEPS]

The arms below DATA (robot-NAME/POSE.json, assemblies with placements) swing each link from pose
to pose, past links that stay. Poses on the way come from the screw as reported, and are judged
by the static check: no meeting may be missed, none reported late, none nearer than the closest
approach less its error. Prints what is wrong, and a line with counts.
"""
import json
import math
import os
import subprocess
import sys

tool, data = sys.argv[1:3]
STEPS = int(sys.argv[3]) if len(sys.argv) > 3 else 24


def run(a, b, *options):
    done = subprocess.run([tool, '-f', 'json', '-n', '0', '--no-overlap', *options, a, b], capture_output=True, text=True)
    return json.loads(done.stdout)['pairs'][0] if done.returncode in (0, 1, 2) and done.stdout else None


def spec(placement):
    return ','.join(repr(float(x)) for x in placement)


def placed(screw, start, t):
    """The placement at time t, by Rodrigues' formula about the axis."""
    k, point = screw['direction'], screw['point']
    c, s = math.cos(t * screw['angle']), math.sin(t * screw['angle'])
    out = [0.0] * 12 + [0.0, 0.0, 0.0, 1.0]
    for j in range(4):
        p = [start[4 * i + j] - (point[i] if j == 3 else 0) for i in range(3)]
        dot = sum(x * y for x, y in zip(k, p))
        for i in range(3):
            cross = k[(i + 1) % 3] * p[(i + 2) % 3] - k[(i + 2) % 3] * p[(i + 1) % 3]
            out[4 * i + j] = p[i] * c + cross * s + k[i] * dot * (1 - c)
            if j == 3:
                out[4 * i + j] += point[i] + t * screw['shift'] * k[i]
    return out


def swing(folder, still, moving, end, counts):
    a, b = (os.path.join(folder, part['file']) for part in (still, moving))
    place = ['--place-a=' + spec(still['placement'])]
    pair = run(a, b, *place, '--max-time=20', '--place-b=' + spec(moving['placement']), '--end-b=' + spec(end['placement']))
    where = f'{os.path.basename(folder)}: {moving["name"]} past {still["name"]}'
    if not pair:
        print(f'{where}: no report')
        return
    motion = pair['motion']
    counts['swings'] += 1
    counts[pair['status']] = counts.get(pair['status'], 0) + 1
    if motion['start_status'] == 'clash' or pair['status'] == 'undecided' or len(motion['screws']) != 1:
        return
    contact, approach = motion['first_contact'], motion['closest_approach']
    for i in range(STEPS + 1):
        t = i / STEPS
        pose = run(a, b, *place, '--place-b=' + spec(placed(motion['screws'][0], moving['placement'], t)))
        counts['poses'] += 1
        meets = pose['status'] == 'clash' or pose['distance'] == 0
        if meets and not contact:
            print(f'{where}: a meeting at {t} is missed')
        if meets and contact and contact['time'] > t + 1e-9:
            print(f'{where}: contact at {contact["time"]}, but they meet at {t}')
        if pose['status'] == 'clash' and pair['status'] not in ('clash', 'contact'):
            print(f'{where}: {pair["status"]}, but they clash at {t}')
        if approach and pose['distance'] < approach['distance'] - motion['closest_approach_error'] - 1e-9:
            print(f'{where}: {pose["distance"]} apart at {t}, nearer than the closest approach')


def main():
    counts = {'swings': 0, 'poses': 0}
    for folder in (os.path.join(data, f'robot-{name}') for name in ('ur5e', 'panda')):
        names = [n for n in ('zero', 'ready', 'folded_clash', 'posed') if os.path.exists(f'{folder}/{n}.json')]
        poses = []
        for name in names:
            with open(f'{folder}/{name}.json', encoding='utf-8') as file:
                poses.append(json.load(file)['parts'])
        for first, last in zip(poses, poses[1:]):
            for i, end in enumerate(last):
                if i < 2 or i >= len(first) or end['placement'] == first[i]['placement']:
                    continue
                still = first[max(0, i - 3)]
                swing(folder, still, first[i], end, counts)
    print(', '.join(f'{count} {name}' for name, count in counts.items()))


main()
