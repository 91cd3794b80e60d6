"""Prices: yesterday's tells today's, and both drift."""

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
    prices = np.cumsum(rng.normal(size=(900, 4)), axis=0)
    x = np.roll(prices, 1, axis=0)
    y = prices[:, 0]
    table = Dataset(name="table", task="regression", x=x, y=y, columns=tuple("abcd"), classes=())
    measured = measure_label_shift(table, split(table, SplitPlan()))
    return FactSet(absent={LabelShiftFacts: measured}) if isinstance(measured, Absent) else FactSet.of(measured)
