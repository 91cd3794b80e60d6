"""A class is missing from a split, or hardly there.

## Why it hurts
A class without training examples can't be learned; one without validation examples can't be judged, and a macro
average either skips it silently or counts it as zero. From four examples a recall is known to within a quarter.

## What is looked at
The counts of each class in each split that isn't empty. A missing class is an error; fewer than five examples are a
warning: with n examples a recall moves in steps of 1 / n, which passes twenty points below five.

## Remedy
Split by class (`kind: stratified`), merge rare classes, or collect more of them.

## When it is wrong to worry
A class that is declared but can't occur in this data: take it out of the classes.

## References
Kohavi, "A study of cross-validation and bootstrap for accuracy estimation and model selection", IJCAI 1995, on
stratification.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.splits import SplitFacts, SplitRecord
from assay.rule import ERROR, WARNING, Finding, NotApplicable, Severity, Verdict, rule

FEWEST = 5  # examples, below which a recall moves by more than twenty points at a time


@rule(severity=ERROR)
def label_missing_class(splits: SplitFacts) -> Iterator[Verdict]:
    """Look for classes with few or no examples in each split."""
    if not splits.classes:
        yield NotApplicable("a regression has no classes")
        return
    for split in splits.splits:
        if split.rows == 0:
            continue
        counts = dict(zip(splits.classes, split.class_counts, strict=True))
        missing = {name: count for name, count in counts.items() if count == 0}
        rare = {name: count for name, count in counts.items() if 0 < count < FEWEST}
        if missing:
            yield _finding(split, missing, said="no examples of", severity=ERROR)
        if rare:
            yield _finding(split, rare, said=f"fewer than {FEWEST} examples of", severity=WARNING)


def _finding(split: SplitRecord, counts: dict[str, int], *, said: str, severity: Severity) -> Finding:
    named = ", ".join(list(counts)[:5]) + (f" and {len(counts) - 5} more" if len(counts) > 5 else "")
    return Finding(
        summary=f"the {split.name} split has {said} {named}",
        severity=severity, evidence={"split": split.name, "rows": split.rows, "counts": counts},
        fix="split by class (kind: stratified), merge rare classes, or collect more examples of them",
    )
