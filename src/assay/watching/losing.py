"""Where a model loses its inputs: the operation after which nothing depends on them any more.

Two runs of a copy are compared, on inputs that differ and with equal outputs. What differs is followed from operation
to operation, until one makes something equal of it, or nobody uses it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode, resolve_name

from assay.facts.fact import Place
from assay.probe import place_in, user_place
from assay.tensors import tensors_in
from assay.watching.operations import KEPT, Call

MATRICES = frozenset({
    "addmm", "baddbmm", "bmm", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "einsum",
    "embedding", "gru", "linear", "lstm", "matmul", "mm", "multi_head_attention_forward", "rnn_relu", "rnn_tanh",
})
"""Operations of layers that learn from inputs: a model without any is a constant by design."""


CHOOSING = frozenset({
    "argmax", "argmin", "argsort", "bernoulli", "bucketize", "multinomial", "one_hot", "searchsorted", "sign",
})
"""Operations that make whole numbers of values."""


@dataclass(frozen=True)
class Lost:
    """Where the inputs are lost.

    operation, place    the one that loses them; None where none was given them
    at                  how many results came before
    dropped             its own result depends on them, but is used no further
    chosen              it, or one before, chose among values (the nearest code, the largest score), which may have come
                        to the same for all
    """

    operation: str | None
    place: Place | None
    at: int = 0
    dropped: bool = False
    chosen: bool = False


@dataclass
class Following(TorchFunctionMode):
    """Runs operations: keeps their results in the first run, follows what differs in the second."""

    before: list[Tensor | None] | None = None
    results: list[Tensor | None] = field(default_factory=list)
    differing: dict[int, Tensor] = field(default_factory=dict)
    unused: dict[int, Lost] = field(default_factory=dict)
    lost: Lost | None = None
    learns: bool = False
    chosen: bool = False

    def __post_init__(self) -> None:
        super().__init__()
        self._number = 0
        self._room = KEPT

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run one operation."""
        result = func(*args, **(kwargs or {}))
        if isinstance(result, Tensor | tuple | list):
            made = list(tensors_in(result))
            if made:
                self._look(func, list(tensors_in((args, kwargs or {}))), made)
        return result

    def _look(self, func: Any, given: list[Tensor], made: list[Tensor]) -> None:
        name = (resolve_name(func) or getattr(func, "__name__", "")).rpartition(".")[2].strip("_")
        self.learns |= name in MATRICES
        if self.before is None:
            for tensor in made:
                self._room -= tensor.numel()
                self.results.append(tensor.detach().clone() if self._room > 0 else None)
            return
        took = [each for each in given if id(each) in self.differing]
        differ = [self._differs(tensor) for tensor in made]
        self.chosen |= bool(took) and name in CHOOSING
        for each in took:
            self.unused.pop(id(each), None)
        if any(differ):
            self.differing |= {id(each): each for each in made}
            self.unused[id(made[0])] = Lost(name, user_place(), self._number, dropped=True)
        elif took:
            for each in made:  # in place, what differed before may do so no more
                self.differing.pop(id(each), None)
            self.lost = Lost(name, user_place(), self._number)

    def _differs(self, tensor: Tensor) -> bool:
        before = self.before[self._number] if self.before and self._number < len(self.before) else None
        self._number += 1
        return before is not None and (before.shape != tensor.shape or not torch.equal(before, tensor))


def where_lost(module: nn.Module, before: Call, after: Call) -> Lost | None:
    """Where two calls with other inputs and the same outputs lose them; None where it can't be told.

    module      a copy, in evaluation mode; within `unnoticed`
    """
    with contextlib.suppress(Exception):  # a model that can't run under such a look
        first = Following()
        with first:
            module(*before.positional, **before.named)
        if not first.learns or any(result is None for result in first.results):
            return None
        second = Following(before=first.results, differing={id(each): each for each in _changed(before, after)})
        with second:
            module(*after.positional, **after.named)
        # The last in the order of the run: what was lost before, on the way to a mask, led nowhere by itself.
        ends = [*second.unused.values(), *([second.lost] if second.lost else [])]
        last = max(ends, key=lambda each: each.at, default=Lost(None, _forward(module)))
        return replace(last, chosen=second.chosen)
    return None


def _changed(before: Call, after: Call) -> Iterator[Tensor]:
    old = tensors_in((before.positional, before.named))
    return (new for old, new in zip(old, tensors_in((after.positional, after.named)), strict=True) if new is not old)


def _forward(module: nn.Module) -> Place | None:
    code = getattr(type(module).forward, "__code__", None)
    return place_in(code.co_filename, code.co_firstlineno) if code is not None else None
