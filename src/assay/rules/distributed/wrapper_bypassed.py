"""The bare module is called in training, past the wrapper that would synchronise it.

## Why it hurts
DistributedDataParallel averages gradients only of passes that go through it. A call of `model.module`, of the name that
the module had before it was wrapped, or of one of its parts trains every rank on its own examples alone: the models
part, and the one that is saved has seen a fraction of the data.

## What is looked at
Steps that are looked at of optimizers that hold a wrapped module's parameters. A step counts where, since the one
before, the module or a part of it was called in training mode with autograd recording, no recorded pass went through
the wrapper, and the program reduced no gradients over the ranks itself. Two such steps and at least half of all must
count, on every rank that was seen: a warm-up or a trial of one batch is no training.

## Remedy
Call what DistributedDataParallel returned: `model = DistributedDataParallel(model)`, then `model(inputs)`.

## When it is wrong to worry
Evaluation through `model.module`, a generator whose loss passes through the bare discriminator, saving its weights, and
`no_sync` while gradients accumulate all stay silent.

## References
PyTorch documentation, DistributedDataParallel. TrainCheck (OSDI 2025), error 18: ranks out of step.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.distributed import WrapperFacts, WrapperRecord
from assay.rule import ERROR, Finding, NotApplicable, Verdict, Where, rule

STEPS = 2
SHARE = 0.5


@rule(severity=ERROR)
def wrapper_bypassed(wrappers: WrapperFacts) -> Iterator[Verdict]:
    """Look at each wrapper on all ranks."""
    by_rank = [record.wrappers for record in wrappers.ranks]
    if not any(by_rank):
        yield NotApplicable("no module was wrapped in DistributedDataParallel")
        return
    for same in zip(*by_rank, strict=False):
        if all(map(_bypassed, same)):
            yield Finding(
                summary="the bare module is called in training, so that its gradients are not averaged over the ranks",
                where=Where(place=same[0].bypass),
                evidence={
                    "ranks": same[0].ranks, "ranks_seen": len(same), "steps_looked_at": same[0].steps,
                    "steps_past_the_wrapper": same[0].bypassed,
                },
                impact=f"{same[0].ranks} models are trained, each on its own part of the examples",
                fix="call what DistributedDataParallel returned, not the module inside",
            )


def _bypassed(wrapper: WrapperRecord) -> bool:
    return wrapper.ranks > 1 and wrapper.bypassed >= STEPS and wrapper.bypassed >= SHARE * wrapper.steps
