"""Validation is given the training rows."""

from __future__ import annotations

from dataclasses import replace

from torch import nn

from assay.facts.fact_set import FactSet
from assay.stages.subset import subset
from assay.training.recipe_fitting import RecipeFitting
from tests.rules.experiments import Experiment, climb, digits, experiment


class Loaded(Experiment):
    @property
    def fitting(self) -> RecipeFitting:
        right = super().fitting
        return replace(right, prepared=replace(right.prepared, validation=right.prepared.train))


def network() -> nn.Module:
    return nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))


def facts() -> FactSet:
    return climb(Loaded(**vars(experiment(network, digits()))), subset)
