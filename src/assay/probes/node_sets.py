"""Sets of nodes: those whose outputs a loss learnt from, and those whose outputs were read apart from it.

A choice of rows that a backward pass comes past was trained on. One without a graph, or whose graph no backward pass
came past before the next step, was evaluated. Tensors that live from one pass to the next hold data, such as labels,
and no outputs.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from torch import Tensor

from assay.at_hand import name_of
from assay.autograd_graph import walk
from assay.edge_lists import bits
from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet
from assay.facts.graph import EvaluatedNodes, NodeFacts, NodeSet
from assay.graph_book import GraphBook
from assay.probe import Faults, user_frames, user_place
from assay.traffic import Backward, Scored, Traffic

READ = 256
"""Choices whose nodes are read; a program that makes an index anew for each step shows enough in these."""

KEPT = 64
"""Evaluations that are kept."""

OVER_CLASSES = frozenset({"cross_entropy", "nll_loss"})

KEY = "assay: nodes"
"""The key of our record in a graph node's metadata."""


@dataclass(eq=False)
class Trained:
    """What the model is trained on now: the nodes of the latest step, and whether those before were the same.

    waiting     nodes that the backward passes since the latest step came past
    again       whether the same index chose them again since then
    """

    now: NodeSet | None = None
    settled: bool = False
    waiting: NodeSet | None = None
    again: bool = False

    def came_past(self, nodes: NodeSet) -> None:
        """A backward pass came past a choice of these."""
        held = self.waiting
        self.waiting = nodes if held is None else replace(held, bits=held.bits | nodes.bits)

    def step(self) -> None:
        """The step that the backward passes were for has been taken."""
        if self.waiting is not None:
            self.settled = self.now is not None and self.waiting.bits == self.now.bits
            self.now = self.waiting
        elif self.again:
            self.settled = True
        self.waiting, self.again = None, False


@dataclass(eq=False)
class Reading:
    """A tensor that chose, and the nodes that it chose then."""

    reference: weakref.ref[Any]
    version: int
    nodes: NodeSet


class Readings:
    """Reads which nodes an index chooses, once for every index that stays as it is.

    left    how many more are read
    odd     choices of no node ("empty"), and masks that aren't boolean ("numbers")
    """

    def __init__(self, book: GraphBook) -> None:
        self.left = READ
        self.odd: dict[tuple[str, int], NodeSet] = {}
        self._book = book
        self._known: dict[int, Reading] = {}

    def of(self, index: Any) -> NodeSet | None:
        """The nodes, each once; None where it is no set of nodes, or too many were read."""
        reading, version = self._known.get(id(index)), _version(index)
        if reading is not None and reading.reference() is index and reading.version == version:
            return reading.nodes
        if self.left <= 0:
            return None
        self.left -= 1
        rows = self._book.rows
        values = np.asarray(index.detach().cpu() if isinstance(index, Tensor) else index)
        numbers = _is_mask_of_numbers(values, rows)
        flags = values != 0 if numbers else _flags(values, rows)
        if flags is None:
            return None
        drawn = flags.dtype != values.dtype and not numbers and bool((np.diff(values) < 0).any())
        place = self._book.place_of(index) or user_place()
        nodes = NodeSet(bits=bits(flags), of=rows, name=name_of(index, user_frames()), place=place, drawn=drawn)
        if numbers or not nodes.bits:
            self.odd.setdefault(("numbers" if numbers else "empty", nodes.bits), nodes)
        if numbers:
            return None
        if not isinstance(index, list):
            self._known[id(index)] = Reading(weakref.ref(index), version, nodes)
        return nodes

    def forget(self) -> None:
        """Let go of the indices."""
        self._known.clear()


class LongLived:
    """Tensors that were chosen from earlier than the latest pass: they can't be that pass's outputs."""

    def __init__(self) -> None:
        self._first: dict[int, tuple[weakref.ref[Tensor], int]] = {}

    def holds(self, tensor: Tensor, passes: int) -> bool:
        """Whether it is such a tensor by now, after so many passes."""
        reference, first = self._first.get(id(tensor), (None, 0))
        if reference is not None and reference() is tensor:
            return first < passes
        if len(self._first) >= READ:
            self._first = {key: each for key, each in self._first.items() if each[0]() is not None}
        self._first[id(tensor)] = weakref.ref(tensor), passes
        return False

    def forget(self) -> None:
        """Let go of them."""
        self._first.clear()


