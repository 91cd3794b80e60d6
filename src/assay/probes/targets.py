"""The labels that reach losses over classes: which of the outputs they name, over the first passes of training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.targets import ClassLabels, TargetFacts
from assay.probe import Faults, user_place
from assay.tensors import first_tensor
from assay.traffic import Pass, Scored, Traffic

LOSSES = ("cross_entropy", "nll_loss")
LABELS, CALLS, OTHERS, PLACES = 2**14, 512, 64, 8
"""Labels and calls that are looked at in a program, calls of other losses before the first of these, and lines."""


@dataclass(eq=False)
class _Counted:
    counts: Tensor
    ignored: int

    @property
    def every(self) -> bool:
        """Whether labels of all classes were met."""
        return bool(self.counts.all())


class Targets:
    """Listens to losses over classes and counts their labels."""

    name = "targets"
    kinds: tuple[type[Fact], ...] = (TargetFacts,)

    def __init__(self, faults: Faults, traffic: Traffic) -> None:
        self._traffic = traffic
        self._passed, self._scored = faults.contained(self.name, self._given), faults.contained(self.name, self._called)
        self._rows, self._ids = 0, False
        self._found: dict[Place | None, _Counted] = {}
        self._labels, self._calls, self._others = LABELS, CALLS, OTHERS

    def attach(self) -> None:
        """Listen."""
        self._traffic.passed.append(self._passed)
        self._traffic.scored.append(self._scored)

    def detach(self) -> None:
        """Listen no more."""
        if self._passed in self._traffic.passed:
            self._traffic.passed.remove(self._passed)
            self._traffic.scored.remove(self._scored)

    def facts(self) -> FactSet:
        """Counts of labels, line by line."""
        if not self._found:
            why = "no loss over classes was given one label an example"
            return FactSet(absent={TargetFacts: Absent(why, applicable=False)})
        return FactSet.of(TargetFacts(calls=tuple(
            ClassLabels(place=place, counts=tuple(found.counts.tolist()), ignored=found.ignored)
            for place, found in self._found.items()
        )))

    def _given(self, passed: Pass) -> None:
        """How many examples the latest pass was given, and whether they are ids."""
        first = first_tensor((*passed.arguments, *passed.named.values()))
        if passed.entry:
            self._rows, self._ids = (0, False) if first is None else (len(first), not first.is_floating_point())

    def _called(self, scored: Scored) -> None:
        self._others -= not self._found
        if self._others < 0:  # its losses aren't over classes
            self.detach()
            return
        if scored.name not in LOSSES or not scored.recorded:
            return
        arguments: dict[str, Any] = scored.arguments
        scores, labels = arguments["input"], arguments["target"]
        if labels.dim() != 1 or scores.dim() != 2 or labels.is_floating_point():
            return
        if self._ids or len(labels) > self._rows > 0:
            return
        self._calls -= 1
        self._labels -= len(labels)
        self._count(scores.shape[1], labels, arguments["ignore_index"])
        if self._calls < 0 or self._labels < 0 or all(found.every for found in self._found.values()):
            self.detach()

    def _count(self, outputs: int, labels: Tensor, ignored: int) -> None:
        place = user_place()
        found = self._found.get(place)
        if found is None:
            if len(self._found) >= PLACES:
                return
            found = self._found[place] = _Counted(torch.zeros(outputs, dtype=torch.int64), ignored)
        valid = labels[labels != ignored]
        if len(found.counts) == outputs:
            found.counts += torch.bincount(valid, minlength=outputs).cpu()
