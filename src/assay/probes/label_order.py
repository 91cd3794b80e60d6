"""The order of labels in training: whether one step has one class, the next the same again, and so on through the data.

A loss that is given one label an example hangs the labels on the graph node of its result; a backward pass that comes
past finds them, so that only training counts. Labels that a loader handed out are known by being the same; others came
by way of the program's own indexing. Where the first steps have mixed labels, there is nothing more to see.
"""

from __future__ import annotations

import ast
import linecache
import sys
import weakref
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from types import FrameType
from typing import Any

import torch
from torch import Tensor

from assay.autograd_graph import below
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.loader import LabelOrder, LabelOrderFacts
from assay.probe import Clock, Faults, is_library, place_in
from assay.tensors import tensors_in
from assay.traffic import Backward, Delivered, Scored, Traffic

KEY = "assay labels"
"""The key of our record in a graph node's metadata."""

STREAMS = 8
"""Losses that are told apart."""

MOST = 1 << 16
"""Labels that are kept of each; two epochs of the small data that scripts are tried on."""

LARGEST = 4096
"""Labels in one step beyond which a loss is left alone: such steps are mixed, or made of tokens."""

CALLS = 1024
"""Calls of losses that are looked at, if nothing was decided before."""

UNDECIDED = 16
"""Steps after which mixed labels need no further look."""

MIXED = 0.25
"""Below this, on the way from well mixed (0) to one class a step (1), steps count as mixed."""

ALMOST_ALL = 0.95
"""Where two labels are alike as often as this, only one class has been seen so far, or hardly another."""

NEAR = 32
"""Nodes of the graph below a backward pass's root among which a loss is looked for."""

DEPTH = 4
"""Lines of the user's own on the call stack among which the loop around a loss is looked for."""

Labels = tuple[float, ...]


@dataclass(eq=False)
class Source:
    """Where the labels of a stream come from: a loader, by its number, or else the lines that led to the loss."""

    lines: tuple[tuple[str, int], ...] = ()
    made: Place | None = None
    loader: int | None = None
    sequential: bool = False

    @property
    def place(self) -> Place | None:
        """The line to look at."""
        return _loop_around(self.lines) if self.loader is None else self.made


