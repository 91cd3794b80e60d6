"""How coarse a table's columns are: would equal rows be a surprise?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.row_hashes import Hashes, column_hashes


def natural_share(x: NDArray[np.float64], train: NDArray[np.int64], hashes: Hashes) -> float:
    """Share of the rows `train` of `x`, whose hashes are given, for which an equal row would be no surprise.

    The larger of the share (of distinct rows) that differs from another in one column only, and the share that would
    meet an equal if the columns were independent: copies come without near misses, for where columns are fine enough to
    tell rows apart, no two different rows agree in all columns but one. Columns that encode one category together
    (one-hot) count as one.
    """
    first = np.unique(hashes[train], return_index=True)[1]
    if len(first) < 2:
        return 1.0
    distinct = hashes[train][first]
    near = np.zeros(len(distinct), dtype=bool)
    log_tie = 0.0
    for group in _groups(x[train]):
        codes = sum((column_hashes(x[train, column], column) for column in group), start=np.zeros_like(hashes[train]))
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
