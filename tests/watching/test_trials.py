"""Trials on copies: what they tell, what they leave alone, and that the program can't notice them."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from assay.facts.fact import Absent
from assay.traffic import Traffic
from assay.watching.copies import copied, unnoticed
from assay.watching.mixing import Arguments, evaluate_pass_twice, mix_pass
from assay.watching.regrouping import Regrouping

SEEN: list[float] = []


class Noting(nn.Module):
    """Writes to a list of the program's."""

    def forward(self, inputs: Tensor) -> Tensor:
        SEEN.append(float(inputs.sum()))
        return inputs


class Drawing(nn.Module):
    """Draws from a stream of the program's, by way of a function."""

    def forward(self, inputs: Tensor) -> Tensor:
        return inputs + _noise()


STREAM = np.random.default_rng(0)


def _noise() -> float:
    return float(STREAM.normal())


class Counting(nn.Module):
    """Counts its own calls."""

    def __init__(self) -> None:
        super().__init__()
        self.calls = 0

    def forward(self, inputs: Tensor) -> Tensor:
        self.calls += 1
        print("called")
        return inputs * 2


class Named(nn.Module):
    """Takes a mask by name and gives a dictionary."""

    def forward(self, tokens: Tensor, mask: Tensor | None = None) -> dict[str, Tensor]:
        kept = tokens if mask is None else tokens * mask
        return {"scores": kept.float().cumsum(0 if self.training else 1)}


@pytest.mark.parametrize("module", [Noting(), Drawing()])
def test_what_reaches_out_is_not_run(module: nn.Module) -> None:
    assert isinstance(copied(module), Absent)


def test_a_hook_of_the_program_is_not_run() -> None:
    module = nn.Linear(2, 2)
    module.register_forward_hook(lambda *_: SEEN.append(1.0))
    assert isinstance(copied(module), Absent)


def test_a_trial_goes_unnoticed(capsys: pytest.CaptureFixture[str]) -> None:
    module = Counting().train()
    states = torch.get_rng_state(), random.getstate()
    with unnoticed(Traffic()):
        copy = copied(module)
        assert isinstance(copy, nn.Module)
        torch.rand(3)
        random.random()
        evaluate_pass_twice(copy, Arguments((torch.ones(4, 2),), {}, 4))
    assert module.calls == 0
    assert module.training
    assert torch.equal(torch.get_rng_state(), states[0])
    assert random.getstate() == states[1]
    assert capsys.readouterr().out == ""


def test_tokens_masks_and_dictionaries_are_exchanged_together() -> None:
    tokens, mask = torch.randint(0, 9, (16, 5)), torch.ones(16, 5, dtype=torch.long)
    found = mix_pass(Named().eval(), Arguments((tokens,), {"mask": mask}, 16))
    assert not isinstance(found, Absent)
    assert found.moved == ()
    mixing = mix_pass(Named().train(), Arguments((tokens,), {"mask": mask}, 16))
    assert not isinstance(mixing, Absent)
    assert mixing.moved
    assert mixing.operation == "cumsum"


def test_the_operation_that_brings_chance_in_is_named() -> None:
    found = evaluate_pass_twice(nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.5)).train(),
                                Arguments((torch.randn(8, 3),), {}, 8))
    assert not isinstance(found, Absent)
    assert found.operation == "dropout"


def test_rows_in_other_company_are_examples() -> None:
    data, book = torch.randn(48, 5), Regrouping()
    shown = [book.shows(data[rows]) for _ in range(2) for rows in torch.randperm(48).split(12)]
    assert not any(shown[:4])
    assert any(shown[4:])


def test_rows_that_stay_together_are_none() -> None:
    data, whole, windows = torch.randn(60, 5), Regrouping(), Regrouping()
    assert not any(whole.shows(data[rows]) for _ in range(3) for rows in torch.arange(60).split(12))
    assert not any(windows.shows(data[start : start + 20]) for start in torch.randint(0, 40, (30,)).tolist())
    words = Regrouping()
    assert not any(words.shows(nn.functional.one_hot(torch.randint(0, 6, (12,)), 6)) for _ in range(20))
