"""How models are put together: layers outside of them, in several places, made anew, alike, resting."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from assay.facts.fact import Absent, Fact
from assay.facts.structure import LayersMadeAnew, LeftOutModels, LooseParameters, OutsideLayers, SharedLayers
from assay.facts.weights import ActivationFacts, InitialWeights
from assay.watching.session import recording

X = torch.linspace(-1, 1, 200).reshape(50, 4)
Y = X.sum(1, keepdim=True)
STRUCTURE = (
    OutsideLayers, LooseParameters, LayersMadeAnew, SharedLayers, LeftOutModels, InitialWeights, ActivationFacts,
)


class Listed(nn.Module):
    """A model that keeps a layer out of sight, in a container of the caller's choosing."""

    def __init__(self, hidden: object, layer: nn.Module) -> None:
        super().__init__()
        self.first, self.last = nn.Linear(4, 4), nn.Linear(4, 1)
        self.hidden = hidden
        self.call = [layer]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.last(torch.relu(self.call[0](self.first(x))))


def trained(model: nn.Module, steps: int = 6, *more: nn.Parameter) -> dict[type[Fact], Fact | Absent]:
    with recording() as seen:
        optimizer = torch.optim.SGD([*model.parameters(), *more], lr=0.05)
        for _ in range(steps):
            optimizer.zero_grad()
            F.mse_loss(model(X), Y).backward()
            optimizer.step()
    assert not seen.broken
    return {kind: seen.facts().find(kind) for kind in STRUCTURE}


@pytest.mark.parametrize("kind", STRUCTURE)
def test_a_program_without_models_has_nothing_to_check(kind: type[Fact]) -> None:
    with recording() as seen:
        pass
    found = seen.facts().find(kind)
    assert isinstance(found, Absent)
    assert not found.applicable


def test_a_layer_in_a_list_is_outside_and_one_that_is_optimised_by_hand_is_trained() -> None:
    layer = nn.Linear(4, 4)
    model = Listed({"a": layer, "b": nn.Linear(4, 4)}, layer)
    found = trained(model)[OutsideLayers]
    assert isinstance(found, OutsideLayers)
    (outside,) = found.layers
    assert (outside.model, outside.kind, outside.held, outside.alone) == ("Listed", "Linear", "hidden", False)
    assert (outside.numbers, outside.reached, outside.trained, outside.model_trained) == (20, True, False, True)
    found = trained(model, 6, *layer.parameters())[OutsideLayers]
    assert isinstance(found, OutsideLayers)
    assert [each.trained for each in found.layers] == [True]


def test_a_registered_layer_is_not_outside() -> None:
    layer = nn.Linear(4, 4)
    found = trained(Listed(layer, layer))[OutsideLayers]
    assert isinstance(found, OutsideLayers)
    assert found.layers == ()


def test_one_layer_in_two_places_is_told_by_what_its_calls_are_given() -> None:
    layer = nn.Linear(4, 4)
    found = trained(nn.Sequential(layer, nn.Tanh(), layer, nn.Tanh(), nn.Linear(4, 1)))[SharedLayers]
    assert isinstance(found, SharedLayers)
    (shared,) = found.shared
    assert (shared.model, shared.kind, shared.places, shared.relation) == ("Sequential", "Linear", 2, "in a row")


def test_copies_are_not_shared() -> None:
    layer = nn.Linear(4, 4)
    found = trained(nn.Sequential(layer, nn.Tanh(), copy.deepcopy(layer), nn.Linear(4, 1)))[SharedLayers]
    assert isinstance(found, SharedLayers)
    assert (found.shared, found.containers) == ((), 1)


def test_zeros_in_two_layers_on_end_stay_and_in_one_they_part() -> None:
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 2), nn.Linear(2, 1))
    for number in (2, 4):
        nn.init.zeros_(model[number].weight)
        nn.init.zeros_(model[number].bias)
    found = trained(model)[InitialWeights]
    assert isinstance(found, InitialWeights)
    assert {each.name: each.still for each in found.units} == {"2.weight": True, "4.weight": True}
    nn.init.normal_(model[4].weight)
    found = trained(model)[InitialWeights]
    assert isinstance(found, InitialWeights)
    assert {each.name: (each.still, each.moved) for each in found.units} == {"2.weight": (False, True)}


def test_resting_units_are_counted_before_a_relu_alone() -> None:
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1))
    for number in (0, 2):
        nn.init.constant_(model[number].bias, -50.0)
    found = trained(model)[ActivationFacts]
    assert isinstance(found, ActivationFacts)
    (layer,) = found.rectified
    assert (layer.name, layer.units, layer.dead, layer.looks) == ("0", 8, 8, 3)


def test_a_head_that_no_optimizer_holds_stands_in_a_row_with_what_is_trained() -> None:
    body, head = nn.Sequential(nn.Linear(4, 4), nn.Tanh()), nn.Linear(4, 1)
    with recording() as seen:
        optimizer = torch.optim.SGD(body.parameters(), lr=0.05)
        for _ in range(4):
            optimizer.zero_grad()
            F.mse_loss(head(body(X)), Y).backward()
            optimizer.step()
    found = seen.facts().find(LeftOutModels)
    assert isinstance(found, LeftOutModels)
    (left,) = found.models
    assert (left.name, left.partner, left.before) == ("head", "Sequential", False)
    assert (left.reached, left.changed) == (True, False)


def test_nothing_of_the_program_changes_or_is_kept() -> None:
    model = Listed([], nn.Linear(4, 4))
    before = torch.get_rng_state()
    trained(model)
    assert torch.equal(before, torch.get_rng_state())
    assert all(each.grad is not None for each in model.parameters())
