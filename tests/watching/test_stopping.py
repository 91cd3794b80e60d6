"""Ending after some steps, and telling of errors at once."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from assay.rule import Finding
from assay.watching.alarming import Alarm
from assay.watching.session import recording
from assay.watching.stopping import Stopping


def loop(*, steps: int, scores: nn.Module) -> list[int]:
    torch.manual_seed(0)
    model, taken = nn.Sequential(nn.Linear(4, 3), scores), []
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(steps):
        taken.append(step)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(torch.randn(6, 4)), torch.randint(0, 3, (6,))).backward()
        optimizer.step()
    return taken


def test_a_program_ends_within_the_step_that_was_asked_for() -> None:
    stopping = Stopping(3)
    stopping.attach()
    try:
        with pytest.raises(SystemExit) as ended:
            loop(steps=10, scores=nn.Identity())
    finally:
        stopping.detach()
    assert (ended.value.code, stopping.stopped) == (0, True)
    assert loop(steps=10, scores=nn.Identity()) == list(range(10))


def test_a_shorter_program_ends_by_itself() -> None:
    stopping = Stopping(30)
    stopping.attach()
    try:
        assert len(loop(steps=10, scores=nn.Identity())) == 10
    finally:
        stopping.detach()
    assert not stopping.stopped


def told(scores: nn.Module) -> list[Finding]:
    heard: list[Finding] = []
    with recording() as seen:
        alarm = Alarm(seen, seen.faults, heard.append)
        alarm.attach()
        loop(steps=40, scores=scores)
        alarm.detach()
    assert not seen.broken
    return heard


def test_an_error_is_told_once_and_while_the_program_runs() -> None:
    assert [finding.rule for finding in told(nn.Softmax(1))] == ["loss-on-probabilities"]


def test_a_sound_program_is_left_alone() -> None:
    assert told(nn.Identity()) == []
