"""Numbers were scaled by statistics of all rows, evaluation rows among them.

## Why it hurts
Whatever was fitted before the split has seen the rows that are to be unseen. A mean tells little of them; but the same
program that scales before splitting also fills in, selects and projects before it, and there the score is moved by far
more.

## What is looked at
Means, deviations and ranges of every number with twenty different values or more, as read and as entered, over all
rows and over the training rows. A scaler leaves a mark: exactly mean 0 and deviation 1, or exactly 0 to 1, over the
rows that it was fitted on. It is a warning where at least half of the numbers, and two or more (or the only one), bear
that mark over all rows while the training rows alone don't:

- mean 0 and deviation 1 to within 0.02 standard errors of a mean, which one column in 3,000 meets by chance, or 2e-6,
  the rounding of files with six digits;
- 0 to 1 or -1 to 1 to within 2e-6 in every such column, of three or more, and the training rows don't reach the ends
  of two or more.

In a watched program the moments are those of the examples that pass through the model, where all of them were met. If
it uses scikit-learn's scalers, projections, imputers or selectors, the rows that each was fitted on are compared with
the examples that are evaluated and were never trained on. It is a warning where a quarter of these were among them, and
a note where another evaluation holds only examples that nothing was fitted on.

What else may have been fitted on all rows (filling in, projections, vocabularies) leaves no mark in a table.

## Remedy
Split first. Fit scalers on the training rows alone, which `data.scale: standardise` does.

## When it is wrong to worry
Fixed published constants, and scaling within one batch or one row: those were fitted on nothing.

## References
Kaufman et al., "Leakage in data mining: formulation, detection, and avoidance", ACM TKDD 6, 2012.
Yang et al., "Data leakage in notebooks: static detection and better processes", ASE 2022.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.examples import FittedRows, TransformerFacts
from assay.facts.scaling import FittedFacts, Moments
from assay.rule import NOTE, WARNING, Finding, NotApplicable, NotChecked, Verdict, Where, rule

RANGED = 3  # numbers that reach from 0 to 1, from which it is no accident
SHORT = 2  # of them whose ends lie outside the training rows
FEWEST, MOSTLY = 5, 0.25  # evaluated examples, and their share, that a transformer was fitted on


@rule(severity=WARNING)
def fit_on_all(fitted: FittedFacts | None, transformers: TransformerFacts | None) -> Iterator[Verdict]:
    """Look for the mark of a scaler over all rows that isn't there over the training rows."""
    seen = [each for each in transformers.fits if _sees(each)] if transformers else []
    for each in seen:
        yield _seen(each, alone=bool(transformers and transformers.apart))
    if seen:
        return
    if fitted is None:
        if transformers is None:
            yield NotChecked("neither moments of all rows nor fits of transformers were seen")
    elif fitted.columns == 0:
        yield NotApplicable("no column holds numbers of twenty different values or more")
    elif len(fitted.standard) >= max(min(2, fitted.columns), fitted.columns / 2):
        yield _finding(fitted, fitted.standard, said="have mean 0 and deviation 1")
    elif fitted.reaching == fitted.columns >= RANGED and len(fitted.unit) >= SHORT:
        yield _finding(fitted, fitted.unit, said="reach from end to end of the unit range")


def _sees(fit: FittedRows) -> bool:
    return fit.evaluated >= max(FEWEST, MOSTLY * fit.of)


def _seen(fit: FittedRows, *, alone: bool) -> Finding:
    """A finding; a note where another evaluation holds examples that nothing was fitted on."""
    return Finding(
        summary=f"{fit.name} was fitted on {fit.rows} rows, among them {fit.evaluated} of {fit.of} evaluated examples",
        severity=NOTE if alone else WARNING, where=Where(place=fit.place),
        evidence={"fitted": fit.name, "rows": fit.rows, "evaluated_rows_among_them": fit.evaluated,
                  "evaluated_rows": fit.of},
        fix="split first, fit on the training rows alone, and transform the others with what was fitted",
    )


def _finding(fitted: FittedFacts, marked: tuple[Moments, ...], *, said: str) -> Finding:
    first = marked[0]
    return Finding(
        severity=NOTE if fitted.apart else WARNING,
        summary=f"{len(marked)} of {fitted.columns} numbers {fitted.where} {said} over all {fitted.rows} rows, and not "
                f"over the training rows, as {first.column}: they were scaled before the split",
        evidence={
            "where": fitted.where, "columns": fitted.columns, "marked": len(marked),
            "moments": {
                each.column: {"all": [each.mean, each.deviation, each.smallest, each.largest],
                              "training": [each.training_mean, each.training_deviation, each.training_smallest,
                                           each.training_largest]}
                for each in marked[:5]
            },
        },
        fix="split first, and scale by the training rows alone: give the numbers as they were measured, and let "
            "data.scale: standardise do it",
    )
