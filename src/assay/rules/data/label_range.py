"""Labels that reach the loss name no class: negative, too large, or no whole numbers.

## Why it hurts
A loss over C classes reads the label as an index. Labels from 1 to C crash at the largest one, or on some devices
read beyond the scores; -1 stands for the last class where Python code indexes with it; 0.5 is cut down to class 0.

## What is looked at
Every label of the training and validation rows as it reaches the loss, against [0, C - 1]. Labels equal to the
loss's ignore_index are left out.

## Remedy
Map the labels to 0 … C - 1 before training, or tell the loss which value to ignore.

## When it is wrong to worry
In a file, labels may be 1 … C, -1 and +1, 0.0 and 1.0, or words: what counts is what the loss is given, after the
recipe has mapped them.

## References
PyTorch documentation, torch.nn.CrossEntropyLoss: class indices in the range [0, C).
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.fact import Unknown
from assay.facts.splits import LabelFacts
from assay.rule import ERROR, Finding, NotChecked, Verdict, rule


@rule(severity=ERROR)
def label_range(labels: LabelFacts) -> Iterator[Verdict]:
    """Look at the labels outside the classes."""
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
