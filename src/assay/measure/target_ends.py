"""Measure how many regression targets stand exactly at the largest and the smallest value."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.dataset import Dataset, Split
from assay.facts.fact import Absent
from assay.facts.target_ends import TargetEnd, TargetEndFacts

NEIGHBOURS = 20  # distinct values next to the end
DENSE = 0.5  # of the whole numbers up to the largest, from which the target is a count


def measure_target_ends(dataset: Dataset, split: Split) -> TargetEndFacts | Absent:
    """Count the rows at both ends, over training and validation rows. Absent for classes."""
    if dataset.task != "regression":
        return Absent("classes have no limits", applicable=False)
    y = dataset.y[np.concatenate([split.train, split.validation])].astype(np.float64)
    y = y[np.isfinite(y)]
    if len(y) == 0:
        return Absent("no training or validation row has a target")
    values, counts = np.unique(y, return_counts=True)
    return TargetEndFacts(
        rows=len(y), distinct=len(values), counts=_is_count(values),
        ends=(
            TargetEnd(side="largest", value=float(values[-1]), count=int(counts[-1]), share=float(counts[-1] / len(y)),
                      neighbours=_highest(counts[-1 - NEIGHBOURS:-1])),
            TargetEnd(side="smallest", value=float(values[0]), count=int(counts[0]), share=float(counts[0] / len(y)),
                      neighbours=_highest(counts[1:1 + NEIGHBOURS])),
        ),
    )


def _highest(counts: NDArray[np.int64]) -> int:
    return int(counts.max(initial=0))


def _is_count(values: NDArray[np.float64]) -> bool:
    whole = bool((values == np.floor(values)).all()) and values[0] in (0.0, 1.0)
    return whole and len(values) >= DENSE * (values[-1] - values[0] + 1)
