"""Experiments for the programs: a network of one's own on a small table, taken up the rungs that one names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from torch import nn

from assay.dataset import Dataset, Split
from assay.facts.fact_set import FactSet
from assay.preparation import describe, prepare, split
from assay.recipe.schema import Evaluation, NamedModel, Recipe, SplitPlan, Training
from assay.sources import load
from assay.stage import Ground, Stage
from assay.training.recipe_assembly import RecipeAssembly, recipe_assembly
from assay.training.recipe_module import RecipeModule, Task


@dataclass(frozen=True, kw_only=True)
class Experiment(RecipeAssembly):
    """A recipe's experiment with another network in the place of the catalogue's."""

    network: Callable[[], nn.Module]
    dataset: Dataset
    split: Split

    def _made(self) -> RecipeModule:
        task = Task(loss=self.loss_of_outputs, scorer=self.scorer, training=self.recipe.training, lone_row=True)
        return RecipeModule(self.network(), task)


def experiment(
    network: Callable[[], nn.Module], dataset: Dataset, *, parts: Split | None = None,
    seeds: tuple[int, ...] = (0,), metrics: tuple[str, ...] = (), **training: Any,
) -> Experiment:
    """This network on this table, in the recipe's own split unless `parts` gives another."""
    data = describe(dataset, source="sklearn", plan=SplitPlan())
    rows = parts or split(dataset, data.split)
    recipe = Recipe(
        task=dataset.task, data=data, model=NamedModel(), evaluation=Evaluation(metrics=metrics),
        training=Training(**training), seeds=seeds,
    )
    known = recipe_assembly(recipe, prepare(dataset, rows, data))
    values = {field.name: getattr(known, field.name) for field in fields(known)}
    return Experiment(**values, network=network, dataset=dataset, split=rows)


def climb(what: Experiment, *stages: Stage) -> FactSet:
    """The facts of these rungs, one after the other."""
    facts = FactSet()
    with TemporaryDirectory() as folder:
        for each in stages:
            ground = Ground(
                recipe=what.recipe, assembly=what, folder=Path(folder), earlier=facts, report=lambda _: None,
                dataset=what.dataset, split=what.split,
            )
            facts = facts.joined(each.measure(ground).facts)
    return facts


def digits() -> Dataset:
    """1,797 images of ten digits, 64 pixels each."""
    data = Recipe.model_validate({"data": {"source": "sklearn", "name": "digits"}}).data
    return load(data)  # type: ignore[arg-type]  # a data block, as given


def waves(rows: int = 1500, *, noise: float = 0.1) -> Dataset:
    """A regression on six inputs that is smooth and far from linear: sines of sums of two."""
    rng = np.random.default_rng(0)
    x = rng.uniform(-2, 2, size=(rows, 6))
    y = np.sin(x[:, 0] + x[:, 1]) + np.sin(x[:, 2] - x[:, 3]) + np.sin(x[:, 4] + x[:, 5])
    y += noise * rng.normal(size=rows)
    return Dataset(name="waves", task="regression", x=x, y=y, columns=tuple("abcdef"), classes=())
