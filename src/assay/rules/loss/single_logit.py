"""Cross entropy or a softmax over a single score: there is nothing to choose between.

## Why it hurts
The softmax of one number is 1, whatever the number. The loss is exactly 0, its gradient too, and nothing is learned.

## What is looked at
At sampled steps, the size of the axis that cross_entropy or nll_loss takes for the classes, where the loss is exactly
0; and, for losses over probabilities, whether a softmax along an axis of size 1 made their input.

## Remedy
For two classes, give the model two outputs, or keep one and use binary_cross_entropy_with_logits.

## When it is wrong to worry
One output with a sigmoid is sound, and never comes here.

## References
PyTorch documentation, torch.nn.CrossEntropyLoss: the input has one score for each class.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.loss_targets import LossTarget, LossTargetFacts
from assay.rule import ERROR, Finding, Verdict, Where, rule


@rule(severity=ERROR)
def single_logit(targets: LossTargetFacts) -> Iterator[Verdict]:
    """Look for losses that choose among one."""
    seen: set[object] = set()
    for call in targets.calls:
        if (call.squashed_alone or (call.classes == 1 and call.value == 0)) and call.place not in seen:
            seen.add(call.place)
            yield _finding(call)


def _finding(call: LossTarget) -> Finding:
    return Finding(
        summary=f"{call.name} is given the softmax of a single score, which is always 1" if call.squashed_alone
        else f"{call.name} over a single class is always 0",
        where=Where(place=call.place, step=call.step), evidence={"input_shape": list(call.shape), "loss": call.value},
        impact="no gradient reaches the model: it learns nothing",
        fix="give the model one output a class, or use binary_cross_entropy_with_logits on one",
    )
