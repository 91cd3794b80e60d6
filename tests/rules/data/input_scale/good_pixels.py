"""Pixels from 0 to 16 enter as they are."""

from __future__ import annotations

from assay.facts.fact_set import FactSet
from assay.measure.input_scale import measure_input_scale
from assay.preparation import prepare, split
from assay.recipe.schema import DataBlock, SplitPlan
from tests.rules.experiments import digits


def facts() -> FactSet:
    table = digits()
    data = DataBlock(source="sklearn", name="digits", scale="none")
    prepared = prepare(table, split(table, SplitPlan()), data)
    return FactSet.of(measure_input_scale(table, prepared, data.scale))
