"""Probabilities, or log-probabilities, for a loss that makes them itself.

## Why it hurts
The loss squashes its input a second time. The largest probability is 1, so the second softmax can never be surer than
e / (e + C - 1): the loss stalls at a floor, log(1 + (C - 1) / e) for C classes, and gradients are small far above it.
Accuracy may still look right, which hides the fault. nll_loss, which takes log-probabilities, makes of probabilities a
loss between -1 and 0 whose gradient doesn't grow where the model is wrong.

## What is looked at
The autograd graph directly below the loss: SoftmaxBackward (or exponentials divided by their sum) under
LogSoftmaxBackward or nll_loss, SigmoidBackward under the backward of binary_cross_entropy_with_logits. Operations that
only choose rows or lay them out anew may stand between; nothing else may, so that attention's softmax and a
temperature (a multiplication) stay silent. Besides, for losses over classes, the values: inputs within [0, 1] whose
rows sum to 1, to 1e-4 (single precision sums a thousand classes to 1e-5), at two sampled steps or more, whatever the
graph shows or hides.

## Remedy
Pass the scores that come before the softmax or sigmoid; to nll_loss pass log_softmax.

## When it is wrong to worry
log-softmax before a loss that applies log-softmax changes nothing but the cost: it is a note.

## References
PyTorch documentation, torch.nn.CrossEntropyLoss: the input is expected to contain the unnormalized logits.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator

from assay.facts.fact import Unknown
from assay.facts.loss import LossCall, LossFacts
from assay.rule import ERROR, NOTE, Finding, NotChecked, Verdict, Where, rule

OVER_CLASSES = ("NllLoss", "NllLoss2D")
BINARY = ("BinaryCrossEntropyWithLogits", "MultilabelSoftMargin")
TWICE: dict[tuple[str, ...], str] = {
    **{(loss, "LogSoftmax", "Softmax"): "softmax" for loss in OVER_CLASSES},
    **{(loss, "Softmax"): "softmax, but not its logarithm," for loss in OVER_CLASSES},
    ("LogSoftmax", "Softmax"): "softmax",
    **{(loss, "Softmax"): "softmax" for loss in BINARY},
    **{(loss, "LogSigmoid"): "log-sigmoid" for loss in BINARY},
    **{(loss, "Sigmoid"): "sigmoid" for loss in BINARY},
    **{(loss, "Mul", "Reciprocal", "Add", "Exp"): "sigmoid" for loss in BINARY},
}
HARMLESS: tuple[tuple[str, ...], ...] = tuple((loss, "LogSoftmax", "LogSoftmax") for loss in OVER_CLASSES)

TAKES_SCORES = "cross_entropy"
TAKES_LOGARITHMS = "nll_loss"

ROUNDING = 1e-4
STEPS = 2
"""Sampled steps at which rows must be probabilities, since scores may sum to 1 by a chance of the first weights."""


@rule(severity=ERROR)
def loss_on_probabilities(losses: LossFacts) -> Iterator[Verdict]:
    """Look at the operations directly below each loss, and at what it was given."""
    if not losses.calls:
        yield NotChecked("no loss reached a backward pass on a sampled step")
    shares = _given_shares(losses.calls)
    seen: set[object] = set()
    for call in losses.calls:
        place = (call.name, call.place)
        if place in seen:
            continue
        squashed = _squashed(call) or ("softmax" if place in shares else None)
        if squashed:
            seen.add(place)
            yield _twice(call, squashed)
        elif isinstance(call.chain, Unknown):
            yield NotChecked(call.chain.why)
        elif any(call.chain[: len(head)] == head for head in HARMLESS):
            seen.add(place)
            yield _idle(call)


def _squashed(call: LossCall) -> str | None:
    """What was applied before the loss, by the graph."""
    if isinstance(call.chain, Unknown):
        return None
    return next((name for head, name in TWICE.items() if call.chain[: len(head)] == head), None)


def _given_shares(calls: tuple[LossCall, ...]) -> set[object]:
    """Where every call of a loss over classes was given rows that sum to 1, at several steps."""
    steps: dict[object, set[int]] = defaultdict(set)
    others: set[object] = set()
    for call in calls:
        if call.name not in (TAKES_SCORES, TAKES_LOGARITHMS):
            continue
        if _are_shares(call):
            steps[call.name, call.place].add(call.step)
        else:
            others.add((call.name, call.place))
    return {place for place, found in steps.items() if len(found) >= STEPS} - others


def _are_shares(call: LossCall) -> bool:
    if call.row_sums is None or call.input_range is None or (call.classes or 0) < 2:
        return False
    low, high = call.input_range
    sums = all(abs(end - 1) <= ROUNDING for end in call.row_sums)
    return sums and low >= -ROUNDING and high <= 1 + ROUNDING and high - low > ROUNDING


def _twice(call: LossCall, squashed: str) -> Finding:
    above = () if isinstance(call.chain, Unknown) else call.chain[1:2]
    takes = call.name == TAKES_LOGARITHMS and above != ("LogSoftmax",)
    name = "the loss" if call.name == "backward" else call.name
    what = "is given probabilities where it takes their logarithms" if takes else (
        f"is given probabilities: {squashed} is applied twice")
    return Finding(
        summary=f"{name} {what}",
        where=Where(place=call.place, step=call.step),
        evidence={"chain": [] if isinstance(call.chain, Unknown) else list(call.chain), "row_sums": call.row_sums,
                  "input_range": call.input_range},
        impact=_floor(call) if squashed == "softmax" and not takes else None,
        fix="pass log_softmax of the scores" if takes else f"pass the scores that come before {squashed}",
    )


def _floor(call: LossCall) -> str | None:
    if call.classes is None:
        return None
    floor = math.log(1 + (call.classes - 1) / math.e)
    return f"the loss can't fall below {floor:.4f} = log(1 + {call.classes - 1}/e)"


def _idle(call: LossCall) -> Finding:
    return Finding(
        summary=f"{call.name} is given log-probabilities: log-softmax is applied twice, which changes nothing",
        where=Where(place=call.place, step=call.step), severity=NOTE,
        evidence={"chain": list(call.chain) if isinstance(call.chain, tuple) else []},
        fix="leave one of the two out, or use nll_loss",
    )
