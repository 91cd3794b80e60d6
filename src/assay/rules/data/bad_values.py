"""Columns, or targets, hold values that nothing can be learned from: NaN, infinite, empty or constant.

## Why it hurts
One NaN among the inputs makes the loss NaN, and with the first step every weight. An infinite value does the same
through its scaling. An empty or constant column says nothing, and hints at a join or a parser that failed.

## What is looked at
Every value of every column and of the target, as read. NaN, infinite and empty are errors: nothing in the recipe
fills them in, save for missing values in a table from files, which the recipe fills in from the training rows. So are
values beyond 1e150, whose squares, of which a deviation is made, overflow; and a target that is the same in every
training row, from which nothing can be learned. A column that is constant over the training rows is a note, and so is
one that reading a file left out as constant or empty; one that is zero throughout is left alone, as the border pixels
of images and unused one-hot columns are. Rows of a file that have no target are left out, which a note says.

## Remedy
Fill in or drop missing values before training, from statistics of the training rows alone; drop constant columns.

## When it is wrong to worry
A column that is constant in this data but varies where the model will be used.

## References
Sculley et al., "Hidden technical debt in machine learning systems", NeurIPS 2015, on data dependencies.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.splits import BadColumn, ColumnFacts
from assay.facts.table import TableFacts
from assay.rule import ERROR, NOTE, Evidence, Finding, Severity, Verdict, rule

FIXES = {
    "NaN": "fill in or drop missing values before training, from the training rows alone",
    "infinite": "find where the infinite values come from (a division, an overflow) and fill in or drop them",
    "too large": "find where the values come from (an overflow, a placeholder), and leave out or transform them",
    "empty": "drop the empty columns, or mend the reading that left them empty",
    "constant target": "check which column is the target, and which rows were kept",
    "constant": "drop the constant columns, or check the join or parser that made them so",
}


@rule(severity=ERROR)
def bad_values(columns: ColumnFacts, table: TableFacts | None) -> Iterator[Verdict]:
    """One finding for each kind of bad value, and a note on columns and rows that were left out for it."""
    for what, fix in FIXES.items():
        bad = [column for column in columns.bad if column.what == what]
        if bad:
            yield _finding(what, bad, severity=NOTE if what == "constant" else ERROR, fix=fix)
    if table is not None and table.missing_targets:
        yield _without_target(table)
    for each in table.left_out if table else ():
        if each.form in ("empty", "constant"):
            yield Finding(
                summary=f"column {each.column} is left out: {each.why}", severity=NOTE,
                evidence={"column": each.column, "why": each.why}, fix=FIXES[each.form],
            )


def _without_target(table: TableFacts) -> Finding:
    rows = table.missing_targets
    said = f"{len(rows):,} rows have no target and are left out, the first of them" if len(rows) > 1 else \
        "one row has no target and is left out:"
    return Finding(
        summary=f"{said} row {rows[0]}", severity=NOTE, evidence={"count": len(rows), "rows": list(rows[:10])},
        fix="nothing, where their target isn't known; otherwise mend the join or the file that lost it",
    )


def _finding(what: str, bad: list[BadColumn], *, severity: Severity, fix: str) -> Finding:
    evidence: Evidence = {column.column: {"count": column.count, "rows": list(column.rows)} for column in bad[:10]}
    return Finding(
        summary=_summary(what, bad), severity=severity, evidence={**evidence, "columns": len(bad)}, fix=fix,
    )


def _summary(what: str, bad: list[BadColumn]) -> str:
    first = bad[0]
    others = {1: "", 2: ", and another column too"}.get(len(bad), f", and {len(bad) - 1} other columns too")
    if what == "constant target":
        return "the target is the same in every training row: nothing can be learned"
    if what in ("empty", "constant"):
        return f"column {first.column} is {what}{others}"
    many = f"{first.count} {what} values, first in" if first.count > 1 else f"one {what} value, in"
    return f"column {first.column} has {many} row {first.rows[0]}{others}"