class NodeSets:
    """Records which nodes were trained on and which evaluated."""

    name = "node sets"
    kinds: tuple[type[Fact], ...] = (NodeFacts,)

    def __init__(self, faults: Faults, traffic: Traffic, book: GraphBook) -> None:
        self._faults = faults
        self._traffic = traffic
        self._book = book
        self._readings = Readings(book)
        self._data = LongLived()
        self._state = Trained()
        self._open: list[NodeSet] = []
        self._trained: dict[int, NodeSet] = {}
        self._evaluated: dict[tuple[int, int], EvaluatedNodes] = {}

    def attach(self) -> None:
        """Wait for a graph."""
        self._book.found.append(self._faults.contained(self.name, self._begin))

    def detach(self) -> None:
        """Settle what is open, and let go."""
        self._faults.contained(self.name, self._stepping)()
        self._readings.forget()
        self._data.forget()

    def facts(self) -> FactSet:
        """The sets in the order in which they were met."""
        odd = self._readings.odd
        if not self._trained and not self._evaluated and not odd:
            why = "no rows of a graph's nodes were chosen for a loss or an evaluation"
            return FactSet(absent={NodeFacts: Absent(why, applicable=False)})
        return FactSet.of(NodeFacts(
            trained=tuple(self._trained.values()), evaluated=tuple(self._evaluated.values()),
            numbers=tuple(nodes for (kind, _), nodes in odd.items() if kind == "numbers"),
            empty=tuple(nodes for (kind, _), nodes in odd.items() if kind == "empty"),
        ))

    def _begin(self) -> None:
        contained = self._faults.contained
        self._book.chose.append(contained(self.name, self._chose))
        self._traffic.scored.append(contained(self.name, self._scored))
        self._traffic.began.append(contained(self.name, self._began))
        self._traffic.stepping.append(contained(self.name, self._stepping))

    def _chose(self, tensor: Tensor, index: Any, result: Tensor) -> None:
        if index.__class__ is tuple:
            return
        nodes = self._readings.of(index)
        if nodes is None:
            return
        if result.grad_fn is not None:
            if nodes is self._state.now:
                self._state.again = True
            else:
                result.grad_fn.metadata[KEY] = nodes  # type: ignore[index]  # typed as a method
                self._open.append(nodes)
        else:
            self._evaluate(nodes, outputs=not self._data.holds(tensor, self._traffic.passes))

    def _scored(self, scored: Scored) -> None:
        """A loss over all nodes at once: the labels say which of them count."""
        if not scored.recorded or scored.name not in OVER_CLASSES or self._readings.left <= 0:
            return
        given = scored.arguments
        target, prediction = given.get("target"), given["input"]
        if given.get("reduction") == "none" or not isinstance(target, Tensor) or target.dim() != 1:
            return
        if len(target) != self._book.rows or target.is_floating_point() or prediction.grad_fn.metadata.get(KEY):
            return
        self._readings.left -= 1
        flags = (target != given["ignore_index"]).cpu().numpy()
        nodes = NodeSet(bits=bits(flags), of=len(flags), name="", place=user_place())
        if self._state.now is not None and self._state.now.bits == nodes.bits:
            self._state.again = True
            return
        scored.value.grad_fn.metadata[KEY] = nodes
        self._open.append(nodes)

    def _began(self, backward: Backward) -> None:
        if not self._open or backward.nested:
            return
        roots = [backward.roots] if isinstance(backward.roots, Tensor) else list(backward.roots)
        for node in walk([each.grad_fn for each in roots if getattr(each, "grad_fn", None) is not None]):
            nodes = node.metadata.get(KEY)
            if nodes is not None:
                self._state.came_past(nodes)
                self._open = [each for each in self._open if each is not nodes]

    def _stepping(self, _: Any = None) -> None:
        """A step, or the end: what no backward pass came past was evaluated."""
        self._state.step()
        now = self._state.now
        if now is not None and len(self._trained) < KEPT:
            self._trained.setdefault(now.bits, now)
        waiting, self._open = self._open, []
        for nodes in waiting:
            self._evaluate(nodes)

    def _evaluate(self, nodes: NodeSet, *, outputs: bool = True) -> None:
        now = self._state.now
        key = nodes.bits, -1 if now is None else now.bits
        former = self._evaluated.get(key)
        if now is None or (former is None and len(self._evaluated) >= KEPT):
            return
        if former is None or not (former.settled and former.outputs):
            self._evaluated[key] = EvaluatedNodes(
                chosen=nodes, trained=now, settled=self._state.settled or (former is not None and former.settled),
                outputs=outputs or (former is not None and former.outputs),
            )



def _version(index: Any) -> int:
    if not isinstance(index, Tensor) or index.is_inference():
        return 0
    return int(index._version)  # noqa: SLF001  # counts writes in place


def _flags(values: Any, rows: int) -> Any:
    """Of every node, whether it is chosen; None where the values aren't a mask or distinct nodes."""
    if values.dtype == np.bool_ or values.dtype == np.uint8:
        return values.astype(np.bool_) if values.shape == (rows,) else None
    if values.ndim != 1 or values.dtype.kind != "i" or (len(values) and not 0 <= values.min() <= values.max() < rows):
        return None
    flags = np.zeros(rows, dtype=np.bool_)
    flags[values] = True
    return flags if flags.sum() == len(values) else None


def _is_mask_of_numbers(values: Any, rows: int) -> bool:
    """Whole numbers, one for every node, of which some are 0 and all others 1: they choose rows 0 and 1 alone."""
    if values.shape != (rows,) or values.dtype.kind != "i" or rows <= 2:
        return False
    return bool((values == 0).any() and (values == 1).any() and ((values == 0) | (values == 1)).all())
