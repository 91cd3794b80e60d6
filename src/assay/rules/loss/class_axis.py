"""The loss takes the wrong axis for the classes.

## Why it hurts
Scores of several classes at several positions form a block; taken along the wrong axis, each row mixes positions, and
the loss compares what doesn't belong together. It may still fall, since something can be learned by rote.

## What is looked at
The graph directly below cross_entropy or nll_loss, at sampled steps, four forms of it: scores [n, t, C] with t = C,
as a linear layer has put them out, whose classes lie along the last axis while the loss takes the second; scores
[n, C, t] laid out as [n * t, C] by a view or reshape with no transposition, in which a row holds one class's scores at
several positions; scores [n, ..., C], as a linear layer has put them out, laid out as [n, C, ...] in the same way; and
log_softmax along the batch axis before nll_loss.

## Remedy
Bring the classes to the axis that the loss takes: `scores.transpose(1, 2)`, or transpose before flattening.

## When it is wrong to worry
Convolutions put classes second, which is right as it is; scores [n, t, C] flattened to [n * t, C] keep each row whole.

## References
PyTorch documentation, torch.nn.CrossEntropyLoss, shapes: (N, C, d1, ..., dK).
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.loss_targets import LossTarget, LossTargetFacts
from assay.rule import ERROR, Finding, Verdict, Where, rule

SAYS = {
    "last": "takes the second axis for the classes, which lie along the last",
    "mixed": "is given rows that hold one class at several positions: a reshape has mixed classes and positions",
    "viewed": "is given scores whose classes and positions a view has mixed: it reads the values in the old order",
    "batch": "is given log-probabilities that were normalised over the batch, not over the classes",
}
FIXES = {
    "last": "transpose the last two axes of the scores",
    "mixed": "bring the classes to the last axis (permute or transpose) before reshaping to (-1, C)",
    "viewed": "bring the classes to the second axis with transpose, permute or movedim, not with view or reshape",
    "batch": "use log_softmax along the axis of the classes (dim=1)",
}


@rule(severity=ERROR)
def class_axis(targets: LossTargetFacts) -> Iterator[Verdict]:
    """Look at how each loss's input was laid out."""
    seen: set[object] = set()
    for call in targets.calls:
        if call.axis is not None and call.place not in seen:
            seen.add(call.place)
            yield _finding(call, call.axis)


def _finding(call: LossTarget, axis: str) -> Finding:
    return Finding(
        summary=f"{call.name} {SAYS[axis]}", where=Where(place=call.place, step=call.step),
        evidence={"input_shape": list(call.shape), "classes_taken": call.classes}, fix=FIXES[axis],
    )
