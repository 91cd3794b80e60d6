"""Training batches come in the order of their labels.

## Why it hurts
Each step sees one class, or one end of the range, and pulls the model towards it; the next forgets what the last has
learnt. The loss leaps where the class changes, and the classes that come last are predicted for everything.

## What is looked at
The labels of consecutive training steps, of a whole pass over the data: at a loader that doesn't shuffle one pass, of a
program that slices by itself two passes in the same order. Sorted means that the labels form hardly more stretches than
there are classes (half as many again, for data that were appended in parts), at most a quarter of those that random
order would show, and that two labels of one step are alike much more often than two of all: a quarter of the way from
well mixed to one class a step. Measured numbers are sorted where they only rise or only fall over the whole pass. A
pass must have four steps and 32 labels, below which chance and toys look the same.

## Remedy
`shuffle=True` for the training loader; without a loader, draw a new `torch.randperm` each epoch.

## When it is wrong to worry
A fixed order that isn't sorted does no harm and stays silent, as do losses whose target is constant (a GAN's), episodes
and batches with the same classes in each. Tasks that are learnt one after the other never come back, so they are no
pass over the data.

## References
Bengio (2012), Practical recommendations for gradient-based training, on shuffling. Reported:
github.com/Deci-AI/super-gradients/issues/416.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.loader import LabelOrder, LabelOrderFacts
from assay.rule import WARNING, Finding, Verdict, Where, rule

STEPS = 4
LABELS = 32
STRETCHES_A_CLASS = 1.5
OF_SHUFFLED = 0.25
TOGETHER = 0.25


@rule(severity=WARNING)
def not_shuffled(labels: LabelOrderFacts) -> Iterator[Verdict]:
    """Look for labels that are met in sorted order."""
    seen: set[object] = set()
    for order in labels.orders:
        if order.place not in seen and order.steps >= STEPS and order.labels >= LABELS and _sorted(order):
            seen.add(order.place)
            yield _finding(order)


def _sorted(order: LabelOrder) -> bool:
    if order.classes is None:
        return order.monotone
    return (
        order.classes > 1
        and order.runs <= STRETCHES_A_CLASS * order.classes
        and order.runs <= OF_SHUFFLED * order.shuffled_runs
        and (order.together is None or order.together >= TOGETHER)
    )


def _finding(order: LabelOrder) -> Finding:
    evidence: dict[str, object] = {"steps": order.steps, "labels": order.labels}
    if order.classes is None:
        how = "the targets only rise, or only fall, over the whole pass"
    else:
        how = f"{order.classes} classes in {order.runs} stretches, where random order has {order.shuffled_runs:.0f}"
        evidence |= {
            "classes": order.classes, "stretches": order.runs, "stretches_if_shuffled": round(order.shuffled_runs),
        }
    return Finding(
        summary=f"training batches come sorted by label: {how}",
        where=Where(place=order.place), evidence=evidence,
        impact="each step pulls towards the one class, or the one end, that it sees",
        fix="shuffle=True for this loader" if order.loader else "draw a new torch.randperm of the examples each epoch",
    )
