"""Layers outside of the model that calls them: in a plain list, a dictionary or a closure, where nothing finds them."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from assay.at_hand import names_in
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.structure import OutsideLayer, OutsideLayers
from assay.parameter_book import ParameterBook, ParameterNote
from assay.probe import Clock, Faults, user_frames
from assay.traffic import Inner, Made, Pass, Traffic
from assay.weak_identity import IdentityDict

KEPT = 64
"""Outside layers that are kept."""

SUMMED = 1 << 20
"""Numbers of one layer whose sum is compared to see whether they change; of larger ones, as many."""

FRAMES = 3
"""Running functions of the user's, innermost first, among which a method of a model may be the caller."""


@dataclass(eq=False)
class Seen:
    """What is known of one outside layer; `notes` are of its trainable parameters, `owners` of its model's."""

    module: weakref.ref[nn.Module]
    owner: weakref.ref[nn.Module]
    kind: str
    model: str
    place: Place | None
    held: str
    alone: bool
    numbers: int
    notes: list[ParameterNote]
    owners: list[ParameterNote]
    total: float
    changed: bool = False
    evaluating: bool = False


class Outside:
    """Listens to the calls of layers on the steps that the clock looks at."""

    name = "outside layers"
    kinds: tuple[type[Fact], ...] = (OutsideLayers,)

    def __init__(self, clock: Clock, faults: Faults, book: ParameterBook, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._book = book
        self._traffic = traffic
        self._places: IdentityDict[nn.Module, Place | None] = IdentityDict()
        self._members: IdentityDict[nn.Module, set[int]] = IdentityDict()
        self._known: IdentityDict[nn.Module, Seen] = IdentityDict()
        self._all: list[Seen] = []
        self._models = 0

    def attach(self) -> None:
        """Listen to the making and the calls of modules, and to steps."""
        for event, look in (
            ("made", self._made), ("inner", self._inner), ("passed", self._passed), ("stepped", self._stepped),
        ):
            self._traffic.listeners(event).append(self._faults.contained(self.name, look))

    def detach(self) -> None:
        """It has nothing in the program to take away."""

    def facts(self) -> FactSet:
        """Every outside layer so far."""
        if not self._models:
            return FactSet(absent={OutsideLayers: Absent("no model was called on a sampled step", applicable=False)})
        return FactSet.of(OutsideLayers(layers=tuple(map(_record, self._all)), models=self._models))

    def _made(self, made: Made) -> None:
        self._places[made.module] = made.place

    def _inner(self, call: Inner) -> None:
        if self._traffic.running is not None and call.recorded:
            self._look_at(self._traffic.running, call.module)

    def _passed(self, passed: Pass) -> None:
        if not self._clock.looks or not passed.recorded:
            return
        for _, frame in zip(range(FRAMES), user_frames(), strict=False):
            code = frame.f_code
            owner = names_in(frame).get(code.co_varnames[0]) if code.co_argcount else None
            if isinstance(owner, nn.Module) and owner is not passed.module:
                for module in passed.module.modules():
                    self._look_at(owner, module)
                return

    def _look_at(self, owner: nn.Module, module: nn.Module) -> None:
        if not module._parameters or owner is module:  # noqa: SLF001  # its own; what it holds is called by itself
            return
        known = self._known.get(module)
        if known is not None:
            known.evaluating |= not module.training
            return
        if id(module) in self._members.get(owner, ()):
            return
        self._models += owner not in self._members
        members = self._members[owner] = set(map(id, owner.modules()))
        trainable = [each for each in module.parameters(recurse=False) if each.requires_grad]
        if id(module) in members or not trainable or len(self._all) >= KEPT:
            return
        held, alone = _holder(owner, module)
        self._known[module] = seen = Seen(
            weakref.ref(module), weakref.ref(owner), type(module).__name__, type(owner).__name__,
            self._places.get(module), held, alone, sum(each.numel() for each in trainable),
            [self._book.note(each) for each in trainable], [self._book.note(each) for each in owner.parameters()],
            _total(module), evaluating=not module.training,
        )
        self._all.append(seen)

    def _stepped(self, _: Any) -> None:
        if not self._clock.looks:
            return
        for seen in self._all:
            module = seen.module()
            if module is not None and not seen.changed:
                seen.changed = _total(module) != seen.total


def _record(seen: Seen) -> OutsideLayer:
    return OutsideLayer(
        model=seen.model, kind=seen.kind, place=seen.place, held=seen.held, alone=seen.alone, numbers=seen.numbers,
        trained=seen.changed or any(note.optimised or note.loaded or note.moved for note in seen.notes),
        reached=any(note.reached for note in seen.notes), evaluating=seen.evaluating,
        model_trained=any(note.optimised for note in seen.owners),
    )


def _total(module: nn.Module) -> float:
    """A sum that changes when values do, though some be swapped."""
    total = 0.0
    with torch.no_grad():
        for parameter in module.parameters(recurse=False):
            values = parameter.detach().flatten()[:SUMMED].double()
            total += float((values * torch.arange(1, len(values) + 1, device=values.device)).sum())
    return total


def _holder(owner: nn.Module, module: nn.Module) -> tuple[str, bool]:
    """The attribute of the model, or of one of its parts, that holds the layer, and whether it holds nothing else."""
    for path, part in owner.named_modules():
        for name, value in vars(part).items():
            if name.startswith("_") and isinstance(value, dict) and name in HOUSEKEEPING:
                continue
            held = list(_modules_in(value))
            if any(module is each or any(module is inner for inner in each.modules()) for each in held):
                return ".".join(filter(None, (path, name))), len(held) == 1
    return "", False


HOUSEKEEPING = frozenset(name for name, value in vars(nn.Module()).items() if isinstance(value, dict))
"""The dictionaries that every module has."""


def _modules_in(value: Any, depth: int = 0) -> Iterator[nn.Module]:
    """The modules in a container, and in containers within it."""
    if isinstance(value, nn.Module):
        yield value
    elif isinstance(value, dict) and depth < 3:
        for each in value.values():
            yield from _modules_in(each, depth + 1)
    elif isinstance(value, list | tuple | set) and depth < 3:
        for each in value:
            yield from _modules_in(each, depth + 1)
