"""The growth of graphs: whether the graph of one step outlives it, and whether each is larger than the one before.

A mark is hung on the node that a backward pass begins from, and held weakly: it is gone when nothing in the program
holds that graph any more.
"""

from __future__ import annotations

import weakref
from itertools import islice
from typing import Any

import torch

from assay.autograd_graph import walk
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.graphs import GraphGrowth
from assay.probe import Clock, Faults, user_place
from assay.statements import Around
from assay.traffic import Backward, Traffic

KEY = "assay: alive"
"""The key of our mark in a graph node's metadata."""

LARGEST = 20_000
"""Nodes that are counted of one graph, so that counting costs 20 ms at the most, on a sampled step."""


class Mark:
    """Lives as long as the graph node that it hangs on."""


class Growth:
    """Listens to backward passes, on the steps that the clock looks at."""

    name = "growth of graphs"
    kinds: tuple[type[Fact], ...] = (GraphGrowth,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._place: Place | None = None
        self._marks: list[weakref.ref[Mark]] = []
        self._sizes: list[tuple[int, int]] = []
        self._alive = self._of = 0

    def attach(self) -> None:
        """Listen to the backward passes."""
        self._traffic.sampled.began.append(self._faults.contained(self.name, self._began))

    def detach(self) -> None:
        """It has nothing in the program to take away."""

    def facts(self) -> FactSet:
        """The sizes so far, and what was alive at the last look."""
        if not self._sizes:
            return FactSet(absent={GraphGrowth: Absent("no backward pass ran", applicable=False)})
        return FactSet.of(GraphGrowth(
            schedule=self._clock.schedule, place=self._place, kept_at=_kept(self._place), sizes=tuple(self._sizes),
            alive=self._alive, of=self._of,
        ))

    def _began(self, backward: Backward) -> None:
        if not self._clock.looks or backward.function != "backward" or backward.nested:
            return
        root = backward.roots
        step = self._clock.steps
        if not isinstance(root, torch.Tensor) or root.grad_fn is None or (self._sizes and self._sizes[-1][0] == step):
            return
        place = user_place()
        if self._sizes and place != self._place:
            return
        self._place = place
        self._of = len(self._marks)
        self._alive = sum(mark() is not None for mark in self._marks)
        self._sizes.append((step, sum(1 for _ in islice(walk([root.grad_fn]), LARGEST))))
        self._mark(root.grad_fn)

    def _mark(self, node: Any) -> None:
        mark = node.metadata[KEY] = Mark()
        self._marks.append(weakref.ref(mark))


def _kept(place: Place | None) -> Place | None:
    if place is None:
        return None
    around = Around(place)
    name = around.root()
    return around.kept(name) if name else None
