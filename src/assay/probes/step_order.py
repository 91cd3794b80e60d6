"""The order of calls around an optimizer's step: what became of the gradients that a backward pass had filled.

Looked at on sampled steps, and whether the next one has gradients of its own; on all others backward passes and steps
are counted, and nothing else.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Any

import torch
from torch import nn
from torch.optim import Optimizer

from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.order import OrderFacts, OrderRecord
from assay.probe import Clock, Faults, Patches, after, place_of_making, user_place
from assay.traffic import Backward, Traffic

PROBED = 3
"""Gradients of each optimizer whose values are looked at: the smallest."""

DENSE = 8
"""Steps of each optimizer that are looked at besides the clock's: two optimizers share the clock's few."""

UNSTEPPED = 64
"""Backward passes that are looked at while an optimizer has taken no step."""

Sign = tuple[int, int, float]
"""What tells a gradient from another without keeping it: its address, how often it was written to, its sum."""


@dataclass(eq=False)
class Stepping:
    """One optimizer between two of its steps.

    stepped_at      how many backward passes had ended at its last step
    filled          a backward pass since then has left gradients other than zero
    signs           of gradients right after its last step, where that was looked at and had a backward pass of its own
    """

    reference: weakref.ref[Optimizer]
    kind: str
    place: Place | None = None
    step_place: Place | None = None
    clear_place: Place | None = None
    again_place: Place | None = None
    steps: int = 0
    seen: int = 0
    fills: int = 0
    cleared: int = 0
    empty: int = 0
    followed: int = 0
    again: int = 0
    shared_with: str | None = None
    shared: int = 0
    fed: int = 0
    written: list[tuple[int, float]] = field(default_factory=list)
    by_hand: bool = False
    stepped_at: int = 0
    began_at: int = -1
    filled: bool = False
    gone: bool = False
    bare: bool = False
    unfed: bool = False
    repeats: bool = False
    signs: list[Sign] = field(default_factory=list)

    def backward_ended(self, optimizer: Optimizer) -> None:
        """Note whether it left gradients, while the next step is one to look at."""
        self.filled = any(_nonzero(gradient) for gradient in _gradients(optimizer))
        if self.filled and not self.steps and self.fed < UNSTEPPED:
            self.fed += 1
            self._look_for_writes(optimizer)

    def _look_for_writes(self, optimizer: Optimizer) -> None:
        written = [_state(parameter) for parameter in _smallest(optimizer)]
        self.by_hand |= bool(self.written) and written != self.written
        self.written = written

    def begin(self, optimizer: Optimizer, backwards: int) -> None:
        """A step that is looked at begins: are its gradients still there, and are they new?"""
        gradients = _gradients(optimizer)
        self.began_at = backwards
        self.bare = not gradients
        self.gone = self.filled and not any(map(_nonzero, gradients))
        self.compare(gradients, backwards)

    def compare(self, gradients: list[torch.Tensor], backwards: int) -> None:
        """Are the gradients of the step that begins those of the step before?"""
        self.began_at = backwards
        self.unfed = self.steps > 0 and self.stepped_at == backwards
        self.repeats = self.unfed and bool(self.signs) and self.signs == [_sign(gradient) for gradient in gradients]

    def look_for_another(self, optimizer: Optimizer, latest: Stepping, backwards: int) -> None:
        """Whether the one that stepped last has stepped the same parameters with the gradients of the same pass."""
        other = latest.reference()
        if other is None or other is optimizer:
            return
        if latest.stepped_at == backwards == self.began_at and _share(optimizer, other):
            self.shared += 1
            self.shared_with = latest.kind

    def end(self, optimizer: Optimizer, backwards: int) -> None:
        """It has ended; of a closure that ran a backward pass within it only what it left is known."""
        gradients = _gradients(optimizer)
        self.seen += 1
        if self.began_at != backwards:
            self.empty += not gradients
        else:
            self.empty += self.bare
            self.fills += self.filled
            self.cleared += self.gone
        fed = not self.unfed or self.began_at != backwards
        self.follow(backwards)
        if fed:
            self.signs = [_sign(gradient) for gradient in gradients if _nonzero(gradient)]

    def follow(self, backwards: int) -> None:
        """It has ended: count it, if the step before it was looked at."""
        self.followed += bool(self.signs)
        if self.repeats and self.began_at == backwards:
            self.again += 1
            self.again_place = user_place()
        self.began_at = -1
        self.filled = self.unfed = self.repeats = False
        self.signs = []


class StepOrder:
    """Records the order of calls around the steps of each optimizer."""

    name = "step order"
    kinds: tuple[type[Fact], ...] = (OrderFacts,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._patches = Patches()
        self._stepping: dict[int, Stepping] = {}
        self._gone: list[Stepping] = []
        self._backwards = 0
        self._within = 0
        self._last: Stepping | None = None

    def attach(self) -> None:
        """Wrap the making of optimizers and the clearing of gradients; listen to backward passes and steps."""
        contained = partial(self._faults.contained, self.name)
        self._patches.replace(Optimizer, "__init__", partial(after, contained(self._made)))
        for owner in (Optimizer, nn.Module):
            self._patches.replace(owner, "zero_grad", partial(_before, contained(self._clearing)))
        self._traffic.ended.append(contained(self._backward_ended))
        self._traffic.stepping.append(contained(self._begins))
        self._traffic.stepped.append(contained(self._ends))

    def detach(self) -> None:
        """Put the originals back."""
        self._patches.restore()

    def facts(self) -> FactSet:
        """The optimizers in the order of their making."""
        everything = [*self._gone, *self._stepping.values()]
        if not everything:
            return FactSet(absent={OrderFacts: Absent("no optimizer was made", applicable=False)})
        return FactSet.of(OrderFacts(optimizers=tuple(map(_record, everything)), backwards=self._backwards))

    def _made(self, optimizer: Optimizer) -> None:
        self._find(optimizer).place = place_of_making(optimizer)

    def _find(self, optimizer: Optimizer) -> Stepping:
        found = self._stepping.get(id(optimizer))
        if found is None or found.reference() is not optimizer:
            if found is not None:  # another optimizer lived at this address before
                self._gone.append(found)
            found = self._stepping[id(optimizer)] = Stepping(weakref.ref(optimizer), type(optimizer).__name__)
        return found

    def _clearing(self, cleared: Any) -> None:
        """Gradients are about to be cleared: the line counts where it clears what a backward pass has just filled."""
        filled = [each for each in self._stepping.values() if each.filled]
        given = {id(parameter) for parameter in _parameters(cleared)} if filled else set()
        for each in filled:
            optimizer = each.reference()
            if optimizer is not None and any(id(parameter) in given for parameter in _parameters(optimizer)):
                each.clear_place = user_place()

    def _backward_ended(self, backward: Backward) -> None:
        if backward.nested:
            return
        self._backwards += 1
        if backward.function == "backward":
            looks = self._clock.looks
            for each in self._stepping.values():
                if (looks or each.steps < DENSE) and (each.steps or each.fed < UNSTEPPED):
                    optimizer = each.reference()
                    if optimizer is not None:
                        each.backward_ended(optimizer)

    def _begins(self, optimizer: Optimizer) -> None:
        self._within += 1
        if self._within == 1:
            each = self._find(optimizer)
            if self._clock.looks or each.steps < DENSE:
                each.begin(optimizer, self._backwards)
            elif each.signs:
                each.compare(_gradients(optimizer), self._backwards)

    def _ends(self, optimizer: Optimizer) -> None:
        self._within -= 1
        if self._within:  # an optimizer within another, which wraps it: one step
            return
        each = self._stepping.get(id(optimizer)) or self._find(optimizer)
        if self._clock.looks or each.steps < DENSE:
            if each.step_place is None:
                each.step_place = user_place()
            if self._last is not None:
                each.look_for_another(optimizer, self._last, self._backwards)
            each.end(optimizer, self._backwards)
        elif each.signs:
            each.follow(self._backwards)
        else:
            each.filled = False
        each.steps += 1
        each.stepped_at = self._backwards
        self._last = each


def _before(look: Any, original: Any) -> Any:
    """A method that first shows its object."""

    @wraps(original)
    def method(this: Any, *arguments: Any, **named: Any) -> Any:
        look(this)
        return original(this, *arguments, **named)

    return method


def _parameters(owner: Any) -> Iterator[torch.Tensor]:
    if isinstance(owner, Optimizer):
        for group in owner.param_groups:
            yield from group["params"]
    else:
        yield from owner.parameters()


def _smallest(optimizer: Optimizer) -> list[torch.Tensor]:
    return sorted(_parameters(optimizer), key=torch.Tensor.numel)[:PROBED]


def _gradients(optimizer: Optimizer) -> list[torch.Tensor]:
    """The smallest gradients that there are."""
    given = [parameter.grad for parameter in _parameters(optimizer) if parameter.grad is not None]
    return sorted(given, key=torch.Tensor.numel)[:PROBED]


def _nonzero(gradient: torch.Tensor) -> bool:
    return bool((gradient.coalesce().values() if gradient.is_sparse else gradient).any())


def _sign(gradient: torch.Tensor) -> Sign:
    dense = (gradient.coalesce().values() if gradient.is_sparse else gradient).detach()
    return dense.data_ptr(), gradient._version, float(dense.double().sum())  # noqa: SLF001  # counts writes in place


def _state(parameter: torch.Tensor) -> tuple[int, float]:
    """What differs once somebody has written to it: past its version counter (`.data`) too."""
    return parameter._version, float(parameter.detach().double().sum())  # noqa: SLF001  # counts writes in place


def _share(optimizer: Optimizer, other: Optimizer) -> bool:
    """Whether they hold a parameter in common that has a gradient."""
    held = {id(parameter) for parameter in _parameters(other)}
    common = (each for each in _parameters(optimizer) if id(each) in held and each.grad is not None)
    return any(_nonzero(each.grad) for each in common if each.grad is not None)


def _record(each: Stepping) -> OrderRecord:
    return OrderRecord(
        kind=each.kind, place=each.place, step_place=each.step_place, clear_place=each.clear_place,
        again_place=each.again_place, steps=each.steps, seen=each.seen, filled=each.fills, cleared=each.cleared,
        empty=each.empty, followed=each.followed, again=each.again, shared_with=each.shared_with, shared=each.shared,
        fed=each.fed, by_hand=each.by_hand,
    )
