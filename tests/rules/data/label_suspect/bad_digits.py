"""One digit in twenty of a real table carries the next one's label."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.facts.fact_set import FactSet
from assay.measure.suspects import measure_suspects
from assay.preparation import split
from assay.recipe.schema import SplitPlan
from tests.rules.experiments import digits


def facts() -> FactSet:
    table = digits()
    mixed = np.random.default_rng(0).random(table.rows) < 0.05
    wrong = replace(table, y=np.where(mixed, (table.y + 1) % 10, table.y))
    return FactSet.of(measure_suspects(wrong, split(wrong, SplitPlan())))
