"""What evaluation loaders return when they are read again after more training: the same inputs?

Looked at are batches of floating inputs with one class label an example, as the loader hands them out. Examples are
the same where the labels agree all along a batch, and have more than one value. Two evaluations with no step between
them aren't compared, since a program may average over random views of each example. Of what has changed, the distance
to what it was is held against the distances to others of its label: examples that are made anew are no nearer. The
same is done with sorted numbers, which a flip or a shift leaves as they are.
"""

from __future__ import annotations

import weakref
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from assay.facts.evaluated_again import EvaluatedAgain, EvaluatedAgainFacts
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.probe import Faults
from assay.tensors import tensors_in
from assay.traffic import Delivered, Pass, Traffic

ROWS, BATCHES = 64, 4
"""Rows of each batch and batches of each evaluation that are compared."""

NUMBERS = 1 << 20
"""Numbers that are copied and compared in all."""

DELIVERIES = 8192
LOADERS = 8


@dataclass(eq=False)
class Read:
    """The first evaluation of a loader, by position: labels and a copy of the inputs; and how the next compares."""

    place: Place | None
    iteration: Hashable
    step: int
    first: dict[int, tuple[Tensor, Tensor]] = field(default_factory=dict)
    rows: int = 0
    unchanged: int = 0
    nearer: list[int] = field(default_factory=lambda: [0, 0])

    def note(self, iteration: Hashable, step: int, position: int, labels: Tensor, inputs: Tensor) -> None:
        """A batch of an evaluation: its labels, shape [n], and its inputs, [n, d]."""
        if iteration == self.iteration:
            self.first[position] = labels.clone(), inputs.float().clone()
        elif step > self.step and position in self.first:
            before, known = self.first.pop(position)
            if known.shape == inputs.shape and torch.equal(before, labels) and bool((labels != labels[0]).any()):
                self._compare(labels, known, inputs.float())

    def _compare(self, labels: Tensor, known: Tensor, inputs: Tensor) -> None:
        same = (known == inputs).all(1)
        others = (labels[:, None] == labels) & ~torch.eye(len(labels), dtype=torch.bool)
        self.rows += len(labels)
        self.unchanged += int(same.sum())
        for way, (one, other) in enumerate(((inputs, known), (inputs.sort(1).values, known.sort(1).values))):
            apart = torch.cdist(one, other)
            usual = apart.masked_fill(~others, torch.nan).nanmedian(1).values
            self.nearer[way] += int((~same & (apart.diagonal() < usual)).sum())


@dataclass(frozen=True)
class Handed:
    """The latest batch, held weakly."""

    told: Delivered
    inputs: weakref.ref[Tensor]
    labels: weakref.ref[Tensor]


class EvaluatedAgainProbe:
    """Compares two evaluations of each loader."""

    name = "evaluations of loaders"
    kinds: tuple[type[Fact], ...] = (EvaluatedAgainFacts,)

    def __init__(self, faults: Faults, traffic: Traffic) -> None:
        self._traffic = traffic
        self._read: dict[Hashable, Read] = {}
        self._trains: set[Hashable] = set()
        self._handed: Handed | None = None
        self._deliveries, self._numbers = DELIVERIES, NUMBERS
        self._delivered = faults.contained(self.name, self._came)
        self._passed = faults.contained(self.name, self._entered)

    def attach(self) -> None:
        """Listen to loaders; once one has delivered, to passes too."""
        self._traffic.delivered.append(self._delivered)

    def detach(self) -> None:
        """Listen no more, and let the copies go."""
        self._handed = None
        for read in self._read.values():
            read.first.clear()
        if self._delivered in self._traffic.delivered:
            self._traffic.delivered.remove(self._delivered)
        if self._passed in self._traffic.passed:
            self._traffic.passed.remove(self._passed)

    def facts(self) -> FactSet:
        """One comparison a loader that was evaluated twice."""
        found = tuple(
            EvaluatedAgain(place=read.place, rows=read.rows, unchanged=read.unchanged, nearer=max(read.nearer))
            for key, read in self._read.items() if read.rows and key not in self._trains
        )
        if not found:
            return FactSet(absent={EvaluatedAgainFacts: Absent("no loader with labels was evaluated twice")})
        return FactSet.of(EvaluatedAgainFacts(loaders=found))

    def _came(self, told: Delivered) -> None:
        self._handed = None
        self._deliveries -= 1
        if self._passed not in self._traffic.passed:
            self._traffic.passed.append(self._passed)
        if self._deliveries < 0 or self._numbers < 0:
            self.detach()
        elif told.position < BATCHES and not isinstance(told.batch, Tensor):
            parts = _inputs_and_labels(told.batch)
            if parts is not None:
                kept = Delivered(
                    batch=None, loader=told.loader, place=told.place, sequential=told.sequential,
                    iteration=told.iteration, position=told.position,
                )
                self._handed = Handed(kept, *map(weakref.ref, parts))

    def _entered(self, passed: Pass) -> None:
        handed, self._handed = self._handed, None
        if handed is None or not passed.entry:
            return
        told = handed.told
        key: Hashable = told.place or told.loader
        if passed.recorded:
            self._trains.add(key)
        inputs, labels = handed.inputs(), handed.labels()
        if key in self._trains or inputs is None or labels is None:
            return
        if key not in self._read and len(self._read) >= LOADERS:
            return
        iteration = (told.loader, told.iteration)
        read = self._read.setdefault(key, Read(told.place, iteration, passed.step))
        self._numbers -= inputs[:ROWS].numel()
        with torch.no_grad():
            read.note(iteration, passed.step, told.position, labels[:ROWS], inputs[:ROWS].flatten(1))


def _inputs_and_labels(batch: Any) -> tuple[Tensor, Tensor] | None:
    """The one floating tensor of a batch and the one of class labels, a row an example; None of other batches."""
    tensors = list(tensors_in(batch))
    if len(tensors) != 2 or any(each.device.type != "cpu" or not each.dim() for each in tensors):
        return None
    inputs, labels = sorted(tensors, key=lambda each: not each.is_floating_point())
    whole = labels.dim() == 1 and not labels.is_floating_point() and len(labels) == len(inputs)
    return (inputs, labels) if inputs.is_floating_point() and inputs.dim() > 1 and whole else None
