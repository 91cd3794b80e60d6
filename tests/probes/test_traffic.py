"""What is told of a program's passes, losses, backward passes and steps, and what is not."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

from assay.facts.fact import Schedule
from assay.probe import Clock, Faults
from assay.probes.backward_passes import BackwardPasses
from assay.probes.forward_passes import ForwardPasses
from assay.probes.loss_functions import LossFunctions
from assay.probes.steps import Steps
from assay.traffic import Backward, Inner, Pass, Scored, Traffic


class Heard:
    """What a listener hears, in order."""

    def __init__(self, traffic: Traffic) -> None:
        self.passed: list[Pass] = []
        self.inner: list[Inner] = []
        self.scored: list[Scored] = []
        self.events: list[str] = []
        traffic.passed.append(self.passed.append)
        traffic.inner.append(self.inner.append)
        traffic.scored.append(self.scored.append)
        traffic.began.append(self._began)
        traffic.ended.append(lambda _: self.events.append("ended"))
        traffic.stepping.append(lambda _: self.events.append("stepping"))
        traffic.stepped.append(lambda _: self.events.append("stepped"))

    def _began(self, backward: Backward) -> None:
        self.events.append(f"nested {backward.function}" if backward.nested else backward.function)


@contextmanager
def hearing() -> Iterator[Heard]:
    clock, faults, traffic = Clock(Schedule(dense=5)), Faults(), Traffic()
    heard = Heard(traffic)
    probes = (
        ForwardPasses(clock, faults, traffic), LossFunctions(clock, faults, traffic),
        BackwardPasses(clock, faults, traffic), Steps(clock, traffic),
    )
    for probe in probes:
        probe.attach()
    try:
        yield heard
    finally:
        for probe in reversed(probes):
            probe.detach()
    assert not faults.seen


@pytest.fixture
def model() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))


X, Y = torch.linspace(-1, 1, 24).reshape(6, 4), torch.tensor([0, 1, 2, 0, 1, 1])


def test_a_step_is_told_in_order(model: nn.Sequential) -> None:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with hearing() as heard:
        nn.CrossEntropyLoss()(model(X), Y).backward()
        optimizer.step()
    assert heard.events == ["backward", "ended", "stepping", "stepped"]
    assert len(heard.passed) == 1
    assert heard.passed[0].module is model
    assert heard.passed[0].recorded
    assert [call.module for call in heard.inner] == list(model)
    assert [(call.name, call.recorded, call.latest) for call in heard.scored] == [("cross_entropy", True, 0)]
    assert heard.scored[0].arguments["target"] is Y


def test_modules_that_are_given_outputs_are_no_entries(model: nn.Sequential) -> None:
    head = nn.Linear(3, 2)
    with hearing() as heard:
        head(torch.tanh(model(X)))
        with torch.no_grad():
            head(torch.tanh(model(X)))
    assert [passed.entry for passed in heard.passed] == [True, False, True, False]
    assert [passed.recorded for passed in heard.passed] == [True, True, False, False]


@pytest.mark.parametrize("reentrant", [True, False])
def test_what_a_checkpoint_computes_again_is_not_told(model: nn.Sequential, reentrant: bool) -> None:
    with hearing() as heard:
        checkpoint(model, X.clone().requires_grad_(), use_reentrant=reentrant).sum().backward()
    assert len(heard.passed) == 1
    assert heard.events == (["backward", "nested backward", "ended"] if reentrant else ["backward", "ended"])


def test_a_backward_pass_that_raises_is_over(model: nn.Sequential) -> None:
    with hearing() as heard:
        for _ in range(2):
            with pytest.raises(RuntimeError):
                torch.tensor(1.0).backward()
        model(X)
    assert heard.events == ["backward", "ended"] * 2
    assert len(heard.passed) == 1


def test_roots_are_told_however_they_are_given(model: nn.Sequential) -> None:
    with hearing() as heard:
        loss = F.mse_loss(target=torch.zeros(6, 3), input=model(X))
        torch.autograd.grad(outputs=loss, inputs=list(model.parameters()), retain_graph=True)
        torch.autograd.backward(tensors=(each for each in [loss]))
    assert heard.events == ["grad", "ended", "backward", "ended"]


def test_modules_carry_nothing_away(model: nn.Sequential) -> None:
    with hearing():
        model(X)
        pickle.loads(pickle.dumps(model))
        copy.deepcopy(model)
    assert not model._forward_hooks
    assert nn.Module.__call__.__module__ == "torch.nn.modules.module"
    assert torch.autograd.backward.__module__ == "torch.autograd"


def test_a_compiled_model_is_told_as_one_pass(model: nn.Sequential) -> None:
    compiled = torch.compile(model, backend="eager")
    with hearing() as heard:
        compiled(X)
        compiled(X)
    assert [type(passed.module).__name__ for passed in heard.passed] == ["OptimizedModule"] * 2
