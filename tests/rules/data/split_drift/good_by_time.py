"""Years differ: a split by time is meant to meet them, and a note says how much."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset, Split
from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.measure.drift import measure_drift


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(900, 4)) * 12 + 170
    y = (x[:, 0] + 20 * rng.normal(size=900) > 170).astype(np.int64)
    x[:, 1] += np.arange(900) / 20
    table = Dataset(name="table", task="binary", x=x, y=y, columns=tuple("abcd"), classes=("no", "yes"))
    rows = np.arange(900)
    parts = Split(train=rows[:540], validation=rows[540:720], test=rows[720:])
    measured = measure_drift(table, parts, divided="time")
    assert not isinstance(measured, Absent)
    return FactSet.of(measured)
