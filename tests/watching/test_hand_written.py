"""Autograd functions written by hand: which are tried, and that trying them leaves no trace."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from assay.facts.fact import Absent
from assay.facts.gradients import WrittenBackward, WrittenBackwards
from assay.watching.session import recording

CALLS: list[int] = []


class Square(torch.autograd.Function):
    """Right."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 2 * x * gradients[0]


class Halved(Square):
    """Half of what it should be."""

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        (x,) = ctx.saved_tensors
        return x * gradients[0]


class Counted(Square):
    """Its forward writes down that it was called."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        CALLS.append(len(x))
        ctx.save_for_backward(x)
        return x * x


class Noisy(Square):
    """Draws."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x * x + torch.rand_like(x)


def seen_of(function: Any, *, grad: bool = True) -> WrittenBackward | Absent:
    x = torch.randn(7, 3, generator=torch.Generator().manual_seed(0), requires_grad=grad)
    with recording() as seen:
        function.apply(x).sum()
        function.apply(x).sum()
    assert not seen.broken
    found = seen.facts().find(WrittenBackwards)
    if isinstance(found, Absent):
        return found
    assert isinstance(found, WrittenBackwards)
    (one,) = found.functions
    return one


def test_a_right_backward_agrees_everywhere() -> None:
    one = seen_of(Square)
    assert isinstance(one, WrittenBackward)
    assert (one.entries, one.differing, one.why) == (12, 0, None)
    assert one.place is not None
    assert one.place.file.endswith("test_hand_written.py")


def test_a_wrong_backward_differs_by_its_factor() -> None:
    one = seen_of(Halved)
    assert isinstance(one, WrittenBackward)
    assert one.differing == one.entries > 0
    assert one.written == pytest.approx(one.measured / 2, rel=1e-4)


def test_a_function_that_reaches_out_or_draws_is_not_judged() -> None:
    CALLS.clear()
    one = seen_of(Counted)
    assert isinstance(one, WrittenBackward)
    assert "CALLS" in str(one.why)
    assert CALLS == [7, 7]
    other = seen_of(Noisy)
    assert isinstance(other, WrittenBackward)
    assert other.why == "two equal calls of it differ"


def test_what_asks_for_no_gradient_is_not_tried_and_the_original_comes_back() -> None:
    original = vars(torch.autograd.Function)["apply"]
    assert isinstance(seen_of(Square, grad=False), Absent)
    assert vars(torch.autograd.Function)["apply"] is original


def test_nothing_is_drawn() -> None:
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    seen_of(Halved)
    assert torch.equal(torch.rand(3), expected)
