"""Evaluation is random: two passes over the same examples differ.

## Why it hurts
A score that moves by itself can't choose a checkpoint: the best of many random scores is too good. Dropout or
augmentation that stays on in evaluation also makes every score worse than the model is.

## What is looked at
The same batch twice through the model in evaluation mode. Outputs must agree to 1e-4 of their spread: some devices
sum in changing order, which moves single precision by about 1e-6; dropout moves outputs by a sizeable part of their
spread.

## Remedy
Make randomness depend on `self.training`: nn.Dropout instead of functional dropout with training=True; augmentation
in the training data set alone.

## When it is wrong to worry
Test-time augmentation and Monte-Carlo dropout, on purpose: allow it by name, and average over passes.

## References
PyTorch documentation, torch.nn.functional.dropout: `training` is True by default.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.interventions import EvaluateTwice
from assay.rule import ERROR, Finding, Verdict, rule

ROUNDING = 1e-4  # of the outputs' spread


@rule(severity=ERROR)
def eval_augmented(twice: EvaluateTwice) -> Iterator[Verdict]:
    """Compare two evaluations of one batch."""
    if twice.largest_difference > ROUNDING * twice.spread:
        relative = twice.largest_difference / twice.spread if twice.spread else float("inf")
        yield Finding(
            summary="two evaluations of the same examples differ: the outputs move by "
                    f"{relative:.2g} of their spread, in evaluation mode",
            evidence={"largest_difference": twice.largest_difference, "spread": twice.spread, "rows": twice.rows},
            impact="scores are random, and the best of them is too good",
            fix="make dropout, noise and augmentation depend on self.training",
        )
