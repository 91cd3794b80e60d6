"""Which models count as stuck in evaluation mode."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from assay.facts.fact import Absent
from assay.facts.modes import TrainedInEvaluation, TrainingModeFacts
from assay.watching.session import recording

X, Y = torch.randn(24, 4), torch.randn(24)
Train = Callable[[nn.Module], None]


def stuck(program: Callable[[nn.Module, Train], None], *, probability: float = 0.5) -> tuple[TrainedInEvaluation, ...]:
    model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(probability), nn.Linear(8, 1), nn.Flatten(0))
    with recording() as seen:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

        def train(each: nn.Module) -> None:
            for _ in range(3):
                optimizer.zero_grad()
                nn.functional.mse_loss(each(X), Y).backward()
                optimizer.step()

        program(model, train)
    assert not seen.broken
    facts = seen.facts().find(TrainingModeFacts)
    assert isinstance(facts, TrainingModeFacts)
    return facts.stuck


def never_back(model: nn.Module, train: Train) -> None:
    for _ in range(3):
        train(model)
        model.eval()
        with torch.no_grad():
            model(X)


def back_again(model: nn.Module, train: Train) -> None:
    for _ in range(3):
        model.train()
        train(model)
        model.eval()
        with torch.no_grad():
            model(X)


def second_phase(model: nn.Module, train: Train) -> None:
    train(model)
    with torch.no_grad():
        model(X)
    model.eval()
    train(model)


def test_a_model_that_was_evaluated_and_not_switched_back() -> None:
    (found,) = stuck(never_back)
    assert (found.model, found.before, found.steps, found.inactive) == ("Sequential", 3, 6, ("1",))
    assert found.switched is not None
    assert found.place is not None


def test_models_that_are_switched_back_or_for_a_phase_or_have_nothing_to_switch() -> None:
    assert stuck(back_again) == ()
    assert stuck(second_phase) == ()
    assert stuck(never_back, probability=0.0) == ()


def test_the_switch_is_as_pytorch_made_it() -> None:
    before = nn.Module.train
    stuck(back_again)
    assert nn.Module.train is before


def test_a_program_that_trains_nothing() -> None:
    with recording() as seen:
        nn.Linear(4, 1)(X)
    found = seen.facts().find(TrainingModeFacts)
    assert isinstance(found, Absent)
    assert not found.applicable
