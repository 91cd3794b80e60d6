"""Softmax, log-softmax or sigmoid before a loss that applies it itself.

## Why it hurts
The loss squashes its input a second time. The largest probability is 1, so the second softmax can never be surer than
e / (e + C - 1): the loss stalls at a floor, log(1 + (C - 1) / e) for C classes, and gradients are small far above it.
Accuracy may still look right, which hides the fault.

## What is looked at
The autograd graph directly below the loss: SoftmaxBackward under LogSoftmaxBackward, SigmoidBackward under the
backward of binary_cross_entropy_with_logits. Nothing may stand between them, so that attention's softmax and a
temperature (a multiplication) stay silent. The row sums are evidence, not the trigger.

## Remedy
Pass the scores that come before the softmax or sigmoid.

## When it is wrong to worry
log-softmax before a loss that applies log-softmax changes nothing but the cost: it is a note.

## References
PyTorch documentation, torch.nn.CrossEntropyLoss: the input is expected to contain the unnormalized logits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.facts.fact import Unknown
from assay.facts.loss import LossCall, LossFacts
from assay.rule import ERROR, NOTE, Finding, NotChecked, Verdict, Where, rule

TWICE = {
    ("NllLoss", "LogSoftmax", "Softmax"): "softmax",
    ("NllLoss2D", "LogSoftmax", "Softmax"): "softmax",
    ("BinaryCrossEntropyWithLogits", "Sigmoid"): "sigmoid",
}
HARMLESS = (("NllLoss", "LogSoftmax", "LogSoftmax"), ("NllLoss2D", "LogSoftmax", "LogSoftmax"))


@rule(severity=ERROR)
def loss_on_probabilities(losses: LossFacts) -> Iterator[Verdict]:
    """Look at the operations directly below each loss."""
    if not losses.calls:
        yield NotChecked("no loss reached a backward pass on a sampled step")
    seen: set[object] = set()
    for call in losses.calls:
        if isinstance(call.chain, Unknown):
            yield NotChecked(call.chain.why)
            continue
        squashed = next((name for head, name in TWICE.items() if call.chain[: len(head)] == head), None)
        harmless = any(call.chain[: len(head)] == head for head in HARMLESS)
        if (squashed or harmless) and call.place not in seen:
            seen.add(call.place)
            yield _twice(call, squashed) if squashed else _idle(call)


def _twice(call: LossCall, squashed: str) -> Finding:
    return Finding(
        summary=f"{call.name} is given probabilities: {squashed} is applied twice",
        where=Where(place=call.place, step=call.step),
        evidence={"chain": list(call.chain) if isinstance(call.chain, tuple) else [], "row_sums": call.row_sums,
                  "input_range": call.input_range},
        impact=_floor(call) if squashed == "softmax" else None,
        fix=f"pass the scores that come before {squashed}",
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
