"""A split is empty, or too small for its score to mean much.

## Why it hurts
Without training rows nothing is learned, without validation rows nothing can be chosen. With few of them the choice
follows chance: over 30 rows the standard error of an accuracy is nine points, so that models which differ by five
can't be told apart.

## What is looked at
The number of rows in each split. Empty training or validation rows are an error, an empty test split is a warning.
A small validation or test split is a warning once the standard error of its metric passes five points: for
classes sqrt(0.25 / n) > 0.05, that is fewer than 100 rows (binomial, at its largest); for a regression, whose errors
have no points, once that of the RMSE passes five per cent of it, 1 / sqrt(2n) > 0.05, that is fewer than 200 rows
(normal residuals). Five points is about the size of the differences that people report.

## Remedy
Give the evaluation splits more rows, use repeated splits, or collect more data.

## When it is wrong to worry
On a small table there is nothing to be done but to read the score with its error, and to prefer the simpler model.

## References
Dietterich, "Approximate statistical tests for comparing supervised classification learning algorithms", 1998.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.facts.splits import SplitFacts, SplitRecord
from assay.rule import ERROR, WARNING, Finding, Verdict, rule

LARGEST_ERROR = 0.05  # five points of accuracy, or five per cent of an RMSE


@rule(severity=ERROR)
def split_empty(splits: SplitFacts) -> Iterator[Verdict]:
    """Count the rows of each split."""
    for split in splits.splits:
        if split.rows == 0:
            yield _empty(splits, split)
    evaluated = [split for split in splits.splits if split.name != "train" and split.rows]
    errors = {split.name: _standard_error(split, classes=bool(splits.classes)) for split in evaluated}
    small = [split for split in evaluated if errors[split.name] > LARGEST_ERROR]
    if small:
        yield _small(small, errors, classes=bool(splits.classes))


def _standard_error(split: SplitRecord, *, classes: bool) -> float:
    return math.sqrt(0.25 / split.rows) if classes else 1 / math.sqrt(2 * split.rows)


def _empty(splits: SplitFacts, split: SplitRecord) -> Finding:
    kept = split.name == "test"
    return Finding(
        summary=f"the {split.name} split is empty" + (": no unseen rows are left for a last look" if kept else ""),
        severity=WARNING if kept else ERROR, evidence={each.name: each.rows for each in splits.splits},
        fix=f"give the {split.name} split a larger share of the rows",
    )


def _small(small: list[SplitRecord], errors: dict[str, float], *, classes: bool) -> Finding:
    unit = "points of accuracy" if classes else "per cent of an RMSE"
    names = " and ".join(f"{split.name} ({split.rows} rows, ± {100 * errors[split.name]:.0f})" for split in small)
    return Finding(
        summary=f"small evaluation splits: {names}, in {unit} by chance alone",
        severity=WARNING,
        evidence={split.name: {"rows": split.rows, "standard_error": errors[split.name]} for split in small},
        impact="smaller differences than these can't be told from chance",
        fix="give evaluation more rows, repeat the split, or read scores with their error",
    )
