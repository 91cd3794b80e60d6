"""The loss itself is cut at an upper bound, where its gradient vanishes.

## Why it hurts
Beyond the bound a clamp's gradient is zero: the examples, or batches, that the model gets most wrong teach it nothing.
Where the first loss lies above the bound, nothing is ever learned.

## What is looked at
A clamp with an upper bound as the last operation before the backward pass, but for signs and constant factors, or the
last one before the mean or sum of the examples' losses; and whether it was active at a sampled step: the loss stands
at the bound, or the mean of the parts before the cut lies above it.

## Remedy
Leave the clamp out. Against a few large gradients clip their norm (`clip_grad_norm_`) or take a loss that grows more
slowly, such as huber_loss.

## When it is wrong to worry
Clamps inside a loss (PPO's ratio, Huber, the focal factor) and lower bounds (free bits, hinges) stay silent; a bound
that no sampled loss reached is a note.

## References
Zhang et al., Why gradient clipping accelerates training, 2020: gradients are what to clip.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from assay.facts.loss import Clamped, LossFacts
from assay.rule import NOTE, WARNING, Finding, Verdict, Where, rule

ROUNDING = 1e-6


@rule(severity=WARNING)
def loss_clamped(losses: LossFacts) -> Iterator[Verdict]:
    """Look for an upper bound at the head of the graph, and whether it was reached."""
    by_place: dict[object, list[Clamped]] = defaultdict(list)
    for cut in losses.clamped:
        by_place[cut.place].append(cut)
    for cuts in by_place.values():
        reached = [cut for cut in cuts if _active(cut)]
        yield _cut((reached or cuts)[0], len(reached), len(cuts))


def _active(cut: Clamped) -> bool:
    if cut.uncut is not None:
        return cut.uncut > cut.bound + ROUNDING
    return cut.value >= cut.bound * (1 - ROUNDING) > 0


def _cut(cut: Clamped, reached: int, looked_at: int) -> Finding:
    what = "the loss is" if cut.whole else "the losses of the examples are"
    return Finding(
        summary=f"{what} cut at {cut.bound:g} before the backward pass" + (
            f", which {reached} of {looked_at} sampled ones reached" if reached else ""),
        severity=WARNING if reached else NOTE,
        where=Where(place=cut.place, step=cut.step),
        evidence={"bound": cut.bound, "loss": cut.value, "before_the_cut": cut.uncut, "reached": reached,
                  "looked_at": looked_at},
        impact="above the bound the gradient is zero, so the worst cases teach nothing" if reached else None,
        fix="leave the clamp out; clip the gradients' norm instead",
    )
