"""Which passes count as scored in training mode, and that nothing of the following is left behind."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from assay.facts.fact import Absent
from assay.facts.modes import ScoredInTraining, ScoringFacts
from assay.watching.session import recording

X, Y = torch.randn(24, 4), torch.randint(0, 3, (24,))

SCORES: dict[str, Callable[[nn.Module], object]] = {
    "compared with labels": lambda model: (model(X).argmax(1) == Y).sum(),
    "torch's own function": lambda model: (torch.argmax(model(X), dim=1) == Y).float().mean(),
    "through data": lambda model: (torch.max(model(X).data, 1)[1] == Y).sum(),
    "a loss": lambda model: F.cross_entropy(model(X), Y),
    "for a library": lambda model: torch.argmax(model(X), 1).numpy(),
    "an error by hand": lambda model: torch.mean((model(X) - torch.ones(24, 3)) ** 2).item(),
}
NOT_SCORES: dict[str, Callable[[nn.Module], object]] = {
    "unused": lambda model: model(X),
    "confident": lambda model: (model(X).softmax(1).max(1).values > 0.9).sum(),
    "losses of examples": lambda model: F.cross_entropy(model(X), Y, reduction="none").argsort(),
    "averaged": lambda model: (torch.stack([model(X) for _ in range(4)]).mean(0).argmax(1) == Y).sum(),
    "summed": lambda model: (sum(model(X).softmax(1) for _ in range(3)).argmax(1) == Y).sum(),
    "exported scores": lambda model: model(X).numpy(),
}


def network() -> nn.Module:
    return nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 3))


def scored(use: Callable[[nn.Module], object], *, model: nn.Module | None = None) -> tuple[ScoredInTraining, ...]:
    model = model or network()
    with recording() as seen:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(2):
            F.cross_entropy(model(X), Y).backward()
            optimizer.step()
            optimizer.zero_grad()
        with torch.no_grad():
            use(model)
    assert not seen.broken
    facts = seen.facts().find(ScoringFacts)
    assert isinstance(facts, ScoringFacts)
    return facts.scored


@pytest.mark.parametrize("name", SCORES)
def test_scored(name: str) -> None:
    (found,) = scored(SCORES[name])
    assert found.active == ("1",)
    assert found.place is not None
    assert found.place.file.endswith("test_scoring.py")


@pytest.mark.parametrize("name", NOT_SCORES)
def test_not_scored(name: str) -> None:
    assert scored(NOT_SCORES[name]) == ()


def test_evaluation_mode_and_modes_that_change_nothing_are_silent() -> None:
    assert scored(lambda model: F.cross_entropy(model.eval()(X), Y)) == ()
    assert scored(SCORES["a loss"], model=nn.Linear(4, 3)) == ()
    assert scored(SCORES["a loss"], model=nn.Sequential(nn.Linear(4, 3), nn.Dropout(0.0))) == ()


def test_methods_are_as_pytorch_made_them() -> None:
    before, long = {name: value for name, value in vars(Tensor).items() if callable(value)}, torch.long
    scored(SCORES["a loss"])
    assert {name: value for name, value in vars(Tensor).items() if callable(value)} == before
    assert torch.long is long
    assert type(torch.argmax).__name__ == "builtin_function_or_method"


def test_a_program_that_trains_nothing_has_nothing_to_score() -> None:
    with recording() as seen:
        network()(X)
    absent = seen.facts().find(ScoringFacts)
    assert isinstance(absent, Absent)
    assert not absent.applicable
