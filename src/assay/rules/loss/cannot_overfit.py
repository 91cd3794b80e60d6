"""The model can't memorise one tiny batch.

## Why it hurts
A network has far more parameters than 32 examples have labels. If it can't memorise them, loss, targets, gradients or
layers are wrong, and more data, longer training or tuning can't help.

## What is looked at
The attempts to memorise a batch without conflicting examples, at several rates, with dropout, decay and augmentation
off. One must come within a tolerance of the lowest value that the loss can take: 0.05 nats above it, where every
example has its label at a probability of 0.95 on average; for a regression 5 % of the targets' variance.

## Remedy
Read the level where it stalls: a known floor names its cause. Then see whether every parameter moves, whether targets
are what you think they are, and whether the rate was ever right.

## When it is wrong to worry
A loss that can't reach zero by design (a contrastive or variational one); a model that is much too small on purpose.

## References
Karpathy, "A recipe for training neural networks", 2019: "overfit one batch".
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.overfit import OverfitFacts
from assay.rule import ERROR, Finding, NotChecked, Verdict, rule


@rule(severity=ERROR, implied_by=(
    "plateau-at-floor", "loss-on-probabilities", "loss-broadcast", "label-conflict", "loss-not-finite",
    "params-not-optimised", "update-lost", "grad-accumulates", "constant-output", "input-ignored",
))
def cannot_overfit(overfit: OverfitFacts) -> Iterator[Verdict]:
    """Compare the best attempt's last loss with the lowest value that the loss can take."""
    if not overfit.attempts or overfit.rows == 0:
        yield NotChecked("no example was left to memorise")
        return
    best = overfit.best
    if best.final <= overfit.target + overfit.tolerance:
        return
    tried = ", ".join(f"{attempt.learning_rate:.2g}" for attempt in overfit.attempts)
    yield Finding(
        summary=f"the model can't memorise {overfit.rows} examples: the loss stays at {best.final:.4g} where "
                f"{overfit.target:.4g} can be reached, at rates {tried}",
        evidence={"attempts": [
            {"learning_rate": attempt.learning_rate, "steps": attempt.steps, "first_loss": attempt.losses[0],
             "final_loss": attempt.final, "accuracy": attempt.accuracy} for attempt in overfit.attempts
        ], "target": overfit.target, "tolerance": overfit.tolerance, "conflicting_left_out": overfit.conflicting},
        fix="check loss and targets, see that every parameter moves, and make the model larger only after that",
    )
