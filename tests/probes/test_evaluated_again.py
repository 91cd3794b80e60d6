"""How evaluation loaders are compared with what they returned before."""

from __future__ import annotations

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from assay.facts.evaluated_again import EvaluatedAgainFacts
from assay.facts.fact import Fact
from assay.watching.session import recording


def _trained(*, evaluate_last: int) -> Fact | object:
    inputs, labels = torch.randn(60, 4), torch.arange(60) % 2
    training, held_out = (DataLoader(TensorDataset(inputs[part], labels[part]), batch_size=10)
                          for part in (slice(40), slice(40, 60)))
    with recording() as seen:
        net = nn.Linear(4, 2)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for step in range(2):
            for rows, targets in training:
                optimizer.zero_grad()
                nn.functional.cross_entropy(net(rows), targets).backward()
                optimizer.step()
            with torch.no_grad():
                for _ in range(evaluate_last if step else 1 - (evaluate_last > 1)):
                    for rows, _targets in held_out:
                        net(rows)
    return seen.facts().find(EvaluatedAgainFacts)


def test_a_data_set_that_stays_is_unchanged() -> None:
    found = _trained(evaluate_last=1)
    assert isinstance(found, EvaluatedAgainFacts)
    assert [(each.rows, each.unchanged, each.nearer) for each in found.loaders] == [(20, 20, 0)]


def test_evaluations_with_no_step_between_are_not_compared() -> None:
    assert not isinstance(_trained(evaluate_last=2), Fact)
