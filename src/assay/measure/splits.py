"""Measure how the rows were split: sizes, classes, and inputs that stand in more than one split.

Of the test rows only hashes and counts are taken.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from assay.coarseness import natural_share
from assay.dataset import Dataset, Split, SplitName
from assay.facts.splits import Overlap, SplitFacts, SplitRecord
from assay.row_hashes import Hashes, row_hashes

NAMES: tuple[SplitName, ...] = ("train", "validation", "test")
EXAMPLES = 5  # pairs of rows that an overlap names: enough to look them up


def measure_splits(dataset: Dataset, split: Split) -> SplitFacts:
    """Sizes, class counts and shared inputs of the three splits.

    Inputs are equal where every column is, with NaN equal to NaN and 0.0 to -0.0. Rows are compared by hashes of
    64 bits: two different ones of a million rows share a hash with probability 3e-8.
    """
    hashes = row_hashes(dataset.x)
    overlaps = tuple(
        overlap for first, second in combinations(NAMES, 2)
        if (overlap := _overlap(hashes, split, first=first, second=second)) is not None
    )
    return SplitFacts(
        splits=tuple(_record(dataset, split, name) for name in NAMES), classes=dataset.classes, overlaps=overlaps,
        repeated_share=_repeated_share(hashes[split.train]),
        natural_share=natural_share(dataset.x, split.train, hashes) if overlaps else None,
    )


def _record(dataset: Dataset, split: Split, name: SplitName) -> SplitRecord:
    rows = split.rows(name)
    return SplitRecord(name=name, rows=len(rows), class_counts=dataset.class_counts(rows))


def _overlap(hashes: Hashes, split: Split, *, first: SplitName, second: SplitName) -> Overlap | None:
    earlier, later = split.rows(first), split.rows(second)
    shared = np.isin(hashes[later], hashes[earlier])
    count = int(shared.sum())
    if count == 0:
        return None
    order = np.argsort(hashes[earlier], kind="stable")
    examples = later[shared][:EXAMPLES]
    partners = earlier[order[np.searchsorted(hashes[earlier][order], hashes[examples])]]
    return Overlap(
        first=first, second=second, rows=count, share=count / len(later),
        examples=tuple((int(partner), int(row)) for partner, row in zip(partners, examples, strict=True)),
        same_rows=len(np.intersect1d(earlier, later)),
    )


def _repeated_share(hashes: Hashes) -> float:
    counts = np.unique(hashes, return_counts=True)[1]
    return float(counts[counts > 1].sum() / len(hashes)) if len(hashes) else 0.0
