"""Whether an example's output depends on another example, or on chance, and by which operation.

The model's copy runs on a few rows of a real batch. One row is replaced by another of the same batch, so that ids,
masks and ranges stay valid, and the outputs of all other rows should be what they were. If they aren't, both runs are
compared operation by operation: the first whose result differs in more than that row's share is named.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode, resolve_name

from assay.facts.fact import Absent, Place
from assay.facts.interventions import BatchMixing, EvaluateTwice
from assay.probe import user_place
from assay.tensors import tensors_in
from assay.watching.copies import mapped

ROUNDING = 1e-4
"""Relative to the outputs' spread. Single precision rounds at 6e-8; sums over some thousand terms in another order
reach 1e-6, and a row that depends on another moves by a sizeable part of the spread."""

ROWS = (13, 11, 17, 7, 19, 5, 3)
"""Rows that are tried: a number that divides no other length, so that an axis of that length is the examples'."""

KEPT = 1 << 22
"""Numbers of the first run's intermediate results that are kept for the second: 16 MB."""


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
    operation, place = _culprit(module, small, changed, rows=rows) if moved else (None, None)
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
    difference = float((first - second).abs().max())
    spread = float(first.std()) if first.numel() > 1 else float(first.abs().max())
    operation, place = _culprit(module, arguments, arguments, rows=None) if difference > 0 else (None, None)
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


@dataclass
class Operations(TorchFunctionMode):
    """Runs operations and looks at each result, in order."""

    rows: int | None
    results: list[Tensor | None] = field(default_factory=list)
    before: list[Tensor | None] | None = None
    found: tuple[str, Place | None] | None = None

    def __post_init__(self) -> None:
        super().__init__()
        self._number = 0
        self._room = KEPT

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if isinstance(result, Tensor | tuple | list):
            for tensor in tensors_in(result):
                self._look(func, tensor)
        return result

    def _look(self, func: Any, result: Tensor) -> None:
        if self.before is None:
            self._room -= result.numel()
            self.results.append(result.detach().clone() if self._room > 0 else None)
            return
        before = self.before[self._number] if self._number < len(self.before) else None
        self._number += 1
        if self.found is None and before is not None and not _apart(before, result, self.rows):
            name = (resolve_name(func) or getattr(func, "__name__", "")).rpartition(".")[2]
            self.found = name.strip("_"), user_place()


def _culprit(
    module: nn.Module, before: Arguments, after: Arguments, *, rows: int | None,
) -> tuple[str | None, Place | None]:
    """The first operation whose result differs in more than one row's share, and the user's line that calls it.

    rows    how many rows the examples' axis has; None where no difference is expected at all
    """
    with contextlib.suppress(Exception):  # a model that can't run under such a look keeps its operation to itself
        first = Operations(rows)
        with first:
            module(*before.positional, **before.named)
        second = Operations(rows, before=first.results)
        with second:
            module(*after.positional, **after.named)
        if second.found is not None:
            return second.found
    return None, None


def _apart(before: Tensor, after: Tensor, rows: int | None) -> bool:
    """Whether two results differ in nothing but the share of the first row, along whichever axis the rows lie."""
    if before.shape != after.shape:
        return True  # of a size that depends on the values
    if before.is_floating_point():
        tolerance = ROUNDING * float(before.float().std()) if before.numel() > 1 else 0.0
        differs = (after - before).abs() > max(tolerance, 1e-12)
    else:
        differs = after != before
    if not bool(differs.any()):
        return True
    if rows is None:
        return False
    where = torch.nonzero(differs)
    for axis, length in enumerate(before.shape):
        if length % rows == 0:
            indices, block = where[:, axis], length // rows
            if bool((indices < block).all()) or bool((indices % rows == 0).all()):
                return True
    return False
