"""Baselines against the model: every seed as a dot, with mean and interval, and a table of all metrics."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.facts.fact import Unknown
from assay.facts.training import ScoreFacts, SeedScore
from assay.reporting.html.element import Markup, fragment, tag
from assay.reporting.html.figures import alike, amount, metric_words
from assay.reporting.html.scale import Scale, scale_for, written
from assay.reporting.html.story import Story

FAR = 3.0
"""A baseline further off than this many times the spread of all others stands at the edge, with an arrow."""

TRACK = 28
"""Pixels of height over which the seeds' dots are spread."""


@dataclass(frozen=True, kw_only=True)
class Field:
    """What is compared: the scores, and the model's mean and interval where there are several seeds."""

    scores: ScoreFacts
    mean: float | None
    interval: tuple[float, float] | None


def comparison(story: Story) -> Markup | None:
    """The validation scores; None where nothing was scored."""
    scores = story.fact(ScoreFacts)
    if scores is None or not (scores.baselines or scores.seeds):
        return None
    interval = story.stages["seeds"].result.get("interval") if "seeds" in story.stages else None
    field = Field(scores=scores, mean=scores.mean, interval=_pair(interval))
    return fragment(strips(field), _table(field, {seed.seed: seed.scores() for seed in story.curves}))


def strips(field: Field) -> Markup:
    """One strip a baseline and one for the model, on one axis."""
    scores = field.scores
    scale = _axis(field)
    if scale is None:
        return tag("p", f"No {metric_words(scores.metric)} is finite.")
    known = [each.scores.get(scores.metric) for each in scores.baselines]
    form = alike([*known, *(seed.score for seed in scores.seeds), field.mean])
    rows = [_baseline(each.name, each.scores[scores.metric], scale, (field, form))
            for each in scores.baselines if scores.metric in each.scores]
    model = _model(field, scale, form) if scores.seeds else None
    ticks = (tag("span", written(tick), style=_left(scale, tick)) for tick in scale.ticks() if 0 <= scale.at(tick) <= 1)
    axis = tag("div", tag("span"), tag("div", ticks, class_="ticks"), tag("span"), class_="strip axis")
    return fragment(tag("div", *rows, model, axis, class_="strips"), tag("p", _caption(field), class_="remark"))


