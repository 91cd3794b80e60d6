"""The image's rows become a sequence by view and transpose."""

from __future__ import annotations

from torch import Tensor, nn

from assay.facts.fact_set import FactSet
from assay.stages.smoke import smoke
from tests.rules.experiments import climb, digits, experiment


class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rows = nn.RNN(8, 32)
        self.head = nn.Linear(32, 10)

    def forward(self, x: Tensor) -> Tensor:
        sequence = x.view(len(x), 8, 8).transpose(0, 1)
        states, _ = self.rows(sequence)
        return self.head(states[-1])


def facts() -> FactSet:
    return climb(experiment(Network, digits()), smoke)
