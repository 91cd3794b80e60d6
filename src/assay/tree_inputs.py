"""Inputs as scikit-learn's trees take them: they hold float32 and choke on a column without a single value."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LARGEST = 1e30  # of what float32 holds, 3e38, with room for differences


def tree_inputs(x: NDArray[np.float64], fitted: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The same inputs [rows, columns] within float32; a column without a value among the fitted rows is zero.

    x           infinite values become missing ones
    fitted      the rows that a tree will be fitted on
    """
    held = np.clip(np.where(np.isfinite(x), x, np.nan), -LARGEST, LARGEST)
    empty = np.isnan(held[fitted]).all(axis=0)
    return np.where(empty, 0.0, held)
