"""The model is scored while it is in training mode.

## Why it hurts
Dropout then removes units at random, and batch norm takes each batch's own statistics and lets the evaluation data
move the running ones. Scores are worse than the model is, differ from pass to pass and with the batches, and what is
saved afterwards has been changed by data that it was to be judged on.

## What is looked at
Passes of a model that an optimizer has trained before, in training mode, with dropout or batch norm that is active
there. A pass that autograd doesn't record counts if its output, up to the next pass, is given to a loss that is
averaged or summed, or if predictions made of it are compared with as many labels. One that it records counts if a loss
is given its output and that graph is gone before any backward pass reaches it; one such may be the last before a loop
is left, so there must be two at a line.

## Remedy
`model.eval()` before evaluating, `model.train()` before training goes on.

## When it is wrong to worry
Monte-Carlo dropout averages before it compares, sampling and pseudo-labels are compared with nothing, and choosing
examples by their losses takes those one by one: all of these are silent. So are models without dropout and batch norm.

## References
PyTorch documentation, "Autograd mechanics", section "Evaluation mode". The request to warn of it, and the false alarms
to avoid: pytorch issue 76383.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.modes import ScoringFacts
from assay.rule import ERROR, Finding, Verdict, Where, rule

SHOWN = 5


@rule(severity=ERROR)
def eval_in_train_mode(scoring: ScoringFacts) -> Iterator[Verdict]:
    """Every line at which a trained model was scored in training mode."""
    for each in scoring.scored:
        yield Finding(
            summary=f"{each.model} is evaluated in training mode: {_listed(each.active)} "
                    f"{'is' if len(each.active) == 1 else 'are'} active",
            where=Where(place=each.place, module=each.active[0], step=each.step),
            evidence={"active": list(each.active[:SHOWN]), "passes_scored": each.passes, "scored_by": each.how,
                      "recorded_by_autograd": each.recorded},
            impact="scores are random or depend on the batch, and are not the model's own",
            fix="call model.eval() before this pass, and model.train() before training goes on",
        )


def _listed(names: tuple[str, ...]) -> str:
    more = len(names) - 2
    return " and ".join(names[:2]) if more <= 0 else f"{names[0]}, {names[1]} and {more} more"
