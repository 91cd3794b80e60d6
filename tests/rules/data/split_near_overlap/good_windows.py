"""Windows of one series, split by time: those before a window may be known."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset, Split
from assay.facts.fact_set import FactSet
from assay.measure.windows import measure_windows


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    series = np.sin(np.arange(800) / 9) + 0.3 * rng.normal(size=800)
    windows = np.lib.stride_tricks.sliding_window_view(series, 13)
    table = Dataset(
        name="windows", task="regression", x=windows[:, :12].copy(), y=windows[:, 12].copy(),
        columns=tuple(f"t{at}" for at in range(12)), classes=(),
    )
    parts = Split(train=np.arange(480), validation=np.arange(480, 640), test=np.arange(640, 788))
    return FactSet.of(measure_windows(table, parts))
