"""The last values of a series tell its next one: its own past, on purpose."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.facts.label_shift import LabelShiftFacts
from assay.measure.label_shift import measure_label_shift
from assay.preparation import split
from assay.recipe.schema import SplitPlan


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    series = rng.normal(size=904)
    for step in range(1, len(series)):
        series[step] += 0.3 * series[step - 1]
    x = np.column_stack([series[4 - lag:-lag] for lag in (1, 2, 3, 4)])
    y = series[4:]
    table = Dataset(name="table", task="regression", x=x, y=y, columns=tuple("abcd"), classes=())
    measured = measure_label_shift(table, split(table, SplitPlan()))
    return FactSet(absent={LabelShiftFacts: measured}) if isinstance(measured, Absent) else FactSet.of(measured)
