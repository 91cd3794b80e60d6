"""Eleven outputs for ten digits, and metrics that follow them."""

from __future__ import annotations

from dataclasses import replace

from torch import nn

from assay.facts.fact_set import FactSet
from assay.stages.smoke import smoke
from tests.rules.experiments import Experiment, climb, digits, experiment

OUTPUTS = 11


def network() -> nn.Module:
    return nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, OUTPUTS))


def facts() -> FactSet:
    what = experiment(network, digits())
    counted = replace(what.scorer, classes=OUTPUTS)
    return climb(Experiment(**{**vars(what), "scorer": counted}), smoke)
