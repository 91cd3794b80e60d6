"""Modules: which models the program has, what the user calls their parameters, and what became of each of these.

Modules are noted as they are made, copied or loaded, and held weakly. Models are those that are nobody's child. Their
parameters are listed on sampled steps, while they are alive; what the other probes noted in the book joins the names.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from torch import nn
from torch.nn.modules.batchnorm import _NormBase

from assay.facts.fact import Absent, Fact, Place, Unknown
from assay.facts.fact_set import FactSet
from assay.facts.model import ModelFacts, ModelRecord, ParameterKind, ParameterRecord
from assay.parameter_book import ParameterBook, ParameterNote
from assay.probe import Clock, Faults, Patches, after, place_of_making
from assay.traffic import Made, Pass, Traffic

NORMS = (
    _NormBase, nn.LayerNorm, nn.GroupNorm, nn.LocalResponseNorm, nn.RMSNorm,
)
COMPILED = "_orig_mod"
"""The step that torch.compile puts into names, which the user didn't write."""

MODELS = 64
"""Models that are kept; of a program that makes more, the last."""


@dataclass(eq=False)
class Listed:
    """A model when it was last looked at."""

    reference: weakref.ref[nn.Module]
    kind: str
    place: Place | None
    parameters: list[tuple[str, ParameterNote, tuple[int, ...], bool]]


class Modules:
    """Records the program's models and their parameters."""

    name = "modules"
    kinds: tuple[type[Fact], ...] = (ModelFacts,)

    def __init__(self, clock: Clock, faults: Faults, book: ParameterBook, traffic: Traffic) -> None:
        self._clock = clock
        self._traffic = traffic
        self._faults = faults
        self._book = book
        self._patches = Patches()
        self._made: dict[int, tuple[weakref.ref[nn.Module], Place | None]] = {}
        self._listed: dict[int, Listed] = {}

    def attach(self) -> None:
        """Wrap the making, copying and loading of modules; look at them when an optimizer steps."""
        for method, copied in (("__init__", False), ("__setstate__", True)):
            noted = self._faults.contained(self.name, partial(self._note, copied))
            self._patches.replace(nn.Module, method, partial(after, noted))
        loaded = partial(after, self._faults.contained(self.name, self._loaded))
        self._patches.replace(nn.Module, "load_state_dict", loaded)
        self._traffic.sampled.stepping.append(self._faults.contained(self.name, self._stepping))
        self._traffic.sampled.passed.append(self._faults.contained(self.name, self._passed))

    def detach(self) -> None:
        """Put the originals back and look a last time."""
        self._patches.restore()
        self._faults.contained(self.name, self._list)()

    def facts(self) -> FactSet:
        """Every model that had parameters when it was last looked at."""
        if not self._listed:
            return FactSet(absent={ModelFacts: Absent("no module with parameters was made", applicable=False)})
        return FactSet.of(ModelFacts(models=tuple(_record(each, self._book) for each in self._listed.values())))

    def _note(self, copied: bool, module: nn.Module) -> None:
        if self._traffic.silent:
            return  # a copy of our own
        place = place_of_making(module)
        self._made[id(module)] = (weakref.ref(module), place)
        for look in tuple(self._traffic.made):
            look(Made(module=module, place=place, copied=copied))

    def _passed(self, passed: Pass) -> None:
        """Note a model that was made before the watch, and its parts: nobody knows where."""
        if id(passed.module) not in self._made:
            for module in passed.module.modules():
                self._made.setdefault(id(module), (weakref.ref(module), None))

    def _loaded(self, module: nn.Module) -> None:
        for parameter in module.parameters():
            self._book.note(parameter).loaded = True

    def _stepping(self, _: Any) -> None:
        if self._clock.looks:
            self._list()

    def _alive(self) -> Iterator[tuple[nn.Module, Place | None]]:
        for key, (reference, place) in list(self._made.items()):
            module = reference()
            if module is None:
                del self._made[key]
            else:
                yield module, place

    def _list(self) -> None:
        alive = list(self._alive())
        children = {id(child) for module, _ in alive for child in vars(module).get("_modules", {}).values()}
        for module, place in alive:
            if id(module) in children:
                self._listed.pop(id(module), None)
                continue
            parameters = list(_parameters(module, self._book))
            if parameters:
                former = self._listed.pop(id(module), None)
                if former is not None and former.reference() is not module:
                    self._listed[-id(former)] = former  # another model lived at this address before
                self._listed[id(module)] = Listed(weakref.ref(module), type(module).__name__, place, parameters)
        for key in list(self._listed)[:-MODELS]:
            del self._listed[key]


def _parameters(model: nn.Module, book: ParameterBook) -> Iterator[tuple[str, ParameterNote, tuple[int, ...], bool]]:
    seen: set[int] = set()
    for path, module in model.named_modules():
        for own, parameter in module._parameters.items():  # noqa: SLF001  # with its owner, and not recursive
            if parameter is None or id(parameter) in seen or isinstance(parameter, nn.UninitializedParameter):
                continue
            seen.add(id(parameter))
            note = book.note(parameter)
            steps = [step for step in path.split(".") if step and step != COMPILED]
            note.name = ".".join([*steps, own])
            note.kind = kind_of(module, own)
            yield note.name, note, tuple(parameter.shape), parameter.requires_grad


def _record(listed: Listed, book: ParameterBook) -> ModelRecord:
    return ModelRecord(
        kind=listed.kind, place=listed.place,
        parameters=tuple(
            ParameterRecord(
                name=name, kind=note.kind, shape=shape, trainable=trainable, reached=_reached(note, book),
                optimised=note.optimised, loaded=note.loaded, met=note.version is not None,
                moved=Unknown("its values were not compared") if note.moved is None else note.moved,
            )
            for name, note, shape, trainable in listed.parameters
        ),
    )


def _reached(note: ParameterNote, book: ParameterBook) -> bool | Unknown:
    if note.reached:
        return True
    if not book.walked:
        return Unknown("no backward pass was seen")
    return Unknown(book.hidden) if book.hidden else False


def kind_of(owner: nn.Module, name: str) -> ParameterKind:
    """What a parameter is to the module that owns it; a norm's bias is of kind "norm".

    A module of the user's own counts as a norm where its class says so (`MyRMSNorm`) and it holds no matrix.
    """
    flat = all(parameter.dim() <= 1 for parameter in owner.parameters(recurse=False))
    if isinstance(owner, NORMS) or (type(owner).__name__.endswith("Norm") and flat):
        return "norm"
    if isinstance(owner, nn.Embedding | nn.EmbeddingBag):
        return "embedding"
    return "bias" if name == "bias" or name.startswith("bias_") else "weight"


