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

And the examples themselves, where a loader hands them out for evaluation with their labels: read again after more
training, in the same order, half of them must be what they were, bit for bit. It is a warning where more of them lie
nearer to what they were than to most others of their label than the half that would if each were made anew (by four
standard deviations of chance, which 15,000 evaluations show once), where the training
loader's examples change from epoch to epoch too, so that the same augmentation is likely meant for training alone, and
where no other loader's evaluations stay the same, which would show that this one is a test of robustness.

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

from assay.facts.evaluated_again import EvaluatedAgainFacts
from assay.facts.interventions import EvaluateTwice
from assay.facts.loader import RereadFacts
from assay.rule import ERROR, NOTE, WARNING, Finding, NotChecked, Verdict, Where, rule

ROUNDING = 1e-4  # of the outputs' spread
FEWEST, HALF = 40, 0.5
BEYOND = 4.0  # standard deviations

DROPS = "scaled_dot_product_attention"
DROPOUTS = frozenset({"alpha_dropout", "dropout", "dropout1d", "dropout2d", "dropout3d", "feature_alpha_dropout"})


@rule(severity=ERROR, implied_by=("dropout-misplaced",))
def eval_augmented(
    twice: EvaluateTwice | None, again: EvaluatedAgainFacts | None, rereads: RereadFacts | None,
) -> Iterator[Verdict]:
    """Compare two evaluations of one batch, and what a loader hands out for evaluation with what it did before."""
    if twice is None and again is None:
        yield NotChecked("nothing was evaluated twice")
    if twice is not None:
        yield from _of_model(twice)
    if again is not None and rereads is not None:
        yield from _of_examples(again, rereads)


def _of_model(twice: EvaluateTwice) -> Iterator[Finding]:
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


def _of_examples(again: EvaluatedAgainFacts, rereads: RereadFacts) -> Iterator[Finding]:
    augments = any(each.rows >= FEWEST and each.compared < HALF * each.rows for each in rereads.reread if each.whole)
    if not augments or any(each.unchanged >= HALF * each.rows for each in again.loaders):
        return
    for each in again.loaders:
        if each.rows >= FEWEST and 2 * each.nearer - each.rows >= BEYOND * each.rows**0.5:
            yield Finding(
                summary=f"{each.rows - each.unchanged} of {each.rows} evaluated examples have changed since they were "
                        "evaluated before: they are augmented at random, like those of training",
                severity=WARNING, where=Where(place=each.place),
                evidence={"rows_compared": each.rows, "rows_unchanged": each.unchanged,
                          "nearer_to_what_they_were": each.nearer},
                impact="scores are random, and worse than the model is",
                fix="give evaluation a data set without the random transform",
            )
