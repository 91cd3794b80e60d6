"""The data differ from those that the recipe was written for.

## Why it hurts
Scores from different data can't be compared, and a recipe's choices (classes, split, expected first loss) rest on
what was seen when it was written. A changed row moves other rows between the splits, test rows among them.

## What is looked at
A SHA-256 of all values, column names and classes, against the recipe's fingerprint. It has no tolerance: one changed
value changes it. The counts that the recipe holds say where to look.

## Remedy
Bring the recorded data back, or write a new recipe for the new data with `assay init`.

## When it is wrong to worry
Never silently: if the new data are meant, the recipe is a new one.

## References
Gebru et al., "Datasheets for datasets", Communications of the ACM 64, 2021, on versions of data.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.splits import DataVersionFacts
from assay.rule import ERROR, Finding, NotChecked, Verdict, rule


@rule(severity=ERROR)
def data_changed(version: DataVersionFacts) -> Iterator[Verdict]:
    """Compare the fingerprints, and what else the recipe says of the data."""
    if version.recorded is None:
        yield NotChecked("the recipe holds no fingerprint of the data; `assay init` writes one")
        return
    if version.recorded != version.found:
        changed = "; ".join(version.changes) or "same rows, columns and classes, other values"
        yield Finding(
            summary=f"the data differ from those that the recipe was written for: {changed}",
            evidence={"recorded": version.recorded, "found": version.found, "changes": list(version.changes)},
            fix="bring the recorded data back, or write a new recipe with `assay init`",
        )
