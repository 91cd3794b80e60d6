"""Whether a program that is held on one batch memorises it: the curve of its loss, and where that comes to rest."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor

from assay.facts.fact import Absent, Place
from assay.facts.fact_set import FactSet
from assay.facts.overfit import Attempt, OverfitFacts
from assay.probe import Faults, user_place
from assay.tensors import first_tensor
from assay.traffic import Backward, Scored, Traffic
from assay.watching.capacity import too_small
from assay.watching.holding import Holding
from assay.watching.reachable import Reachable, reachable

LONGEST = 800
"""Steps in which a batch should be memorised, as the ladder's overfit stage allows."""

SHORTEST = 100
"""Steps of a curve that may be said to have come to rest."""

FALLING = 0.1
"""Share of what is left to go that a curve which still falls would go in as many steps as that, at its present pace."""

POINTS = 50
"""Values of a curve that are kept."""

PARTS = 64
"""Micro-batches into which a loss may be divided."""

BY_HAND = Absent("the loss is written by hand, or several are summed, so that its lowest value isn't known")


@dataclass(eq=False)
class Curve:
    """The values of one line's loss, and what it could come to.

    conflicting     examples whose equal inputs carry different labels
    """

    reachable: Reachable | Absent
    conflicting: int = 0
    values: list[float] = field(default_factory=list)

    def memorised_at(self) -> int | None:
        """The first step at which the loss was as low as it can be."""
        if isinstance(self.reachable, Absent):
            return None
        enough = self.reachable.target + self.reachable.tolerance
        return next((step for step, value in enumerate(self.values) if value <= enough), None)


class Memorising:
    """Follows the losses that a held program steps on."""

    name = "memorising"

    def __init__(self, faults: Faults, traffic: Traffic, holding: Holding) -> None:
        self._faults = faults
        self._traffic = traffic
        self._holding = holding
        self._pending: dict[tuple[Place | None, str], tuple[float, Reachable | Absent, int]] = {}
        self._curves: dict[tuple[Place | None, str], Curve] = {}
        self._rate = math.nan
        self._rows = 0
        self._small: str | None = None

    def attach(self) -> None:
        """Listen to losses, backward passes and steps."""
        for listeners, look in (
            (self._traffic.scored, self._scored), (self._traffic.began, self._began),
            (self._traffic.stepping, self._stepping),
        ):
            listeners.append(self._faults.contained(self.name, look))

    def detach(self) -> None:
        """Nothing of the program is kept."""
        self._pending.clear()

    def facts(self) -> FactSet:
        """The one attempt at memorising, or why there is no verdict on it."""
        found = self._verdict()
        if isinstance(found, Absent):
            return FactSet(absent={OverfitFacts: found})
        return FactSet.of(found)

    def _verdict(self) -> OverfitFacts | Absent:
        if not self._curves:
            return Absent("no backward pass from a single loss was seen")
        curves = sorted(self._curves.values(), key=lambda each: len(each.values), reverse=True)
        curve = curves[0]
        if sum(len(each.values) for each in curves[1:]) > len(curve.values) // 10:
            return Absent("the program steps on several losses, which may work against each other")
        if isinstance(curve.reachable, Absent):
            return Absent(f"{curve.reachable.why}; {_course(curve.values)}")
        at = curve.memorised_at()
        values = curve.values if at is None else curve.values[: at + 1]
        unsure = None if at is not None else unsure_of(values, curve.reachable, curve.conflicting) or self._small
        if unsure is not None:
            return Absent(f"{unsure}; {_course(values)}")
        attempt = Attempt(
            learning_rate=self._rate, steps=len(values) - 1, losses=thinned(values), accuracy=None,
        )
        return OverfitFacts(
            rows=self._rows, attempts=(attempt,), target=curve.reachable.target, tolerance=curve.reachable.tolerance,
            floors=curve.reachable.floors, conflicting=curve.conflicting,
        )

    def _scored(self, scored: Scored) -> None:
        held = self._holding.first
        if not scored.recorded or held is None or not isinstance(scored.value, Tensor) or scored.value.numel() != 1:
            return
        key = (user_place(), scored.name)
        if key in self._curves:
            self._pending[key] = float(scored.value.detach()), self._curves[key].reachable, 0
            return
        self._rows = held.rows
        limit, target = reachable(scored), scored.arguments.get("target")
        of_examples = isinstance(target, Tensor) and target.dim() and len(target) == held.rows
        conflicting = conflicts(held.batch, target) if isinstance(target, Tensor) and of_examples else -1
        self._pending[key] = float(scored.value.detach()), limit, conflicting

    def _began(self, backward: Backward) -> None:
        root = backward.roots[0] if isinstance(backward.roots, list | tuple) and backward.roots else backward.roots
        if backward.nested or backward.function != "backward" or not isinstance(root, Tensor) or root.numel() != 1:
            return
        value = float(root.detach())
        key, seen, limit, conflicting = (user_place(), "backward"), value, BY_HAND, 0
        for name, (scored, reached, doubled) in self._pending.items():
            if _is_part(value, scored):
                key, seen, limit, conflicting = name, scored, reached, doubled  # type: ignore[assignment]
        self._pending.clear()
        self._curves.setdefault(key, Curve(limit, conflicting)).values.append(seen)

    def _stepping(self, optimizer: Any) -> None:
        if math.isnan(self._rate):
            self._rate = float(optimizer.param_groups[0].get("lr", math.nan))
            held = self._holding.first
            inputs = first_tensor([held.batch]) if held is not None else None
            if inputs is not None:
                trained = [each for group in optimizer.param_groups for each in group["params"]]
                self._small = too_small(trained, rows=len(inputs), width=inputs[0].numel())


