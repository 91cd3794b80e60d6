"""A loss has a value that it can't take.

## Why it hurts
Cross entropies and divergences can't be negative. A negative value says that one of the arguments isn't what the
formula takes: targets that are no probabilities, inputs that are no log-probabilities. Training goes on happily, to
ever lower values that mean nothing.

## What is looked at
The value at each sampled call: below zero by more than rounding (1e-4). Binary cross entropy, whose value is negative
only for targets outside [0, 1]; nll_loss and ctc_loss on probabilities or raw scores (nothing below them took a
logarithm, and they reach above 0); kl_div with a target that sums to 1.

## Remedy
Look at the range of targets and inputs in the evidence; scale targets to [0, 1], or take a loss for real numbers.

## When it is wrong to worry
Densities of continuous distributions may be above 1, so their log-likelihood losses may be negative, and policy
gradients weigh log-probabilities, or the targets of a cross entropy, with either sign: nll_loss stays silent unless
its input is visibly wrong, and cross_entropy and gaussian_nll_loss always.

## References
Cover and Thomas, Elements of Information Theory, 2006, 2.6: divergence is never negative.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.loss import LossCall, LossFacts
from assay.rule import ERROR, Finding, NotApplicable, Verdict, Where, rule

ROUNDING = 1e-4
BINARY = ("binary_cross_entropy", "binary_cross_entropy_with_logits")
NEVER_NEGATIVE = (*BINARY, "ctc_loss", "kl_div", "nll_loss")


@rule(severity=ERROR)
def impossible_loss(losses: LossFacts) -> Iterator[Verdict]:
    """Look for values below zero."""
    calls = [call for call in losses.calls if call.name in NEVER_NEGATIVE]
    if not calls:
        yield NotApplicable("no loss that can't be negative reached a backward pass")
    seen: set[object] = set()
    for call in calls:
        cause = _cause(call) if call.value < -ROUNDING else None
        if cause is not None and call.place not in seen:
            seen.add(call.place)
            yield _negative(call, cause)


def _cause(call: LossCall) -> str | None:
    """What makes it negative; None where that may be meant."""
    outside = call.target_range is not None and (
        call.target_range[0] < -ROUNDING or call.target_range[1] > 1 + ROUNDING)
    if call.name in BINARY:
        return "targets lie outside [0, 1]" if outside else None
    if call.name in ("nll_loss", "ctc_loss"):
        return None if call.logged or not call.input_range or call.input_range[1] <= 0 else (
            "the input holds no log-probabilities")
    shares = call.target_sums is not None and all(abs(end - 1) <= ROUNDING * 10 for end in call.target_sums)
    return "the input holds no log-probabilities" if shares else None


def _negative(call: LossCall, cause: str) -> Finding:
    targets = "target" in cause
    return Finding(
        summary=f"{call.name} is {call.value:.4g}, and can't be negative: {cause}",
        where=Where(place=call.place, step=call.step),
        evidence={"loss": call.value, "input_range": call.input_range, "target_range": call.target_range},
        impact="it has no lower end, so a lower value says nothing",
        fix="scale the targets to lie between 0 and 1, or take a loss for real numbers such as mse_loss" if targets
            else "pass log_softmax of the scores as the input",
    )
