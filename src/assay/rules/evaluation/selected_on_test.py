"""The best weights are chosen by the test set.

## Why it hurts
The largest of many noisy scores is too large. The best epoch's score on the rows that chose it flatters; if those are
the test rows, nothing is left to tell by how much.

## What is looked at
The name of the monitored quantity: a word "test" in it (test_acc, acc/test) says what it is measured on. And the rows
themselves: the test rows, up to 2,000 of them, against the rows that passed through the validation step. That more
than half of them did, beyond those that equal a row of the validation split by the nature of the data, is no
accident: split-overlap counts smaller shares.

## Remedy
Choose by validation rows, `val_...`, that the test set doesn't hold; open the test set once, with `assay test`.

## When it is wrong to worry
A benchmark that publishes one set under the names of validation and test: then no score on it is a test score.

## References
Cawley and Talbot, "On over-fitting in model selection and subsequent selection bias in performance evaluation", JMLR
2010. Kapoor and Narayanan, "Leakage and the reproducibility crisis in machine-learning-based science", Patterns 2023.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.facts.fact import Unknown
from assay.facts.monitor import MonitorFacts
from assay.rule import ERROR, Finding, NotChecked, Verdict, rule

MOST = 0.5
FIX = "choose by rows that the test set doesn't hold, and monitor a val_ quantity"


@rule(severity=ERROR)
def selected_on_test(selection: MonitorFacts) -> Iterator[Verdict]:
    """Look at the monitored quantity's name, and at the rows behind it."""
    if "test" in re.split(r"[^a-z]+", selection.monitor.casefold()):
        yield Finding(
            summary=f"the best weights are chosen by {selection.monitor}, a score on the test set",
            evidence={"monitor": selection.monitor}, fix=FIX,
            impact="the best epoch's score flatters, and no rows are left to tell by how much",
        )
        return
    if isinstance(selection.test_rows, Unknown):
        yield NotChecked(selection.test_rows.why)
        return
    extra = selection.validated - selection.natural
    if extra > MOST * selection.test_rows:
        yield Finding(
            summary=f"{selection.validated} of {selection.test_rows} test rows pass through validation, which chooses "
                    "the best weights",
            evidence={"monitor": selection.monitor, "test_rows": selection.test_rows,
                      "validated": selection.validated, "natural": selection.natural},
            fix=FIX, impact="the best epoch's score flatters, and no rows are left to tell by how much",
        )
