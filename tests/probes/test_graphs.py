"""The probes of graph programs: what they read of a graph, its nodes and its pairs, and that they leave no trace."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from assay.edge_lists import Edges, bits
from assay.facts.graph import GraphFacts, LinkFacts, NodeFacts, NodeLabelFacts
from assay.watching.session import Recording, recording

NODES = 40


class Layer(nn.Module):
    def __init__(self, out: int = 3) -> None:
        super().__init__()
        self.linear = nn.Linear(4, out)

    def forward(self, x: Tensor, edges: Tensor) -> Tensor:
        return self.linear(x).index_add(0, edges[1], self.linear(x)[edges[0]])


def graph() -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(0)
    pairs = (torch.rand(NODES, NODES, generator=generator) < 0.2).triu(1).nonzero().T
    return torch.randn(NODES, 4, generator=generator), torch.cat([pairs, pairs.flip(0)], 1)


def train(layer: Layer, loss_of: object, steps: int = 3) -> Recording:
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.01)
    with recording() as seen:
        for _ in range(steps):
            optimizer.zero_grad()
            loss_of().backward()  # type: ignore[operator]
            optimizer.step()
    assert not seen.broken
    return seen


def found(seen: Recording, kind: type) -> object:
    fact = seen.facts().find(kind)
    assert isinstance(fact, kind), fact
    return fact


def test_a_graph_is_counted() -> None:
    x, edges = graph()
    edges = torch.cat([edges, torch.tensor([[3, 3], [3, 3]])], 1)
    seen = train(layer := Layer(), lambda: layer(x, edges).square().mean())
    (record,) = found(seen, GraphFacts).graphs
    assert (record.nodes, record.edges, record.loops, record.repeats) == (NODES, edges.shape[1], 1, 1)
    assert record.one_way == 0


def test_rows_of_a_loss_are_trained_and_others_evaluated() -> None:
    x, edges = graph()
    y = torch.arange(NODES) % 3
    order = torch.randperm(NODES)
    train_part, held = order[:25], order[25:]

    def loss() -> Tensor:
        scores = layer(x, edges)
        (scores[held].argmax(1) == y[held]).float().mean()  # with a graph that no backward pass comes past
        return nn.functional.cross_entropy(scores[train_part], y[train_part])

    seen = train(layer := Layer(), loss)
    facts = found(seen, NodeFacts)
    assert [each.count for each in facts.trained] == [25]
    outputs = [each for each in facts.evaluated if each.outputs and each.chosen.name == "held"]
    assert [(each.chosen.count, each.trained.count) for each in outputs] == [(15, 25)]
    assert not outputs[0].chosen.bits & outputs[0].trained.bits


def test_a_graph_that_is_only_guessed_tells_nothing_of_edges() -> None:
    x, _ = graph()
    nearly_empty = torch.eye(NODES)
    model = nn.Sequential(nn.Linear(4, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    with recording() as seen:
        for _ in range(3):
            (nearly_empty @ model(x)).square().mean().backward()
            optimizer.step()
            optimizer.zero_grad()
    assert seen.facts().find(GraphFacts).applicable is False


def test_unlabelled_scores_count_only_with_a_gradient() -> None:
    x, edges = graph()
    label = torch.arange(NODES) % 4 - 1
    rows = torch.arange(NODES)
    weighed = (label >= 0).float()
    quiet = train(layer := Layer(), lambda: (layer(x, edges)[rows, label] * weighed).mean(), steps=3)
    loud = train(layer := Layer(), lambda: layer(x, edges)[rows, label].mean(), steps=3)
    assert found(quiet, NodeLabelFacts).unlabelled is None
    assert found(loud, NodeLabelFacts).unlabelled.unlabelled == 10


def test_pairs_are_compared_with_the_messages() -> None:
    x, edges = graph()
    known, held = edges[:, ::2], edges[:, 1::2]
    strangers = torch.randint(NODES, (2, 60))

    def score(z: Tensor, ends: Tensor) -> Tensor:
        return (z[ends[0]] * z[ends[1]]).sum(1)

    def loss() -> Tensor:
        z = layer(x, edges)
        with torch.no_grad():
            score(z.clone(), held)
        return score(z, strangers).mean() - score(z, known).mean()

    seen = train(layer := Layer(), loss)
    links = found(seen, LinkFacts)
    assert links.strangers > 0.1
    assert links.evaluated[-1].among > 0.8 * (links.evaluated[-1].pairs - links.evaluated[-1].trained)


def test_nothing_is_left_and_nothing_changes() -> None:
    original = torch.Tensor.__getitem__
    x, edges = graph()
    y = torch.arange(NODES) % 3

    def run() -> list[Tensor]:
        torch.manual_seed(1)
        layer = Layer()
        optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
        for _ in range(4):
            optimizer.zero_grad()
            nn.functional.cross_entropy(layer(x, edges)[y > 0], y[y > 0]).backward()
            optimizer.step()
        return [*layer.parameters(), torch.rand(3)]

    alone = run()
    with recording():
        watched = run()
        assert torch.Tensor.__getitem__ is not original
    assert torch.Tensor.__getitem__ is original
    assert all(map(torch.equal, alone, watched))


@pytest.mark.parametrize(("pairs", "expected"), [([[0, 1], [1, 0]], 0), ([[0, 1], [1, 2]], 2), ([[0, 0], [0, 1]], 1)])
def test_edges_without_their_reverse(pairs: list[list[int]], expected: int) -> None:
    assert Edges.of(torch.tensor(pairs).numpy(), 3).one_way.sum() == expected


def test_bits_stand_for_nodes() -> None:
    assert bits((torch.arange(12) % 5 == 0).numpy()) == 1 | 1 << 5 | 1 << 10
