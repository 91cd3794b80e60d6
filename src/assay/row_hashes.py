"""Hashes of rows and of single values, by which equal inputs are found."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]


def row_hashes(x: NDArray[np.float64]) -> Hashes:
    """One hash a row of [rows, columns]: the sum, modulo 2^64, of its columns' hashes, so that one can be taken out.

    Rows are equal where every column is, with NaN equal to NaN and 0.0 to -0.0. Two different ones of a million rows
    share a hash of 64 bits with probability 3e-8.
    """
    total = np.zeros(len(x), dtype=np.uint64)
    for column in range(x.shape[1]):
        total += column_hashes(x[:, column], column)
    return total


def column_hashes(values: NDArray[np.float64], column: int) -> Hashes:
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
