"""Wrappers that keep replicas alike: whether training goes through them, and whether they know what is trained.

Nothing is hooked before a process group of several ranks is there. From then on the making and the forward of
DistributedDataParallel and `all_reduce` are wrapped; steps are looked at as the clock says.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel
from torch.optim import Optimizer

from assay.facts.distributed import RankWrappers, WrapperFacts, WrapperRecord
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.probe import Faults, Patches, after, place_of_making, user_place
from assay.process_group import ALONE, NUMBERS_OF_A_SCORE, hearing, once_grouped, rank, reduced_place
from assay.traffic import Pass, Traffic

WRAPPERS = 16
REDUCED = 4096
"""Gradients that are remembered as reduced by the program between two steps."""

NAMED = 5

State = Literal["trained", "frozen", "ignored"]
"""Of a parameter when its module was wrapped; a wrapper keeps only the trained ones alike."""


@dataclass(eq=False)
class Wrapped:
    """What is known of one wrapper.

    module      what it wraps
    known       its parameters as they were when it was made, by identity
    synced      since the last step: a pass through it was recorded, or the program reduced gradients by itself
    past        since the last step: where a part of it was called past it
    """

    module: weakref.ref[nn.Module]
    place: Place | None
    known: dict[int, tuple[weakref.ref[Tensor], State]]
    ranks: int
    steps: int = 0
    bypassed: int = 0
    bypass: Place | None = None
    replaced: tuple[str, ...] = ()
    thawed: tuple[str, ...] = ()
    synced: bool = False
    past: Place | None = None

    def state(self, parameter: Tensor) -> State | None:
        """What the parameter was when its module was wrapped; None where it wasn't there."""
        reference, state = self.known.get(id(parameter), (None, None))
        return state if reference is not None and reference() is parameter else None

    def count(self) -> None:
        """A step that the clock looks at was taken on its parameters."""
        self.steps += 1
        if self.past is not None and not self.synced:
            self.bypassed += 1
            self.bypass = self.bypass or self.past

    def forget(self) -> None:
        """A new step begins."""
        self.synced, self.past = False, None


class Wrappers:
    """Records every DistributedDataParallel."""

    name = "wrappers"
    kinds: tuple[type[Fact], ...] = (WrapperFacts,)

    def __init__(self, faults: Faults, traffic: Traffic) -> None:
        self._contained = partial(faults.contained, self.name)
        self._traffic = traffic
        self._patches = Patches()
        self._rank: tuple[int, int] | None = None
        self._wrapped: list[Wrapped] = []
        self._reduced: set[int] = set()

    def attach(self) -> None:
        """Wait for a process group."""
        once_grouped(self._patches, self._contained(self._begin))

    def detach(self) -> None:
        """Put the originals back."""
        self._patches.restore()

    def facts(self) -> FactSet:
        """Wrappers of this rank."""
        if self._rank is None:
            return FactSet(absent={WrapperFacts: Absent(ALONE, applicable=False)})
        number, world = self._rank
        records = tuple(
            WrapperRecord(
                place=each.place, ranks=each.ranks, steps=each.steps, bypassed=each.bypassed, bypass=each.bypass,
                replaced=each.replaced, thawed=each.thawed,
            ) for each in self._wrapped
        )
        return FactSet.of(WrapperFacts(ranks=(RankWrappers(number=number, world=world, wrappers=records),)))

    def _begin(self) -> None:
        if self._rank is not None or rank() is None:
            return
        self._rank = rank()
        entering, reducing = self._contained(partial(_entering, self._wrapped)), self._contained(self._reducing)
        self._patches.replace(DistributedDataParallel, "__init__", partial(after, self._contained(self._made)))
        self._patches.replace(DistributedDataParallel, "forward", partial(hearing, entering))
        self._patches.replace(dist, "all_reduce", partial(hearing, reducing))

    def _made(self, wrapper: DistributedDataParallel) -> None:
        if not self._wrapped:
            self._traffic.sampled.passed.append(self._contained(self._passed))
            self._traffic.sampled.stepping.append(self._contained(self._step_begins))
            self._traffic.stepped.append(self._contained(self._step_ended))
        if len(self._wrapped) < WRAPPERS:
            ignored = set(wrapper.parameters_to_ignore)
            known = {id(each): (weakref.ref(each), _state(each, ignored=name in ignored))
                     for name, each in wrapper.module.named_parameters()}
            ranks = dist.get_world_size(wrapper.process_group)
            self._wrapped.append(Wrapped(weakref.ref(wrapper.module), place_of_making(wrapper), known, ranks))

    def _reducing(self, tensor: Any, named: dict[str, Any]) -> None:
        place = reduced_place(tensor, named)
        if place is not None and len(self._reduced) < REDUCED:
            self._reduced.add(place)
            if tensor.numel() > NUMBERS_OF_A_SCORE:
                for each in self._wrapped:
                    each.synced = True

    def _passed(self, passed: Pass) -> None:
        """A module was called by the program: is it a part of a wrapped one?"""
        if not passed.recorded or not passed.training:
            return
        for each in self._wrapped:
            module = each.module()
            if each.past is None and module is not None and any(part is passed.module for part in module.modules()):
                each.past = user_place()

    def _step_begins(self, optimizer: Optimizer) -> None:
        for each, module in _of(optimizer, self._wrapped):
            unknown = [
                (name, parameter) for name, parameter in module.named_parameters()
                if parameter.grad is not None and parameter.grad.data_ptr() not in self._reduced
                and not any(other.state(parameter) in ("trained", "ignored") for other in self._wrapped)
            ]
            thawed = tuple(name for name, parameter in unknown if each.state(parameter) == "frozen")
            replaced = tuple(name for name, parameter in unknown if each.state(parameter) is None)
            each.thawed, each.replaced = each.thawed or thawed[:NAMED], each.replaced or replaced[:NAMED]
            each.count()

    def _step_ended(self, optimizer: Optimizer) -> None:
        for each, _ in _of(optimizer, self._wrapped):
            each.forget()
        self._reduced.clear()


def _entering(wrapped: list[Wrapped], wrapper: DistributedDataParallel, _: dict[str, Any]) -> None:
    if torch.is_grad_enabled():
        for each in wrapped:
            each.synced |= each.module() is wrapper.module


def _of(optimizer: Optimizer, wrapped: list[Wrapped]) -> Iterator[tuple[Wrapped, nn.Module]]:
    """The wrappers of whose modules this optimizer holds a parameter."""
    held = {id(parameter) for group in optimizer.param_groups for parameter in group["params"]}
    for each in wrapped:
        module = each.module()
        if module is not None and any(id(parameter) in held for parameter in module.parameters()):
            yield each, module


def _state(parameter: Tensor, *, ignored: bool) -> State:
    if ignored:
        return "ignored"
    return "trained" if parameter.requires_grad else "frozen"
