"""Labels stand beside the wrong rows: the inputs of a row tell the label of a neighbour.

## Why it hurts
A row dropped from the inputs and not from the labels, an index that was reset on one side, a sort or a concatenation
of columns from two files: from then on every label belongs to another row. Nothing crashes, the loss falls to the
labels' entropy and stays there, and the model has learned noise.

## What is looked at
A fast probe (ridge regression on the inputs, their categories and random rectified features) predicts the label of
row i + k from row i, for k from -2 to 2, over held-out training and validation rows in the order of the file. An error
where some k other than 0 is far better, over the whole file or from some quarter of it on: a correlation with the
truth of at least 0.2 (4 % of the variance, below which a shift costs little), at least five standard errors of a
correlation by chance, 5 / sqrt(n), and at least twice that of the row's own label. Rows whose order carries no
meaning can't do that otherwise.

In a watched program, the arrays that the first batches were taken from, where its own code or its data sets still hold
them. Whether their rows stand in time isn't known there, so that only labels that lag behind their rows are told: those
ahead of them may be what is to be foretold.

## Remedy
Join inputs and labels by a key, drop rows from both at once, and let a handful of rows be read by eye.

## When it is wrong to worry
In a time series the last value may well tell the next: columns that follow from the row before, and columns that are
another row's label or column, are left out. Where labels themselves follow each other (correlation 0.5 and more), or
rows in the order of a time or date tell earlier labels, nothing is said. Language models are shifted by their nature,
and don't come as tables.

## References
Northcutt, Athalye and Mueller, "Pervasive label errors in test sets destabilize machine learning benchmarks",
NeurIPS 2021.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.facts.label_shift import LabelShiftFacts, OffsetScores
from assay.rule import ERROR, Finding, NotChecked, Verdict, Where, rule

LOWEST = 0.2  # correlation: 4 % of the labels' variance
FAR = 5.0  # standard errors of a correlation by chance
FRACTION = 0.5  # of the best score, that the row's own label stays below
MEMORY = 0.5  # correlation of successive labels


@rule(severity=ERROR)
def label_shift(shift: LabelShiftFacts) -> Iterator[Verdict]:
    """Look for an offset that is far better than none, in the whole file or in a part of it."""
    slipped = [each for each in (shift.whole, *shift.ranges) if _slipped(each)]
    if not slipped:
        return
    if abs(shift.label_memory) >= MEMORY:
        yield NotChecked("the labels follow each other as in a series, where a lag may be meant")
        return
    if shift.in_time and slipped[0].best[0] < 0:
        yield NotChecked("rows that stand in the order of time tell earlier labels, which may be their history")
        return
    yield _finding(shift, slipped[0])


def _slipped(part: OffsetScores) -> bool:
    offset, score = part.best
    chance = 1 / math.sqrt(max(part.rows, 1))
    return offset != 0 and score >= max(LOWEST, FAR * chance) and part.own <= FRACTION * score


def _finding(shift: LabelShiftFacts, part: OffsetScores) -> Finding:
    offset, score = part.best
    rows = "row" if abs(offset) == 1 else "rows"
    side = "after" if offset > 0 else "before"
    where = "" if part is shift.whole else f" between rows {part.first} and {part.last}"
    return Finding(
        summary=f"labels are shifted against their rows{where}: a row tells the label {abs(offset)} {rows} {side} it "
                f"(correlation {score:.2f}), and not its own ({part.own:.2f})",
        evidence={"scores": {str(each): value for each, value in part.scores}, "rows": part.rows,
                  "from_row": part.first, "to_row": part.last, "columns": shift.columns,
                  "columns_of_a_series": shift.left_out},
        where=Where(place=shift.place) if shift.place else None,
        impact="the model learns from pairs that don't belong together",
        fix=f"join inputs and labels by a key; here each label belongs {abs(offset)} {rows} "
            f"{'earlier' if offset > 0 else 'later'}",
    )
