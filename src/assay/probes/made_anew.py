"""Layers that a model makes while it runs: those of one line, made anew in pass after pass, can't learn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from torch import nn

from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.structure import LayersMadeAnew, MadeAnew
from assay.parameter_book import ParameterBook, ParameterNote
from assay.probe import Clock, Faults
from assay.traffic import Inner, Made, Pass, Traffic
from assay.weak_identity import IdentityDict

PASSES = 32
"""Recorded passes that are looked at: a forward that makes its layers makes them in each."""


@dataclass(eq=False)
class Line:
    """One line that makes layers within a pass."""

    kind: str
    model: str
    passes: set[int] = field(default_factory=set)
    notes: list[ParameterNote] = field(default_factory=list)


class Anew:
    """Listens to the making of modules within passes and to their calls, for some passes, then leaves."""

    name = "layers made anew"
    kinds: tuple[type[Fact], ...] = (LayersMadeAnew,)

    def __init__(self, clock: Clock, faults: Faults, book: ParameterBook, traffic: Traffic) -> None:
        self._clock = clock
        self._book = book
        self._traffic = traffic
        self._looks = {
            event: faults.contained(self.name, look)
            for event, look in (("made", self._made), ("inner", self._inner), ("passed", self._passed))
        }
        self._fresh: IdentityDict[nn.Module, Place] = IdentityDict()
        self._lines: dict[Place, Line] = {}
        self._passes = 0

    def attach(self) -> None:
        """Listen."""
        for event, look in self._looks.items():
            self._traffic.listeners(event).append(look)

    def detach(self) -> None:
        """It holds nothing of the program but weak references."""

    def facts(self) -> FactSet:
        """The lines that made layers which nothing trains."""
        if not self._passes:
            return FactSet(absent={LayersMadeAnew: Absent("no model was called on a sampled step", applicable=False)})
        return FactSet.of(LayersMadeAnew(
            made=tuple(
                MadeAnew(kind=line.kind, model=line.model, place=place, passes=len(line.passes))
                for place, line in self._lines.items() if not any(note.optimised for note in line.notes)
            ),
            passes=self._passes,
        ))

    def _made(self, made: Made) -> None:
        if self._traffic.running is not None and made.place is not None and not made.copied:
            self._fresh[made.module] = made.place

    def _inner(self, call: Inner) -> None:
        place = self._fresh.get(call.module)
        if place is None or not call.recorded or not call.module.training:
            return
        trainable = [each for each in call.module.parameters() if each.requires_grad]
        if not trainable:
            return
        running: Any = self._traffic.running
        line = self._lines.setdefault(place, Line(type(call.module).__name__, type(running).__name__))
        line.passes.add(self._passes)
        line.notes += map(self._book.note, trainable)

    def _passed(self, passed: Pass) -> None:
        self._fresh.clear()  # what the next pass uses again wasn't made anew for it
        if self._clock.looks and passed.recorded:
            self._passes += 1
            if self._passes >= PASSES:
                for event, look in self._looks.items():
                    self._traffic.listeners(event).remove(look)
