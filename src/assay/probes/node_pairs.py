"""Pairs of nodes that are scored: link prediction.

Two choices of rows of one tensor, one after the other and of one length, in which nodes stand repeatedly, are the two
ends of pairs. Pairs that a backward pass comes past were trained on, the others were evaluated. Pairs that are exactly
the edges of the messages are a layer's own, written by hand.
"""

from __future__ import annotations

import sys
import weakref
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import numpy as np
from torch import Tensor

from assay.autograd_graph import walk
from assay.edge_lists import Edges, Flags, Integers, within
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.graph import EvaluatedPairs, LinkFacts, Negatives
from assay.graph_book import GraphBook
from assay.probe import Clock, Faults, is_library, user_place
from assay.traffic import Backward, Traffic

READ = 64
"""Pairs read on steps that the clock doesn't look at: evaluations are as often as not there."""

KEPT = 32
"""Evaluations and sets of negatives that are kept."""

LARGEST = 1_000_000
"""Pairs of one choice that are looked into."""

ALIKE = 0.9
"""Share from which a set is taken for another with a few exceptions: positives that are messages, say."""

HALF = 0.5
"""Share below which pairs are taken for negatives of which some are edges."""

KEY = "assay: pairs"
"""The key of our record in a graph node's metadata."""


@dataclass(eq=False)
class Half:
    """One end of pairs, until the other is chosen."""

    reference: weakref.ref[Tensor]
    ends: Integers


@dataclass(eq=False)
class Pairs:
    """Pairs that were scored.

    inside      whether within a module's call, so that the graph of that pass becomes known when it ends
    library     whether a library's code chose them, such as a loss that draws its own negatives
    trained     whether a backward pass came past
    messages    the edges of the pass that embedded their nodes, since others may pass before the next step; None
                until that pass has ended
    """

    ends: Integers
    place: Place | None
    inside: bool
    library: bool
    trained: bool = False
    messages: Edges | None = None


@dataclass(eq=False)
class Learnt:
    """What was trained on, over all looks.

    keys        all pairs
    latest      those of them that were messages at the latest step; `settled` if they had been the same before
    """

    keys: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    latest: Integers | None = None
    settled: bool = False
    pairs: int = 0
    strangers: int = 0

    def take(self, sets: list[Edges], known: list[Flags]) -> None:
        """What one step trained on, set by set, and which of its pairs are messages, forwards or back."""
        self.pairs += sum(len(each.keys) for each in sets)
        self.strangers += sum(int((~flags).sum()) for flags in known)
        self.keys = np.union1d(self.keys, np.concatenate([each.keys for each in sets]))
        now = np.unique(np.concatenate([each.keys[flags] for each, flags in zip(sets, known, strict=True)]))
        # negatives that happen to be messages differ from step to step: nearly the same is the same
        former, self.latest = self.latest, now
        self.settled = former is not None and within(now, former).sum() >= ALIKE * max(len(now), len(former))


class Scores:
    """What was trained on and evaluated so far, against the messages known at the time."""

    def __init__(self, book: GraphBook) -> None:
        self.learnt = Learnt()
        self.evaluated: list[EvaluatedPairs] = []
        self.negatives: list[Negatives] = []
        self._book = book

    def are_messages(self, pairs: Pairs) -> bool:
        """Whether the pairs are exactly the edges of the latest messages."""
        messages = self._book.latest
        return messages is not None and messages.equals(Edges.of(pairs.ends, messages.nodes))

    def learn(self, trained: list[Pairs]) -> None:
        """What one step trained on: all its pairs together, and which sets of them are negatives."""
        messages = self._book.latest
        if messages is None or not trained:
            return
        sets = [Edges.of(each.ends, messages.nodes) for each in trained]
        known = [_either(each, messages) for each in sets]
        self.learnt.take(sets, known)
        if any(flags.mean() >= ALIKE for flags in known if len(flags)):
            for pairs, flags in zip(trained, known, strict=True):
                room = len(self.negatives) < KEPT and not pairs.library
                if room and len(flags) and flags.mean() < HALF:
                    met = int(flags.sum())
                    self.negatives.append(Negatives(place=pairs.place, pairs=len(flags), edges=met))

    def evaluate(self, pairs: Pairs) -> None:
        """Scored apart from training: how many of them the messages tell."""
        messages, learnt = pairs.messages or self._book.latest, self.learnt
        if messages is None or len(self.evaluated) >= KEPT or self.are_messages(pairs):
            return
        scored = Edges.of(pairs.ends, messages.nodes)
        trained = within(scored.keys, learnt.keys)
        among = within(scored.keys, messages.keys) & ~trained
        reverse = within(scored.reversed_keys, messages.keys) & ~trained & ~among
        one_way = messages.reversed_keys[messages.one_way]
        completed = within(one_way, scored.keys).sum()
        self.evaluated.append(EvaluatedPairs(
            place=pairs.place, pairs=len(scored.keys), trained=int(trained.sum()), among=int(among.sum()),
            reverse=int(reverse.sum()), symmetric=bool(completed >= ALIKE * len(one_way)),
            often=messages.often, settled=learnt.settled,
        ))


