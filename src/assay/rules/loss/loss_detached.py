"""The loss doesn't reach the parameters.

## Why it hurts
Gradients flow only along recorded operations. After `.item()`, `.detach()`, `argmax`, NumPy or `no_grad` the loss is a
number like any other. Making it a tensor anew, with `requires_grad=True`, silences PyTorch's complaint and nothing
more: backward runs, the optimizer steps, and no parameter ever moves.

## What is looked at
Where each sampled backward pass begins and ends. It begins from a tensor that no operation made and that isn't a
parameter, twice or more; or none of the sampled graphs, of which nothing is hidden, leads to any parameter that an
optimizer of the program holds, while optimizers step with no gradient other than zero.

## Remedy
Compute the loss from the model's outputs with tensor operations alone, and take `.item()` only of what is printed.

## When it is wrong to worry
Gradients of inputs (saliency, adversarial examples) lead to no parameter either; programs that train something besides
stay silent, and so do those without an optimizer. Gradients that are handed over by hand, from a copy that the
backward pass led to (first-order meta-learning), reach the optimizer all the same.

## References
PyTorch documentation, Autograd mechanics: how operations are recorded. The fault as reported: PyTorch forum, "loss does
not decrease after loss.requires_grad = True".
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.fact import Place
from assay.facts.loss import LossFacts
from assay.facts.optimizer import OptimizerFacts
from assay.rule import ERROR, Finding, NotChecked, Verdict, Where, rule

TIMES = 2
"""Backward passes: one may be an example or a test at the head of a program."""


@rule(severity=ERROR, implied_by=["optimizer-stale"])
def loss_detached(losses: LossFacts, optimizers: OptimizerFacts) -> Iterator[Verdict]:
    """See where the backward passes begin and end."""
    steps = sum(each.steps for each in optimizers.optimizers)
    if not steps:
        yield NotChecked("no optimizer took a step")
    elif losses.made_anew >= TIMES:
        yield _cut(losses.first_made_anew, losses, f"{losses.made_anew} backward passes begin from a tensor made anew")
    elif losses.walked < TIMES:
        yield NotChecked("no graph of a loss was seen to its ends")
    elif losses.unreaching == losses.walked and not _fed(optimizers):
        yield _cut(losses.first_unreaching, losses, "the backward pass leads to no parameter that an optimizer holds")


def _fed(optimizers: OptimizerFacts) -> bool:
    """Whether gradients reach the optimizers all the same: handed over by hand from copies of their parameters."""
    return any(norm > 0 for each in optimizers.optimizers for norm in each.gradient_norms)


def _cut(place: Place | None, losses: LossFacts, what: str) -> Finding:
    return Finding(
        summary=f"{what}, so nothing is trained",
        where=Where(place=place),
        evidence={"made_anew": losses.made_anew, "graphs_walked": losses.walked,
                  "leading_to_no_parameter": losses.unreaching},
        impact="the optimizer steps, and no parameter moves",
        fix="compute the loss from the model's outputs without .item(), .detach(), argmax, NumPy or no_grad",
    )
