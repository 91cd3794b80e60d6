"""Training goes on in evaluation mode after the model was evaluated.

## Why it hurts
From the first evaluation on, dropout drops nothing and batch norm's running statistics stand still while the weights
below them move on: the network overfits, and is normalised by statistics of weights that it no longer has.

## What is looked at
The mode of the model at its optimizer's steps, by the passes since the step before. It was trained in training mode at
some line, with dropout or batch norm active; then evaluated, by a pass that autograd doesn't record or at another
line; and then, without a call of train() or eval() in between, trained from the first line with all of these switched
off, for three steps or more: a last one may belong to a phase that ends.

## Remedy
`model.train()` where an epoch's training begins, not once before all epochs.

## When it is wrong to worry
Batch norms or a frozen body alone in evaluation mode, a pretrained model that is fine-tuned in evaluation mode from
the start, and a phase of training that calls eval() itself: all of these are silent.

## References
PyTorch documentation, torch.nn.Module.eval. The request to warn of it in Lightning, and what would be mistaken for it:
Lightning issues 19820 and 20573.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.modes import TrainingModeFacts
from assay.rule import ERROR, Finding, Verdict, Where, rule

STEPS = 3
SHOWN = 5


@rule(severity=ERROR)
def train_in_eval_mode(modes: TrainingModeFacts) -> Iterator[Verdict]:
    """Every model that got stuck in evaluation mode."""
    for each in modes.stuck:
        if each.steps < STEPS:
            continue
        switched = f"{each.switched.file}:{each.switched.line}" if each.switched else None
        yield Finding(
            summary=f"{each.model} goes on training in evaluation mode after it was evaluated"
                    + (f": since {switched} nobody calls train()" if switched else ""),
            where=Where(place=each.place, step=each.step),
            evidence={"steps_in_training_mode": each.before, "steps_in_evaluation_mode": each.steps,
                      "switched_off": list(each.inactive[:SHOWN]), "switched_at": switched},
            impact="dropout and batch norm do nothing for the training from there on",
            fix="call model.train() where each epoch's training begins",
        )
