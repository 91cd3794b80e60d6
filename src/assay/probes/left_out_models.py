"""Whole models that no optimizer holds, in a row with one that is trained: an encoder, a head, a loss's weights."""

from __future__ import annotations

import weakref
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn

from assay.at_hand import name_of
from assay.autograd_graph import walk
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.structure import LeftOutModel, LeftOutModels
from assay.parameter_book import ParameterBook, ParameterNote
from assay.probe import Clock, Faults, user_frames
from assay.tensors import tensors_in
from assay.traffic import Made, Pass, Traffic
from assay.weak_identity import IdentityDict

KEY = "assay: model"
"""The key, in a graph node's metadata, of the model that put its value out."""

WALKED = 2_000
"""Nodes below what a model is given among which the output of another is searched."""

MODELS = 64
"""Models that are followed."""

SUMMED = 1 << 18
"""Numbers of one parameter whose sum is compared to see whether they change."""


@dataclass(eq=False)
class Called:
    """A model that the program calls; `given_by` are those whose output it was given."""

    module: weakref.ref[nn.Module]
    name: str
    kind: str
    place: Place | None
    notes: list[ParameterNote]
    numbers: int
    total: float
    given_by: set[int] = field(default_factory=set)
    training: bool = True
    changed: bool = False


class LeftOut:
    """Listens to models and steps on the steps that the clock looks at."""

    name = "left out models"
    kinds: tuple[type[Fact], ...] = (LeftOutModels,)

    def __init__(self, clock: Clock, faults: Faults, book: ParameterBook, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._book = book
        self._traffic = traffic
        self._places: IdentityDict[nn.Module, Place | None] = IdentityDict()
        self._known: IdentityDict[nn.Module, int] = IdentityDict()
        self._all: list[Called] = []

    def attach(self) -> None:
        """Listen."""
        for event, look in (("made", self._made), ("passed", self._passed), ("stepped", self._stepped)):
            self._traffic.listeners(event).append(self._faults.contained(self.name, look))

    def detach(self) -> None:
        """It holds nothing of the program but weak references."""

    def facts(self) -> FactSet:
        """The models that no optimizer holds and that stand in a row with one that it does."""
        if not self._all:
            return FactSet(absent={LeftOutModels: Absent("no model was trained", applicable=False)})
        trained = [any(note.optimised for note in each.notes) for each in self._all]
        records = []
        for number, each in enumerate(self._all):
            partners = [
                (other, number in self._all[other].given_by) for other in range(len(self._all))
                if trained[other] and (other in each.given_by or number in self._all[other].given_by)
            ]
            if partners and not trained[number] and each.training:
                records.append(_record(each, self._all[partners[0][0]], partners[0][1]))
        return FactSet.of(LeftOutModels(models=tuple(records), trained=sum(trained)))

    def _made(self, made: Made) -> None:
        self._places[made.module] = made.place

    def _passed(self, passed: Pass) -> None:
        if not self._clock.looks or not passed.recorded:
            return
        number: int | None = self._known.get(passed.module)
        if number is None:
            number = self._begin(passed.module)
        if number is None:
            return
        called = self._all[number]
        called.training &= passed.training
        nodes: list[Any] = [given.grad_fn for given in tensors_in((passed.arguments, passed.named))]
        for count, node in enumerate(walk([node for node in nodes if node is not None])):
            mark = node.metadata.get(KEY)
            if mark is not None and mark != number:
                called.given_by.add(mark)
            if count > WALKED:
                break
        for output in tensors_in(passed.output):
            made_by: Any = output.grad_fn
            if made_by is not None:
                made_by.metadata[KEY] = number

    def _begin(self, module: nn.Module) -> int | None:
        trainable = [each for each in module.parameters() if each.requires_grad]
        if not trainable or len(self._all) >= MODELS:
            return None
        notes = [self._book.note(each) for each in trainable]
        self._known[module] = len(self._all)
        self._all.append(Called(
            weakref.ref(module), name_of(module, user_frames()), type(module).__name__, self._places.get(module), notes,
            sum(each.numel() for each in trainable), _total(module),
        ))
        return self._known[module]

    def _stepped(self, _: Any) -> None:
        if not self._clock.looks:
            return
        for each in self._all:
            module = each.module()
            if module is not None and not each.changed and not any(note.optimised for note in each.notes):
                each.changed = _total(module) != each.total


def _total(module: nn.Module) -> float:
    total = 0.0
    with torch.no_grad():
        for parameter in module.parameters():
            if not parameter.is_sparse and not parameter.is_meta:
                total += float(parameter.detach().flatten()[:SUMMED].double().sum())
    return total


def _record(each: Called, partner: Called, before: bool) -> LeftOutModel:
    return LeftOutModel(
        name=each.name or each.kind, kind=each.kind, place=each.place, partner=partner.kind, before=before,
        numbers=each.numbers, reached=all(note.reached for note in each.notes),
        changed=each.changed or any(note.loaded or note.moved for note in each.notes),
    )
