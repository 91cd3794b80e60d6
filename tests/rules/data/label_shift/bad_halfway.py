"""Rows with a missing value are dropped from the inputs alone: from there on labels have slipped."""

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
    x = rng.normal(size=(3000, 4))
    y = 2 * x[:, 0] + np.sin(3 * x[:, 1]) + 0.3 * rng.normal(size=3000)
    x = np.delete(x, 2000, axis=0)
    y = y[:-1]
    table = Dataset(name="table", task="regression", x=x, y=y, columns=tuple("abcd"), classes=())
    measured = measure_label_shift(table, split(table, SplitPlan()))
    return FactSet(absent={LabelShiftFacts: measured}) if isinstance(measured, Absent) else FactSet.of(measured)
