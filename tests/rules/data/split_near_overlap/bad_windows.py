"""Overlapping windows of one series are split at random."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.measure.windows import measure_windows
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    series = np.sin(np.arange(800) / 9) + 0.3 * rng.normal(size=800)
    windows = np.lib.stride_tricks.sliding_window_view(series, 13)
    table = Dataset(
        name="windows", task="regression", x=windows[:, :12].copy(), y=windows[:, 12].copy(),
        columns=tuple(f"t{at}" for at in range(12)), classes=(),
    )
    return FactSet.of(measure_windows(table, split(table, SplitPlan())))
