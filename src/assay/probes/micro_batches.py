"""Micro-batches: the backward passes between two steps, how their losses are scaled, and what is cleared between them.

Gradients are followed on one small parameter of each optimizer, known from its first step on.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor
from torch.optim import Optimizer

from assay.accumulation_code import guarded, rate_divided
from assay.autograd_graph import below, operation, shape_of
from assay.facts.accumulation import AccumulationFacts, Interval
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.probe import Clock, Faults, user_place
from assay.tensors import tensors_in
from assay.traffic import Backward, Pass, Scored, Traffic

INTERVALS = 32
"""Intervals that are kept of a run."""

PASSES = 256
"""Backward passes of one interval that are looked at; more are only counted."""

DIRECTION, PART = 8, 4096
"""Numbers that make a direction worth comparing, and the most that are compared."""

PARALLEL = 1e-4
"""Relative difference that rounding leaves between a gradient and a scaled copy of it, in half precision a part."""

MEAN = 1
"""How PyTorch's loss nodes number the reduction to a mean; 2 is the sum."""

KEY = "assay micro-batches"
"""The key under which a loss function's result is known in the graph."""


@dataclass(eq=False)
class Open:
    """What happened since the last step."""

    step: int
    passes: int = 0
    places: set[Place | None] = field(default_factory=set)
    losses: set[Place | None] = field(default_factory=set)
    forward: int = 0
    forward_tensors: int = 0
    unscaled: int = 0
    rows: list[int | None] = field(default_factory=list)
    cleared: dict[int, int] = field(default_factory=dict)
    differentiated: bool = False


@dataclass(eq=False)
class Followed:
    """One optimizer: its number, and a small parameter of its own."""

    reference: weakref.ref[Optimizer]
    number: int
    parameter: weakref.ref[Tensor] | None = None

    def gradient(self) -> Tensor | None:
        """The gradient of its small parameter, as it is now."""
        parameter = self.parameter() if self.parameter is not None else None
        return None if parameter is None else parameter.grad


@dataclass(eq=False)
class Gradients:
    """The optimizers whose gradients are followed, and what the last backward pass that was looked at left of each."""

    clock: Clock
    followed: dict[int, Followed] = field(default_factory=dict)
    left: dict[int, Tensor] = field(default_factory=dict)

    def ended(self, backward: Backward) -> None:
        """A backward pass has ended."""
        if not self.clock.looks or backward.function == "grad":
            return
        for followed in self.followed.values():
            if (gradient := followed.gradient()) is not None:
                self.left[followed.number] = _part(gradient).clone()


