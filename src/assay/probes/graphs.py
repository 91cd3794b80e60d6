"""Graphs: the lists of edges and the adjacency matrices that the program's models are given.

A layer of PyTorch Geometric is seen by its class. Elsewhere a graph is what stands beside features [N, F] in the
arguments of a module: whole numbers of shape [2, E] below N, or a sparse matrix [N, N]. What may be one (a dense matrix
that is mostly zeros; anything in a module's buffers or among the names of the program's own code) is a guess: it says
how many nodes there are, and no more. A program that shows none at first is left alone.
"""

from __future__ import annotations

import inspect
import sys
import weakref
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from assay.at_hand import at_hand
from assay.edge_lists import Edges, surveyed
from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet
from assay.facts.graph import EdgeWeights, GraphFacts, GraphRecord
from assay.graph_book import GraphBook
from assay.probe import Faults, user_frames, user_place
from assay.tensors import readable
from assay.traffic import Inner, Pass, Traffic

PATIENCE = 16
"""Passes after which a program that showed no graph is taken to have none."""

KEPT = 8
"""Graphs that are looked into; a program that shows more draws them anew or batches many small ones."""

LARGEST = 2_000_000
"""Edges of a graph that is looked into: sorting them takes a quarter of a second."""

DENSE_NODES = (8, 3000)
"""Sizes of a dense matrix that may be an adjacency: smaller ones are small by chance, larger ones costly."""

ZEROS = 0.5
"""Share of zeros from which a dense square matrix may be an adjacency: distances and attention have few."""


@dataclass(frozen=True)
class Given:
    """What a module was given of a graph: features [N, F], ends of edges [2, E] and, if any, weights [E]."""

    features: Tensor
    held: Tensor
    weights: Tensor | None
    sure: bool = True


@dataclass(eq=False)
class Known:
    """A graph that was looked into, by the tensor that holds it, and the version that was looked at."""

    reference: weakref.ref[Tensor]
    version: int
    nodes: int
    edges: Edges | None


class Graphs:
    """Records the program's graphs, and keeps the book's latest up to date."""

    name = "graphs"
    kinds: tuple[type[Fact], ...] = (GraphFacts,)

    def __init__(self, faults: Faults, traffic: Traffic, book: GraphBook) -> None:
        self._traffic = traffic
        self._book = book
        self._known: dict[int, Known] = {}
        self._records: list[GraphRecord] = []
        self._varies = False
        self._taken = 0
        self._without = 0
        self._within: Given | None = None
        self._looks = (faults.contained(self.name, self._passed), faults.contained(self.name, self._inner))

    def attach(self) -> None:
        """Listen to passes and the calls within them."""
        self._traffic.passed.append(self._looks[0])
        self._traffic.inner.append(self._looks[1])

    def detach(self) -> None:
        """Let go of what it held."""
        self._known.clear()
        self._within = None

    def facts(self) -> FactSet:
        """The graphs in the order of their first pass."""
        if not self._records:
            return FactSet(absent={GraphFacts: Absent("no model was given a graph", applicable=False)})
        return FactSet.of(GraphFacts(graphs=tuple(self._records), varies=self._varies))

    def _inner(self, call: Inner) -> None:
        if self._within is None:
            self._within = _given(call.module, (*call.arguments, *call.named.values()), call.named)

    def _passed(self, passed: Pass) -> None:
        within, self._within = self._within, None
        values = (*passed.arguments, *passed.named.values())
        known = next(filter(None, (_find(self._known, each) for each in _opened(values))), None)
        if known is not None:
            self._book.over(known.nodes, known.edges)
            return
        outer = _given(passed.module, values, passed.named)
        given = outer or within
        if given is None and not self._known and passed.number < PATIENCE:
            given = outer = _beside(passed.module, values)
        if given is not None and given.held.numel() and readable(given.held):
            self._take(given, passed.module, outer is not None)
        elif not self._known:
            self._without += 1
            if self._without >= PATIENCE:
                self._leave()
        else:
            self._book.over(self._book.rows, self._book.latest)  # the same, as far as could be seen

    def _take(self, given: Given, module: Any, outer: bool) -> None:
        """Look into a graph; `outer` tells that the program's own code gave it, and not a module to its layers."""
        held, nodes = given.held, len(given.features)
        known = _find(self._known, held)
        if known is None:
            self._taken += 1
            if self._taken > KEPT or held.numel() > 2 * LARGEST:
                self._varies = True
                self._book.drawn_anew(nodes)
                self._leave()
                return
            edges = self._edges(given, module) if given.sure else None
            known = self._known[id(held)] = Known(weakref.ref(held), _version(held), nodes, edges)
        self._book.over(nodes, known.edges, given.features if outer else None)

    def _edges(self, given: Given, module: Any) -> Edges:
        """The edges, recorded unless they were met before in another tensor."""
        edges = Edges.of(_pairs(given.held), len(given.features))
        met = (each.edges for each in self._known.values() if each.edges is not None)
        same = next((each for each in met if each.equals(edges)), None)
        if same is None:
            self._record(given, edges, module)
        return same or edges

    def _record(self, given: Given, edges: Edges, module: Any) -> None:
        features = given.features.detach()
        blank = (features == 0).all(1) if features.dim() == 2 else torch.zeros(len(features), dtype=torch.bool)
        weights = None if given.weights is None else _strengths(given.weights.detach(), module)
        told = surveyed(edges, blank.cpu().numpy())
        self._records.append(GraphRecord(place=user_place(), weights=weights, **told))

    def _leave(self) -> None:
        if self._looks[0] in self._traffic.passed:
            self._traffic.passed.remove(self._looks[0])
            self._traffic.inner.remove(self._looks[1])