def _axis(field: Field) -> Scale | None:
    """Holds the model and every baseline that isn't far off."""
    scores = field.scores
    values = [seed.score for seed in scores.seeds if seed.score is not None] + list(field.interval or ())
    rivals = [each.scores[scores.metric] for each in scores.baselines if scores.metric in each.scores]
    near = [value for value in [*values, *rivals] if math.isfinite(value)]
    while len(near) > 2:
        middle = sorted(near)[len(near) // 2]
        furthest = max(near, key=lambda value: abs(value - middle))
        rest = [value for value in near if value != furthest]
        spread = max(rest) - min(rest) if rest else 0.0
        if furthest in values or not spread or abs(furthest - middle) <= FAR * spread:
            break
        near = rest
    return scale_for(end for value in near for end in (value, *_reach(field, value, rivals)))


def _reach(field: Field, value: float, rivals: Sequence[float]) -> tuple[float, ...]:
    """The ends of a baseline's whisker."""
    error = field.scores.standard_error(value)
    return () if isinstance(error, Unknown) or value not in rivals else (value - error, value + error)


def _baseline(name: str, score: float, scale: Scale, known: tuple[Field, Any]) -> Markup:
    field, form = known
    error = field.scores.standard_error(score)
    whisker = None
    if not isinstance(error, Unknown) and 0 <= scale.at(score) <= 1:
        whisker = _bar(scale, score - error, score + error, kind="whisker",
                       title=f"± {form(error)}: one standard error of the validation rows")
    return tag("div", tag("span", name, class_="who"),
               tag("div", whisker, _dot(scale, score, f"{name}: {form(score)}", kind="baseline"), class_="track"),
               tag("span", form(score), class_="much"), class_="strip")


def _model(field: Field, scale: Scale, form: Any) -> Markup:
    scores = field.scores
    marks: list[Markup | None] = []
    if field.interval:
        low, high = field.interval
        marks.append(_bar(scale, low, high, kind="interval", title=f"95 % interval {form(low)} to {form(high)}"))
    if field.mean is not None and len(scores.scores) > 1:
        marks.append(tag("i", class_="mean", style=_left(scale, field.mean), title=f"mean {form(field.mean)}"))
    marks += [_dot(scale, seed.score, f"seed {seed.seed}: {form(seed.score)}", kind="model", lift=lift)
              for seed, lift in zip(scores.seeds, _lifts(len(scores.seeds)), strict=True) if seed.score is not None]
    failed = [_failure(seed) for seed in scores.seeds if seed.score is None]
    return tag("div", tag("span", "the model", class_="who"), tag("div", *marks, class_="track"),
               tag("span", form(field.mean), class_="much"), *failed, class_="strip model")


def _failure(seed: SeedScore) -> Markup:
    return tag("p", f"seed {seed.seed} has no score: {seed.failure}", class_="why")


def _lifts(count: int) -> list[float]:
    """How far each seed's dot stands from the middle of its track, in pixels, so that equal scores don't hide."""
    step = min(7.0, TRACK / count)
    return [(number - (count - 1) / 2) * step for number in range(count)]


def _dot(scale: Scale, value: float, title: str, *, kind: str, lift: float = 0.0) -> Markup:
    """A dot, or an arrow at the edge that the value lies beyond."""
    at = scale.at(value) if math.isfinite(value) else -1.0
    if 0 <= at <= 1:
        style = f"left:{at:.2%}" + (f";top:calc(50% + {lift:.1f}px)" if lift else "")
        return tag("i", class_=f"dot {kind}", style=style, title=title)
    side, arrow = ("low", "←") if at < 0 else ("high", "→")
    return tag("span", arrow, class_=f"beyond {side}", title=title)


def _bar(scale: Scale, low: float, high: float, *, kind: str, title: str) -> Markup:
    left, right = (min(1.0, max(0.0, scale.at(each))) for each in (low, high))
    return tag("i", class_=kind, style=f"left:{left:.2%};width:{right - left:.2%}", title=title)


def _left(scale: Scale, value: float) -> str:
    return f"left:{scale.at(value):.2%}"


def _caption(field: Field) -> str:
    scores = field.scores
    better = "larger" if scores.sense == "max" else "smaller"
    said = f"{metric_words(scores.metric)}, the {better} the better, on {amount(scores.validation_rows, 'row')}. "
    if scores.baselines:
        said += "Whiskers: one standard error, by the choice of these rows. "
    if field.interval:
        said += "Every seed is a dot; the bar is Student's 95 % interval for their mean, the line the mean itself."
    return said


def _table(field: Field, seeds: Mapping[int, Mapping[str, float]]) -> Markup | None:
    """All metrics of all baselines and of each seed at its best epoch."""
    scores = field.scores
    metrics = list(dict.fromkeys(name for each in scores.baselines for name in each.scores))
    if not metrics:
        return None
    rows: list[tuple[str, Mapping[str, float]]] = [(each.name, each.scores) for each in scores.baselines]
    rows += [(f"seed {seed.seed}", seeds.get(seed.seed, {})) for seed in scores.seeds]
    forms = {name: alike(row.get(name) for _, row in rows) for name in metrics}
    body = (tag("tr", tag("th", name, scope="row"), (tag("td", forms[metric](row.get(metric))) for metric in metrics))
            for name, row in rows)
    head = tag("tr", tag("th"), (tag("th", metric_words(name), scope="col") for name in metrics))
    return tag("div", tag("table", tag("thead", head), tag("tbody", body)), class_="scores")


def _pair(interval: Sequence[float | None] | None) -> tuple[float, float] | None:
    if not interval or interval[0] is None or interval[1] is None:
        return None
    return float(interval[0]), float(interval[1])
