"""Saves: which state dicts went stale before they were used, and what a load had in common with its module."""

from __future__ import annotations

import copy
import io

import torch
from torch import nn

from assay.facts.fact import Absent
from assay.facts.resumes import ReloadFacts
from assay.facts.saves import SavesFacts
from assay.watching.session import Recording, recording


def train(model: nn.Module, optimizer: torch.optim.Optimizer, steps: int = 2) -> None:
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.ones(4, 3)).square().mean().backward()
        optimizer.step()


def made() -> tuple[nn.Module, torch.optim.Optimizer]:
    model = nn.Linear(3, 1)
    return model, torch.optim.Adam(model.parameters(), lr=0.1)


def saves(seen: Recording) -> SavesFacts:
    facts = seen.facts().find(SavesFacts)
    assert isinstance(facts, SavesFacts), facts
    return facts


def test_a_kept_state_dict_that_moved_on_restores_nothing() -> None:
    with recording() as seen:
        model, optimizer = made()
        kept = model.state_dict()
        train(model, optimizer)
        model.load_state_dict(kept)
    assert [(alias.use, alias.step, alias.later) for alias in saves(seen).aliases] == [("restored", 0, 2)]


def test_views_of_it_are_the_same_memory() -> None:
    with recording() as seen:
        model, optimizer = made()
        kept = {name: value.view_as(value) for name, value in model.state_dict().items()}
        train(model, optimizer)
        model.load_state_dict(kept)
    assert [alias.use for alias in saves(seen).aliases] == ["restored"]


def test_copies_and_uses_at_once_are_fresh() -> None:
    with recording() as seen:
        model, optimizer = made()
        kept = copy.deepcopy(model.state_dict())
        train(model, optimizer)
        torch.save(model.state_dict(), io.BytesIO())
        model.load_state_dict(kept)
        nn.Linear(3, 1).load_state_dict(model.state_dict())
    assert saves(seen).aliases == ()


def test_a_load_that_raises_counts_for_nothing() -> None:
    with recording() as seen:
        model, _ = made()
        try:
            model.load_state_dict({"module.weight": torch.zeros(1, 3)})
        except RuntimeError:
            model.load_state_dict({"weight": torch.zeros(1, 3), "bias": torch.zeros(1)})
    assert [(load.given, load.matched) for load in saves(seen).loads] == [(2, 2)]


def test_a_program_that_keeps_nothing_has_no_such_facts() -> None:
    with recording() as seen:
        train(*made())
    for kind in (SavesFacts, ReloadFacts):
        absent = seen.facts().find(kind)
        assert isinstance(absent, Absent)
        assert not absent.applicable


def resumed(*entries: str) -> ReloadFacts:
    """What is seen of a job that saves everything, and of one that loads these entries and trains on."""
    with recording() as seen:
        model, optimizer = made()
        train(model, optimizer)
        file = io.BytesIO()
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, file)
        file.seek(0)
        checkpoint = torch.load(file)
        model, optimizer = made()
        for name, part in {"model": model, "optimizer": optimizer}.items():
            if name in entries:
                part.load_state_dict(checkpoint[name])
        train(model, optimizer)
    facts = seen.facts().find(ReloadFacts)
    assert isinstance(facts, ReloadFacts)
    return facts


def test_a_resume_without_the_optimizer_is_told_from_one_with_it() -> None:
    (without,) = resumed("model").resumes
    assert (without.held, without.continues, without.held_steps, without.restored) == (True, True, 2, False)
    (complete,) = resumed("model", "optimizer").resumes
    assert (complete.held, complete.restored) == (False, True)
    assert resumed().resumes == ()
