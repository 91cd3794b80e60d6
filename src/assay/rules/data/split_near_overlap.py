"""Near-copies of training rows, or windows that overlap them, stand in another split.

## Why it hurts
A copy that was jittered, cropped or moved by one step is as good as the row itself to a network that memorises. The
score then tells how well rows are remembered. Hashes of whole rows see none of it.

## What is looked at
Three marks of it, each against what nature brings:

- Windows: a column that holds what another (or the target) held in the row before, in at least 90 % of neighbouring
  rows, or windows whose end is another's beginning. It is an error where both the window before and the window after
  stand in training for more rows than weigh in the score: half a standard error of an accuracy, 0.5 sqrt(n). A split by
  time has windows before, and none after.
- Rows that are equal in all columns but one, as copies are that got another id or time. It is an error where more rows
  are than weigh in the score, and than twice what nature explains: columns so coarse that different rows often differ
  in one more column only, or would meet an equal if columns were independent, or are mostly equal within training.
- Rows (500 of a split, drawn by a seed) that lie so much nearer to one training row than to the tenth nearest as chance
  brings in one row of 10,000 in as many dimensions as the data have around a row, and at less than 0.3 of its distance.
  It is an error where a tenth of the rows do, and more than weigh in the score. In dense data all neighbours are near
  alike, so that they stay silent; so do rows with fewer than three numbers that are rare in their columns.

In a watched program, windows are looked for among the examples that pass: those of an evaluation whose first numbers
(four, or more where numbers are so coarse that four agree by chance) stand later in a training window, and whose last
stand earlier in one. It is an error where a quarter of them do, and more than weigh in the score. A random split of
dense windows gives nearly all; two thirds where each overlaps its two neighbours only and a fifth is held out. A split
by time has windows on one side, near its borders.

Fewer of them are a note: five wines in a hundred of the wine-quality tables have such a neighbour, since some were
measured twice.

## Remedy
Split before rows are copied, jittered or cut into windows; split a series by time, with a gap as long as a window; give
rows that come from one thing a group (`data.group`).

## When it is wrong to worry
Data in which things come in pairs by nature, and will do so in use.

## References
Facco et al., "Estimating the intrinsic dimension of datasets by a minimal neighborhood information", Scientific Reports
7, 2017, on ratios of distances.
Barz and Denzler, "Do we train on test data? Purging CIFAR of near-duplicates", Journal of Imaging 6, 2020.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.facts.examples import EvaluatedWindows, ExampleWindowFacts
from assay.facts.fact import Unknown
from assay.facts.leakage import NearCopies, NearOverlapFacts, WindowFacts, Windows
from assay.rule import ERROR, NOTE, Finding, NotChecked, Verdict, Where, rule

FEWEST = 5
BEYOND_NATURE = 2.0
MANY = 0.1  # of the rows asked
AMID = 0.25  # of evaluated windows, that training continues on both sides


@rule(severity=ERROR)
def split_near_overlap(
    near: NearOverlapFacts | None, windows: WindowFacts | None, passing: ExampleWindowFacts | None,
) -> Iterator[Verdict]:
    """Windows first, since they explain near rows."""
    for evaluated in passing.evaluations if passing else ():
        if _weighs(evaluated.both, evaluated.rows) and evaluated.both >= AMID * evaluated.rows:
            yield _amid(evaluated)
    if near is None and windows is None and passing is None:
        yield NotChecked("neither distances between rows nor windows were looked at")
        return
    named: set[str] = set()
    met = [each for each in windows.windows if _weighs(min(each.after, each.before), each.rows)] if windows else []
    for each in met:
        yield _window(each)
    if near is not None and not met:
        for copies in near.copies:
            if copies.rows > BEYOND_NATURE * copies.expected and copies.rows >= FEWEST and copies.second not in named:
                named.add(copies.second)
                yield _copies(near, copies)


def _weighs(rows: float, of: int) -> bool:
    """Whether as many rows move an accuracy by more than its standard error."""
    return rows >= FEWEST and rows > 0.5 * math.sqrt(of)


def _window(windows: Windows) -> Finding:
    return Finding(
        summary=f"{windows.after} of {windows.rows} {windows.second} windows are continued by training windows, and "
                f"{windows.before} continue one: {windows.column} holds what {windows.repeats} held a row before",
        evidence={"rows": windows.rows, "train_window_after": windows.after, "train_window_before": windows.before,
                  "column": windows.column, "repeats": windows.repeats, "split": windows.second},
        impact="training has seen the measurements that these rows are judged by",
        fix="split the series by time before it is cut into windows (data.split.kind: time), with a gap of one window",
    )


def _amid(evaluated: EvaluatedWindows) -> Finding:
    return Finding(
        summary=f"{evaluated.both} of {evaluated.rows} evaluated windows overlap training windows on both sides",
        where=Where(place=evaluated.place),
        evidence={"evaluated": evaluated.rows, "training_on_both_sides": evaluated.both,
                  "numbers_in_a_window": evaluated.length},
        impact="training has seen the measurements that these windows are judged by",
        fix="split by time or by recording before cutting windows, with a gap of one window",
    )


def _copies(near: NearOverlapFacts, copies: NearCopies) -> Finding:
    said = f"equal {copies.first} rows in all columns but {copies.column}"
    if copies.how == "near":
        said = f"are near-copies of {copies.first} rows"
    first, second = copies.examples[0]
    weighs = copies.share > 0.5 / math.sqrt(copies.total) and copies.share >= (MANY if copies.how == "near" else 0)
    unknown = isinstance(near.within, Unknown)
    return Finding(
        summary=f"{copies.rows} of {copies.asked} {copies.second} rows {said}, as row {second} and row {first}"
                + ("" if weighs else ": too few to decide the score"),
        severity=ERROR if weighs else NOTE,
        evidence={"rows": [list(pair) for pair in copies.examples], "near": copies.rows, "asked": copies.asked,
                  "share": copies.share, "expected": copies.expected, "column": copies.column,
                  "share_within_training": None if unknown else near.within,
                  "dimension": None if isinstance(near.dimension, Unknown) else near.dimension},
        impact=f"up to {copies.share:.1%} of the {copies.second} score is memory",
        fix="split before rows are copied or jittered, or keep rows of one thing together (data.group)",
    )
