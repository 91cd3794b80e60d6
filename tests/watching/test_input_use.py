"""When a trained model counts as one that doesn't use its inputs, and where it loses them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from assay.facts.fact import Absent
from assay.facts.interventions import InputUse
from assay.watching.session import recording

ROWS = torch.randn(24, 4)


class Through(nn.Module):
    """Two layers with something between them."""

    def __init__(self, between: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self.between = between
        self.first, self.second = nn.Linear(4, 6), nn.Linear(6, 1)

    def forward(self, rows: Tensor) -> Tensor:
        output: Tensor = self.second(self.between(self.first(rows)))
        return output


def use(model: nn.Module, *, steps: int = 8, rows: Tensor = ROWS) -> InputUse | Absent:
    with recording() as seen:
        optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
        for _ in range(steps):
            optimizer.zero_grad()
            model(rows).square().mean().backward()
            optimizer.step()
    assert not seen.broken
    found = seen.facts().find(InputUse)
    assert isinstance(found, InputUse | Absent)
    return found


@pytest.mark.parametrize(("between", "operation"), [
    (torch.zeros_like, "zeros_like"), (lambda hidden: torch.relu(-hidden.abs()), "relu"),
    (lambda hidden: hidden * 0, "mul"), (lambda hidden: torch.ones(len(hidden), 6), "linear"),
    (lambda hidden: hidden - hidden.detach(), None),
])
def test_inputs_that_are_lost(between: Callable[[Tensor], Tensor], operation: str | None) -> None:
    found = use(Through(between))
    if operation is None:  # a sum or a difference may hide what depends on inputs, so that nothing is said
        assert isinstance(found, Absent)
        return
    assert isinstance(found, InputUse)
    assert (found.moves, found.varies, found.operation) == (False, False, operation)
    assert found.place is not None
    assert found.place.file.endswith("test_input_use.py")


@pytest.mark.parametrize("between", [torch.tanh, nn.Dropout(0.5), nn.Identity(), lambda hidden: hidden.cumsum(0)])
def test_inputs_that_are_used(between: Callable[[Tensor], Tensor]) -> None:
    found = use(Through(between))
    assert isinstance(found, InputUse)
    assert found.moves


@pytest.mark.parametrize("model", [
    Through(lambda hidden: (hidden * 1e-9).round()), Through(lambda hidden: torch.sigmoid(hidden * 0 + 1e3 + hidden)),
    Through(lambda hidden: hidden.argmax(1, keepdim=True).clamp(max=0).expand(-1, 6).float()),
], ids=["rounded", "sure", "chosen"])
def test_what_a_sound_model_may_do_for_a_while(model: nn.Module) -> None:
    assert isinstance(use(model), Absent)


def test_models_that_are_not_trained_yet_or_given_equal_rows_are_not_tried() -> None:
    assert isinstance(use(Through(torch.zeros_like), steps=4), Absent)
    assert isinstance(use(Through(torch.zeros_like), rows=torch.ones(24, 4)), Absent)
