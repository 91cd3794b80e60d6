"""Comparing two runs of a model operation by operation, to name the one that lets a change through."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode, resolve_name

from assay.facts.fact import Place
from assay.probe import user_place
from assay.tensors import tensors_in

ROUNDING = 1e-4
"""Relative to the spread of what is compared. Single precision rounds at 6e-8; sums over some thousand terms in another
order reach 1e-6, and a real dependence moves values by a sizeable part of the spread."""

KEPT = 1 << 22
"""Numbers of the first run's intermediate results that are kept for the second: 16 MB."""

Expected = Callable[[Tensor], bool]
"""Whether a difference may lie where it does: given True for each entry that differs."""


class Call(Protocol):
    """What a model is called with."""

    positional: tuple[Any, ...]
    named: dict[str, Any]


@dataclass
class Operations(TorchFunctionMode):
    """Runs operations and looks at each result, in order: keeps it, or compares it with the one kept before."""

    expected: Expected
    results: list[Tensor | None] = field(default_factory=list)
    before: list[Tensor | None] | None = None
    found: tuple[str, Place | None] | None = None

    def __post_init__(self) -> None:
        super().__init__()
        self._number = 0
        self._room = KEPT

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run one operation."""
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
        if self.found is None and before is not None and before.shape == result.shape:
            differs = differing(before, result)
            if bool(differs.any()) and not self.expected(differs):
                name = (resolve_name(func) or getattr(func, "__name__", "")).rpartition(".")[2]
                self.found = name.strip("_"), user_place()


def culprit(module: nn.Module, before: Call, after: Call, expected: Expected) -> tuple[str | None, Place | None]:
    """The first operation whose results differ otherwise than expected, and the user's line that calls it."""
    with contextlib.suppress(Exception):  # a model that can't run under such a look keeps its operation to itself
        first = Operations(expected)
        with first:
            module(*before.positional, **before.named)
        second = Operations(expected, before=first.results)
        with second:
            module(*after.positional, **after.named)
        if second.found is not None:
            return second.found
    return None, None


def differing(before: Tensor, after: Tensor) -> Tensor:
    """Which entries differ by more than rounding."""
    if not before.is_floating_point():
        return before != after
    finite = before.float().masked_fill(~before.isfinite(), 0.0)
    tolerance = ROUNDING * float(finite.std()) if before.numel() > 1 else 0.0
    return torch.nan_to_num(after - before).abs() > max(tolerance, 1e-12)
