"""The best epoch is chosen on the test rows."""

from __future__ import annotations

from dataclasses import replace

from torch import nn

from assay.dataset import Split
from assay.facts.fact_set import FactSet
from assay.preparation import prepare
from assay.stages.subset import subset
from assay.training.recipe_fitting import RecipeFitting
from tests.rules.experiments import Experiment, climb, digits, experiment


class Loaded(Experiment):
    @property
    def fitting(self) -> RecipeFitting:
        right, parts = super().fitting, self.split
        chosen = Split(train=parts.train, validation=parts.test, test=parts.test[:0])
        rows = prepare(self.dataset, chosen, self.recipe.data).validation
        return replace(right, prepared=replace(right.prepared, validation=rows))


def network() -> nn.Module:
    return nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))


def facts() -> FactSet:
    return climb(Loaded(**vars(experiment(network, digits()))), subset)
