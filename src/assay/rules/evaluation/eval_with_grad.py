"""Evaluation builds a graph for gradients that nobody takes.

## Why it hurts
It doesn't change a number, but each pass keeps all of its intermediate results until its output is gone: evaluation
takes more time and much more memory, and totals of losses that aren't turned into numbers keep every graph alive.

## What is looked at
Passes in evaluation mode of a model that is trained in training mode: autograd recorded them, and before the next pass
in training mode no backward pass began. It must be so at a line twice or more.

## Remedy
`with torch.no_grad():` or `with torch.inference_mode():` around evaluation, and `.item()` for totals.

## When it is wrong to worry
Small models. Gradients of inputs, as attacks and saliency take, begin a backward pass and are silent.

## References
PyTorch documentation, "Autograd mechanics", section "Locally disabling gradient computation".
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.modes import RecordedEvaluations
from assay.rule import NOTE, Finding, Verdict, Where, rule

PASSES = 2


@rule(severity=NOTE)
def eval_with_grad(evaluations: RecordedEvaluations) -> Iterator[Verdict]:
    """Every line that evaluates with gradients."""
    for each in evaluations.evaluations:
        if each.passes >= PASSES:
            yield Finding(
                summary=f"{each.model} is evaluated with gradients that nobody takes",
                where=Where(place=each.place, module=each.model),
                evidence={"passes_without_backward": each.passes},
                impact="evaluation keeps all intermediate results: more memory and time, the same numbers",
                fix="put evaluation into `with torch.no_grad():`",
            )