class MicroBatches:
    """Records the intervals between steps that the clock looks at."""

    name = "micro-batches"
    kinds: tuple[type[Fact], ...] = (AccumulationFacts,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._gradients = Gradients(clock)
        self._open: Open | None = None
        self._stepping = False
        self._intervals: list[Interval] = []

    def attach(self) -> None:
        """Listen to passes, losses, backward passes and steps."""
        sampled = self._traffic.sampled
        for listeners, look in (
            (sampled.passed, self._passed), (sampled.scored, self._scored),
            (sampled.began, self._began), (sampled.ended, self._gradients.ended),
            (sampled.stepping, self._step_begins), (sampled.stepped, self._step_ended),
        ):
            listeners.append(self._faults.contained(self.name, look))

    def detach(self) -> None:
        """It has nothing in the program to take away."""
        self._open, self._gradients.left = None, {}

    def facts(self) -> FactSet:
        """The intervals so far."""
        if not self._gradients.followed:
            return FactSet(absent={AccumulationFacts: Absent("no optimizer took a step", applicable=False)})
        return FactSet.of(AccumulationFacts(intervals=tuple(self._intervals), schedule=self._clock.schedule))

    def _now(self) -> Open | None:
        """What is noted of the interval that runs, None where it isn't looked at."""
        if not self._clock.looks or len(self._intervals) >= INTERVALS:
            return None
        if self._open is None:
            self._open = Open(self._clock.steps)
        return self._open

    def _passed(self, passed: Pass) -> None:
        if (now := self._now()) is not None and passed.recorded:
            now.forward += 1
            given = sum(1 for _ in tensors_in((passed.arguments, passed.named)))
            now.forward_tensors = max(now.forward_tensors, given)

    def _scored(self, scored: Scored) -> None:
        if (now := self._now()) is None or not scored.recorded or now.passes >= PASSES:
            return
        now.losses.add(user_place())
        target = scored.arguments.get("target")
        now.rows.append(target.shape[0] if isinstance(target, Tensor) and target.dim() else None)
        scored.value.grad_fn.metadata[KEY] = True

    def _began(self, backward: Backward) -> None:
        if (now := self._now()) is None or backward.nested:
            return
        if backward.function == "grad" or self._stepping:  # a closure clears and steps by rules of its own
            now.differentiated = True
            return
        now.passes += 1
        if now.passes > PASSES:
            return
        now.places.add(user_place())
        root = backward.roots
        now.unscaled += isinstance(root, Tensor) and root.dim() == 0 and _unscaled(root.grad_fn)
        for followed in self._gradients.followed.values():
            gradient = followed.gradient()
            if gradient is None or not bool(gradient.any()):
                now.cleared[followed.number] = now.cleared.get(followed.number, 0) + 1

    def _step_begins(self, optimizer: Optimizer) -> None:
        self._stepping = True
        if not self._clock.looks:
            return
        followed = _find(self._gradients.followed, optimizer)
        now, self._open = self._open, None
        if now is not None and now.passes and not now.differentiated and len(self._intervals) < INTERVALS:
            self._intervals.append(_closed(now, followed, optimizer, self._gradients.left.get(followed.number)))
        self._gradients.left = {}

    def _step_ended(self, _: Optimizer) -> None:
        self._stepping = False
        self._open = None


def _find(known: dict[int, Followed], optimizer: Optimizer) -> Followed:
    """What is followed of this optimizer, a parameter with a gradient if there is one."""
    followed = known.get(id(optimizer))
    if followed is None or followed.reference() is not optimizer:
        number = 1 + max((each.number for each in known.values()), default=-1)  # one that lived here before has its own
        followed = known[id(optimizer)] = Followed(weakref.ref(optimizer), number)
    if followed.gradient() is None:
        held = [each for group in optimizer.param_groups for each in group["params"] if each.grad is not None]
        dense = [each for each in held if not each.grad.is_sparse]
        large = [each for each in dense if each.numel() >= DIRECTION]
        chosen = min(large or dense, key=Tensor.numel, default=None)
        followed.parameter = None if chosen is None else weakref.ref(chosen)
    return followed


def _closed(now: Open, followed: Followed, optimizer: Optimizer, left: Tensor | None) -> Interval:
    place = next(iter(now.places)) if len(now.places) == 1 else None
    step_place = user_place()
    rows = [each for each in now.rows if each is not None]
    return Interval(
        optimizer=followed.number, kind=type(optimizer).__name__, step=now.step, passes=now.passes, place=place,
        step_place=step_place, forward=now.forward, forward_tensors=now.forward_tensors, unscaled=now.unscaled,
        rows=min(rows, default=None), losses=len(now.losses), cleared=now.cleared.get(followed.number, 0),
        ratio=_ratio(followed.gradient(), left),
        guarded=place is not None and step_place is not None and guarded(step_place, place),
        rate_divided=step_place is not None and rate_divided(step_place.file),
    )


def _part(gradient: Tensor) -> Tensor:
    return gradient.detach().flatten()[:PART]


def _ratio(gradient: Tensor | None, left: Tensor | None) -> float | None:
    """How long a gradient is against an earlier one of the same direction; None where the direction differs."""
    if gradient is None or left is None or not bool(left.any()):
        return None
    now, before = _part(gradient).double(), left.double()
    if now.shape != before.shape:  # the parameter that was followed is gone, and another one is
        return None
    ratio = float(now.norm() / before.norm())
    return ratio if bool((now - ratio * before).norm() <= PARALLEL * now.norm()) else None


def _unscaled(node: Any) -> bool:
    """Whether a mean or a loss function's result reaches the root with sums alone between."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if current is None:
            continue
        name = operation(current)
        if current.metadata.get(KEY) or name == "Mean":
            reduced = getattr(current, "_saved_reduction", MEAN)
            if reduced == MEAN:
                return True
        elif name in ("Add", "Sub") and shape_of(current) == ():
            waiting += below(current)
    return False
