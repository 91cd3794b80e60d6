"""A column is half empty in the validation part."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.measure.drift import measure_drift
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(900, 4)) * 12 + 170
    y = (x[:, 0] + 20 * rng.normal(size=900) > 170).astype(np.int64)
    table = Dataset(name="table", task="binary", x=x, y=y, columns=tuple("abcd"), classes=("no", "yes"))
    parts = split(table, SplitPlan())
    x[parts.validation[::2], 1] = np.nan
    measured = measure_drift(table, parts, divided="random")
    assert not isinstance(measured, Absent)
    return FactSet.of(measured)
