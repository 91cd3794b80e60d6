"""ReLU, tanh or sigmoid right before a loss that applies a softmax or sigmoid.

## Why it hurts
Scores must be free to go both ways. After a ReLU no class can be ruled out, since no score falls below 0, and a score
that is 0 has no gradient, so it may never come back. After tanh or sigmoid scores lie within [-1, 1] or [0, 1], so no
class can be surer than e² or e times the others: the loss stalls high above zero.

## What is looked at
The autograd graph directly below the softmax or sigmoid that the loss applies: ReluBackward, TanhBackward,
SigmoidBackward or HardtanhBackward, with nothing between but operations that choose rows or lay them out anew.

## Remedy
Leave the activation after the last layer out.

## When it is wrong to worry
Soft capping, c · tanh(x / c), and any other scaling after the activation is a multiplication and stays silent, as do
ELU, GELU and leaky ReLU, which bound nothing from above and little from below.

## References
Humbatova et al., Taxonomy of Real Faults in Deep Learning Systems, 2020: wrong type of activation function.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.fact import Unknown
from assay.facts.loss import LossCall, LossFacts
from assay.rule import WARNING, Finding, NotApplicable, NotChecked, Verdict, Where, rule

APPLIED = (
    ("NllLoss", "LogSoftmax"), ("NllLoss2D", "LogSoftmax"), ("BinaryCrossEntropyWithLogits",),
    ("BinaryCrossEntropy", "Sigmoid"), ("NllLoss", "Log", "Softmax"),
)
"""What stands between a loss and the scores."""

LIMITS = {"Relu": "[0, ∞)", "Hardtanh": "a fixed range", "Tanh": "[-1, 1]", "Sigmoid": "[0, 1]"}
CALLED = {"Relu": "a ReLU", "Hardtanh": "a hard limit", "Tanh": "tanh", "Sigmoid": "sigmoid"}


@rule(severity=WARNING)
def squashed_logits(losses: LossFacts) -> Iterator[Verdict]:
    """Look for an activation directly below the loss's own softmax or sigmoid."""
    seen: set[object] = set()
    judged = False
    for call in losses.calls:
        if isinstance(call.chain, Unknown):
            yield NotChecked(call.chain.why)
            continue
        scores = _scores(call.chain)
        judged = judged or scores is not None
        if scores and scores[0] in LIMITS and not _told_elsewhere(call.chain) and call.place not in seen:
            seen.add(call.place)
            yield _squashed(call, scores[0])
    if not judged:
        yield NotApplicable("no loss that applies a softmax or sigmoid reached a backward pass")


def _scores(line: tuple[str, ...]) -> tuple[str, ...] | None:
    """The operations that made the scores, if the loss applies a softmax or sigmoid."""
    return next((line[len(head):] for head in APPLIED if line[: len(head)] == head), None)


def _told_elsewhere(line: tuple[str, ...]) -> bool:
    """A sigmoid below a sigmoid is loss-on-probabilities."""
    return line[:2] == ("BinaryCrossEntropyWithLogits", "Sigmoid")


def _squashed(call: LossCall, activation: str) -> Finding:
    return Finding(
        summary=f"the scores that {call.name} is given pass {CALLED[activation]} first",
        where=Where(place=call.place, step=call.step),
        evidence={"chain": list(call.chain) if isinstance(call.chain, tuple) else [],
                  "input_range": call.input_range, "scores_lie_in": LIMITS[activation]},
        impact="no class can be ruled out, and a score of 0 has no gradient" if activation == "Relu"
               else "no class can be much surer than the others, so the loss stalls above zero",
        fix=f"leave {CALLED[activation]} after the last layer out",
    )
