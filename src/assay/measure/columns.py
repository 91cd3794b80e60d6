"""Look for input columns, and targets, with values that nothing can be learned from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.dataset import Dataset, Split
from assay.facts.splits import BadColumn, ColumnFacts

ROWS = 5  # rows that a finding names: enough to look them up
LARGEST = 1e150  # beyond it the squares of a column's values, of which its deviation is made, overflow
TARGET = "target"


def measure_columns(dataset: Dataset, split: Split) -> ColumnFacts:
    """Count NaN and infinite values in every column and in the target, and name columns that are empty or constant.

    Missing values are counted in all rows, since one of them spoils a score; whether a column is constant is asked of
    the training rows alone, since nothing that is fitted may depend on the others. In a table whose columns are typed,
    missing values are declared, and filled in before training: they are counted where no row has a value.
    """
    bad: list[BadColumn] = []
    for number, name in enumerate(dataset.columns):
        found = _bad(name, dataset.x[:, number], split.train)
        bad += (each for each in found if each.what != "NaN" or not dataset.kinds)
    for name, values in _targets(dataset):
        for each in _bad(name, values, split.train):
            bad.append(replace(each, what="constant target") if each.what in ("constant", "always zero") else each)
    return ColumnFacts(columns=len(dataset.columns), bad=tuple(bad))


def _targets(dataset: Dataset) -> Iterator[tuple[str, NDArray[np.float64]]]:
    values = dataset.y.astype(np.float64)
    if values.ndim == 1:
        yield TARGET, values
    else:
        yield from zip(dataset.classes, values.T, strict=True)


def _bad(name: str, values: NDArray[np.float64], train: NDArray[np.int64]) -> Iterator[BadColumn]:
    finite = np.isfinite(values)
    if not finite.all():
        missing = np.isnan(values)
        if missing.all():
            yield _column(name, "empty", missing)
            return
        for what, found in (("NaN", missing), ("infinite", np.isinf(values))):
            if found.any():
                yield _column(name, what, found)
    too_large = finite & (np.abs(values) > LARGEST)
    if too_large.any():
        yield _column(name, "too large", too_large)
    learned = values[train]
    learned = learned[np.isfinite(learned)]
    if len(learned) and (learned == learned[0]).all():
        yield _column(name, "constant" if learned[0] else "always zero", values == learned[0])


def _column(name: str, what: str, found: NDArray[np.bool_]) -> BadColumn:
    return BadColumn(
        column=name, what=what, count=int(found.sum()), rows=tuple(int(row) for row in np.flatnonzero(found)[:ROWS]),
    )
