"""Whether an example's output depends on another example, or on chance, and by which operation.

The model's copy runs on a few rows of a real batch. One row is replaced by another of the same batch, so that ids,
masks and ranges stay valid, and the outputs of all other rows should be what they were. If they aren't, both runs are
compared operation by operation: the first whose result differs in more than that row's share is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from assay.facts.fact import Absent
from assay.facts.interventions import BatchMixing, EvaluateTwice
from assay.tensors import tensors_in
from assay.watching.copies import mapped
from assay.watching.operations import ROUNDING, culprit

ROWS = (13, 11, 17, 7, 19, 5, 3)
"""Rows that are tried: a number that divides no other length, so that an axis of that length is the examples'."""


@dataclass
class Arguments:
    """What a pass was given, and how many rows of it are examples."""

    positional: tuple[Any, ...]
    named: dict[str, Any]
    rows: int

    def cut(self, rows: int, *, first: int = 0) -> Arguments:
        """The same for as many rows, the first of them replaced by the row at `first`."""
        chosen = [first, *range(1, rows)]

        def change(tensor: Tensor) -> Tensor:
            return tensor[chosen] if tensor.dim() and len(tensor) == self.rows else tensor

        named = {key: mapped(value, change) for key, value in self.named.items()}
        return Arguments(tuple(mapped(each, change) for each in self.positional), named, rows)

    def tensors(self) -> Iterator[Tensor]:
        """All tensors."""
        return tensors_in((self.positional, self.named))


def mix_pass(module: nn.Module, arguments: Arguments) -> BatchMixing | Absent:
    """Replace one example of a pass and see which other rows of the output move.

    module      a copy, in evaluation mode; within `unnoticed`
    """
    rows = _rows(arguments)
    if rows is None:
        return Absent("too few examples, or as many as another axis is long: rows can't be told apart")
    small = arguments.cut(rows)
    other = _another(arguments)
    if other is None:
        return Absent("the examples of the batch are all the same")
    changed = arguments.cut(rows, first=other)
    before, again, after = (_output(module, given, rows) for given in (small, small, changed))
    if before is None or again is None or after is None:
        return Absent("the output has no row for each example")
    if rows in before.shape[1:]:
        return Absent("the output compares the examples with each other")
    if not torch.equal(before, again):
        return Absent("the outputs differ between two equal calls, so nothing can be said about their dependence")
    spread = float(before.std())
    movement = (after - before).abs().reshape(rows, -1).amax(1)
    movement[0] = 0
    moved = torch.nonzero(movement > ROUNDING * max(spread, 1e-12)).flatten().tolist()
    operation, place = culprit(module, small, changed, partial(_first_of, rows)) if moved else (None, None)
    return BatchMixing(
        rows=rows, changed=0, moved=tuple(moved), largest=float(movement.max()), spread=spread,
        model=type(module).__name__, operation=operation, place=place,
    )


def evaluate_pass_twice(module: nn.Module, arguments: Arguments) -> EvaluateTwice | Absent:
    """Run a pass twice as it is, and name the first operation whose result differs.

    module      a copy, in evaluation mode; within `unnoticed`
    """
    outputs = [_floats(module(*arguments.positional, **arguments.named)) for _ in range(2)]
    first, second = outputs
    if first is None or second is None or first.shape != second.shape or not first.numel():
        return Absent("the outputs of two equal calls can't be compared")
    if not bool(first.isfinite().all()):
        return Absent("the outputs aren't finite")
    difference = float((first - second).abs().max())
    spread = float(first.std()) if first.numel() > 1 else float(first.abs().max())
    operation, place = culprit(module, arguments, arguments, _never) if difference > 0 else (None, None)
    return EvaluateTwice(
        rows=arguments.rows, largest_difference=difference, spread=spread, model=type(module).__name__,
        operation=operation, place=place,
    )


def _floats(output: object) -> Tensor | None:
    found = next((each for each in tensors_in(output) if each.is_floating_point()), None)
    return None if found is None else found.float()


def _rows(arguments: Arguments) -> int | None:
    lengths = [length for tensor in arguments.tensors() for length in tensor.shape[1:]]
    others = [len(tensor) for tensor in arguments.tensors() if tensor.dim() and len(tensor) != arguments.rows]
    fitting = (rows for rows in ROWS if rows <= arguments.rows and all(each % rows for each in [*lengths, *others]))
    return next(fitting, None)


def _another(arguments: Arguments) -> int | None:
    """A row that differs from the first one in some tensor."""
    of_rows = [tensor for tensor in arguments.tensors() if tensor.dim() and len(tensor) == arguments.rows]
    differing = (row for row in range(arguments.rows - 1, 0, -1)
                 if any(not torch.equal(tensor[row], tensor[0]) for tensor in of_rows))
    return next(differing, None)


def _output(module: nn.Module, given: Arguments, rows: int) -> Tensor | None:
    output = module(*given.positional, **given.named)
    fitting = (each for each in tensors_in(output) if each.dim() and len(each) == rows and each.is_floating_point())
    found = next(fitting, None)
    return None if found is None else found.float()


def _first_of(rows: int, differs: Tensor) -> bool:
    """Whether nothing but the share of the first row differs, along whichever axis the rows lie."""
    where = torch.nonzero(differs)
    for axis, length in enumerate(differs.shape):
        if length % rows == 0:
            indices, block = where[:, axis], length // rows
            if bool((indices < block).all()) or bool((indices % rows == 0).all()):
                return True
    return False


def _never(_: Tensor) -> bool:
    """No difference is expected at all."""
    return False
