"""Whether a price will rise, told by its last three moves: they told the moves before, and that is their nature."""

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
    moves = np.random.default_rng(0).normal(size=903)
    x = np.column_stack([moves[3 - lag:903 - lag] for lag in (1, 2, 3)])
    y = (moves[3:] > 0).astype(np.int64)
    table = Dataset(name="moves", task="binary", x=x, y=y, columns=tuple("abc"), classes=("down", "up"))
    measured = measure_label_shift(table, split(table, SplitPlan()))
    return FactSet(absent={LabelShiftFacts: measured}) if isinstance(measured, Absent) else FactSet.of(measured)
