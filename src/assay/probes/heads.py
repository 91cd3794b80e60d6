"""Heads: the last layer that a model calls before it puts out that layer's output, and whether it is trained."""

from __future__ import annotations

import weakref
from collections import Counter
from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn

from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet
from assay.facts.heads import HeadFacts, HeadRecord
from assay.parameter_book import ParameterBook, ParameterNote
from assay.probe import Clock, Faults, user_place
from assay.traffic import Inner, Pass, Traffic

LOOKS = 12
"""Training passes of each model that are looked at, anew when its last layer is another or is frozen or freed."""


MODELS = 64
"""Models that are gone and still told of: the last."""


@dataclass(eq=False)
class Seen:
    """A model when it was last looked at; `key` tells its last layer, and whether that is trainable."""

    reference: weakref.ref[nn.Module]
    key: tuple[int, bool]
    record: HeadRecord


class Heads:
    """Records the last layer of each model that has gradients recorded."""

    name = "heads"
    kinds: tuple[type[Fact], ...] = (HeadFacts,)

    def __init__(self, clock: Clock, faults: Faults, book: ParameterBook, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._book = book
        self._traffic = traffic
        self._latest: tuple[weakref.ref[nn.Module], tuple[int, ...]] | None = None
        self._seen: dict[int, Seen] = {}
        self._gone: list[HeadRecord] = []

    def attach(self) -> None:
        """Listen to passes and to the calls within them."""
        self._traffic.inner.append(self._faults.contained(self.name, self._inner))
        self._traffic.sampled.passed.append(self._faults.contained(self.name, self._passed))

    def detach(self) -> None:
        """It holds nothing of the program but weak references."""

    def facts(self) -> FactSet:
        """One record a model."""
        heads = (*self._gone, *(seen.record for seen in self._seen.values()))
        if not heads:
            return FactSet(absent={HeadFacts: Absent("no model of several layers was trained", applicable=False)})
        return FactSet.of(HeadFacts(heads=heads))

    def _inner(self, inner: Inner) -> None:
        weight = inner.module._parameters.get("weight")  # noqa: SLF001  # its own, which most modules don't have
        if weight is not None and weight.dim() > 1 and isinstance(inner.output, Tensor):
            self._latest = weakref.ref(inner.module), tuple(inner.output.shape)

    def _passed(self, passed: Pass) -> None:
        latest, self._latest = self._latest, None
        if latest is None or not passed.recorded or not passed.training or not isinstance(passed.output, Tensor):
            return
        layer: Any = latest[0]()
        shape = latest[1]
        if layer is None or shape[-1:] != tuple(passed.output.shape)[-1:]:
            return
        model, key, looks = passed.module, (id(layer), layer.weight.requires_grad), 0
        former = self._seen.get(id(model))
        if former is not None and former.reference() is not model:  # another model lived at this address before
            self._gone = [*self._gone, former.record][-MODELS:]
        elif former is not None and former.key == key:
            looks = former.record.looks
        if looks < LOOKS:
            self._seen[id(model)] = Seen(weakref.ref(model), key, self._record(model, layer, looks + 1))

    def _record(self, model: nn.Module, layer: Any, looks: int) -> HeadRecord:
        trained: Counter[str] = Counter()
        frozen, name = [], ""
        for path, parameter in model.named_parameters():
            note = self._book.note(parameter)
            if parameter is layer.weight:
                name = path
            elif parameter.requires_grad:
                trained[note.kind] += note.optimised
            elif note.kind == "weight" and parameter.dim() > 1:
                frozen.append(note)
        return HeadRecord(
            model=type(model).__name__, place=user_place(), name=name, looks=looks,
            trainable=layer.weight.requires_grad, known=_known(self._book.note(layer.weight)),
            trained=dict(+trained), frozen=len(frozen), frozen_known=sum(map(_known, frozen)),
        )


def _known(note: ParameterNote) -> bool:
    return note.loaded or note.optimised or note.moved is True
