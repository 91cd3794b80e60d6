"""Training and evaluation rows differ in distribution: a classifier tells them apart.

## Why it hurts
A score on rows of another kind says how the model does on that kind. Where nobody meant it, a file was exported with
other units, another filter or another year, and every choice made by that score is made for the wrong data.

## What is looked at
A fast probe (ridge regression on inputs, missing values, categories and random rectified features) is trained to tell
training rows from validation rows, and from test rows by their inputs; training rows are drawn so that the classes
come as often on both sides, since rebalancing is a choice. The area under its ROC curve over held-out rows must pass
0.6 (two normal distributions a third of a deviation apart) and lie six standard deviations above what permuted
memberships give; or the distribution of one column must differ by 0.15 and by 3.5 · sqrt(1 / n + 1 / m), which a
Kolmogorov-Smirnov test passes by chance with probability 5e-11. So far out, a random split stays silent whatever the
number of tables and columns.

## Remedy
Look at the columns named: units, coding, time of export. If the difference is what the model will meet, split by it
(`kind: time`, `grouped`) and say so; if not, mend the file.

## When it is wrong to worry
Splits by time, by group or by a column of the table differ because they are meant to: a note.

## References
Lopez-Paz and Oquab, "Revisiting classifier two-sample tests", ICLR 2017.
Rabanser, Günnemann and Lipton, "Failing loudly: an empirical study of methods for detecting dataset shift",
NeurIPS 2019.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from assay.facts.drift import ColumnDrift, Drift, DriftFacts
from assay.rule import NOTE, WARNING, Finding, Verdict, rule

AREA = 0.6
FAR = 6.0  # standard deviations of the areas that permuted memberships give
DISTANCE, STEPS = 0.15, 3.5  # of one column's distribution functions, and in units of sqrt(1 / n + 1 / m)
MEANT = {
    "time": "by time", "grouped": "by group", "stratified_grouped": "by group", "column": "by a column of the table",
}


@rule(severity=WARNING)
def split_drift(drift: DriftFacts) -> Iterator[Verdict]:
    """Judge training rows against each evaluation split."""
    for each in drift.drifts:
        mean, deviation = each.chance
        told = each.auc >= AREA and each.auc >= mean + FAR * deviation
        columns = [column for column in each.columns if column.distance >= _least(each)]
        if told or columns:
            by_file = drift.given and each.second == "test" and drift.divided != "time"
            yield _finding(each, columns or each.columns[:1], meant=None if by_file else MEANT.get(drift.divided))


def _least(drift: Drift) -> float:
    first, second = drift.compared
    return max(DISTANCE, STEPS * math.sqrt(1 / first + 1 / second))


def _finding(drift: Drift, columns: Sequence[ColumnDrift], *, meant: str | None) -> Finding:
    said = "; ".join(f"{each.column} {each.first} against {each.second}" for each in columns)
    why = f", as a split {meant} may well" if meant else ""
    return Finding(
        summary=f"{drift.first} and {drift.second} rows differ in distribution{why}: {said}",
        severity=NOTE if meant else WARNING,
        evidence={
            "area": drift.auc, "area_by_chance": drift.chance[0], "deviation_by_chance": drift.chance[1],
            "rows": list(drift.compared), "distances": {each.column: each.distance for each in drift.columns},
        },
        impact=f"the {drift.second} score speaks of other data than training saw",
        fix="look at these columns: units, coding, time of export; mend the file, or split by what makes them differ",
    )