def _find(known: dict[int, Known], held: Tensor) -> Known | None:
    """The graph that this tensor was when it was looked into, unless it was written to since."""
    found = known.get(id(held))
    if found is None or found.reference() is not held or found.version != _version(held):
        return None
    return found


def _version(held: Tensor) -> int:
    return 0 if held.is_inference() else int(held._version)  # noqa: SLF001  # counts writes in place


def _given(module: Any, values: Iterable[Any], named: dict[str, Any]) -> Given | None:
    """The graph among a module's arguments, or in a Data object there."""
    layer = _is_layer(module)
    flat = list(_opened(values))
    features = next(filter(_are_features, flat), None)
    if features is None:
        return None
    held = next((each for each in flat if each is not features and _is_graph(each, features, layer)), None)
    if held is None:
        return None
    if held.layout is not torch.strided or held.shape[0] != 2:
        return Given(features, held, None, sure=held.layout is not torch.strided)
    weights = named.get("edge_weight")
    if weights is None and layer and _third(module) == "edge_weight":
        weights = next((each for each in flat if each is not held and each.shape == held.shape[1:]), None)
    return Given(features, held, weights if isinstance(weights, Tensor) else None)


def _opened(values: Iterable[Any]) -> Iterator[Tensor]:
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(getattr(value, "edge_index", None), Tensor) and isinstance(getattr(value, "x", None), Tensor):
            yield value.x
            yield value.edge_index


def _third(layer: Any) -> str:
    """What a layer calls the argument after features and edges."""
    return (*inspect.signature(layer.forward).parameters, "", "", "")[2]


def _are_features(value: Tensor) -> bool:
    return value.dim() == 2 and value.is_floating_point() and value.layout is torch.strided


def _is_layer(module: Any) -> bool:
    library: Any = sys.modules.get("torch_geometric.nn.conv.message_passing")
    return isinstance(module, getattr(library, "MessagePassing", ()))


def _is_graph(value: Tensor, features: Tensor, layer: bool) -> bool:
    nodes = len(features)
    if value.dim() != 2 or value.is_meta:
        return False
    if value.layout is not torch.strided:
        return value.shape == (nodes, nodes)
    if value.dtype == torch.int64 and value.shape[0] == 2:
        if layer:
            return True
        return nodes > 2 and value.shape[1] > 2 and bool(value.max() < nodes) and bool(value.min() >= -1)
    small, large = DENSE_NODES
    if value.shape != (nodes, nodes) or not small <= nodes <= large:
        return False
    if value.requires_grad or not value.is_floating_point():
        return False
    return float((value == 0).float().mean()) >= ZEROS


def _beside(module: Any, values: Iterable[Any]) -> Given | None:
    """A graph that the module holds as a buffer, or that the program's own code has at hand."""
    features = next(filter(_are_features, _opened(values)), None)
    if features is None:
        return None
    near = (value for value in _near(module) if isinstance(value, Tensor))
    held = next((each for each in near if each is not features and _is_graph(each, features, layer=False)), None)
    return None if held is None else Given(features, held, None, sure=False)


def _near(module: Any) -> Iterator[Any]:
    yield from module.buffers()
    yield from (value for _, value in at_hand(user_frames()))


def _pairs(held: Tensor) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Sources and targets, shape [2, E]; a matrix's entry in row i and column j is an edge from j to i."""
    held = held.detach()
    if held.layout is torch.strided and held.dtype == torch.int64 and held.shape[0] == 2:
        ends = held
    elif held.layout is torch.strided:
        ends = held.nonzero().T.flip(0)
    else:
        ends = held.to_sparse_coo().coalesce().indices().flip(0)
    pairs: np.ndarray[Any, np.dtype[np.int64]] = ends.cpu().numpy()
    return pairs


def _strengths(weights: Tensor, module: Any) -> EdgeWeights | None:
    if not weights.numel() or not weights.is_floating_point():
        return None
    finite = weights[weights.isfinite()]
    return EdgeWeights(
        count=weights.numel(), lowest=float(finite.min()) if len(finite) else 0.0,
        highest=float(finite.max()) if len(finite) else 0.0, not_finite=weights.numel() - len(finite),
        negative=int((finite < 0).sum()), zero=int((finite == 0).sum()),
        normalised=bool(getattr(module, "normalize", False)),
    )
