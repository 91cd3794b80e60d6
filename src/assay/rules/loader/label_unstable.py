"""A data set returns another label for the same example when it is read again.

## Why it hurts
What one epoch teaches the next contradicts. The model can learn no more than how frequent each label is, and accuracy
on such data says nothing.

## What is looked at
The inputs as they enter the model and the class ids as they enter the loss, of the first two iterations of a training
loader: of inputs that came both times, bit for bit, and had one label within each iteration, how many have another one.
32 such inputs are needed, and half of what labels drawn without regard to the example would show.

## Remedy
Draw the order of inputs and labels once, together; never change stored labels while reading them.

## When it is wrong to worry
Inputs that are augmented, mixed or rotated differ in themselves and aren't compared; a label that is meant for a
rotated image belongs to that. Where labels are a model's own guesses, set anew each epoch, allow the rule.

## References
Zhang et al. (2017), Understanding deep learning requires rethinking generalization, on random labels.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.loader import RereadFacts
from assay.rule import WARNING, Finding, Verdict, Where, rule

INPUTS = 32
OF_CHANCE = 0.5


@rule(severity=WARNING)
def label_unstable(rereads: RereadFacts) -> Iterator[Verdict]:
    """Count inputs whose label changed."""
    for each in rereads.reread:
        if each.labelled >= INPUTS and each.changed and each.changed >= OF_CHANCE * each.chance * each.labelled:
            yield Finding(
                summary=f"{each.changed} of {each.labelled} inputs have another label when they are read again",
                where=Where(place=each.place),
                evidence={"inputs_read_twice": each.labelled, "labels_changed": each.changed,
                          "share_if_labels_were_drawn": round(each.chance, 3)},
                impact="inputs and labels don't belong together: there is nothing to learn but how frequent labels are",
                fix="permute inputs and labels together, and don't draw or change labels while reading them",
            )
