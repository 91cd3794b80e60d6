"""Clipping: which lines clip gradients, whether before the step that uses them, and how often it changes anything."""

from __future__ import annotations

import inspect
import math
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Any

import torch
from torch.amp import GradScaler
from torch.nn.utils import clip_grad
from torch.optim import Optimizer

from assay.facts.clipping import ClippingFacts, ClipRecord
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.probe import Clock, Faults, Patches, after, user_place
from assay.traffic import Backward, Traffic

NORMS = 32
"""Norms that are kept of each line that clips."""


@dataclass(eq=False)
class Line:
    """One line that clips; the fields are ClipRecord's."""

    function: str
    place: Place | None
    limit: float
    seen: int = 0
    late: int = 0
    scaled: int = 0
    norms: list[float] = field(default_factory=list)


@dataclass(eq=False)
class Used:
    """When an optimizer last used its gradients: backward passes so far at its last step and at the one before.

    unscaled    the same when a gradient scaler last unscaled them; `scaler`: it is stepped by one
    """

    reference: weakref.ref[Optimizer]
    last: int = -1
    former: int = -1
    unscaled: int = -1
    scaler: bool = False


@dataclass(eq=False)
class Uses:
    """The optimizers that have used gradients."""

    known: dict[int, Used] = field(default_factory=dict)

    def of(self, optimizer: Optimizer) -> Used:
        """That of one optimizer."""
        used = self.known.get(id(optimizer))
        if used is None or used.reference() is not optimizer:
            used = self.known[id(optimizer)] = Used(weakref.ref(optimizer))
        return used

    def holding(self, parameters: list[torch.Tensor]) -> Used | None:
        """That of the optimizer that has used the gradients of these parameters."""
        given = {id(parameter) for parameter in parameters}
        for used in self.known.values():
            optimizer = used.reference()
            if optimizer is not None and any(id(each) in given for each in _parameters(optimizer)):
                return used
        return None


class Clipping:
    """Records every line that clips gradients."""

    name = "clipping"
    kinds: tuple[type[Fact], ...] = (ClippingFacts,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._patches = Patches()
        self._backwards = 0
        self._scaled = -1
        self._used = Uses()
        self._lines: dict[tuple[Place | None, str], Line] = {}

    def attach(self) -> None:
        """Wrap the functions that clip and what scales gradients; listen to backward passes and steps."""
        contained = partial(self._faults.contained, self.name)
        for function in ("clip_grad_norm_", "clip_grad_value_"):
            watched = partial(_watched, self._clock, contained(self._clipped))
            self._patches.replace_held(torch.nn.utils, function, watched)
            self._patches.replace(clip_grad, function, partial(_instead, getattr(torch.nn.utils, function)))
        self._patches.replace(GradScaler, "scale", partial(after, contained(self._scaling)))
        self._patches.replace(GradScaler, "unscale_", partial(_given, contained(self._unscaled)))
        self._patches.replace(GradScaler, "step", partial(_given, contained(self._scaler_steps)))
        self._traffic.ended.append(contained(self._backward_ended))
        self._traffic.stepped.append(contained(self._stepped))

    def detach(self) -> None:
        """Put the originals back."""
        self._patches.restore()

    def facts(self) -> FactSet:
        """The lines in the order in which they were met."""
        if not self._lines:
            return FactSet(absent={ClippingFacts: Absent("no gradients are clipped", applicable=False)})
        return FactSet.of(ClippingFacts(clips=tuple(ClipRecord(
            function=line.function, place=line.place, limit=line.limit, seen=line.seen, late=line.late,
            scaled=line.scaled, norms=tuple(line.norms),
        ) for line in self._lines.values())))

    def _backward_ended(self, backward: Backward) -> None:
        if not backward.nested:
            self._backwards += 1

    def _stepped(self, optimizer: Optimizer) -> None:  # on every step, so it does next to nothing
        used = self._used.of(optimizer)
        used.former, used.last = used.last, self._backwards

    def _scaling(self, scaler: GradScaler) -> None:
        if scaler.is_enabled():
            self._scaled = self._backwards

    def _unscaled(self, scaler: GradScaler, optimizer: Optimizer) -> None:
        if scaler.is_enabled():
            self._used.of(optimizer).unscaled = self._backwards

    def _scaler_steps(self, scaler: GradScaler, optimizer: Optimizer) -> None:
        self._used.of(optimizer).scaler |= scaler.is_enabled()

    def _clipped(self, name: str, given: Any, limit: Any, norm: Any) -> None:
        used = self._used.holding([given] if isinstance(given, torch.Tensor) else given)
        if used is None:
            return
        place = user_place()
        line = self._lines.setdefault((place, name), Line(name, place, float(limit)))
        line.seen += 1
        spent = used.last == self._backwards
        line.late += spent and used.last > max(used.former, 0)
        line.scaled += used.scaler and not spent and self._scaled >= used.last and used.unscaled != self._backwards
        if isinstance(norm, torch.Tensor) and len(line.norms) < NORMS and math.isfinite(value := float(norm)):
            line.norms.append(value)


def _parameters(optimizer: Optimizer) -> Iterator[torch.Tensor]:
    for group in optimizer.param_groups:
        yield from group["params"]


def _watched(clock: Clock, look: Any, original: Any) -> Any:
    """A function that clips; on the steps that the clock looks at it shows what it was given and what it gave."""
    is_compiling = torch.compiler.is_compiling
    signature = inspect.signature(original)
    limit = list(signature.parameters)[1]

    @wraps(original)
    def clip(*arguments: Any, **named: Any) -> Any:
        if is_compiling() or not clock.looks:
            return original(*arguments, **named)
        try:
            given = signature.bind(*arguments, **named).arguments
        except TypeError:  # raised again by the function itself, in its own words
            return original(*arguments, **named)
        if isinstance(given["parameters"], Iterator):  # which can be read only once
            given["parameters"] = list(given["parameters"])
        norm = original(**given)
        look(original.__name__, given["parameters"], given[limit], norm)
        return norm

    return clip


def _instead(replacement: Any, _: Any) -> Any:
    return replacement


def _given(look: Any, original: Any) -> Any:
    """A method that first shows its object and its first argument."""

    @wraps(original)
    def method(this: Any, given: Any, *arguments: Any, **named: Any) -> Any:
        look(this, given)
        return original(this, given, *arguments, **named)

    return method
