"""Targets are of another kind than the loss takes, or stand where the predictions belong.

## Why it hurts
The loss computes something, only not what was meant: class ids as probabilities have no lower bound, several ones a row
as one distribution push scores apart without end, and with both arguments swapped the loss is infinite where the
prediction should be 0 and is clamped there.

## What is looked at
At sampled steps: for binary cross entropy, targets that are all whole numbers and leave [0, 1]; for cross_entropy,
rows of zeros and ones of which a fifth or more hold several ones (fewer may be slips), where the scores are a model's
own; for both, an input of zeros and ones without a gradient beside a target that has one.

## Remedy
Class ids go to cross_entropy as whole numbers; several labels a row go to binary_cross_entropy_with_logits; predictions
come first.

## When it is wrong to worry
Soft targets that sum to 1, smoothed and noisy labels of a discriminator and one-hot rows are sound.

## References
PyTorch documentation, torch.nn.BCEWithLogitsLoss and torch.nn.CrossEntropyLoss, targets.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.loss_targets import LossTarget, LossTargetFacts
from assay.rule import ERROR, WARNING, Finding, Verdict, Where, rule

SEVERAL = 0.2


@rule(severity=ERROR)
def target_type(targets: LossTargetFacts) -> Iterator[Verdict]:
    """Look at the values of targets and at what has a gradient."""
    seen: set[object] = set()
    for call in targets.calls:
        found = _judged(call) if call.place not in seen else None
        if found is not None:
            seen.add(call.place)
            yield found


def _judged(call: LossTarget) -> Finding | None:
    where = Where(place=call.place, step=call.step)
    if call.swapped:
        return Finding(
            summary=f"{call.name} is given targets and predictions in each other's place", where=where,
            evidence={"input_has_gradient": False, "target_has_gradient": True},
            fix="give the prediction first, then the target",
        )
    if call.whole_outside is not None:
        return Finding(
            summary=f"{call.name} is given class ids where it takes probabilities", where=where,
            evidence={"targets_from_to": list(call.whole_outside)},
            impact="the loss has no lower bound", fix="use cross_entropy with one output a class, or targets 0 and 1",
        )
    if call.several is not None and call.several >= SEVERAL and call.single:
        return Finding(
            summary=f"{call.name} takes one distribution a row, and is given rows with several labels", where=where,
            severity=WARNING, evidence={"rows_with_several_labels": call.several},
            fix="use binary_cross_entropy_with_logits for several labels a row",
        )
    return None
