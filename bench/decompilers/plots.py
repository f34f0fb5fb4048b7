"""Small SVG plots: cumulative frequencies, and sizes over time."""

import math
from html import escape

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 60, 190, 20, 50
COLOURS = ["#000000", "#1b6ca8", "#4f9bd0", "#8fc1e3", "#0b3c5d", "#b3392f", "#d9776a", "#eab0a6", "#7a1d15", "#d18f00", "#3c8d40",
           "#888888"]


def points(series):
    """The `seconds:bytes` of a series as pairs of numbers."""
    return [tuple(map(float, point.split(":"))) for point in series.split()]


def cumulative(groups, name):
    """For each group of values a stair: which share of the values is at most x. x is logarithmic."""
    values = [max(value, 1e-3) for group in groups.values() for value in group]
    if not values:
        return frame([], name, "share of runs")
    scale = Logarithm(min(values), max(values))
    curves = []
    for label, group in groups.items():
        ordered = sorted(max(value, 1e-3) for value in group)
        stairs = [(scale.low, 0.0)]
        for index, value in enumerate(ordered):
            stairs += [(value, index / len(ordered)), (value, (index + 1) / len(ordered))]
        curves.append((label, [(scale(x), y) for x, y in [*stairs, (scale.high, 1.0)]]))
    marks = [(y, f"{100 * y:.0f} %") for y in (0, 0.25, 0.5, 0.75, 1)]
    return frame(curves, name, "share of runs", scale.marks(), marks)


def over_time(groups, name):
    """For each group of series its mean size over time, in percent of the start; both axes are logarithmic."""
    ends = [line[-1][0] for series in groups.values() for line in series]
    if not ends:
        return frame([], "seconds", name)
    times = Logarithm(1.0, max([*ends, 10.0]))
    moments = [times.low * (times.high / times.low) ** (step / 60) for step in range(61)]
    means = {label: [(moment, mean_share(series, moment)) for moment in moments] for label, series in groups.items()}
    lowest = min(share for line in means.values() for _, share in line)
    sizes = Logarithm(max(lowest, 0.01), 100.0)
    curves = [(label, [(times(x), sizes(y)) for x, y in line]) for label, line in means.items()]
    return frame(curves, "seconds", name, times.marks(), sizes.marks())


def mean_share(series, moment):
    """The geometric mean of what is left of each, in percent, at a moment."""
    shares = []
    for line in series:
        reached = [size for at, size in line if at <= moment] or [line[0][1]]
        shares.append(100 * max(min(reached), 1) / line[0][1])
    return math.exp(sum(map(math.log, shares)) / len(shares))


class Logarithm:
    """Maps whole powers of ten, between which all values are, to 0 … 1."""

    def __init__(self, low, high):
        self.low = 10.0 ** math.floor(math.log10(low))
        self.high = max(10.0 ** math.ceil(math.log10(high)), self.low * 10)

    def __call__(self, value):
        clipped = min(max(value, self.low), self.high)
        return math.log(clipped / self.low) / math.log(self.high / self.low)

    def marks(self):
        powers = range(round(math.log10(self.low)), round(math.log10(self.high)) + 1)
        return [(self(10.0**power), f"{10.0**power:g}") for power in powers]


def frame(curves, x_name, y_name, x_marks=(), y_marks=()):
    """An SVG with axes, marks, curves in 0 … 1 and their names beside them."""
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="11">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    parts += [mark for at, text in x_marks for mark in vertical(at, text)]
    parts += [mark for at, text in y_marks for mark in horizontal(at, text)]
    for index, (label, line) in enumerate(curves):
        colour = COLOURS[index % len(COLOURS)]
        path = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in line)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        at = TOP + 10 + 16 * index
        parts.append(f'<rect x="{WIDTH - RIGHT + 12}" y="{at - 8}" width="10" height="10" fill="{colour}"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 28}" y="{at + 1}">{escape(label)}</text>')
    parts.append(f'<text x="{across(0.5)}" y="{HEIGHT - 10}" text-anchor="middle">{escape(x_name)}</text>')
    parts.append(f'<text transform="translate(14 {up(0.5)}) rotate(-90)" text-anchor="middle">{escape(y_name)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def vertical(at, text):
    x = across(at)
    return [f'<line x1="{x:.1f}" y1="{up(0)}" x2="{x:.1f}" y2="{up(1)}" stroke="#ddd"/>',
            f'<text x="{x:.1f}" y="{up(0) + 15}" text-anchor="middle">{escape(text)}</text>']


def horizontal(at, text):
    y = up(at)
    return [f'<line x1="{across(0)}" y1="{y:.1f}" x2="{across(1)}" y2="{y:.1f}" stroke="#ddd"/>',
            f'<text x="{across(0) - 6}" y="{y + 4:.1f}" text-anchor="end">{escape(text)}</text>']


def across(x):
    return LEFT + x * (WIDTH - LEFT - RIGHT)


def up(y):
    return HEIGHT - BOTTOM - y * (HEIGHT - TOP - BOTTOM)
