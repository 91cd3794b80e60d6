"""Validation is given the validation rows."""

from __future__ import annotations

from torch import nn

from assay.facts.fact_set import FactSet
from assay.stages.subset import subset
from tests.rules.experiments import climb, digits, experiment


def network() -> nn.Module:
    return nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))


def facts() -> FactSet:
    return climb(experiment(network, digits()), subset)
