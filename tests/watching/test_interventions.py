"""Interventions on copies: they tell faulty models from sound ones and leave everything as it was."""

from __future__ import annotations

import random

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from assay.facts.fact import Absent
from assay.watching.interventions import evaluate_twice, mix_batch, zero_inputs


def _run(module: nn.Module, inputs: Tensor) -> Tensor:
    return module(inputs)


class AlwaysDropping(nn.Module):
    def forward(self, inputs: Tensor) -> Tensor:
        return F.dropout(inputs, 0.5)


class AcrossTheBatch(nn.Module):
    def forward(self, inputs: Tensor) -> Tensor:
        return inputs.softmax(0)


class Viewed(nn.Module):
    """Swaps axes by view, which mixes examples."""

    def forward(self, inputs: Tensor) -> Tensor:
        return inputs.view(inputs.shape[1], inputs.shape[0]).t().cumsum(1)


def _network() -> nn.Sequential:
    return nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.5), nn.Linear(16, 3))


def test_two_evaluations_of_a_sound_model_agree() -> None:
    network = _network().train()
    assert evaluate_twice(network, torch.randn(8, 6), _run).largest_difference == 0
    assert network.training


def test_dropout_that_is_never_switched_off_differs() -> None:
    seen = evaluate_twice(AlwaysDropping().eval(), torch.randn(8, 6), _run)
    assert seen.largest_difference > seen.spread / 10


def test_a_sound_model_does_not_mix_examples() -> None:
    mixing = mix_batch(_network(), torch.randn(8, 6), _run)
    assert not isinstance(mixing, Absent)
    assert mixing.moved == ()


def test_softmax_over_the_batch_mixes() -> None:
    mixing = mix_batch(AcrossTheBatch(), torch.randn(8, 6), _run)
    assert not isinstance(mixing, Absent)
    assert mixing.moved == (1, 2, 3, 4, 5, 6, 7)


def test_view_for_transpose_mixes() -> None:
    mixing = mix_batch(Viewed(), torch.randn(8, 6), _run)
    assert not isinstance(mixing, Absent)
    assert mixing.moved


def test_a_random_model_is_not_judged_on_mixing() -> None:
    assert isinstance(mix_batch(AlwaysDropping(), torch.randn(8, 6), _run), Absent)
    assert isinstance(mix_batch(_network(), torch.randn(1, 6), _run), Absent)


def test_zeroed_inputs_cost_nothing_where_inputs_are_ignored() -> None:
    targets = torch.randn(16)

    def losses(module: nn.Module, inputs: Tensor) -> Tensor:
        return (module(inputs).flatten() - targets).square()

    ignoring = nn.Sequential(nn.Linear(6, 1))
    nn.init.zeros_(ignoring[0].weight)
    assert zero_inputs(ignoring, torch.randn(16, 6), losses, initial_loss=1.0, steps=0).largest_difference == 0
    used = zero_inputs(nn.Linear(6, 1), torch.randn(16, 6), losses, initial_loss=1.0, steps=0)
    assert used.largest_difference > 0


def test_nothing_of_the_program_changes() -> None:
    network = _network().train()
    state = {name: value.clone() for name, value in network.state_dict().items()}
    before = (torch.get_rng_state(), np.random.get_state()[1].copy(), random.getstate())
    evaluate_twice(network, torch.randn(8, 6, generator=torch.Generator().manual_seed(0)), _run)
    mix_batch(network, torch.randn(8, 6, generator=torch.Generator().manual_seed(0)), _run)
    assert torch.equal(before[0], torch.get_rng_state())
    assert np.array_equal(before[1], np.random.get_state()[1])
    assert before[2] == random.getstate()
    assert all(torch.equal(value, network.state_dict()[name]) for name, value in state.items())
