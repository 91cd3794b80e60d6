"""Prediction and target have shapes that broadcast to a larger one.

## Why it hurts
(N, 1) against (N,) meets as (N, N): every prediction is compared with every target. The best answer to that is the same
for all examples, the mean target, so the network learns to ignore its input while the loss falls to the targets'
variance and looks almost right.

## What is looked at
For the losses of torch.nn.functional (and the modules that call them) the two shapes at the call: a result larger than
both operands. For a loss written by hand the autograd graph: a mean or sum over a power, an absolute value or a square
of a difference that has shape (N, N) where its one operand with a gradient has (N,) or (N, 1). PyTorch itself warns for
mse, l1, smooth_l1 and huber, and is silent for gaussian_nll, poisson_nll and everything written by hand.

## Remedy
Give both the same shape: `prediction.squeeze(-1)` or `target.unsqueeze(-1)`.

## When it is wrong to worry
Distances between all pairs, quantile heads and several targets for one prediction broadcast on purpose. They stay
silent where both operands carry a gradient, where one operand already has the result's shape, or where the
prediction's axis was added by unsqueeze (with a loss of torch.nn.functional: and its reduction is "none"); else allow
this rule on that line.

## References
PyTorch issue 16045, "MSELoss broadcasts silently".
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.fact import Unknown
from assay.facts.loss import Broadcast, LossCall, LossFacts
from assay.rule import ERROR, Finding, NotChecked, Verdict, Where, rule


@rule(severity=ERROR)
def loss_broadcast(losses: LossFacts) -> Iterator[Verdict]:
    """Compare the shapes that met in each loss."""
    if not losses.calls:
        yield NotChecked("no loss reached a backward pass on a sampled step")
    seen: set[object] = set()
    for call in losses.calls:
        if call.name == "backward" and isinstance(call.chain, Unknown):
            yield NotChecked(call.chain.why)
        elif call.broadcast is not None and call.place not in seen:
            seen.add(call.place)
            yield _met(call, call.broadcast)


def _met(call: LossCall, shapes: Broadcast) -> Finding:
    target = shapes.target or "targets"
    name = "the loss written by hand" if call.name == "backward" else call.name
    return Finding(
        summary=f"{name} compares {shapes.prediction} with {target} as {shapes.result}: every prediction with every "
                "target",
        where=Where(place=call.place, step=call.step),
        evidence={"prediction": shapes.prediction, "target": shapes.target, "result": shapes.result},
        impact="the best it can reach is the targets' variance, with equal predictions for all examples",
        fix="give prediction and target the same shape, with prediction.squeeze(-1) or target.unsqueeze(-1)",
    )
