"""Calls around the step stand in the wrong order: cleared before the step, clipped after it or before unscaling.

## Why it hurts
`backward()` fills the gradients, `step()` uses them. What clears them in between leaves the step nothing to use; what
clips them afterwards, or before any backward pass, clips nothing that is ever used; what clips them while they carry a
gradient scaler's factor (65536 at first) clips every one of them to almost nothing.

## What is looked at
On sampled steps, per optimizer: whether a backward pass left gradients other than zero, and whether they were still
there when the step began. Of each call of clip_grad_norm_ and clip_grad_value_, whether the optimizer that holds these
parameters had stepped since the last backward pass, and whether a scaler had scaled that pass and not unscaled it.
Each counts from three times, since a program may now and then drop gradients on purpose, and where it holds for nine
tenths of what was looked at: an order is wrong every time.

## Remedy
zero_grad, backward, (unscale_,) clip, step: in this order.

## When it is wrong to worry
Measuring a norm with an infinite limit, or one that no norm comes near (a hundredth of it), is no clipping. Clearing
after the step, another network's gradients, accumulation, closures and several steps to a backward pass are silent.

## References
PyTorch documentation, Automatic Mixed Precision examples: unscale_ before clipping. Pascanu et al., On the difficulty
of training recurrent neural networks, 2013: clipping before the step.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.clipping import ClippingFacts, ClipRecord
from assay.facts.order import OrderFacts, OrderRecord
from assay.rule import ERROR, NOTE, Finding, NotChecked, Verdict, Where, rule

TIMES = 3
SHARE = 0.9
NEAR = 0.01
NO_LIMIT = 1e6


@rule(severity=ERROR)
def step_order(order: OrderFacts, clipping: ClippingFacts | None) -> Iterator[Verdict]:
    """Count gradients that were gone at the step, and clippings too late or too early."""
    if not any(each.seen for each in order.optimizers):
        yield NotChecked("no step was looked at that had its backward pass before it")
    for each in order.optimizers:
        if each.cleared >= TIMES and each.cleared >= SHARE * each.filled:
            yield _cleared(each)
    for clip in clipping.clips if clipping is not None else ():
        if clip.limit < NO_LIMIT and clip.late >= TIMES and clip.late >= SHARE * clip.seen:
            yield _late(clip)
        elif clip.limit < NO_LIMIT and clip.scaled >= TIMES and clip.scaled >= SHARE * clip.seen:
            yield _scaled(clip)


def _cleared(each: OrderRecord) -> Finding:
    return Finding(
        summary=f"gradients are cleared between the backward pass and the step of {each.kind}",
        where=Where(place=each.clear_place or each.step_place or each.place),
        evidence={"filled_by_a_backward_pass": each.filled, "gone_at_the_step": each.cleared},
        impact="the steps have no gradients to use",
        fix="clear before the backward pass or after the step",
    )


def _late(clip: ClipRecord) -> Finding:
    idle = bool(clip.norms) and 0 < max(clip.norms) < NEAR * clip.limit
    return Finding(
        summary=f"{clip.function} is called after the step that it is meant for",
        severity=NOTE if idle else None,
        where=Where(place=clip.place),
        evidence={"looked_at": clip.seen, "after_the_step": clip.late, "limit": clip.limit, "norms": list(clip.norms)},
        impact="no step ever uses the clipped gradients",
        fix="clip between backward() and step()",
    )


def _scaled(clip: ClipRecord) -> Finding:
    return Finding(
        summary=f"{clip.function} is called on gradients that still carry the gradient scaler's factor",
        where=Where(place=clip.place),
        evidence={"looked_at": clip.seen, "before_unscaling": clip.scaled, "limit": clip.limit,
                  "norms": list(clip.norms)},
        impact="after unscaling the gradients are smaller than the limit by the scaler's factor",
        fix="call scaler.unscale_(optimizer) before clipping",
    )
