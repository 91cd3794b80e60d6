"""The best weights are chosen by the test set.

## Why it hurts
The largest of many noisy scores is too large. The best epoch's score on the rows that chose it flatters; if those are
the test rows, nothing is left to tell by how much.

## What is looked at
The name of the monitored quantity: a word "test" in it (test_acc, acc/test) says what it is measured on. And the rows
themselves: the test rows, up to 2,000 of them, against the rows that passed through the validation step. That more
than half of them did, beyond those that equal a row of the validation split by the nature of the data, is no
accident: split-overlap counts smaller shares.

Of a watched program its own text is read: what ModelCheckpoint, EarlyStopping and Hugging Face's arguments monitor,
and comparisons such as `if acc > best: best = acc` that keep weights. That the score is of the test set must be said
by the names of the data that it was measured on (`acc = accuracy(net, test_loader)`). Where the program has
validation data as well, it is an error; where it has no other held-out data, a note, since people call those by either
name.

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
from assay.facts.selection import ChoiceFacts
from assay.rule import ERROR, NOTE, Finding, NotApplicable, NotChecked, Verdict, Where, rule

MOST = 0.5
FIX = "choose by rows that the test set doesn't hold, and monitor a val_ quantity"
IMPACT = "the best epoch's score flatters, and no rows are left to tell by how much"


@rule(severity=ERROR)
def selected_on_test(selection: MonitorFacts | None, choices: ChoiceFacts | None) -> Iterator[Verdict]:
    """Look at the monitored quantity's name and at the rows behind it, or at what a program's text compares."""
    if selection is not None:
        yield from _of_rows(selection)
    elif choices is None:
        yield NotChecked("what chooses the best weights isn't known")
    elif not choices.monitors and not choices.comparisons:
        yield NotApplicable("nothing is monitored or compared with a best so far")
    else:
        yield from _of_text(choices)


def _of_rows(selection: MonitorFacts) -> Iterator[Verdict]:
    if _is_of_test(selection.monitor):
        yield Finding(
            summary=f"the best weights are chosen by {selection.monitor}, a score on the test set",
            evidence={"monitor": selection.monitor}, fix=FIX, impact=IMPACT,
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
            fix=FIX, impact=IMPACT,
        )


def _of_text(choices: ChoiceFacts) -> Iterator[Finding]:
    severity = ERROR if choices.validates else NOTE
    for each in choices.monitors:
        if _is_of_test(each.monitor) and each.kind != "ReduceLROnPlateau":
            yield Finding(
                summary=f"{each.kind} follows {each.monitor}, a score on the test set", where=Where(place=each.place),
                evidence={"monitor": each.monitor}, fix=FIX, impact=IMPACT, severity=severity,
            )
    for one in choices.comparisons:
        if one.weights and one.split == "test":
            yield Finding(
                summary=f"the best weights are chosen by {one.value}, which is measured on the test set",
                where=Where(place=one.place), fix=FIX, impact=IMPACT, severity=severity,
                evidence={"value": one.value, "best": one.best, "made_of": one.made_of},
            )


def _is_of_test(monitor: str) -> bool:
    return "test" in re.split(r"[^a-z]+", monitor.casefold())
