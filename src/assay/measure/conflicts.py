"""Measure how many equal inputs carry different labels. Test rows are left out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.coarseness import natural_share
from assay.dataset import Dataset, Split
from assay.facts.label_quality import ConflictFacts
from assay.row_hashes import row_hashes

APART = 0.5  # standard deviations between the targets of a regression, from which they differ
EXAMPLES = 5  # pairs of rows that a finding names


def measure_conflicts(dataset: Dataset, split: Split) -> ConflictFacts:
    """Compare the labels of equal inputs among the training and validation rows."""
    rows = np.sort(np.concatenate([split.train, split.validation]))
    rows = rows[np.isfinite(dataset.y[rows].reshape(len(rows), -1)).all(axis=1)]
    x = dataset.x[rows]
    hashes = row_hashes(x)
    _, group, counts = np.unique(hashes, return_inverse=True, return_counts=True)
    repeated = counts[group] > 1
    at = np.flatnonzero(repeated)
    labels = _comparable(dataset, rows)
    usual = _usual(labels[at], group[at])
    differs = np.abs(labels[at] - usual) > 0.5
    return ConflictFacts(
        rows=len(rows), repeated=len(at), conflicting=int(differs.sum()),
        natural_share=natural_share(x, np.arange(len(rows)), hashes) if differs.any() else None,
        examples=_examples(dataset, rows, group=group, at=at, differs=differs),
    )


def _comparable(dataset: Dataset, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    """One number a label: two differ where they are more than a half apart."""
    y = dataset.y[rows].astype(np.float64)
    if dataset.task == "regression":
        y = y / (float(np.abs(y).max(initial=0.0)) or 1.0)  # squares of 1e200 would overflow
        return y / (float(y.std()) or 1.0) * (0.5 / APART) if len(y) else y
    if y.ndim == 2:
        return np.unique(y, axis=0, return_inverse=True)[1].reshape(-1).astype(np.float64)
    return y


def _usual(labels: NDArray[np.float64], group: NDArray[np.int64]) -> NDArray[np.float64]:
    """For each row the label that is the median of its group's: of two that differ one stays, of many the middle."""
    usual = np.empty_like(labels)
    order = np.lexsort((labels, group))
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    sizes = np.diff(starts, append=len(order))
    usual[order] = np.repeat(labels[order][starts + (sizes - 1) // 2], sizes)
    return usual


def _examples(
    dataset: Dataset, rows: NDArray[np.int64], *, group: NDArray[np.int64], at: NDArray[np.int64],
    differs: NDArray[np.bool_],
) -> tuple[tuple[int, int, str, str], ...]:
    """The first conflicting rows, each with a row of the usual label."""
    agreeing = at[~differs]
    found = []
    for position in at[differs][:EXAMPLES]:
        partner = agreeing[group[agreeing] == group[position]][0]
        first, second = sorted((int(rows[position]), int(rows[partner])))
        found.append((first, second, dataset.label_of(first), dataset.label_of(second)))
    return tuple(found)
