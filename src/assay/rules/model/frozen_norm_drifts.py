"""Batch norms of a frozen part still take up the statistics of what it is given.

## Why it hurts
Freezing parameters doesn't stop running statistics: in training mode they move with every batch, so that in evaluation
the frozen part is no longer what it was when it was trained. Scores drift though "nothing there is trained".

## What is looked at
Batch norms in training mode within passes that are trained on, at sampled steps. Their own gain is frozen and so are
matrices of the model; and the gain had been trainable in an earlier pass, or was loaded. At two steps or more, since
one may be the last before a switch. One that is frozen in turns, as the critic of a GAN is, stays silent.

## Remedy
Put the frozen part in evaluation mode after each `model.train()`: `model.backbone.eval()`.

## When it is wrong to worry
Adapting statistics to new data on purpose: allow it by name. A part that was frozen from its random start has nothing
to lose and is silent.

## References
PyTorch documentation, torch.nn.BatchNorm2d: running estimates are kept during training. pytorch issue 84911.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.norms import NormFacts
from assay.rule import WARNING, Finding, Verdict, Where, rule

STEPS = 2
SHOWN = 5


@rule(severity=WARNING)
def frozen_norm_drifts(norms: NormFacts) -> Iterator[Verdict]:
    """One finding a model, with the batch norms that drift."""
    drifting = [each for each in norms.norms if each.drifting >= STEPS]
    for model in dict.fromkeys(each.model for each in drifting):
        found = [each for each in drifting if each.model == model]
        yield Finding(
            summary=f"{len(found)} frozen batch norm{'s' * (len(found) > 1)} of {model} still "
                    f"move{'s' * (len(found) == 1)} with every batch",
            where=Where(place=found[0].place, module=found[0].name),
            evidence={"batch_norms": [each.name for each in found[:SHOWN]], "sampled_steps": found[0].drifting},
            impact="in evaluation the frozen part is no longer what was trained before",
            fix="put the frozen part in evaluation mode after each model.train()",
        )