def _is_part(value: float, whole: float) -> bool:
    """Whether a backward pass began from this loss, or from it divided by a number of micro-batches."""
    if value == whole:
        return True
    parts = whole / value if value and math.isfinite(value) else math.nan
    return math.isfinite(parts) and 1 <= round(parts) <= PARTS and abs(parts - round(parts)) <= 1e-5 * parts


def unsure_of(values: list[float], limit: Reachable, conflicting: int) -> str | None:
    """Why a loss that isn't as low as it can be says nothing yet.

    conflicting     equal examples with different labels; -1 where the targets aren't one an example
    """
    if not all(map(math.isfinite, values)):
        return None
    if conflicting < 0:
        return "the loss is over places, words or nodes, whose lowest value isn't known"
    if conflicting:
        return f"{conflicting} examples of the batch are equal and carry different labels"
    if len(values) < SHORTEST:
        return f"{len(values)} steps are too few to tell: let it take more epochs"
    third = values[-(len(values) // 3):]
    half = len(third) // 2
    fallen = statistics.fmean(third[:half]) - statistics.fmean(third[half:])
    left = statistics.fmean(third[half:]) - limit.target - limit.tolerance
    if fallen / half * LONGEST >= FALLING * left:
        return f"the loss is still falling after {len(values)} steps: let it take more epochs"
    return None


def _course(values: list[float]) -> str:
    return f"the loss went from {values[0]:.4g} to {values[-1]:.4g} in {len(values) - 1} steps"


def thinned(values: list[float]) -> tuple[float, ...]:
    """Up to 50 of them, evenly spaced, the first and the last included."""
    if len(values) <= POINTS:
        return tuple(values)
    return tuple(values[round(i * (len(values) - 1) / (POINTS - 1))] for i in range(POINTS))


def conflicts(batch: Any, target: Tensor) -> int:
    """Examples whose inputs equal another's and whose target doesn't."""
    inputs = first_tensor([batch])
    if inputs is None or len(inputs) != len(target):
        return 0
    labels: dict[bytes, set[bytes]] = {}
    rows = [_bytes(row) for row in inputs]
    for row, label in zip(rows, target, strict=True):
        labels.setdefault(row, set()).add(_bytes(label))
    return sum(len(labels[row]) > 1 for row in rows)


def _bytes(row: Tensor) -> bytes:
    held: bytes = row.detach().cpu().contiguous().double().numpy().tobytes()
    return held
