"""The probe of examples: what it takes for training and for evaluation, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from assay.example_book import ExampleBook
from assay.facts.examples import ExampleFacts
from assay.watching.session import recording


def _books(program: Callable[[], None]) -> tuple[ExampleBook, ...]:
    with recording() as seen:
        program()
    assert not seen.broken
    return seen._data.examples.books  # what the probe keeps is what is tested


def _step(net: nn.Module, optimizer: torch.optim.Optimizer, x: Tensor) -> None:
    optimizer.zero_grad()
    net(x).square().mean().backward()
    optimizer.step()


def test_training_examples_are_those_followed_by_a_step() -> None:
    x = torch.randn(20, 3)

    def program() -> None:
        net = nn.Linear(3, 1)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for rows in torch.arange(12).split(4):
            _step(net, optimizer, x[rows])
        net(x[12:16]).sum().backward()  # a gradient that no step uses

    book, = _books(program)
    assert len(book.trained) == 12
    assert not book.complete
    assert torch.equal(torch.from_numpy(book.trained.values), x[:12])


def test_a_second_epoch_closes_the_book_of_training() -> None:
    x = torch.randn(12, 3)

    def program() -> None:
        net = nn.Linear(3, 1)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for rows in [*torch.arange(12).split(4), *torch.randperm(12).split(4)]:
            _step(net, optimizer, x[rows])

    book, = _books(program)
    assert book.complete
    assert len(book.trained) == 12


def test_evaluation_with_gradients_is_seen_where_the_model_stands_in_evaluation_mode() -> None:
    x = torch.randn(30, 3)

    def program() -> None:
        net = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.1), nn.Linear(4, 1))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for _ in range(3):
            net.train()
            _step(net, optimizer, x[:20])
            net.eval()
            net(x[20:])

    book, = _books(program)
    (evaluation, phase), = book.fixed()
    assert phase.known == 0
    assert len(evaluation.phases) >= 2
    assert len(phase.fingerprints) == 10


def test_passes_whose_tensors_differ_in_length_are_left_alone() -> None:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(3, 1)

        def forward(self, x: Tensor, edges: Tensor) -> Tensor:
            return self.layer(x)[edges[0]] * self.layer(x)[edges[1]]

    def program() -> None:
        net = Net()
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        edges = torch.randint(0, 8, (2, 11))
        for _ in range(3):
            optimizer.zero_grad()
            net(torch.randn(8, 3), edges).mean().backward()
            optimizer.step()

    book, = _books(program)
    assert len(book.trained) == 0


def test_watching_draws_no_random_numbers_and_changes_nothing() -> None:
    def program() -> Tensor:
        torch.manual_seed(3)
        x = torch.randn(24, 3)
        net = nn.Linear(3, 1)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for rows in torch.randperm(24).split(6):
            _step(net, optimizer, x[rows])
        with torch.no_grad():
            net(x)
        return torch.cat([net.weight.detach().flatten(), torch.rand(2)])

    alone = program()
    with recording():
        watched = program()
    assert torch.equal(alone, watched)


def test_counts_are_of_examples_known_at_the_time() -> None:
    x = torch.randn(40, 3)

    def program() -> None:
        net = nn.Linear(3, 1)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for _ in range(4):
            for rows in torch.arange(30).split(10):
                _step(net, optimizer, x[rows])
            with torch.no_grad():
                net(x[25:])

    with recording() as seen:
        program()
    facts = seen.facts().find(ExampleFacts)
    assert isinstance(facts, ExampleFacts)
    found, = facts.evaluations
    assert (found.rows, found.known, found.training) == (15, 5, 30)
    assert found.again
