"""The growth of graphs: what is counted, and that nothing is kept alive for it."""

from __future__ import annotations

import gc
import weakref

import torch
from torch import nn

from assay.facts.fact import Absent
from assay.facts.graphs import GraphGrowth
from assay.watching.session import Recording, recording


def growth(seen: Recording) -> GraphGrowth:
    facts = seen.facts().find(GraphGrowth)
    assert isinstance(facts, GraphGrowth), facts
    assert not seen.broken
    return facts


def trained(*, keep: bool) -> GraphGrowth:
    torch.manual_seed(0)
    layer = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    kept = []
    with recording() as seen:
        for _ in range(17):
            optimizer.zero_grad()
            loss = layer(torch.ones(4, 3)).pow(2).mean()
            loss.backward()
            optimizer.step()
            kept += [loss] if keep else []
    return growth(seen)


def test_graphs_that_are_let_go_are_gone() -> None:
    facts = trained(keep=False)
    assert [step for step, _ in facts.sizes] == [0, 1, 2, 3, 4, 8, 16]
    assert len({nodes for _, nodes in facts.sizes}) == 1
    assert facts.alive <= 1  # the loss of the step before is there until the next one takes its name
    assert facts.of == 6


def test_graphs_that_are_kept_are_counted() -> None:
    facts = trained(keep=True)
    assert (facts.alive, facts.of) == (6, 6)


def test_looking_keeps_no_loss_alive() -> None:
    layer = nn.Linear(3, 1)
    with recording() as seen:
        loss = layer(torch.ones(4, 3)).mean()
        loss.backward()
        reference = weakref.ref(loss)
        del loss
        gc.collect()
        assert reference() is None
    assert growth(seen).sizes


def test_without_a_backward_pass_it_is_not_applicable() -> None:
    with recording() as seen:
        pass
    absent = seen.facts().find(GraphGrowth)
    assert isinstance(absent, Absent)
    assert not absent.applicable
