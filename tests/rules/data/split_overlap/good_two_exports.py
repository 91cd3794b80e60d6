"""Training and validation come from two exports of a coarse table that share no rows."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset, Split
from assay.facts.fact_set import FactSet
from assay.measure.splits import measure_splits


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 12, size=(1200, 3)).astype(float)
    y = (x[:, 0] > 5).astype(np.int64)
    table = Dataset(name="codes", task="binary", x=x, y=y, columns=("a", "b", "c"), classes=("no", "yes"))
    parts = Split(train=np.arange(600), validation=np.arange(600, 900), test=np.arange(900, 1200))
    return FactSet.of(measure_splits(table, parts))
