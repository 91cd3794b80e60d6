"""A sign slipped between two ReLUs: every unit is zero for every input."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from assay.facts.fact_set import FactSet
from assay.stages.smoke import smoke
from tests.rules.experiments import climb, digits, experiment


class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.hidden = nn.Linear(64, 32)
        self.head = nn.Linear(32, 10)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(torch.relu(-torch.relu(self.hidden(x))))  # expect


def facts() -> FactSet:
    return climb(experiment(Network, digits()), smoke)
