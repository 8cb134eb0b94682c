#!/usr/bin/env python3
"""Draws CPU time against the number of triangles, from what `make bench` measured.

    python3 bench/figure.py [build/bench.json [data/scaling.svg]]

One panel for each question and pair in PANELS that was measured at two sizes at least, both axes logarithmic.
"""
import json
import math
import sys

PANELS = (('pairs', 'overlap', 'All intersecting pairs: crossing solids'),
          ('dist', 'gap', 'Distance: solids side by side'),
          ('pairs', 'slivers', 'All intersecting pairs: CAD slivers'))
COLOURS = {'stlclash': '#c2410c', 'floor': '#64748b', 'fcl': '#1d4ed8', 'fcl-aabb': '#0891b2', 'cgal': '#15803d',
           'embree': '#7e22ce'}
NAMES = {'floor': 'floor (boxes only)', 'cgal': 'CGAL', 'fcl': 'FCL', 'fcl-aabb': 'FCL (AABB)', 'embree': 'Embree'}
WIDTH, HEIGHT = 300, 230  # of the plot of a panel
LEFT, TOP, LABELS, BELOW = 52, 46, 118, 44  # around it; labels of the curves stand to its right
LABEL_HEIGHT = 13


def curves(points, question, case):
    """Program -> [(triangles, ms)], where measured at two sizes at least."""
    found = {}
    for p in points:
        if p['question'] == question and p['case'] == case and p['threads'] == 1 and p['cpu'] > 0:
            found.setdefault(p['program'], []).append((p['triangles'], p['cpu']))
    return {name: sorted(values) for name, values in found.items() if len(values) > 1}


def decades(low, high):
    return range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)


def spread(wanted):
    """Heights near the wanted ones, none nearer to another than a label is high."""
    placed = []
    for y, name in sorted(wanted):
        placed.append((max(y, placed[-1][0] + LABEL_HEIGHT) if placed else y, name))
    return placed


def count(n):
    return f'{n // 10**6}M' if n >= 10**6 else f'{n // 1000}k' if n >= 1000 else str(n)


def duration(power):
    return f'{10 ** (power - 3)} s' if power >= 3 else f'{10 ** power:g} ms'


def panel(lines, title, left):
    """SVG elements of one panel."""
    xs = [n for values in lines.values() for n, _ in values]
    across, up = decades(min(xs), max(xs)), decades(*(f(t for v in lines.values() for _, t in v) for f in (min, max)))

    def x_of(n):
        return left + LEFT + WIDTH * (math.log10(n) - across[0]) / max(across[-1] - across[0], 1)

    def y_of(t):
        return TOP + HEIGHT * (1 - (math.log10(t) - up[0]) / max(up[-1] - up[0], 1))

    out = [f'<text x="{left + LEFT}" y="{TOP - 16}" class="title">{title}</text>']
    for power in up:
        y = y_of(10 ** power)
        out += [f'<line x1="{left + LEFT}" x2="{left + LEFT + WIDTH}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>',
                f'<text x="{left + LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{duration(power)}</text>']
    for power in across:
        x = x_of(10 ** power)
        out += [f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{TOP + HEIGHT}" class="grid"/>',
                f'<text x="{x:.1f}" y="{TOP + HEIGHT + 16}" text-anchor="middle">{count(10 ** power)}</text>']
    out.append(f'<text x="{left + LEFT + WIDTH / 2}" y="{TOP + HEIGHT + 34}" text-anchor="middle">'
               'triangles in each part</text>')
    for name, values in lines.items():
        colour, width = COLOURS.get(name, '#111827'), 2.5 if name == 'stlclash' else 1.5
        path = ' '.join(f'{x_of(n):.1f},{y_of(t):.1f}' for n, t in values)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"/>')
        out += [f'<circle cx="{x_of(n):.1f}" cy="{y_of(t):.1f}" r="{width}" fill="{colour}"/>' for n, t in values]
    for y, name in spread([(y_of(values[-1][1]), name) for name, values in lines.items()]):
        out.append(f'<text x="{left + LEFT + WIDTH + 8}" y="{y + 4:.1f}" fill="{COLOURS.get(name, "#111827")}">'
                   f'{NAMES.get(name, name)}</text>')
    return out


def draw(points):
    """The whole figure as SVG text, or None if nothing was measured at two sizes."""
    chosen = [(lines, title) for question, case, title in PANELS if 'stlclash' in (lines := curves(points, question, case))]
    if not chosen:
        return None
    step, height = LEFT + WIDTH + LABELS, TOP + HEIGHT + BELOW
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{step * len(chosen)}" height="{height}" '
           f'viewBox="0 0 {step * len(chosen)} {height}" font-family="sans-serif" font-size="12">',
           '<title>CPU time of a whole run, one thread, against the number of triangles</title>',
           '<style>.grid{stroke:#e2e8f0}.title{font-weight:bold;font-size:13px}</style>',
           '<rect width="100%" height="100%" fill="#ffffff"/>']
    for i, (lines, title) in enumerate(chosen):
        out += panel(lines, title, i * step)
    return '\n'.join(out + ['</svg>', ''])


def main(source='build/bench.json', target='data/scaling.svg'):
    with open(source, encoding='utf-8') as file:
        text = draw(json.load(file)['points'])
    if not text:
        print(f'figure.py: {source} has no pair measured at two sizes; run make bench', file=sys.stderr)
        return 1
    with open(target, 'w', encoding='utf-8') as file:
        file.write(text)
    print(f'written to {target}')
    return 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