class NodePairs:
    """Records pairs of nodes that were scored, against the messages of the pass that embedded them."""

    name = "node pairs"
    kinds: tuple[type[Fact], ...] = (LinkFacts,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic, book: GraphBook) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._book = book
        self._half: Half | None = None
        self._open: list[Pairs] = []
        self._left = READ
        self._scores = Scores(book)

    def attach(self) -> None:
        """Wait for a graph."""
        self._book.found.append(self._faults.contained(self.name, self._begin))

    def detach(self) -> None:
        """Settle what is open."""
        self._faults.contained(self.name, self._stepping)()
        self._half = None

    def facts(self) -> FactSet:
        """The evaluations in their order."""
        scores, learnt = self._scores, self._scores.learnt
        if not learnt.pairs and not scores.evaluated:
            return FactSet(absent={LinkFacts: Absent("no pairs of nodes were scored", applicable=False)})
        return FactSet.of(LinkFacts(
            strangers=learnt.strangers / learnt.pairs if learnt.pairs else 0.0, evaluated=tuple(scores.evaluated),
            negatives=tuple(scores.negatives),
        ))

    def _begin(self) -> None:
        contained = self._faults.contained
        self._book.chose.append(contained(self.name, self._chose))
        self._book.passed.append(contained(self.name, self._passed))
        self._traffic.began.append(contained(self.name, self._began))
        self._traffic.stepping.append(contained(self.name, self._stepping))

    def _chose(self, tensor: Tensor, index: Any, result: Tensor) -> None:
        if not isinstance(index, Tensor) or index.dim() != 1 or index.dtype.is_floating_point or tensor.dim() != 2:
            return
        if index.element_size() == 1 or len(index) > LARGEST:
            return
        if not self._clock.looks and (result.grad_fn is not None or self._left <= 0):
            return
        ends = index.detach().cpu().numpy().astype(np.int64)
        former, self._half = self._half, None
        if former is not None and former.reference() is tensor and _are_ends(former.ends, ends):
            self._pair(np.stack([former.ends, ends]), result)
        else:
            self._half = Half(weakref.ref(tensor), ends)

    def _pair(self, ends: Integers, result: Tensor) -> None:
        if not self._clock.looks:
            self._left -= 1
        frame = sys._getframe(1)  # noqa: SLF001  # the documented way to the caller's frame
        pairs = Pairs(
            ends=ends, place=user_place(), inside=_in_a_module(frame), library=is_library(_chooser(frame)),
        )
        pairs.messages = None if pairs.inside else self._book.latest
        if result.grad_fn is not None:
            result.grad_fn.metadata[KEY] = pairs  # type: ignore[index]  # typed as a method
        if result.grad_fn is not None or pairs.inside:
            self._open.append(pairs)
        else:
            self._scores.evaluate(pairs)

    def _passed(self) -> None:
        self._half = None
        for pairs in [each for each in self._open if each.inside]:
            pairs.inside, pairs.messages = False, self._book.latest
            if self._scores.are_messages(pairs):
                self._open.remove(pairs)

    def _began(self, backward: Backward) -> None:
        if not self._open or backward.nested:
            return
        roots = [backward.roots] if isinstance(backward.roots, Tensor) else list(backward.roots)
        for node in walk([each.grad_fn for each in roots if getattr(each, "grad_fn", None) is not None]):
            pairs = node.metadata.get(KEY)
            if pairs is not None:
                pairs.trained = True

    def _stepping(self, _: Any = None) -> None:
        """A step, or the end: what no backward pass came past was evaluated."""
        waiting, self._open = self._open, []
        self._scores.learn([each for each in waiting if each.trained])
        for pairs in waiting:
            if not pairs.trained:
                self._scores.evaluate(pairs)


def _either(pairs: Edges, messages: Edges) -> Flags:
    """Of every distinct pair, whether it or its reverse is a message."""
    return within(pairs.keys, messages.keys) | within(pairs.reversed_keys, messages.keys)


def _are_ends(first: Integers, second: Integers) -> bool:
    """Whether two choices of one length are ends of pairs: sets of nodes hold each node once, ends repeat them."""
    if len(first) != len(second) or np.array_equal(first, second):
        return False
    return len(np.unique(first)) < len(first) or len(np.unique(second)) < len(second)


def _chooser(frame: FrameType) -> str:
    """The file of the code that wrote the brackets."""
    while frame.f_back is not None and frame.f_code.co_name != "__getitem__":
        frame = frame.f_back
    return (frame.f_back or frame).f_code.co_filename


def _in_a_module(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_name == "_call_impl":
            return True
        frame = frame.f_back
    return False
