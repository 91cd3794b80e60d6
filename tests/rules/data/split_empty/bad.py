"""Training takes all rows up to the test part, so that nothing is left to validate on."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset, Split
from assay.facts.fact_set import FactSet
from assay.measure.splits import measure_splits


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1000, 4))
    y = (x[:, 0] > 0).astype(np.int64)
    table = Dataset(name="table", task="binary", x=x, y=y, columns=tuple("abcd"), classes=("no", "yes"))
    cut = int(0.8 * len(x))
    parts = Split(train=np.arange(cut), validation=np.arange(cut, 800), test=np.arange(800, 1000))
    return FactSet.of(measure_splits(table, parts))
