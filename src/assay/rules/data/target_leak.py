"""One column alone gives the target away.

## Why it hurts
A copy of the label, or a value that is known only after the outcome, is there in the table and missing when the model
is used. The score is then that of the copy: near perfect, and worth nothing.

## What is looked at
Each column by itself, over the training rows (at most 20,000, drawn by a seed). An error, since nothing natural does
it:

- each class has its value and each value its class, over five rows a class or more;
- there is a value for one of two classes, and none for the other;
- a number orders the rows as a regression's target does, to a rank correlation of 0.99999 (and more closely than the
  row before does, so that lags of a series are left alone).

A warning, since truly easy data do it too: one column is nearly always right, and all the other columns together are
far from it. *Nearly always*: the commonest class for its value, learned on half of the rows, errs (balanced) on at most
2 % of the other half, or 5 % where the column is a category, holds few values or is missing by class; of a regression's
ranks it leaves at most 0.3 % of the variance unexplained. *Far from it*: boosted trees on the other columns err at
least four times as often, and on ten points more. Iris, wine, breast cancer, digits and penguins have no such column.
Three columns or more that do are an easy table, and so is a single one; a label that was cut from a number's range is
left alone, since most of its rows lie near the cut; one class that stands at one value (no refund, where it is no) was
not cut.
A column that counts rows which are sorted by class is judged likewise. A rank correlation of 0.999 is a warning without
more ado. Copies of the target, and ids, that were left out when the file was read are a note.

## Remedy
Leave the column out (`data.inputs: {NAME: leave_out}`), or find out when its value becomes known.

## When it is wrong to worry
Classes that lie far apart in one measurement, which is there when the model is used: then one rule does, and no network
is needed.

## References
Kaufman et al., "Leakage in data mining: formulation, detection, and avoidance", ACM TKDD 6, 2012.
Kapoor and Narayanan, "Leakage and the reproducibility crisis in machine-learning-based science", Patterns 4, 2023.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.leakage import TargetLeakFacts, TellingColumn
from assay.facts.table import TableFacts
from assay.rule import ERROR, NOTE, WARNING, Finding, Severity, Verdict, rule

COPIES = ("one to one", "present or missing", "same order")
SURE = {"coarse": 0.05, "missingness": 0.05, "number": 0.02, "row number": 0.05}
EXPLAINED = 0.003  # of the variance of a regression's ranks, left unexplained
TIMES, POINTS = 4.0, 0.1  # by which the error of all other columns must be larger

LEFT_OUT = ("copy of the target", "id")

SAID = {
    "one to one": "is a copy of the label",
    "present or missing": "has a value for one class, and none for the other",
    "same order": "orders the rows exactly as the target does",
    "nearly the same order": "orders the rows almost exactly as the target does",
    "coarse": "tells the target by itself",
    "missingness": "tells the target by being missing",
    "number": "tells the target by itself",
    "row number": "counts rows that are sorted by class",
}


@rule(severity=ERROR)
def target_leak(leak: TargetLeakFacts, table: TableFacts | None) -> Iterator[Verdict]:
    """One finding for each column that gives the target away, and a note on those that would and don't enter."""
    for column in leak.telling:
        if column.way in COPIES:
            yield _finding(leak, column, severity=ERROR)
        elif column.way == "nearly the same order" or _stands_out(column, classes=leak.classes):
            yield _finding(leak, column, severity=WARNING)
    for each in table.left_out if table else ():
        if each.form in LEFT_OUT:
            yield Finding(
                summary=f"column {each.column} is left out: {each.why}", severity=NOTE,
                evidence={"column": each.column, "why": each.why, "form": each.form},
                fix=f"nothing is left to do; to let it in, change data.inputs.{each.column}",
            )


def _stands_out(column: TellingColumn, *, classes: bool) -> bool:
    sure = SURE[column.way] if classes else EXPLAINED
    others = 1.0 if column.others is None else column.others
    return column.error <= sure and others >= max(TIMES * column.error, column.error + POINTS)


def _finding(leak: TargetLeakFacts, column: TellingColumn, *, severity: Severity) -> Finding:
    of = f" ({column.target})" if column.target else ""
    return Finding(
        summary=f"column {column.column} {SAID[column.way]}{of}: {column.example}",
        severity=severity,
        evidence={"column": column.column, "way": column.way, "error_alone": column.error,
                  "error_of_all_others": column.others, "rows": leak.rows, "columns": leak.columns},
        impact="a score with this column says nothing about cases where its value isn't known yet",
        fix=f"leave it out (data.inputs: {{{column.column}: leave_out}}), or find out when its value becomes known",
    )
