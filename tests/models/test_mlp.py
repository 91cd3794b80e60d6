from __future__ import annotations

import pytest
import torch
from torch import nn

from assay.models.mlp import MLP
from assay.recipe.schema import NamedModel


def test_layers_stand_in_the_order_that_the_recipe_says() -> None:
    plan = NamedModel(hidden=(8, 4), activation="gelu", dropout=0.1, batch_norm=True)
    kinds = [type(layer) for layer in MLP(6, 3, plan=plan).body]
    assert kinds == [nn.Linear, nn.BatchNorm1d, nn.GELU, nn.Dropout] * 2
    assert MLP(6, 3, plan=plan)(torch.zeros(5, 6)).shape == (5, 3)


def test_without_hidden_layers_it_is_linear() -> None:
    model = MLP(6, 3, plan=NamedModel(hidden=()))
    assert sum(weight.numel() for weight in model.parameters()) == 6 * 3 + 3


def test_weights_start_as_torchs_own() -> None:
    torch.manual_seed(0)
    model = MLP(64, 10, plan=NamedModel(hidden=(128,)))
    torch.manual_seed(0)
    first, second = nn.Linear(64, 128), nn.Linear(128, 10)
    assert torch.equal(model.body[0].weight, first.weight)
    assert torch.equal(model.head.bias, second.bias)


@pytest.mark.parametrize(("outputs", "read"), [
    (3, lambda bias: bias.softmax(0).tolist()), (1, lambda bias: [1 - bias.sigmoid().item(), bias.sigmoid().item()]),
])
def test_a_prior_predicts_the_frequencies(outputs: int, read: object) -> None:
    frequencies = [0.2, 0.5, 0.3] if outputs == 3 else [0.9, 0.1]
    model = MLP(4, outputs, plan=NamedModel(hidden=()))
    model.set_prior(frequencies)
    assert read(model.head.bias.detach()) == pytest.approx(frequencies)  # type: ignore[operator]


def test_a_class_that_does_not_occur_keeps_the_prior_finite() -> None:
    model = MLP(4, 3, plan=NamedModel(hidden=()))
    model.set_prior([0.5, 0.5, 0.0])
    assert model.head.bias.isfinite().all()
    assert model.head.bias[2] < model.head.bias[0]
