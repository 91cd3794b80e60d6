"""A gate's softmax is taken over the units of each example."""

from __future__ import annotations

from torch import Tensor, nn

from assay.facts.fact_set import FactSet
from assay.stages.smoke import smoke
from tests.rules.experiments import climb, digits, experiment


class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.hidden = nn.Linear(64, 32)
        self.weights = nn.Linear(64, 32)
        self.head = nn.Linear(32, 10)

    def forward(self, x: Tensor) -> Tensor:
        gate = self.weights(x).softmax(1)
        return self.head(32 * gate * self.hidden(x))


def facts() -> FactSet:
    return climb(experiment(Network, digits()), smoke)
