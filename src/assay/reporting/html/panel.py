"""A panel: lines over epochs. The drawing stretches with the page; text and strokes keep their size.

The drawing is SVG in a unit square of 1000 × 1000; its labels are HTML placed by percentages over it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass

from assay.reporting.html.curves import Points
from assay.reporting.html.element import Markup, tag
from assay.reporting.html.figures import short
from assay.reporting.html.scale import Scale, drawable, written

SIZE = 1000
MOST_POINTS = 400
"""Points of a line; no screen shows more in a panel."""

LOW = 0.8
"""A level further down than this share of the panel has its name above it."""


@dataclass(frozen=True, kw_only=True)
class Line:
    """One series: `kind` is its class in the style sheet (train, validation, metric, rate)."""

    name: str
    kind: str
    points: Points


@dataclass(frozen=True, kw_only=True)
class Level:
    """A level drawn across, with its name."""

    name: str
    value: float


@dataclass(frozen=True, kw_only=True)
class Panel:
    """What one panel shows; `best` is the epoch that is marked, `epochs` whether they are written under it."""

    title: str
    lines: tuple[Line, ...]
    across: Scale
    up: Scale
    best: float | None = None
    levels: tuple[Level, ...] = ()
    epochs: bool = True


def draw(panel: Panel) -> Markup:
    """The panel as a figure."""
    keys = [tag("span", line.name, class_=f"key {line.kind}") for line in panel.lines] if len(panel.lines) > 1 else []
    caption = tag("figcaption", tag("b", panel.title), *keys,
                  tag("span", "log scale", class_="form") if panel.up.log else None, tag("output"))
    svg = tag(
        "svg", _grid(panel), _levels(panel), *(_line(line, panel) for line in panel.lines), _best(panel),
        viewBox=f"0 0 {SIZE} {SIZE}", preserveAspectRatio="none", role="img", aria_label=_spoken(panel),
    )
    return tag("figure", caption, tag("div", svg, _labels(panel), class_="plot", data_lines=_data(panel)),
               class_="panel")


def _spoken(panel: Panel) -> str:
    """What a reader who can't see it is told."""
    ends = [f"{line.name} ends at {short(line.points[-1][1])}" for line in panel.lines if line.points]
    return f"{panel.title}: {', '.join(ends)}"


def _x(panel: Panel, value: float) -> float:
    return round(panel.across.at(value) * SIZE, 1)


def _y(panel: Panel, value: float) -> float:
    return round((1 - panel.up.at(value)) * SIZE, 1)


def _grid(panel: Panel) -> Iterator[Markup]:
    for tick in panel.up.ticks():
        yield tag("path", d=f"M0 {_y(panel, tick)}H{SIZE}", class_="grid")


def _levels(panel: Panel) -> Iterator[Markup]:
    for level in panel.levels:
        yield tag("path", tag("title", f"{level.name} {short(level.value)}"), d=f"M0 {_y(panel, level.value)}H{SIZE}",
                  class_="level")


def _line(line: Line, panel: Panel) -> Iterator[Markup]:
    """The line, broken where a value is not finite; a single point is a dot."""
    shown = thinned(line.points)
    pieces: list[str] = []
    joined = False
    for x, value in shown:
        if drawable(value):
            pieces.append(f"{'L' if joined else 'M'}{_x(panel, x)} {_y(panel, value)}")
        joined = drawable(value)
    if pieces:
        yield tag("path", d="".join(pieces), class_=f"line {line.kind}")
        alone = len(pieces) == 1
        if alone:
            yield tag("path", d=f"{pieces[0]}h0", class_=f"dot {line.kind}")


def thinned(points: Points) -> Points:
    """At most MOST_POINTS of them, evenly spaced, the last one kept."""
    step = math.ceil(len(points) / MOST_POINTS)
    return points if step <= 1 else (*points[:-1:step], points[-1])


def _best(panel: Panel) -> Iterator[Markup]:
    if panel.best is None:
        return
    yield tag("path", tag("title", f"best epoch {panel.best:g}"), d=f"M{_x(panel, panel.best)} 0V{SIZE}", class_="best")
    for line in panel.lines:
        value = dict(line.points).get(panel.best)
        if value is not None and drawable(value) and line.kind != "train":
            yield tag("path", d=f"M{_x(panel, panel.best)} {_y(panel, value)}h0", class_=f"dot {line.kind}")


def _labels(panel: Panel) -> Iterator[Markup]:
    for tick in panel.up.ticks():
        yield tag("span", written(tick), class_="y", style=f"top:{_y(panel, tick) / SIZE:.2%}")
    for tick in _whole(panel.across) if panel.epochs else ():
        yield tag("span", f"{tick:g}", class_="x", style=f"left:{_x(panel, tick) / SIZE:.2%}")
    for level in panel.levels:
        at = _y(panel, level.value) / SIZE
        yield tag("span", level.name, class_="name above" if at > LOW else "name", style=f"top:{at:.2%}")


def _whole(across: Scale) -> Iterator[float]:
    """Ticks at whole epochs, none so near the end that its label would stand out of the panel."""
    yield from (tick for tick in across.ticks() if tick == int(tick) and across.at(tick) <= 1.0)


def _data(panel: Panel) -> str:
    """Epoch ends and their values, for the readout under the pointer."""
    lines = [
        {"name": line.name, "points": [[x, short(value), round(panel.across.at(x), 4)]
                                       for x, value in thinned(line.points) if x == int(x)]}
        for line in panel.lines
    ]
    return json.dumps(lines, separators=(",", ":"))
