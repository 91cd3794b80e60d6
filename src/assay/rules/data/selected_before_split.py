"""The columns look picked by the labels of evaluation rows, before the split.

## Why it hurts
Of thousands of columns of noise, the fifty that fit all labels best fit those of the evaluation rows too. A model on
them scores well on rows that took part in the choice, and at chance on new ones. This is the leak that moves scores the
most: Ambroise and McLachlan found errors of 0 % that were 15 % in truth.

## What is looked at
How closely each number is related to the target over training and validation rows, in standard deviations of chance,
for binary tasks and regressions of twenty numbers or more. Columns that were picked by that start at a line and crowd
just above it; columns that weren't scatter by one standard deviation at least, however informative, since chance moves
each by as much. It is a warning where all of this holds:

- the scatter is so small as chance makes it in one table of 500 (chi squared);
- the columns stand above noise on average (two standard deviations or more);
- the validation rows repeat what the training rows show, by four standard deviations of chance or more, which noise
  that was picked by the training rows alone doesn't;
- they are unrelated to each other, so that the scatter means something (mean squared correlation times rows at most
  1.5, where noise has 1).

A selector itself isn't seen in a table, and one whose columns carry much more than noise isn't noticed.

## Remedy
Split first, select by the training rows alone (within each fold of a cross-validation), or give all columns.

## When it is wrong to worry
Columns that were picked without labels, by variance or by hand, don't crowd.

## References
Ambroise and McLachlan, "Selection bias in gene extraction on the basis of microarray gene-expression data", PNAS 99,
2002.
Hastie, Tibshirani and Friedman, "The Elements of Statistical Learning", section 7.10.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

from assay.facts.scaling import SelectionFacts
from assay.rule import WARNING, Finding, Verdict, rule

CHANCE = 2e-3
ABOVE = 2.0  # standard deviations
AGREED = 4.0  # standard deviations
UNRELATED = 1.5


@rule(severity=WARNING)
def selected_before_split(selection: SelectionFacts) -> Iterator[Verdict]:
    """Look for strengths that crowd above a line."""
    if selection.agreement < AGREED:
        return
    mean = fmean(selection.strengths)
    if mean < ABOVE or selection.improbable > CHANCE or selection.entangled > UNRELATED:
        return
    yield Finding(
        summary=f"all {len(selection.strengths)} numbers are related to the target about equally, between "
                f"{selection.strengths[-1]:.1f} and {selection.strengths[0]:.1f} standard deviations of chance, as if "
                "picked by labels of evaluation rows",
        evidence={"columns": len(selection.strengths), "rows": selection.rows, "mean": mean, "spread": selection.spread,
                  "chance_of_so_small_a_spread": selection.improbable, "agreement": selection.agreement,
                  "entangled": selection.entangled,
                  "largest": selection.strengths[0], "smallest": selection.strengths[-1]},
        impact="on new rows the score may fall to that of chance",
        fix="split first and select by the training rows alone, or give all columns",
    )
