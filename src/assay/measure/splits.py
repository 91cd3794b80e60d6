"""Measure how the rows were split: sizes, classes, and inputs that stand in more than one split.

Of the test rows only hashes and counts are taken.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from assay.dataset import Dataset, Split, SplitName
from assay.facts.splits import Overlap, SplitFacts, SplitRecord

Hashes = NDArray[np.uint64]

NAMES: tuple[SplitName, ...] = ("train", "validation", "test")
EXAMPLES = 5  # pairs of rows that an overlap names: enough to look them up


def measure_splits(dataset: Dataset, split: Split) -> SplitFacts:
    """Sizes, class counts and shared inputs of the three splits.

    Inputs are equal where every column is, with NaN equal to NaN and 0.0 to -0.0. Rows are compared by hashes of
    64 bits: two different ones of a million rows share a hash with probability 3e-8.
    """
    hashes = _row_hashes(dataset.x)
    overlaps = tuple(
        overlap for first, second in combinations(NAMES, 2)
        if (overlap := _overlap(hashes, split, first=first, second=second)) is not None
    )
    return SplitFacts(
        splits=tuple(_record(dataset, split, name) for name in NAMES), classes=dataset.classes, overlaps=overlaps,
        repeated_share=_repeated_share(hashes[split.train]),
        natural_share=_natural_share(dataset.x, hashes, split.train) if overlaps else None,
    )


def _record(dataset: Dataset, split: Split, name: SplitName) -> SplitRecord:
    rows = split.rows(name)
    classes = len(dataset.classes)
    labels = dataset.y[rows]
    counts = tuple(int(np.count_nonzero(labels == each)) for each in range(classes))
    return SplitRecord(name=name, rows=len(rows), class_counts=counts)


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


def _natural_share(x: NDArray[np.float64], hashes: Hashes, train: NDArray[np.int64]) -> float:
    """Share of training rows for which an equal row would be no surprise; see SplitFacts.

    Copies come without near misses: where columns are fine enough to tell rows apart, no two different rows agree in
    all columns but one. Columns that encode one category together (one-hot) count as one.
    """
    first = np.unique(hashes[train], return_index=True)[1]
    if len(first) < 2:
        return 1.0
    distinct = hashes[train][first]
    near = np.zeros(len(distinct), dtype=bool)
    log_tie = 0.0
    for group in _groups(x[train]):
        codes = sum((_column_hashes(x[train, column], column) for column in group), start=np.zeros_like(hashes[train]))
        near |= _occurs_again(distinct - codes[first])
        log_tie += float(np.log(_tie_probability(codes)))
    met = -np.expm1(-len(train) * np.exp(log_tie))
    return float(max(near.mean(), met))


def _groups(x: NDArray[np.float64]) -> list[list[int]]:
    """The columns, those together that stand side by side, hold 0 and 1 only, and are never 1 in the same row."""
    groups: list[list[int]] = []
    taken: NDArray[np.bool_] | None = None  # rows in which the last group holds a 1; None where it isn't of this kind
    for column in range(x.shape[1]):
        ones, zeros = x[:, column] == 1, x[:, column] == 0
        flag = bool((ones | zeros).all())
        if flag and taken is not None and not (taken & ones).any():
            groups[-1].append(column)
            taken |= ones
        else:
            groups.append([column])
            taken = ones if flag else None
    return groups


def _tie_probability(codes: Hashes) -> float:
    """Of two rows drawn at random the probability that they agree; without any tie, half of what one would give."""
    counts = np.unique(codes, return_counts=True)[1].astype(np.float64)
    ties = float((counts * (counts - 1) / 2).sum())
    return max(ties, 0.5) / (len(codes) * (len(codes) - 1) / 2)


def _occurs_again(values: Hashes) -> NDArray[np.bool_]:
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray(counts[inverse] > 1)


def _row_hashes(x: NDArray[np.float64]) -> Hashes:
    """One hash a row: the sum, modulo 2^64, of its columns' hashes, so that one column can be taken out again."""
    total = np.zeros(len(x), dtype=np.uint64)
    for column in range(x.shape[1]):
        total += _column_hashes(x[:, column], column)
    return total


def _column_hashes(values: NDArray[np.float64], column: int) -> Hashes:
    """Hash each value together with the number of its column.

    The finaliser of SplitMix64 (Steele, Lea and Flood, 2014): a bijection that spreads every bit, which floats need,
    since whole numbers leave most of their bits at zero.
    """
    plain = values + 0.0  # turns -0.0 into 0.0, and copies
    plain[np.isnan(plain)] = np.nan  # one pattern of bits for every NaN
    bits = plain.view(np.uint64)
    bits += np.uint64((column + 1) * 0x9E3779B97F4A7C15 % 2**64)
    bits ^= bits >> np.uint64(30)
    bits *= np.uint64(0xBF58476D1CE4E5B9)
    bits ^= bits >> np.uint64(27)
    bits *= np.uint64(0x94D049BB133111EB)
    bits ^= bits >> np.uint64(31)
    return bits
