"""Models: which there are, what their parameters are called, and what became of each."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import Tensor, nn

from assay.facts.model import ModelFacts, ModelRecord
from assay.probes.modules import kind_of
from assay.watching.session import Recording, recording


class Network(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
        self.head = nn.Linear(8, 2)
        self.idle = nn.Linear(1, 1)

    def forward(self, x: Tensor) -> Tensor:
        result: Tensor = self.head(self.body(x))
        return result


def models(seen: Recording) -> dict[str, ModelRecord]:
    facts = seen.facts().find(ModelFacts)
    assert isinstance(facts, ModelFacts), facts
    assert not seen.broken
    return {model.kind: model for model in facts.models}


def train(model: nn.Module, parameters: list[nn.Parameter], steps: int = 2) -> None:
    optimizer = torch.optim.SGD(parameters, lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(torch.randn(6, 4)), torch.tensor([0, 1, 0, 1, 0, 1])).backward()
        optimizer.step()


def test_a_model_is_nobodys_child_and_names_are_the_users() -> None:
    with recording() as seen:
        model = Network()
        train(model, list(model.body.parameters()))
    (record,) = models(seen).values()
    assert record.kind == "Network"
    assert record.place is not None
    assert record.place.file.endswith("test_modules.py")
    by_name = {each.name: each for each in record.parameters}
    assert list(by_name) == [name for name, _ in model.named_parameters()]
    assert {name: (each.reached, each.optimised) for name, each in by_name.items() if "weight" in name} == {
        "body.0.weight": (True, True), "body.1.weight": (True, True), "head.weight": (True, False),
        "idle.weight": (False, False),
    }
    assert by_name["body.0.weight"].moved is True
    assert by_name["head.weight"].shape == (2, 8)


def test_a_backward_pass_that_nobody_steps_on_reaches_nothing() -> None:
    with recording() as seen:
        model = Network()
        model(torch.randn(6, 4)).sum().backward()
    (record,) = models(seen).values()
    assert {each.reached for each in record.parameters} == {False}


def test_a_copy_and_a_model_inside_a_function_are_models() -> None:
    def inner() -> None:
        model = copy.deepcopy(original)
        train(model, list(model.parameters()))

    original = Network()
    with recording() as seen:
        inner()
    (record,) = models(seen).values()
    assert all(each.optimised for each in record.parameters)


def test_a_replaced_layer_is_listed_and_the_old_one_is_not() -> None:
    with recording() as seen:
        model = Network()
        train(model, list(model.parameters()))
        model.head = nn.Linear(8, 2)
        train(model, list(model.body.parameters()))
    (record,) = models(seen).values()
    head = next(each for each in record.parameters if each.name == "head.weight")
    assert (head.reached, head.optimised) == (True, False)


def test_loaded_values_are_known() -> None:
    with recording() as seen:
        model = Network()
        model.body.load_state_dict(copy.deepcopy(model.body.state_dict()))
        train(model, list(model.parameters()))
    (record,) = models(seen).values()
    assert {each.name for each in record.parameters if each.loaded} == {
        "body.0.weight", "body.0.bias", "body.1.weight", "body.1.bias",
    }


def test_tied_parameters_are_listed_once() -> None:
    with recording() as seen:
        model = nn.ModuleDict({"embed": nn.Embedding(5, 4), "out": nn.Linear(4, 5, bias=False)})
        model["out"].weight = model["embed"].weight
    (record,) = models(seen).values()
    assert [(each.name, each.kind) for each in record.parameters] == [("embed.weight", "embedding")]


class ScaleNorm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.ones(3))


@pytest.mark.parametrize(("owner", "name", "kind"), [
    (nn.Linear(2, 2), "weight", "weight"), (nn.Linear(2, 2), "bias", "bias"), (nn.LSTM(2, 2), "bias_hh_l0", "bias"),
    (nn.BatchNorm2d(2), "bias", "norm"), (nn.RMSNorm(2), "weight", "norm"), (nn.GroupNorm(1, 2), "weight", "norm"),
    (nn.InstanceNorm1d(2, affine=True), "weight", "norm"), (ScaleNorm(), "gain", "norm"),
    (nn.Embedding(2, 2), "weight", "embedding"), (nn.Conv1d(1, 1, 1), "weight", "weight"),
], ids=lambda value: value if isinstance(value, str) else type(value).__name__)
def test_kinds_are_decided_by_the_owner(owner: nn.Module, name: str, kind: str) -> None:
    assert kind_of(owner, name) == kind
