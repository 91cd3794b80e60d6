"""Which models count as predicting what comes next, and whether they see it."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from assay.facts.fact import Absent
from assay.facts.interventions import FutureMixing
from assay.watching.session import recording


class Model(nn.Module):
    def __init__(self, *, both_ways: bool) -> None:
        super().__init__()
        self.embed = nn.Embedding(12, 8)
        self.body = nn.GRU(8, 8, batch_first=True, bidirectional=both_ways)
        self.head = nn.Linear(16 if both_ways else 8, 12)

    def forward(self, tokens: Tensor) -> Tensor:
        scores: Tensor = self.head(self.body(self.embed(tokens))[0])
        return scores


def tried(*, both_ways: bool, shift: int) -> FutureMixing | Absent:
    texts, model = torch.randint(0, 12, (16, 11)), Model(both_ways=both_ways)
    with recording() as seen:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(4):
            optimizer.zero_grad()
            scores, targets = model(texts[:, :10]), texts[:, shift : 10 + shift]
            F.cross_entropy(scores.flatten(0, 1), targets.flatten()).backward()
            optimizer.step()
    assert not seen.broken
    found = seen.facts().find(FutureMixing)
    assert isinstance(found, FutureMixing | Absent)
    return found


def test_a_model_that_reads_both_ways_sees_what_it_predicts() -> None:
    found = tried(both_ways=True, shift=1)
    assert isinstance(found, FutureMixing)
    assert found.moved > 0
    assert found.operation == "gru"
    assert found.place is not None


def test_a_model_that_reads_forwards_does_not() -> None:
    found = tried(both_ways=False, shift=1)
    assert isinstance(found, FutureMixing)
    assert found.moved == 0


def test_a_model_that_tags_its_inputs_is_not_asked() -> None:
    assert isinstance(tried(both_ways=True, shift=0), Absent)
