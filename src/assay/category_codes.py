"""Code columns: categories as whole numbers, for an embedding; and the same as columns of 0 and 1."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

WIDEST = 255
"""Codes of one column that get a column of their own. Codes are numbered from the commonest on, so the rarest go
without; more columns than rows that show them teach nothing."""


def one_hot_codes(x: NDArray[np.float32], sizes: Sequence[int]) -> NDArray[np.float32]:
    """Inputs [n, columns] whose last columns are codes in [0, size), with these columns as 0 and 1 instead.

    Code 0, "none of the known", is all zeros, as are codes beyond the first 255.
    """
    if not sizes:
        return x
    plain = x.shape[1] - len(sizes)
    parts = [x[:, :plain]]
    for position, size in enumerate(sizes):
        columns = np.arange(1, min(size, WIDEST + 1))
        parts.append((x[:, plain + position, None] == columns).astype(np.float32))
    return np.concatenate(parts, axis=1)
