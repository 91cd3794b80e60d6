"""The table is the one that the recipe was written for."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from assay.dataset import Dataset
from assay.facts.fact_set import FactSet
from assay.preparation import describe, split
from assay.recipe.schema import Recipe, SplitPlan
from assay.stage import Ground
from assay.stages.data import data


def facts() -> FactSet:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(600, 4))
    y = (x[:, 0] > 0).astype(np.int64)
    table = Dataset(name="table", task="binary", x=x, y=y, columns=tuple("abcd"), classes=("no", "yes"))
    recipe = Recipe(data=describe(table, source="sklearn", plan=SplitPlan()))
    return data.measure(_ground(recipe, table)).facts


def _ground(recipe: Recipe, table: Dataset) -> Ground:
    untrained = SimpleNamespace(task=None, prepared=None)
    return Ground(
        recipe=recipe, assembly=untrained, folder=None, earlier=FactSet(), report=lambda _: None,
        dataset=table, split=split(table, SplitPlan()),
    )
