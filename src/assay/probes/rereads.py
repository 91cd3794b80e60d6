"""What training loaders return when they are read a second time: the same inputs, with the same labels?

The inputs of a batch are compared as they enter the model, the labels as they enter the loss, so that what a program
changes on the way (rotated images with the angle as label) counts as what it has become. Only the first two iterations
of a loader are looked at, within a budget.
"""

from __future__ import annotations

import weakref
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.loader import Reread, RereadFacts
from assay.probe import Faults
from assay.tensors import Fingerprints, tensors_in
from assay.traffic import Delivered, Pass, Scored, Traffic

ROWS = 2048
"""Rows of each iteration that are told apart, of each loader."""

NUMBERS = 1 << 22
"""Numbers that are read for it in all."""

LOADERS = 4


@dataclass(eq=False)
class Seen:
    """The rows of the first iteration with the labels they had, and what the second made of them.

    conflicting     rows that had several labels within one iteration: alike by nature, or asked about twice
    """

    place: Place | None
    labels: dict[int, float | None] = field(default_factory=dict)
    conflicting: set[int] = field(default_factory=set)
    again: dict[int, float | None] = field(default_factory=dict)
    rows: int = 0

    def note(self, iteration: int, rows: list[int], labels: list[float] | None) -> None:
        """Rows of one batch, with their labels where these are known."""
        known = self.again if iteration else self.labels
        for position, row in enumerate(rows):
            label = labels[position] if labels is not None else None
            if row in known and known[row] != label:
                self.conflicting.add(row)
            known[row] = label

    def fact(self) -> Reread:
        """What the comparison came to."""
        both = [row for row in self.again if row in self.labels and row not in self.conflicting]
        pairs = [(self.labels[row], self.again[row]) for row in both]
        labelled = [(one, other) for one, other in pairs if one is not None and other is not None]
        counts = Counter(one for one, _ in labelled)
        total = max(len(labelled), 1)
        return Reread(
            place=self.place, compared=len(both), rows=len(self.again), whole=len(self.labels) < ROWS,
            labelled=len(labelled),
            changed=sum(one != other for one, other in labelled),
            chance=1 - sum((count / total) ** 2 for count in counts.values()),
        )


class Rereads:
    """Compares the first two iterations of training loaders."""

    name = "rereads"
    kinds: tuple[type[Fact], ...] = (RereadFacts,)

    def __init__(self, faults: Faults, traffic: Traffic) -> None:
        self._faults = faults
        self._traffic = traffic
        self._fingerprints = Fingerprints()
        self._seen: dict[int, Seen] = {}
        self._read = 0
        self._handed: tuple[Delivered, list[weakref.ref[Tensor]]] | None = None
        self._rows: list[int] | None = None
        self._listening: list[tuple[list[Any], Any]] = []

    def attach(self) -> None:
        """Listen to loaders; once one has delivered, to passes and losses too."""
        self._listen((self._traffic.delivered, self._delivered))

    def _listen(self, *pairs: tuple[list[Any], Any]) -> None:
        for listeners, look in pairs:
            contained = self._faults.contained(self.name, look)
            listeners.append(contained)
            self._listening.append((listeners, contained))

    def detach(self) -> None:
        """Nothing of the program is held but weakly."""
        self._handed = None

    def facts(self) -> FactSet:
        """One comparison a loader that was read twice."""
        reread = tuple(seen.fact() for seen in self._seen.values() if seen.again)
        if not reread:
            return FactSet(absent={RereadFacts: Absent("no loader was read twice in training")})
        return FactSet.of(RereadFacts(reread=reread))

    def _delivered(self, delivered: Delivered) -> None:
        self._rows = self._handed = None
        if len(self._listening) == 1:
            self._listen((self._traffic.passed, self._passed), (self._traffic.scored, self._scored))
        if delivered.iteration > 1 or self._read > NUMBERS:
            if all(len(self._seen) and seen.again for seen in self._seen.values()):
                self._leave()
            return
        if delivered.loader not in self._seen and len(self._seen) >= LOADERS:
            return
        tensors = [each for each in tensors_in(delivered.batch) if each.device.type == "cpu" and each.dim()]
        keep = Delivered(
            batch=None, loader=delivered.loader, place=delivered.place, sequential=delivered.sequential,
            iteration=delivered.iteration, position=delivered.position,
        )
        self._handed = keep, [weakref.ref(each) for each in tensors]

    def _passed(self, passed: Pass) -> None:
        """The rows of the latest batch, where they enter a model in training as the loader gave them."""
        if self._handed is None or not (passed.entry and passed.recorded) or self._rows is not None:
            return
        delivered, references = self._handed
        given = [each for each in tensors_in((passed.arguments, passed.named)) if each.dim()]
        held = [each for each in (reference() for reference in references) if each is not None]
        if not given or not all(any(one is other for other in held) for one in given):
            return
        if len({len(each) for each in given}) > 1 or not given[0].is_floating_point():
            return
        seen = self._seen.setdefault(delivered.loader, Seen(delivered.place))
        known = seen.again if delivered.iteration else seen.labels
        if len(known) >= ROWS:
            return
        self._read += sum(each.numel() for each in given)
        with torch.no_grad():
            marks = [self._fingerprints.of(each).tolist() for each in given]
        self._rows = [hash(each) for each in zip(*marks, strict=True)]
        seen.note(delivered.iteration, self._rows, None)

    def _scored(self, scored: Scored) -> None:
        if self._rows is None or self._handed is None or not scored.recorded:
            return
        target = scored.positional[1] if len(scored.positional) > 1 else scored.keywords.get("target")
        delivered, references = self._handed
        if not isinstance(target, Tensor) or target.is_floating_point() or target.shape != (len(self._rows),):
            return
        if any(reference() is target for reference in references):
            seen = self._seen[delivered.loader]
            known = seen.again if delivered.iteration else seen.labels
            for row in self._rows:
                if known.get(row) is None:
                    known.pop(row, None)
            seen.note(delivered.iteration, self._rows, target.tolist())

    def _leave(self) -> None:
        while self._listening:
            listeners, look = self._listening.pop()
            listeners.remove(look)
        self._handed = None
