from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from assay.recipe.schema import Training
from assay.training.optimizers import optimizer_for


class Mixed(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(5, 4)
        self.recurrent = nn.GRU(4, 4)
        self.batch, self.layer = nn.BatchNorm1d(4), nn.LayerNorm(4)
        self.head = nn.Linear(4, 2)


def decayed(optimizer: Any, module: nn.Module) -> set[str]:
    names = {id(weight): name for name, weight in module.named_parameters()}
    return {names[id(w)] for group in optimizer.param_groups if group["weight_decay"] for w in group["params"]}


def test_decay_spares_norms_biases_and_embeddings() -> None:
    module = Mixed()
    optimizer = optimizer_for(module, Training(weight_decay=0.1))
    assert decayed(optimizer, module) == {"head.weight", "recurrent.weight_ih_l0", "recurrent.weight_hh_l0"}
    held = [id(weight) for group in optimizer.param_groups for weight in group["params"]]
    assert sorted(held) == sorted(id(weight) for weight in module.parameters())


def test_decay_all_decays_all() -> None:
    module = Mixed()
    optimizer = optimizer_for(module, Training(weight_decay=0.1, decay_all=True))
    assert decayed(optimizer, module) == {name for name, _ in module.named_parameters()}


@pytest.mark.parametrize(("name", "kind"), [
    ("AdamW", torch.optim.AdamW), ("Adam", torch.optim.Adam), ("SGD", torch.optim.SGD),
    ("RMSprop", torch.optim.RMSprop),
])
def test_each_name_gives_that_optimizer(name: str, kind: type) -> None:
    optimizer = optimizer_for(nn.Linear(2, 2), Training.model_validate({"optimizer": name, "learning_rate": 0.5}))
    assert type(optimizer) is kind
    assert optimizer.param_groups[0]["lr"] == 0.5
    if name == "SGD":
        assert optimizer.param_groups[0]["momentum"] == 0.9


def test_frozen_parameters_are_left_out_and_overrides_hold() -> None:
    module = nn.Linear(2, 2)
    module.bias.requires_grad_(requires_grad=False)
    optimizer = optimizer_for(module, Training(weight_decay=0.1), learning_rate=7.0, weight_decay=0.0)
    assert [weight is module.weight for group in optimizer.param_groups for weight in group["params"]] == [True]
    assert (optimizer.param_groups[0]["lr"], optimizer.param_groups[0]["weight_decay"]) == (7.0, 0.0)
