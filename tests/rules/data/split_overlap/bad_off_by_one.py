"""Validation begins one row too early: a single row stands in both splits."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset, Split
from assay.facts.fact_set import FactSet
from assay.measure.splits import measure_splits


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(900, 6))
    y = (x[:, 0] > 0).astype(np.int64)
    rows = rng.permutation(900)
    table = Dataset(name="table", task="binary", x=x, y=y, columns=tuple("abcdef"), classes=("no", "yes"))
    parts = Split(train=np.sort(rows[:600]), validation=np.sort(rows[599:750]), test=np.sort(rows[750:]))
    return FactSet.of(measure_splits(table, parts))
