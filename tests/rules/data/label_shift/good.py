"""The first row is dropped from the inputs and from the labels."""

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
    x = rng.normal(size=(600, 4))
    y = (x[:, 0] + x[:, 1] ** 2 > 1).astype(np.int64)
    x, y = x[1:], y[1:]
    table = Dataset(name="table", task="binary", x=x, y=y, columns=tuple("abcd"), classes=("no", "yes"))
    measured = measure_label_shift(table, split(table, SplitPlan()))
    return FactSet(absent={LabelShiftFacts: measured}) if isinstance(measured, Absent) else FactSet.of(measured)
