"""Evaluation is random: two passes over the same examples differ.

## Why it hurts
A score that moves by itself can't choose a checkpoint: the best of many random scores is too good. Dropout or
augmentation that stays on in evaluation also makes every score worse than the model is.

## What is looked at
The same batch twice through the model in evaluation mode. Outputs must agree to 1e-4 of their spread: some devices
sum in changing order, which moves single precision by about 1e-6; dropout moves outputs by a sizeable part of their
spread. Where the operation is known that brings chance in, only attention that is given a probability of dropping is
an error here: dropout has a rule of its own (dropout-misplaced), and a model that draws samples (a variational
autoencoder, a policy, a diffusion) may mean to, which is a note.

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
from assay.rule import ERROR, NOTE, Finding, Verdict, Where, rule

ROUNDING = 1e-4  # of the outputs' spread


DROPS = "scaled_dot_product_attention"
DROPOUTS = frozenset({"alpha_dropout", "dropout", "dropout1d", "dropout2d", "dropout3d", "feature_alpha_dropout"})


@rule(severity=ERROR, implied_by=("dropout-misplaced",))
def eval_augmented(twice: EvaluateTwice) -> Iterator[Verdict]:
    """Compare two evaluations of one batch."""
    if twice.largest_difference <= ROUNDING * twice.spread or twice.operation in DROPOUTS:
        return
    relative = twice.largest_difference / twice.spread if twice.spread else float("inf")
    watched = bool(twice.model)
    by = f", through {twice.operation}" if twice.operation else ""
    yield Finding(
        summary="two evaluations of the same examples differ: the outputs move by "
                f"{relative:.2g} of their spread, in evaluation mode{by}",
        severity=NOTE if watched and twice.operation != DROPS else None,
        where=Where(place=twice.place, module=twice.model) if twice.place else None,
        evidence={"largest_difference": twice.largest_difference, "spread": twice.spread, "rows": twice.rows,
                  "operation": twice.operation},
        impact="scores are random, and the best of them is too good",
        fix="make dropout, noise and augmentation depend on self.training",
    )
