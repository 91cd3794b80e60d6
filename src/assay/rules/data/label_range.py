"""Labels that reach the loss name no class: negative, too large, or no whole numbers.

## Why it hurts
A loss over C classes reads the label as an index. Labels from 1 to C crash at the largest one, or on some devices
read beyond the scores; -1 stands for the last class where Python code indexes with it; 0.5 is cut down to class 0.

## What is looked at
Every label of the training and validation rows as it reaches the loss, against [0, C - 1]. Labels equal to the
loss's ignore_index are left out.

In a watched program, the targets of the losses at the sampled steps:

- binary cross-entropy takes 0 to 1. Targets more than a half beyond (-1, 2, pixels up to 255) are an error; nearer ones
  may be softened on purpose (ganhacks draws real labels from 0.7 to 1.2) and are a note.
- the soft margin loss takes -1 and +1; given 0 and 1, the gradient of class 0 is zero: an error.
- cross-entropy whose labels name every output five times or more except output 0, which none of at least fifty does, is
  a warning: they count from 1, and the head was enlarged until nothing crashed. Sequences of ids, where 0 is padding,
  and an ignore_index of 0 are left alone.

## Remedy
Map the labels to 0 … C - 1 before training, or tell the loss which value to ignore.

## When it is wrong to worry
In a file, labels may be 1 … C, -1 and +1, 0.0 and 1.0, or words: what counts is what the loss is given, after the
recipe has mapped them. A class 0 that is kept for what is unknown and doesn't occur in training: allow it by name.

## References
PyTorch documentation, torch.nn.CrossEntropyLoss: class indices in the range [0, C).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.facts.fact import Unknown
from assay.facts.loss import LossCall, LossFacts
from assay.facts.splits import LabelFacts
from assay.facts.targets import ClassLabels, TargetFacts
from assay.rule import ERROR, NOTE, WARNING, Finding, NotChecked, Verdict, Where, rule

BINARY = frozenset({"binary_cross_entropy", "binary_cross_entropy_with_logits"})
MARGIN = frozenset({"soft_margin_loss"})
BEYOND = 0.5  # outside [0, 1], up to which a target may be a softened one
OFTEN, FEWEST = 5, 50  # labels of each other class, and in all


@rule(severity=ERROR)
def label_range(
    labels: LabelFacts | None, losses: LossFacts | None, targets: TargetFacts | None,
) -> Iterator[Verdict]:
    """Look at the labels outside the classes, as a recipe knows them or as they reach the losses of a program."""
    if labels is not None:
        yield from _listed(labels)
        return
    if losses is None and targets is None:
        yield NotChecked("no labels were seen")
        return
    yield from _first(losses.calls if losses else ())
    for call in targets.calls if targets else ():
        if _counts_from_one(call):
            yield _from_one(call)


def _first(calls: Iterable[LossCall]) -> Iterator[Finding]:
    """The first call of each line whose targets its loss can't mean."""
    named = set()
    for call in calls:
        found = _outside(call) if call.place not in named and call.target_range else None
        if found is not None:
            named.add(call.place)
            yield found


def _outside(call: LossCall) -> Finding | None:
    low, high = call.target_range or (0.0, 1.0)
    if call.name in BINARY and (low < 0 or high > 1):
        far = low < -BEYOND or high > 1 + BEYOND
        return _meant(
            call, said=f"lie between {low:g} and {high:g}, where it takes probabilities from 0 to 1", loud=far,
            fix="the labels are -1 and +1: map them to 0 and 1" if (low, high) == (-1, 1) else
                "scale or map the targets to [0, 1] before the loss",
        )
    if call.name in MARGIN and low == 0 and high == 1:
        said = "are 0 and 1, where it takes -1 and +1: examples of class 0 teach nothing"
        return _meant(call, said=said, loud=True, fix="map the labels to -1 and +1, or use binary cross-entropy")
    return None


def _meant(call: LossCall, *, said: str, loud: bool, fix: str) -> Finding:
    return Finding(
        summary=f"the targets of {call.name} {said}", severity=ERROR if loud else NOTE,
        where=Where(place=call.place, step=call.step), evidence={"loss": call.name, "target_range": call.target_range},
        fix=fix, impact="the loss has no lower bound: it falls without end" if call.name in BINARY and loud else None,
    )


def _counts_from_one(call: ClassLabels) -> bool:
    """Whether every class but class 0 was met often, and class 0 never."""
    return (
        len(call.counts) > 2 and call.counts[0] == 0 and call.ignored != 0 and min(call.counts[1:]) >= OFTEN
        and call.labels >= FEWEST
    )


def _from_one(call: ClassLabels) -> Finding:
    last = len(call.counts) - 1
    return Finding(
        summary=f"labels run from 1 to {last}, and none of {call.labels} is 0: output 0 belongs to no class",
        severity=WARNING, where=Where(place=call.place),
        evidence={"labels": call.labels, "outputs": last + 1, "counts": list(call.counts)},
        fix=f"the labels count from 1: subtract 1, and give the last layer {last} outputs",
    )


def _listed(labels: LabelFacts) -> Iterator[Verdict]:
    if isinstance(labels.classes, Unknown):
        yield NotChecked(labels.classes.why)
        return
    count = max(labels.outside_rows, len(labels.outside))
    if count:
        row, value = labels.outside[0]
        yield Finding(
            summary=f"{count} labels name no class: row {row} has {value:g}, classes are 0 to {labels.classes - 1}",
            evidence={"rows": [list(pair) for pair in labels.outside], "count": count, "classes": labels.classes,
                      "smallest": labels.smallest, "largest": labels.largest},
            fix=_remedy(labels.smallest, labels.largest, labels.classes),
        )


def _remedy(smallest: float, largest: float, classes: int) -> str:
    if smallest == 1 and largest == classes:
        return "the labels count from 1: subtract 1 before training"
    if smallest == -1 and largest == 1 and classes == 2:
        return "the labels are -1 and +1: map them to 0 and 1 before training"
    return f"map the labels to whole numbers from 0 to {classes - 1}, or set ignore_index to the value to skip"
