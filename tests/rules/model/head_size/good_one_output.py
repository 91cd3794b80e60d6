"""One output for a regression, with an axis of its own."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from assay.facts.fact_set import FactSet
from assay.stages.smoke import smoke
from tests.rules.experiments import climb, experiment, waves


class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.hidden = nn.Linear(6, 32)
        self.head = nn.Linear(32, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(torch.tanh(self.hidden(x)))


def facts() -> FactSet:
    return climb(experiment(Network, waves()), smoke)
