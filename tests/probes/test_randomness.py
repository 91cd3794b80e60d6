"""Randomness: which draws count, and that looking draws nothing."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch
from torch import nn

from assay.facts.randomness import GlobalRandomness, TorchRandomness
from assay.watching.session import Recording, recording


def step(model: nn.Module) -> None:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(torch.ones(2, 3)).sum().backward()
    optimizer.step()


def drawn_of(seen: Recording) -> dict[str, str]:
    known = seen.facts()
    own, others = known.find(TorchRandomness), known.find(GlobalRandomness)
    assert isinstance(own, TorchRandomness)
    assert isinstance(others, GlobalRandomness)
    return {each.source: each.by for each in ([own.drawn] if own.drawn else []) + list(others.drawn)}


def test_initial_weights_that_are_trained_as_drawn() -> None:
    with recording() as seen:
        step(nn.Linear(3, 1))
    assert drawn_of(seen) == {"torch": "kaiming_uniform_"}


def test_seeded_and_overwritten_weights_are_silent() -> None:
    with recording() as seen:
        torch.manual_seed(1)
        step(nn.Linear(3, 1))
    assert drawn_of(seen) == {}
    with recording() as seen:
        model = nn.Linear(3, 1)
        with torch.no_grad():
            model.weight.zero_()
            model.bias.zero_()
        step(model)
    assert drawn_of(seen) == {}


def test_draws_of_the_users_own_code() -> None:
    with recording() as seen:
        np.random.permutation(4)
        random.shuffle([1, 2])
        np.random.default_rng()
        torch.manual_seed(1)
        step(nn.Linear(3, 1))
        np.random.rand(2)
    expected = {"NumPy": "permutation", "Python's random": "shuffle", "NumPy's default_rng": "default_rng()"}
    assert drawn_of(seen) == expected


def test_draws_after_a_seed_or_after_training_are_silent() -> None:
    with recording() as seen:
        np.random.seed(0)
        random.seed(0)
        random.shuffle([1, 2])
        np.random.rand(2)
        np.random.default_rng(3)
        torch.manual_seed(1)
        step(nn.Linear(3, 1))
        np.random.default_rng()
    assert drawn_of(seen) == {}


def test_a_seed_of_none_is_none() -> None:
    with recording() as seen:
        np.random.seed(None)
        np.random.rand(2)
        torch.manual_seed(1)
        step(nn.Linear(3, 1))
    assert drawn_of(seen) == {"NumPy": "rand"}


@pytest.mark.parametrize("watched", [False, True])
def test_nothing_is_drawn_by_looking(watched: bool) -> None:
    def numbers() -> tuple[float, float, float]:
        random.seed(5)
        np.random.seed(5)
        torch.manual_seed(5)
        step(nn.Linear(3, 1))
        return random.random(), float(np.random.rand()), float(torch.rand(1))

    expected = numbers()
    if watched:
        with recording():
            assert numbers() == expected
    assert numbers() == expected
