from __future__ import annotations

import pytest
import torch
from torch import nn

from assay.models.mlp import MLP
from assay.recipe.schema import NamedModel, Training
from assay.training.optimizers import optimizer_for


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


class TestEmbeddings:
    def model(self) -> MLP:
        torch.manual_seed(0)
        return MLP(5, 2, plan=NamedModel(hidden=(16,)), embedded=(41, 100))

    def test_codes_enter_by_tables_of_their_own(self) -> None:
        model = self.model()
        assert [tuple(table.weight.shape) for table in model.embeddings] == [(41, 13), (100, 21)]
        x = torch.tensor([[0.5, 0.1, -1.0, 3.0, 7.0]])
        whole = torch.cat([x[:, :3], model.embeddings[0].weight[[3]], model.embeddings[1].weight[[7]]], dim=1)
        assert torch.equal(model(x), model.head(model.body(whole)))

    def test_a_code_outside_counts_as_none_of_the_known_which_starts_at_zero(self) -> None:
        model = self.model()
        x = torch.zeros(1, 5)
        for code in (41.0, -1.0, 1e9):
            x[0, 3] = code
            assert torch.equal(model(x), model(torch.zeros(1, 5)))
        assert (model.embeddings[0].weight[0] == 0).all()
        assert 0 < model.embeddings[0].weight[1:].abs().max() <= 0.02

    def test_decay_spares_them(self) -> None:
        groups = optimizer_for(self.model(), Training(weight_decay=0.1)).param_groups
        spared = next(group for group in groups if group["weight_decay"] == 0)
        assert {tuple(weight.shape) for weight in spared["params"]} >= {(41, 13), (100, 21)}


def test_a_prior_of_several_labels_predicts_each_ones_share() -> None:
    model = MLP(4, 3, plan=NamedModel(hidden=()))
    model.set_prior_of_labels([25, 75, 0], examples=100)
    assert model.head.bias.detach().sigmoid().tolist() == pytest.approx([0.25, 0.75, 0.005])
