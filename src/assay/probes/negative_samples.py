"""Negative samples: which edges PyTorch Geometric's own sampling was told to avoid while the model trained."""

from __future__ import annotations

import sys
from functools import wraps
from typing import Any

import numpy as np
import torch
from torch import Tensor

from assay.announcing import when_imported
from assay.edge_lists import Edges, within
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.graph import Avoided, SamplingFacts
from assay.graph_book import GraphBook
from assay.probe import Clock, Faults, Patches, user_place
from assay.traffic import Traffic

KEPT = 8
"""Calls that are looked into: what is avoided is the same on every step."""


class NegativeSamples:
    """Records what negatives avoid, in calls that a step of training follows."""

    name = "negative samples"
    kinds: tuple[type[Fact], ...] = (SamplingFacts,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic, book: GraphBook) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._book = book
        self._patches = Patches()
        self._open: list[tuple[np.ndarray[Any, Any], Place | None]] = []
        self._calls: list[Avoided] = []

    def attach(self) -> None:
        """Wait for PyTorch Geometric's own module of these functions."""
        contained = self._faults.contained
        self._look = contained(self.name, self._sampled)
        self._cancel = when_imported("torch_geometric.utils._negative_sampling", contained(self.name, self._begin))

    def detach(self) -> None:
        """Put the original back."""
        self._cancel()
        self._patches.restore()
        self._open.clear()

    def facts(self) -> FactSet:
        """The calls in their order."""
        if not self._calls:
            return FactSet(absent={SamplingFacts: Absent("no negatives were sampled while training", applicable=False)})
        return FactSet.of(SamplingFacts(calls=tuple(self._calls)))

    def _begin(self) -> None:
        library = sys.modules["torch_geometric.utils._negative_sampling"]
        self._patches.replace_held(library, "negative_sampling", self._watched)
        package = sys.modules.get("torch_geometric.utils")
        if package is not None and hasattr(package, "negative_sampling"):
            self._patches.replace(package, "negative_sampling", lambda _: library.negative_sampling)
        self._traffic.stepping.append(self._faults.contained(self.name, self._stepping))

    def _watched(self, original: Any) -> Any:
        clock, look = self._clock, self._look

        @wraps(original)
        def negative_sampling(edge_index: Any, *arguments: Any, **named: Any) -> Any:
            if clock.looks and not torch.compiler.is_compiling():
                look(edge_index)
            return original(edge_index, *arguments, **named)

        return negative_sampling

    def _sampled(self, avoided: Any) -> None:
        if isinstance(avoided, Tensor) and avoided.dim() == 2 and len(self._calls) + len(self._open) < KEPT:
            self._open.append((avoided.detach().cpu().numpy(), user_place()))

    def _stepping(self, _: Any) -> None:
        messages, latest = self._book.latest, self._open[-1:]
        self._open.clear()
        if messages is None:
            return
        for avoided, place in latest:
            edges = Edges.of(avoided, messages.nodes)
            known = within(edges.keys, messages.keys) | within(edges.reversed_keys, messages.keys)
            self._calls.append(Avoided(place=place, edges=len(edges.keys), held_out=int((~known).sum())))
