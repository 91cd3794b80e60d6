"""Accuracy selects the model although the classes are imbalanced.

## Why it hurts
Where one class outnumbers another, a model that never predicts the rare one is nearly as accurate as a good one, so
accuracy picks models that ignore it. With 95 % of one class, the constant prediction scores 95 %.

## What is looked at
The metric that selects the model, and the counts of the training classes. The commonest class having four times the
examples of the rarest, or more, counts as imbalanced: the rarer of the two is then a fifth of both, where Google's
guide to imbalanced data sets begins to call the imbalance moderate.

## Remedy
Select by macro-F1, which counts every class alike, and keep accuracy as one number among others.

## When it is wrong to worry
Where every error costs the same and the classes will come in these proportions, accuracy is what you want: allow it.

## References
Google, Machine Learning Crash Course, "Datasets: imbalanced datasets".
Brodersen et al., "The balanced accuracy and its posterior distribution", ICPR 2010.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.splits import SplitFacts
from assay.facts.task import TaskFacts
from assay.rule import WARNING, Finding, NotApplicable, NotChecked, Verdict, rule

RATIO = 4.0  # commonest to rarest class


@rule(severity=WARNING)
def class_imbalance(splits: SplitFacts, task: TaskFacts) -> Iterator[Verdict]:
    """Compare the commonest and the rarest training class if accuracy selects."""
    if not splits.classes:
        yield NotApplicable("a regression has no classes")
        return
    counts = next((split.class_counts for split in splits.splits if split.name == "train"), ())
    if not any(counts):
        yield NotChecked("the training classes were not counted")
        return
    commonest, rarest = max(counts), min(counts)
    if task.selects.removeprefix("val_") == "accuracy" and commonest >= RATIO * rarest:
        share = commonest / sum(counts)
        yield Finding(
            summary=f"accuracy selects the model, but {splits.classes[counts.index(commonest)]} has {commonest} "
                    f"training examples and {splits.classes[counts.index(rarest)]} has {rarest}",
            evidence={"counts": dict(zip(splits.classes, counts, strict=True)), "selects": task.selects},
            impact=f"predicting {splits.classes[counts.index(commonest)]} for everything scores {share:.2f}",
            fix="select by macro_f1 (checkpointing.monitor: val_macro_f1)",
        )
