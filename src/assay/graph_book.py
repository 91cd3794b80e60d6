"""What the probes of a graph program know together: the graph of the latest pass, and who hears of rows chosen."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from assay.edge_lists import Edges
from assay.facts.fact import Place

WRITES = 256
"""Masks of which it is noted where they were written: a program that makes one a step has no line to point at."""


@dataclass(eq=False)
class GraphBook:
    """The graph of the latest pass, and the probes that want to hear of it.

    rows        its nodes; -1 while no graph is known, which no tensor's length equals
    latest      its edges; None while they are drawn anew for each pass, or were only guessed at
    features    what the nodes were given as, [N, F], while the program holds it
    found       called when the first graph is seen
    passed      called after every pass, when `latest` is up to date
    written     where the program last wrote to a mask, by its identity
    chose       called after `tensor[index]` took rows of a tensor that has one for every node, or scores of labels:
                with the tensor, the index and the result
    """

    rows: int = -1
    latest: Edges | None = None
    features: Callable[[], Any] | None = None
    found: list[Callable[[], None]] = field(default_factory=list)
    passed: list[Callable[[], None]] = field(default_factory=list)
    written: dict[int, tuple[weakref.ref[Any], Place]] = field(default_factory=dict)
    chose: list[Callable[[Any, Any, Any], None]] = field(default_factory=list)

    def over(self, nodes: int, edges: Edges | None, features: Any = None) -> None:
        """A pass over a graph of so many nodes ended; `features` is what the program gave it."""
        first = self.rows < 0
        self.rows, self.latest = nodes, edges
        if features is not None:
            self.features = weakref.ref(features)
        for told in (*self.found, *self.passed) if first else self.passed:
            told()

    def drawn_anew(self, nodes: int) -> None:
        """The graphs change from pass to pass: if their nodes do too, a node's number means nothing any more."""
        self.rows, self.latest = (nodes if nodes == self.rows else -1), None

    def wrote(self, mask: Any, place: Place | None) -> None:
        """The program wrote to a mask here."""
        if place is not None and len(self.written) < WRITES:
            self.written[id(mask)] = weakref.ref(mask), place

    def place_of(self, mask: Any) -> Place | None:
        """Where the program last wrote to it, if that was seen."""
        reference, place = self.written.get(id(mask), (None, None))
        return place if reference is not None and reference() is mask else None
