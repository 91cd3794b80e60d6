"""Schedulers and rates: what is counted, and from where."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.optim import lr_scheduler
from torch.utils.data import DataLoader, TensorDataset

from assay.facts.fact import Absent
from assay.facts.schedule import ScheduleFacts
from assay.watching.session import Recording, recording

DATA = TensorDataset(torch.randn(24, 4), torch.randn(24, 1))


def schedule(seen: Recording) -> ScheduleFacts:
    facts = seen.facts().find(ScheduleFacts)
    assert isinstance(facts, ScheduleFacts), facts
    return facts


def train(make: object, *, each_batch: bool, epochs: int = 3) -> ScheduleFacts:
    with recording() as seen:
        model = nn.Linear(4, 1)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        scheduler = make(optimizer)  # type: ignore[operator]  # a function that makes a scheduler
        for _ in range(epochs):
            for x, y in DataLoader(DATA, batch_size=6):
                optimizer.zero_grad()
                nn.functional.mse_loss(model(x), y).backward()
                optimizer.step()
                if each_batch:
                    scheduler.step()
            if not each_batch:
                scheduler.step()
    return schedule(seen)


def test_cadence_horizon_and_rounds() -> None:
    facts = train(lambda optimizer: lr_scheduler.StepLR(optimizer, 5, 0.1), each_batch=True)
    (record,) = facts.schedulers
    assert (record.kind, record.steps, record.every, record.waited, record.horizon) == ("StepLR", 12, 11, 12, 5)
    assert record.optimizer == facts.rates[0]
    assert (facts.rates[0].start, facts.rates[0].peak) == (0.1, 0.1)
    assert (facts.rates[0].steps, facts.rates[0].lively, facts.rates[0].alive) == (12, 5, 12)
    assert facts.rounds == 2  # the first beginning comes before any step
    assert record.place is not None
    assert record.step_place is not None


def test_epochs_are_not_every_step() -> None:
    (record,) = train(lambda optimizer: lr_scheduler.ExponentialLR(optimizer, 0.9), each_batch=False).schedulers
    assert (record.steps, record.every, record.early) == (3, 0, False)


@pytest.mark.parametrize(("make", "horizon"), [
    (lambda optimizer: lr_scheduler.MultiStepLR(optimizer, [2, 7]), 7),
    (lambda optimizer: lr_scheduler.CosineAnnealingLR(optimizer, T_max=9), 9),
    (lambda optimizer: lr_scheduler.OneCycleLR(optimizer, 0.1, total_steps=40), 40),
    (lambda optimizer: lr_scheduler.LambdaLR(optimizer, lambda _: 1.0), None),
    (lambda optimizer: lr_scheduler.SequentialLR(optimizer, [
        lr_scheduler.LinearLR(optimizer, total_iters=3), lr_scheduler.CosineAnnealingLR(optimizer, T_max=9),
    ], [3]), 12),
])
def test_what_a_schedule_was_made_for(make: object, horizon: int | None) -> None:
    records = train(make, each_batch=True).schedulers
    assert records[-1].horizon == horizon
    assert all(record.part for record in records[:-1])
    assert records[-1].steps == 12


def test_a_scheduler_within_a_class_of_ones_own_is_placed_where_it_is_stepped() -> None:
    class Own(lr_scheduler.LambdaLR):
        def step(self, epoch: int | None = None) -> None:
            super().step(epoch)

    (record,) = train(lambda optimizer: Own(optimizer, lambda _: 1.0), each_batch=True).schedulers
    plain = train(lambda optimizer: lr_scheduler.LambdaLR(optimizer, lambda _: 1.0), each_batch=True).schedulers[0]
    assert (record.kind, record.base) == ("Own", "LambdaLR")
    assert record.step_place == plain.step_place


def test_rates_of_zero_and_below_are_counted() -> None:
    facts = train(lambda optimizer: lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / 4), each_batch=True)
    assert (facts.rates[0].zero, facts.rates[0].negative) == (8, 7)


def test_no_optimizer_means_not_applicable() -> None:
    with recording() as seen:
        pass
    absent = seen.facts().find(ScheduleFacts)
    assert isinstance(absent, Absent)
    assert not absent.applicable
