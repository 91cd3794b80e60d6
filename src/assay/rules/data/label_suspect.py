"""Labels are contradicted by predictions that are sure of themselves.

## Why it hurts
Mixed-up labels teach the wrong answer, and they are a ceiling for every score: with one label in twenty wrong, a
perfect model scores 95 %. Among models that differ by less, the best by such a score may be the worst in truth.

## What is looked at
Training and validation rows (at most 6,000, drawn by a seed), each predicted by a logistic regression and by boosted
trees that were fitted without it. Classes that overlap by nature are confused where predictions are in doubt; labels
that were mixed up are contradicted as often where they are sure. So the errors in the surer half of the rows are
counted. It is a warning where all of this holds:

- Predictions are good enough to contradict anything: they err on at most 0.35 times as many rows as always saying the
  commonest class. Otherwise noise can't be told from difficulty, and it is not checked.
- In the surer half the share of errors is at least 0.4 times that over all rows. On iris, wine, breast cancer, digits,
  penguins and adult as they are it is 0 to 0.16 times, with one label in twenty changed 0.4 to 1 times.
- In the surest quarter it is at least half of that: where classes overlap by nature it goes on falling.
- There are at least four of them, and at least one in a hundred: Northcutt et al. estimate 0.15 % to 10 % of wrong
  labels in ten test sets in use, 3.3 % on average.

## Remedy
Look through the named rows, the least probable label first; correct or drop those that are wrong, in all splits alike.

## When it is wrong to worry
Things that are rare and hard: a model may be surely wrong about them, and dropping them flatters every score.

## References
Northcutt, Jiang and Chuang, "Confident learning: estimating uncertainty in dataset labels", JAIR 70, 2021.
Northcutt, Athalye and Mueller, "Pervasive label errors in test sets destabilize machine learning benchmarks", NeurIPS
Datasets and Benchmarks 2021.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.label_quality import SuspectFacts
from assay.rule import WARNING, Finding, NotChecked, Verdict, rule

GOOD = 0.35  # of the constant's errors
FLAT = 0.4  # of the share of errors over all rows
LEVEL = 0.5  # of the share of errors in the surer half
FEWEST, LEAST = 4, 0.01


@rule(severity=WARNING)
def label_suspect(suspects: SuspectFacts) -> Iterator[Verdict]:
    """Compare the errors of the surer half with all errors."""
    errors, sure_errors = suspects.errors / suspects.rows, suspects.sure_errors / suspects.sure
    if errors > GOOD * suspects.constant:
        yield NotChecked(
            f"predictions of held-out labels err on {errors:.0%} of the rows: wrong labels can't be told from hard ones"
        )
    elif suspects.sure_errors >= FEWEST and sure_errors >= max(LEAST, FLAT * errors) and _level(suspects, sure_errors):
        worst = suspects.suspects[0]
        yield Finding(
            summary=f"{suspects.sure_errors} labels are contradicted by predictions that are sure, first row "
                    f"{worst.row}: {worst.label} by its label, {worst.predicted} by what the other rows say",
            evidence={
                "rows": suspects.rows, "errors": suspects.errors, "sure_rows": suspects.sure,
                "sure_errors": suspects.sure_errors,
                "ranked": [{"row": each.row, "label": each.label, "predicted": each.predicted,
                            "probability": each.probability} for each in suspects.suspects],
            },
            impact=f"about {sure_errors:.1%} of the labels seem wrong, which no score can pass",
            fix="look through the ranked rows, and correct or drop the labels that are wrong",
        )


def _level(suspects: SuspectFacts, sure_errors: float) -> bool:
    return suspects.surest_errors >= LEVEL * sure_errors * suspects.surest
