"""One batch steps an optimizer twice, or two optimizers step the same parameters.

## Why it hurts
The second step follows a gradient of weights that are no longer there: the rate is doubled, momentum and Adam's
moments count each batch twice.

## What is looked at
The steps that follow sampled ones which had a backward pass of their own: that no backward pass ran since, and that the
gradients are the very same, neither written to nor replaced. Stepped twice a batch, all of them are such. And sampled
steps right after another optimizer's, with no backward pass between, on parameters that both hold and whose gradients
are still there. Each counts from three times and three in ten of the steps looked at.

## Remedy
Step once per backward pass; give each parameter to one optimizer.

## When it is wrong to worry
Sharpness-aware steps run a second backward pass, closures run theirs within the step, and networks that share an
encoder and step in turns clear and fill its gradients in between: all are silent. So is an optimizer that wraps
another.

## References
Foret et al., Sharpness-Aware Minimization, 2021: two passes to a step. Goodfellow et al., Generative Adversarial Nets,
2014, algorithm 1: alternating steps.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.order import OrderFacts, OrderRecord
from assay.rule import WARNING, Finding, NotChecked, Verdict, Where, rule

TIMES = 3
SHARE = 0.3


@rule(severity=WARNING)
def double_step(order: OrderFacts) -> Iterator[Verdict]:
    """Count steps that used gradients for the second time."""
    if not any(each.seen for each in order.optimizers):
        yield NotChecked("no step was looked at that had its backward pass before it")
    for each in order.optimizers:
        if each.again >= TIMES and each.again >= SHARE * each.followed:
            yield _twice(each)
        elif each.shared >= TIMES and each.shared >= SHARE * each.seen:
            yield _shared(each)


def _twice(each: OrderRecord) -> Finding:
    return Finding(
        summary=f"{each.kind} steps again with the gradients that it has just used",
        where=Where(place=each.again_place or each.step_place),
        evidence={"steps_looked_at": each.followed, "with_used_gradients": each.again},
        impact="each batch moves the weights twice",
        fix="call step() once per backward pass",
    )


def _shared(each: OrderRecord) -> Finding:
    return Finding(
        summary=f"{each.kind} and {each.shared_with} both step the same parameters with the same gradients",
        where=Where(place=each.place or each.step_place),
        evidence={"steps_looked_at": each.seen, "right_after_the_other": each.shared},
        impact="the parameters that both hold move twice a batch",
        fix="give each parameter to one optimizer",
    )
