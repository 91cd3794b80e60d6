"""Curves: loss, the selecting metric and the learning rate of every seed, on the same axes for all."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.facts.training import ScoreFacts
from assay.reporting.html.curves import Points, SeedCurves
from assay.reporting.html.element import Markup, fragment, tag
from assay.reporting.html.figures import metric_words
from assay.reporting.html.panel import Level, Line, Panel, draw
from assay.reporting.html.scale import Scale, scale_for
from assay.reporting.html.story import Story
from assay.reporting.html.verdict import best_baseline

LOSS, RATE = "loss", "learning rate"


@dataclass(frozen=True, kw_only=True)
class _Row:
    """One panel of each seed: the series by their names in metrics.csv, with the name and kind each is drawn by."""

    title: str
    series: tuple[tuple[str, str, str], ...]
    levels: tuple[Level, ...] = ()

    def lines(self, seed: SeedCurves) -> tuple[Line, ...]:
        found = ((label, kind, seed.series[name]) for name, label, kind in self.series if seed.series.get(name))
        return tuple(Line(name=label, kind=kind, points=points) for label, kind, points in found)


def training_curves(story: Story) -> Markup | None:
    """One column of panels a seed; None where nothing was trained in full."""
    seeds = [seed for seed in story.curves if seed.series]
    if not seeds:
        return None
    across = Scale(low=0.0, high=max(max(seed.epochs for seed in seeds), 1.0))
    rows = [(row, up) for row in _rows(story, seeds) if (up := _up(row, seeds)) is not None]
    return fragment(tag("div", (_seed(seed, rows, across) for seed in seeds), class_="seeds"), _legend(seeds))


def _rows(story: Story, seeds: Sequence[SeedCurves]) -> Iterator[_Row]:
    names = {name for seed in seeds for name in seed.series}
    train = "train_loss" if "train_loss" in names else "train_loss_step"
    yield _Row(title=LOSS, series=((train, "training", "train"), ("val_loss", "validation", "validation")))
    scores = story.fact(ScoreFacts)
    metric = scores.metric if scores else ""
    selecting = next((name for name in (f"val_{metric}", metric) if name in names and name != "val_loss"), None)
    if scores is not None and selecting is not None:
        best = best_baseline(scores)
        levels = (Level(name=best[0], value=best[1]),) if best else ()
        yield _Row(title=metric_words(selecting), series=((selecting, "validation", "metric"),), levels=levels)
    yield _Row(title=RATE, series=(("learning_rate", "rate", "rate"),))


def _up(row: _Row, seeds: Sequence[SeedCurves]) -> Scale | None:
    """The same axis for every seed: a loss that falls far by its logarithm, a rate from zero."""
    values = [value for seed in seeds for line in row.lines(seed) for _, value in line.points]
    finite = [value for value in values if math.isfinite(value)]
    levels = [level.value for level in row.levels] if finite else []
    foot = [0.0] if finite and row.title == RATE else []
    return scale_for([*finite, *levels, *foot], may_be_log=row.title == LOSS)


def _seed(seed: SeedCurves, rows: Sequence[tuple[_Row, Scale]], across: Scale) -> Markup:
    ended = f"best at epoch {seed.best} of {seed.epochs:.0f}" if seed.best else f"{seed.epochs:.0f} epochs"
    best = None if seed.best is None else float(seed.best)
    shown = [(row, up, lines) for row, up in rows if (lines := row.lines(seed))]
    panels = (draw(Panel(title=row.title, lines=lines, across=across, up=up, levels=row.levels, best=best,
                         epochs=row is shown[-1][0])) for row, up, lines in shown)
    return tag("section", tag("h3", f"seed {seed.seed}", tag("span", ended, class_="question")), panels,
               _not_finite(seed), class_="seed")


def _not_finite(seed: SeedCurves) -> Markup | None:
    bad = {name: at for name, points in seed.series.items() if (at := _first_bad(points)) is not None}
    if not bad:
        return None
    name = min(bad, key=lambda each: bad[each])
    return tag("p", f"{metric_words(name)} is not finite from epoch {bad[name]:.1f} on.", class_="why")


def _first_bad(points: Points) -> float | None:
    return next((x for x, value in points if not math.isfinite(value)), None)


def _legend(seeds: Sequence[SeedCurves]) -> Markup:
    same = "the same axes for every seed; " if len(seeds) > 1 else ""
    return tag("p", f"Over epochs, {same}the best epoch is marked.", class_="remark")
