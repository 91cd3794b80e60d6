"""Optimizers: their groups, their steps, and whether gradients were cleared, whatever way a program has of doing so."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable

import pytest
import torch
import torch.optim.optimizer as hooks
from torch import Tensor, nn

from assay.facts.fact import Absent, Unknown
from assay.facts.optimizer import OptimizerFacts, OptimizerRecord
from assay.watching.session import Recording, recording

Clear = Callable[[nn.Module, torch.optim.Optimizer], None]


def optimizers(seen: Recording) -> tuple[OptimizerRecord, ...]:
    facts = seen.facts().find(OptimizerFacts)
    assert isinstance(facts, OptimizerFacts), facts
    assert not seen.broken
    return facts.optimizers


def loss_of(model: nn.Module) -> Tensor:
    x = torch.randn(8, 4)
    return nn.functional.mse_loss(model(x), x[:, :1])


def drop(model: nn.Module, _: torch.optim.Optimizer) -> None:
    for parameter in model.parameters():
        parameter.grad = None


def zero_data(model: nn.Module, _: torch.optim.Optimizer) -> None:
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.grad.data.zero_()


def scale(model: nn.Module, _: torch.optim.Optimizer) -> None:
    for parameter in model.parameters():
        if parameter.grad is not None:
            parameter.grad.mul_(0.5)


def drop_in(held: Tensor, worked: Tensor) -> None:
    held.grad = torch.clone(worked.grad)  # type: ignore[arg-type]  # it was just filled


def nothing(_: nn.Module, __: torch.optim.Optimizer) -> None:
    pass


@pytest.mark.parametrize(("clear", "carried"), [
    (lambda _, optimizer: optimizer.zero_grad(), 0),
    (lambda _, optimizer: optimizer.zero_grad(set_to_none=False), 0),
    (lambda model, _: model.zero_grad(), 0),
    (drop, 0), (zero_data, 0), (scale, 0), (nothing, 9),
], ids=["zero_grad", "zeros", "model", "none", "data", "scaled", "nothing"])
@pytest.mark.parametrize("passes", [1, 3])
def test_clearing_is_recognised(clear: Clear, carried: int, passes: int) -> None:
    model = nn.Linear(4, 1)
    with recording() as seen:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        for _ in range(10):
            clear(model, optimizer)
            for _ in range(passes):
                loss_of(model).backward()
            optimizer.step()
    (record,) = optimizers(seen)
    assert (record.steps, record.compared, record.not_cleared) == (10, 9, carried)


def test_one_backward_pass_for_many_steps_compares_nothing() -> None:
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    with recording() as seen:
        loss_of(model).backward()
        for _ in range(5):
            optimizer.step()
    (record,) = optimizers(seen)
    assert isinstance(record.compared, Unknown)


def test_gradients_that_another_loss_fills_and_that_are_then_cleared_are_not_carried() -> None:
    maker, judge = nn.Linear(4, 4), nn.Linear(4, 1)
    with recording() as seen:
        first = torch.optim.SGD(judge.parameters(), lr=0.01)
        second = torch.optim.SGD(maker.parameters(), lr=0.01)
        for _ in range(8):
            first.zero_grad()
            loss_of(judge).backward()
            first.step()
            second.zero_grad()
            judge(maker(torch.randn(8, 4))).mean().backward()
            second.step()
    assert [record.not_cleared for record in optimizers(seen)] == [0, 0]


@pytest.mark.parametrize("hand_over", [
    lambda held, worked: setattr(held, "grad", worked.grad),
    lambda held, worked: held.grad.copy_(worked.grad) if held.grad is not None else drop_in(held, worked),
], ids=["assigned", "written"])
def test_gradients_handed_over_from_a_working_copy_are_not_carried(hand_over: Callable[[Tensor, Tensor], None]) -> None:
    master, working = nn.Linear(4, 1), nn.Linear(4, 1)
    with recording() as seen:
        optimizer = torch.optim.SGD(master.parameters(), lr=0.01)
        for _ in range(10):
            working.load_state_dict(master.state_dict())
            working.zero_grad()
            loss_of(working).backward()
            for held, worked in zip(master.parameters(), working.parameters(), strict=True):
                hand_over(held, worked)
            optimizer.step()
    assert optimizers(seen)[0].not_cleared == 0


def test_places_groups_and_norms_are_told() -> None:
    with recording() as seen:
        model = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.Linear(8, 1))
        groups = [
            {"params": [model[0].weight, model[2].weight]},
            {"params": [*model[1].parameters(), model[0].bias, model[2].bias], "weight_decay": 0.0},
        ]
        optimizer = torch.optim.AdamW(groups, lr=0.1, weight_decay=0.2)
        loss_of(model).backward()
        expected = torch.nn.utils.get_total_norm([parameter.grad for parameter in model.parameters()])
        optimizer.step()
    (record,) = optimizers(seen)
    assert record.kind == "AdamW"
    assert [(group.weight_decay, group.kinds) for group in record.groups] == [
        (0.2, {"weight": 2}), (0.0, {"norm": 2, "bias": 2}),
    ]
    assert record.groups[1].named == ("1.weight", "1.bias", "0.bias", "2.bias")
    assert record.gradient_norms == pytest.approx([expected.item()])
    assert record.precision == ("float32",)
    assert (record.updates_compared, record.updates_lost) == (1, 0)
    for place in (record.place, record.step_place, record.backward_place):
        assert place is not None
        assert place.file.endswith("test_optimizers.py")


def test_the_line_that_makes_an_optimizer_of_ones_own_is_the_callers() -> None:
    class Own(torch.optim.SGD):
        def __init__(self, parameters: object) -> None:
            super().__init__(parameters, lr=0.1)  # type: ignore[arg-type]  # parameters, as given

    with recording() as seen:
        Own(nn.Linear(1, 1).parameters())
        made = Own.__init__.__code__.co_firstlineno
    (record,) = optimizers(seen)
    assert record.place is not None
    assert record.place.line == made + 4
    assert record.steps == 0


def test_an_optimizer_made_before_is_met_at_its_first_step() -> None:
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    with recording() as seen:
        loss_of(model).backward()
        optimizer.step()
    (record,) = optimizers(seen)
    assert (record.steps, record.place) == (1, None)


def test_a_step_that_changes_nothing_is_lost() -> None:
    model = nn.Linear(4, 1)
    with recording() as seen:
        optimizer = torch.optim.SGD(model.parameters(), lr=1e-30)
        for _ in range(4):
            optimizer.zero_grad()
            loss_of(model).backward()
            optimizer.step()
    (record,) = optimizers(seen)
    assert record.updates_compared == record.updates_lost == 4


def test_no_optimizer_means_not_applicable() -> None:
    with recording() as seen:
        pass
    absent = seen.facts().find(OptimizerFacts)
    assert isinstance(absent, Absent)
    assert not absent.applicable


def test_nothing_of_the_program_is_kept_alive() -> None:
    with recording() as seen:
        model = nn.Linear(4, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        for _ in range(3):
            loss_of(model).backward()
            optimizer.step()
    alive = [weakref.ref(each) for each in (model, model.weight, optimizer)]
    del model, optimizer
    gc.collect()
    assert [each() for each in alive] == [None] * 3
    assert len(optimizers(seen)) == 1


def test_hooks_are_gone_afterwards() -> None:
    before = torch.optim.Optimizer.__init__, nn.Module.__init__, nn.Module.__setstate__, nn.Module.load_state_dict
    with recording():
        assert torch.optim.Optimizer.__init__ is not before[0]
    after = torch.optim.Optimizer.__init__, nn.Module.__init__, nn.Module.__setstate__, nn.Module.load_state_dict
    assert after == before
    assert not hooks._global_optimizer_pre_hooks
    assert not hooks._global_optimizer_post_hooks
