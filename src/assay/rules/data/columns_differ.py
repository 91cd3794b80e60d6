"""Training and evaluation parts have other columns, types or categories.

## Why it hurts
A column that one file lacks, holds in another place or fills with another kind of value enters the model as something
else than it learned from. A category that training never saw carries nothing that was learned: such rows are judged
by their other columns alone.

## What is looked at
The differences that reading the files showed: a column that is missing, or of another type, is an error unless it was
mended; a column that only one file has is a warning; another order of the columns is put right and a note. And for
every column of categories, the evaluation rows whose category training never saw: a warning where they are one in a
hundred or more, and five standard deviations (Poisson) more than a random split would give by the Good-Turing estimate,
the share of categories that training saw once.

## Remedy
Export both files by the same program; declare types; keep a category's spelling the same everywhere.

## When it is wrong to worry
A split by time or by group meets new categories by nature (new customers, new products): a note.

## References
Good, "The population frequencies of species and the estimation of population parameters", Biometrika 40, 1953.
Breck et al., "Data validation for machine learning", MLSys 2019.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.facts.drift import CategoryFacts, UnseenCategories
from assay.facts.table import PartDifference, TableFacts
from assay.rule import ERROR, NOTE, WARNING, Finding, NotApplicable, NotChecked, Severity, Verdict, rule

SHARE = 0.01  # of the rows
FAR = 5.0  # standard deviations
MEANT = ("time", "grouped", "stratified_grouped", "column")
FIX = "export all parts by the same program, with the same columns, types and spellings"


@rule(severity=ERROR)
def columns_differ(table: TableFacts | None, categories: CategoryFacts | None) -> Iterator[Verdict]:
    """Judge what reading showed, then the categories that training never saw."""
    if table is None and categories is None:
        yield NotChecked("no table was read")
        return
    if (table is None or len(table.files) < 2) and (categories is None or categories.columns == 0):
        yield NotApplicable("there is one file, and it holds no categories")
        return
    for difference in table.differences if table else ():
        yield _different(difference)
    for unseen in categories.unseen if categories else ():
        if unseen.rows >= SHARE * unseen.of and unseen.rows > unseen.expected + FAR * math.sqrt(unseen.expected + 1):
            yield _unseen(unseen, meant=categories is not None and categories.divided in MEANT)


def _different(difference: PartDifference) -> Finding:
    said = f", {difference.mended}" if difference.mended else ""
    return Finding(
        summary=f"{difference.first} and {difference.second} differ: {difference.what}{said}",
        severity=_severity(difference),
        evidence={"first": difference.first, "second": difference.second, "form": difference.form,
                  "mended": difference.mended},
        fix=FIX,
    )


def _severity(difference: PartDifference) -> Severity:
    if difference.form == "column order" or (difference.mended and difference.form == "type"):
        return NOTE
    return WARNING if difference.mended or difference.form == "extra column" else ERROR


def _unseen(unseen: UnseenCategories, *, meant: bool) -> Finding:
    named = ", ".join(repr(name) for name in unseen.names)
    return Finding(
        summary=f"{unseen.rows} of {unseen.of} {unseen.split} rows hold a {unseen.column} that training never saw: "
                f"{named}",
        severity=NOTE if meant else WARNING,
        evidence={"column": unseen.column, "rows": unseen.rows, "of": unseen.of, "expected": unseen.expected,
                  "categories": list(unseen.names)},
        impact="these rows are judged by their other columns alone",
        fix=FIX,
    )
