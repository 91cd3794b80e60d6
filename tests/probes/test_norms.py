"""What is known of batch norms: how many values they take, what stands before them, and whether frozen ones move."""

from __future__ import annotations

import torch
from torch import nn

from assay.facts.fact import Absent
from assay.facts.norms import NormFacts, NormRecord
from assay.watching.session import recording

X, Y = torch.randn(24, 4), torch.randn(24, 1)


def network(*, bias: bool = True) -> nn.Sequential:
    return nn.Sequential(nn.Linear(4, 8, bias=bias), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))


def steps(model: nn.Module, *, rows: int = 24) -> None:
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.SGD(trained, lr=0.01)
    for _ in range(3):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(X[:rows]), Y[:rows]).backward()
        optimizer.step()


def only_norm(model: nn.Module, *, rows: int = 24) -> NormRecord:
    with recording() as seen:
        steps(model, rows=rows)
    assert not seen.broken
    facts = seen.facts().find(NormFacts)
    assert isinstance(facts, NormFacts)
    (norm,) = facts.norms
    return norm


def test_a_norm_in_training() -> None:
    norm = only_norm(network())
    assert (norm.model, norm.name, norm.calls, norm.values, norm.few, norm.drifting) == ("Sequential", "1", 3, 24, 0, 0)
    assert norm.bias == "0"
    assert norm.place is not None


def test_no_bias_before_it_and_few_values() -> None:
    norm = only_norm(network(bias=False), rows=2)
    assert (norm.bias, norm.values, norm.few) == (None, 2, 3)


def test_a_frozen_body_that_drifts() -> None:
    model = network()
    with recording() as seen:
        steps(model)
        for parameter in (*model[0].parameters(), *model[1].parameters()):
            parameter.requires_grad_(False)
        steps(model)
    facts = seen.facts().find(NormFacts)
    assert isinstance(facts, NormFacts)
    assert facts.norms[0].drifting > 0


def test_norms_in_evaluation_mode_are_nothing_to_look_at() -> None:
    with recording() as seen:
        steps(network().eval())
    found = seen.facts().find(NormFacts)
    assert isinstance(found, Absent)
    assert not found.applicable
