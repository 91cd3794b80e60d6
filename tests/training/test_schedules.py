from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from torch.optim import lr_scheduler as reference

from assay.facts.task import Sense
from assay.recipe.schema import Scheduler
from assay.training.schedules import Schedule

STEPS, PER_EPOCH, RATE = 40, 5, 0.1


def optimizer() -> torch.optim.Optimizer:
    return torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=RATE)


def rates(plan: Scheduler, values: list[float] | None = None, *, sense: Sense = "min") -> list[float]:
    """The rate of each of 40 steps in epochs of 5."""
    made = optimizer()
    schedule = Schedule(plan=plan, optimizer=made, total_steps=STEPS, sense=sense)
    seen = []
    for step in range(STEPS):
        seen.append(made.param_groups[0]["lr"])
        schedule.after_step()
        if step % PER_EPOCH == PER_EPOCH - 1:
            schedule.after_epoch((values or [0.0] * 8)[step // PER_EPOCH])
    return seen


def torch_rates(make: Any, *, per_epoch: bool = False, values: list[float] | None = None) -> list[float]:
    made = optimizer()
    schedule = make(made)
    seen = []
    for step in range(STEPS):
        seen.append(made.param_groups[0]["lr"])
        made.step()
        if not per_epoch:
            schedule.step()
        elif step % PER_EPOCH == PER_EPOCH - 1:
            schedule.step(*([values[step // PER_EPOCH]] if values else []))
    return seen


def test_no_schedule_leaves_the_rate_alone() -> None:
    assert rates(Scheduler()) == [RATE] * STEPS


def test_cosine_is_torchs_stepped_every_step() -> None:
    expected = torch_rates(lambda made: reference.CosineAnnealingLR(made, T_max=STEPS))
    assert rates(Scheduler(name="cosine")) == pytest.approx(expected)


def test_one_cycle_is_torchs_stepped_every_step() -> None:
    def make(made: Any) -> Any:
        return reference.OneCycleLR(made, max_lr=RATE, total_steps=STEPS + 1, cycle_momentum=False)

    longer = Schedule(plan=Scheduler(name="onecycle"), optimizer=optimizer(), total_steps=STEPS + 1)
    seen = []
    for _ in range(STEPS):
        seen.append(longer.optimizer.param_groups[0]["lr"])
        longer.after_step()
    assert seen == pytest.approx(torch_rates(make))


def test_step_is_torchs_stepped_every_epoch() -> None:
    expected = torch_rates(lambda made: reference.StepLR(made, step_size=3, gamma=0.5), per_epoch=True)
    assert rates(Scheduler(name="step", step_size=3, gamma=0.5)) == pytest.approx(expected)


@pytest.mark.parametrize("sense", ["min", "max"])
def test_plateau_is_torchs_told_of_every_epoch(sense: Sense) -> None:
    values = [3.0, 2.0, 2.0, 2.5, 2.4, 1.0, 1.0, 1.0]
    values = [4 - value for value in values] if sense == "max" else values

    def make(made: Any) -> Any:
        mode = "max" if sense == "max" else "min"
        return reference.ReduceLROnPlateau(made, mode=mode, factor=0.5, patience=1)

    expected = torch_rates(make, per_epoch=True, values=values)
    assert rates(Scheduler(name="plateau", factor=0.5, patience=1), values, sense=sense) == pytest.approx(expected)
    assert len(set(expected)) > 1


def test_warm_up_is_linear_and_comes_before_any_schedule() -> None:
    seen = rates(Scheduler(name="cosine", warmup_steps=4))
    assert seen[:4] == pytest.approx([RATE * share for share in (0.25, 0.5, 0.75, 1.0)])
    assert seen[4] == pytest.approx(RATE)
    assert seen[-1] == pytest.approx(RATE * (1 + math.cos(math.pi * 35 / 36)) / 2)


@pytest.mark.parametrize("name", ["cosine", "onecycle", "step", "plateau"])
def test_a_schedule_goes_on_where_another_stood(name: str) -> None:
    plan = Scheduler.model_validate({"name": name, "warmup_steps": 3, "step_size": 2, "patience": 0})
    straight = rates(plan, [1.0] * 8)
    first, second = optimizer(), optimizer()
    schedule = Schedule(plan=plan, optimizer=first, total_steps=STEPS)
    for step in range(20):
        schedule.after_step()
        if step % PER_EPOCH == PER_EPOCH - 1:
            schedule.after_epoch(1.0)
    resumed = Schedule(plan=plan, optimizer=second, total_steps=STEPS)
    resumed.load_state(schedule.state())
    assert second.param_groups[0]["lr"] == straight[20]
