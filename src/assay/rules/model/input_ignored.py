"""The model fits a batch as well without its inputs: zeroed inputs give the same loss.

## Why it hurts
What the network learned then comes from the labels' frequencies alone. The loss falls from its first value to the
labels' entropy, which looks like learning, and stays there.

## What is looked at
A model fitted to one batch for some steps, in evaluation mode, on that batch as it is and with every input set to
zero. Zeroed inputs must do worse by two standard errors of the examples' paired differences (about one false alarm
in forty if nothing were learned), or exactly equal losses show that the inputs aren't used at all. Where the fit
didn't lower the loss by a tenth, nothing was learned that zeroing could take away, and the rule can't look.

## Remedy
Follow one input through forward: is it overwritten, detached, multiplied by zero, or fed to a branch whose output
isn't used? Is the batch unpacked in the right order?

## When it is wrong to worry
Data in which inputs say nothing about labels can still be memorised, so that even pure noise stays silent here.

## References
Karpathy, "A recipe for training neural networks", 2019: "input-independent baseline".
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.facts.interventions import ZeroedInputs
from assay.rule import ERROR, Finding, NotChecked, Verdict, rule

ERRORS = 2.0  # standard errors of the paired difference
LEARNED = 0.9  # of the first loss: above it nothing was learned


@rule(severity=ERROR, implied_by=("constant-output", "loss-not-finite", "params-not-optimised", "update-lost"))
def input_ignored(zeroed: ZeroedInputs) -> Iterator[Verdict]:
    """Compare the losses on real and on zeroed inputs."""
    if not math.isfinite(zeroed.loss) or not math.isfinite(zeroed.zeroed_loss):
        yield NotChecked("the loss is not finite")
        return
    unused = zeroed.largest_difference == 0
    if not unused and zeroed.loss > LEARNED * zeroed.initial_loss:
        yield NotChecked(
            f"{zeroed.steps} steps on one batch lowered the loss from {zeroed.initial_loss:.3g} to {zeroed.loss:.3g} "
            "only, too little for zeroed inputs to show"
        )
        return
    worse = zeroed.zeroed_loss - zeroed.loss
    if unused or worse < ERRORS * zeroed.standard_error:
        yield Finding(
            summary=f"zeroed inputs give the same loss: {zeroed.zeroed_loss:.4g}, {zeroed.loss:.4g} on real ones",
            evidence={"loss": zeroed.loss, "loss_on_zeros": zeroed.zeroed_loss, "first_loss": zeroed.initial_loss,
                      "standard_error": zeroed.standard_error, "largest_difference": zeroed.largest_difference,
                      "rows": zeroed.rows, "steps": zeroed.steps},
            impact="the model can learn the labels' frequencies and nothing else",
            fix="follow the inputs through forward: are they overwritten, detached or fed to an unused branch?",
        )
