"""One class goes by several names, or "unknown" is a class of its own.

## Why it hurts
"Yes", "yes " and "Y" are three classes to a computer: each has fewer examples, and the model is taught to tell apart
what is the same. A blank or "?" among the labels teaches it to predict that nobody knew.

## What is looked at
The spellings that reading the table showed: names that are equal but for case and spaces, and well-known words for yes
and no. Those that were read as one class are a note that says so; those that still stand apart are a warning, and so is
a blank or "?" that stays a class. No threshold enters here.

## Remedy
Use one spelling, and leave rows without a label out of training.

## When it is wrong to worry
Where case carries meaning (units, gene names), or "unknown" is an answer that people may give: allow it by name.

## References
Chu et al., "Data cleaning: overview and emerging challenges", SIGMOD 2016.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.table import Spellings, TableFacts
from assay.rule import NOTE, WARNING, Finding, Verdict, rule


@rule(severity=WARNING)
def label_spelling(table: TableFacts) -> Iterator[Verdict]:
    """One finding for each class with several names."""
    for spellings in table.spellings:
        yield _finding(spellings)


def _finding(spellings: Spellings) -> Finding:
    counts = dict(sorted(spellings.counts.items(), key=lambda pair: -pair[1])[:10])
    named = ", ".join(f"{name!r} ({count})" for name, count in list(counts.items())[:4])
    if spellings.blank:
        said = f"{named} stands for an unknown value" + (" and is left out" if spellings.merged else
                                                          " and is a class of its own")
    else:
        said = f"{spellings.meaning!r} is spelled {named}" + (", read as one" if spellings.merged else "")
    return Finding(
        summary=f"column {spellings.column}: {said}",
        severity=NOTE if spellings.merged else WARNING,
        evidence={"column": spellings.column, "meaning": spellings.meaning, "counts": counts,
                  "merged": spellings.merged},
        fix="check that these mean the same" if spellings.merged else
            "use one spelling for each class, and leave rows without a label out",
    )