@dataclass(eq=False)
class Stream:
    """The labels of one source, step by step, and which iteration of the loader each step belongs to."""

    source: Source
    steps: list[Labels] = field(default_factory=list)
    iterations: list[int] = field(default_factory=list)
    latest: int = -1
    kept: int = 0
    closed: bool = False

    def add(self, labels: Labels, step: int, iteration: int) -> None:
        """Labels that one backward pass was for; those of one optimizer step belong together."""
        if self.closed or len(labels) > LARGEST or self.kept + len(labels) > MOST:
            self.closed = True
            return
        self.kept += len(labels)
        if step == self.latest:
            self.steps[-1] += labels
        else:
            self.steps.append(labels)
            self.iterations.append(iteration)
            self.latest = step
        if len(self.steps) == UNDECIDED and self._is_mixed():
            self.closed = True
            self.steps.clear()

    def _is_mixed(self) -> bool:
        if _measured(self.steps):
            return not _monotone([label for labels in self.steps[:2] for label in labels])
        together, chance = _together(self.steps)
        return together is not None and chance < ALMOST_ALL and together < MIXED

    def order(self) -> LabelOrder | None:
        """What the steps of one pass over the data come to; None where no whole pass was seen."""
        length, passes = self._pass()
        if length < 2:
            return None
        steps = self.steps[:length]
        labels = [label for each in steps for label in each]
        measured = _measured(steps)
        return LabelOrder(
            place=self.source.place, loader=self.source.loader is not None, steps=length, passes=passes,
            labels=len(labels), classes=None if measured else len(set(labels)),
            runs=1 + sum(one != other for one, other in pairwise(labels)), shuffled_runs=_shuffled_runs(labels),
            together=_together(steps)[0], monotone=_monotone(labels),
        )

    def _pass(self) -> tuple[int, int]:
        """Steps of one pass over the data, and how many passes in this order were seen."""
        if self.source.loader is not None:
            first = self.iterations[0]
            length = sum(each == first for each in self.iterations)
            again = sum(each == first + 1 for each in self.iterations)
            if self.source.sequential and again:
                return length, 1 + (again >= length)
        length = next(filter(self._recurs_after, range(2, len(self.steps) // 2 + 1)), 0)
        return (length, len(self.steps) // length) if length else (0, 0)

    def _recurs_after(self, length: int) -> bool:
        """Whether every step has the labels of the one so many before, and not all are of one class."""
        pairs = zip(self.steps, self.steps[length:], strict=False)
        return all(one == other for one, other in pairs) and len(set(self.steps[:length])) > 1


class LabelOrders:
    """Records in which order training meets its labels."""

    name = "label order"
    kinds: tuple[type[Fact], ...] = (LabelOrderFacts,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._streams: dict[object, Stream] = {}
        self._calls = 0
        self._handed: tuple[Delivered, list[weakref.ref[Tensor]]] | None = None
        self._listening: list[tuple[list[Any], Any]] = []

    def attach(self) -> None:
        """Listen to loaders, losses and backward passes."""
        for listeners, look in (
            (self._traffic.delivered, self._delivered), (self._traffic.scored, self._scored),
            (self._traffic.began, self._began),
        ):
            contained = self._faults.contained(self.name, look)
            listeners.append(contained)
            self._listening.append((listeners, contained))

    def detach(self) -> None:
        """Nothing of the program is held but weakly."""
        self._handed = None

    def facts(self) -> FactSet:
        """The orders that were seen; a loss whose steps are mixed has none."""
        if not self._streams:
            return FactSet(absent={LabelOrderFacts: Absent("no training loss with one label an example was seen")})
        orders = [stream.order() for stream in self._streams.values() if stream.steps]
        return FactSet.of(LabelOrderFacts(orders=tuple(each for each in orders if each is not None)))

    def _delivered(self, delivered: Delivered) -> None:
        batch = delivered.batch
        tensors = list(tensors_in(batch)) or list(tensors_in(getattr(batch, "y", None)))
        keep = Delivered(
            batch=None, loader=delivered.loader, place=delivered.place, sequential=delivered.sequential,
            iteration=delivered.iteration, position=delivered.position,
        )
        self._handed = keep, [weakref.ref(each) for each in tensors]

    def _scored(self, scored: Scored) -> None:
        if not scored.recorded:
            return
        self._calls += 1
        if self._calls > CALLS:
            self._leave()
            return
        target = scored.positional[1] if len(scored.positional) > 1 else scored.keywords.get("target")
        if not isinstance(target, Tensor) or target.device.type != "cpu" or not 0 < target.numel() <= LARGEST:
            return
        if target.dim() == 0 or target.numel() != len(target) or target.is_complex() or target.requires_grad:
            return
        handed = self._giver(target)
        source = (
            Source(made=handed.place, loader=handed.loader, sequential=handed.sequential) if handed
            else Source(lines=_lines())
        )
        labels = tuple(target.detach().flatten().tolist())
        node = scored.value.grad_fn
        node.metadata[KEY] = (source, labels, handed.iteration if handed else 0)

    def _giver(self, target: Tensor) -> Delivered | None:
        """The latest batch of a loader, if these labels are among what it holds."""
        if self._handed is None:
            return None
        delivered, references = self._handed
        held = [each for each in (reference() for reference in references) if each is not None]
        for each in held:
            if each is target or (each.numel() == target.numel() and torch.equal(
                each.detach().flatten().double(), target.detach().flatten().double(),
            )):
                return delivered
        return None

    def _began(self, backward: Backward) -> None:
        if backward.function != "backward" or backward.nested:
            return
        for root in tensors_in(backward.roots):
            for source, labels, iteration in _records(root.grad_fn):
                key = source.lines if source.loader is None else source.loader
                if key not in self._streams:
                    if len(self._streams) >= STREAMS:
                        continue
                    self._streams[key] = Stream(source)
                self._streams[key].add(labels, self._clock.steps, iteration)
        if self._streams and self._clock.steps >= UNDECIDED and all(each.closed for each in self._streams.values()):
            self._leave()

    def _leave(self) -> None:
        while self._listening:
            listeners, look = self._listening.pop()
            listeners.remove(look)
        self._handed = None


def _records(root: Any) -> list[tuple[Source, Labels, int]]:
    """The labels hung on the nodes nearest to a root, in the order of the losses."""
    found, waiting, seen = [], [root], 0
    while waiting and seen < NEAR:
        node = waiting.pop(0)
        if node is None:
            continue
        seen += 1
        record = node.metadata.pop(KEY, None)
        if record is None:
            waiting += below(node)
        else:
            found.append(record)
    return found


def _measured(steps: list[Labels]) -> bool:
    """Whether labels are measured numbers: most occur once. Whole numbers are classes, as are labels that recur."""
    labels = [label for each in steps for label in each]
    return len(set(labels)) > len(labels) / 4 and not all(float(label).is_integer() for label in labels)


def _monotone(labels: list[float]) -> bool:
    pairs = list(pairwise(labels))
    rises, falls = all(one <= other for one, other in pairs), all(one >= other for one, other in pairs)
    return (rises or falls) and len(set(labels)) > 1


def _shuffled_runs(labels: list[float]) -> float:
    """Expected runs of these labels in random order (Barton and David 1957): n + 1 less the sum of squares over n."""
    return len(labels) + 1 - sum(count * count for count in Counter(labels).values()) / len(labels)


def _together(steps: list[Labels]) -> tuple[float | None, float]:
    """How much likelier two labels of one step are alike than two of all, and how likely those are."""
    counts: Counter[float] = Counter()
    alike = pairs = 0
    for labels in steps:
        within = Counter(labels)
        counts.update(within)
        alike += sum(count * (count - 1) for count in within.values())
        pairs += len(labels) * (len(labels) - 1)
    total = counts.total()
    chance = sum(count * (count - 1) for count in counts.values()) / (total * (total - 1)) if total > 1 else 1.0
    if not pairs or chance == 1.0:
        return None, chance
    return (alike / pairs - chance) / (1 - chance), chance


def _lines() -> tuple[tuple[str, int], ...]:
    """The user's own lines on the call stack, the innermost first."""
    lines: list[tuple[str, int]] = []
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001  # the documented way to the caller's frame
    while frame is not None and len(lines) < DEPTH:
        if not is_library(frame.f_code.co_filename):
            lines.append((frame.f_code.co_filename, frame.f_lineno))
        frame = frame.f_back
    return tuple(lines)


def _loop_around(lines: tuple[tuple[str, int], ...]) -> Place | None:
    """The user's `for` that stands nearest around the loss, in which the examples are chosen; else the loss's line."""
    for file, line in lines:
        try:
            tree = ast.parse("".join(linecache.getlines(file)))
        except SyntaxError:
            continue
        loops = [
            each.lineno for each in ast.walk(tree)
            if isinstance(each, ast.For) and each.lineno <= line <= (each.end_lineno or 0)
        ]
        if loops:
            return place_in(file, max(loops))
    return place_in(*lines[0]) if lines else None
