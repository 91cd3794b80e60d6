"""Data loaders: their making, their iterations and their batches, told to the probes that listen.

The constructor tells the line that made each, the iterators' constructor a new iteration, and `__next__`, wrapped on
the class that all iterators share, each batch.
Loaders of libraries derive from PyTorch's and are seen too. The workers of
a loader are forked without any of this.
"""

from __future__ import annotations

import sys
import time
import weakref
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial, wraps
from types import FrameType
from typing import Any

from torch.utils.data import DataLoader, IterableDataset, RandomSampler, SequentialSampler
from torch.utils.data.dataloader import _BaseDataLoaderIter

from assay.dataset_code import randomness
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.loader import Iteration, LoaderFacts, LoaderRecord, Order, Randomness
from assay.probe import Faults, Patches, after, is_library, place_in, place_of_making, user_place
from assay.tensors import Fingerprints, first_tensor
from assay.traffic import Delivered, Traffic
from assay.weak_identity import IdentityDict

LOADERS = 64
"""Loaders that are told apart; a program that makes one an epoch shows enough with these."""

ITERATIONS = 16
"""Iterations of each that are kept."""

STREAMED = 4096
"""Rows of the first iteration of a stream that are told apart, to see whether several workers give the same."""

MARKED = 4
"""Rows of a batch by which it is known again: its first ones."""


@dataclass(eq=False)
class Seen:
    """What is known of one loader; nothing of it is kept alive."""

    number: int
    reference: weakref.ref[Any]
    record: LoaderRecord
    begun: int = 0
    trained: int = 0
    waited: float = 0.0
    lasted: float = 0.0
    iterations: list[Iteration] = field(default_factory=list)
    first: tuple[int, ...] | None = None
    rows: Counter[int] | None = None
    began: float = 0.0

    def facts(self) -> LoaderRecord:
        """The record as it stands."""
        return replace(
            self.record, begun=self.begun, iterations=tuple(self.iterations), trained=self.trained,
            repeated=self._repeated(), waited=self.waited, lasted=self.lasted,
        )

    def clock(self, asked: float) -> None:
        """A batch that was asked for at this time is there."""
        now = time.perf_counter()
        self.began = self.began or asked
        self.waited += now - asked
        self.lasted = now - self.began

    def _repeated(self) -> int | None:
        """How many workers gave each row of a stream, where that is the same for all."""
        complete = bool(self.iterations) and self.iterations[0].ended
        if not self.rows or not complete or self.rows.total() >= STREAMED:
            return None
        workers = self.record.workers
        return workers if all(count % workers == 0 for count in self.rows.values()) else 1


@dataclass(eq=False)
class Running:
    """One iteration that is going on."""

    seen: Seen
    number: int
    position: int = 0


class Loaders:
    """Records every DataLoader of the program, and tells of its batches."""

    name = "loaders"
    kinds: tuple[type[Fact], ...] = (LoaderFacts,)

    def __init__(self, faults: Faults, traffic: Traffic) -> None:
        self._faults = faults
        self._traffic = traffic
        self._patches = Patches()
        self._fingerprints = Fingerprints()
        self._seen: list[Seen] = []
        self._running: IdentityDict[Any, Running] = IdentityDict()
        self._latest: Seen | None = None

    def attach(self) -> None:
        """Wrap what makes loaders and what iterates over them; listen to steps."""
        made, began = (self._faults.contained(self.name, look) for look in (self._made, self._began))
        self._patches.replace(DataLoader, "__init__", partial(after, made))
        self._patches.replace(_BaseDataLoaderIter, "__init__", partial(_beginning, began))
        handed, ended = (self._faults.contained(self.name, look) for look in (self._handed, self._ended))
        self._patches.replace(_BaseDataLoaderIter, "__next__", partial(_watching, handed, ended))
        self._traffic.stepped.append(self._faults.contained(self.name, self._stepped))

    def detach(self) -> None:
        """Put the originals back."""
        self._patches.restore()
        self._running.clear()

    def facts(self) -> FactSet:
        """The loaders in the order in which they were first seen."""
        if not self._seen:
            return FactSet(absent={LoaderFacts: Absent("no DataLoader was made", applicable=False)})
        return FactSet.of(LoaderFacts(loaders=tuple(seen.facts() for seen in self._seen)))

    def _made(self, loader: Any) -> None:
        self._find(loader, place_of_making(loader))

    def _find(self, loader: Any, place: Place | None = None) -> Seen | None:
        found = next((seen for seen in self._seen if seen.reference() is loader), None)
        if found is None and len(self._seen) < LOADERS:
            found = Seen(len(self._seen), weakref.ref(loader), _described(loader, place))
            self._seen.append(found)
        return found

    def _began(self, iterator: Any, loader: Any) -> None:
        seen = self._find(loader)
        if seen is None:
            return
        if not seen.begun:
            seen.record = _measured(seen.record, loader)
            if seen.record.order == "stream" and seen.record.workers > 1:
                seen.rows = Counter()
        self._running[iterator] = _begin(seen)

    def _handed(self, iterator: Any, batch: Any, began: float) -> None:
        running = self._running.get(iterator)
        if running is None:
            return
        if iterator._num_yielded == 1 and running.position:  # noqa: SLF001  # persistent workers: the same iterator again
            running = self._running[iterator] = _begin(running.seen)
        seen, number, position = running.seen, running.number, running.position
        running.position += 1
        if number < ITERATIONS:
            seen.iterations[number] = _counted(seen, number, batch, self._fingerprints)
        seen.clock(began)
        self._latest = seen
        if self._traffic.delivered:
            told = Delivered(
                batch=batch, loader=seen.number, place=seen.record.place, sequential=seen.record.order == "sequential",
                iteration=number, position=position,
            )
            for look in tuple(self._traffic.delivered):
                look(told)

    def _ended(self, iterator: Any, why: Exception) -> None:
        """It is exhausted, or has failed."""
        running = self._running.get(iterator)
        if running is None:
            return
        seen, number = running.seen, running.number
        if not isinstance(why, StopIteration):
            if "worker" in str(why) or "timed out" in str(why):
                seen.record = replace(seen.record, failure=str(why), failed_at=user_place())
        elif number < ITERATIONS:
            seen.iterations[number] = replace(seen.iterations[number], ended=True)

    def _stepped(self, _optimizer: Any) -> None:
        if self._latest is not None:
            self._latest.trained += 1
            self._latest = None


def _beginning(look: Callable[..., None], original: Any) -> Any:
    """An iterator's constructor that shows the iterator and its loader, before any worker is forked."""

    @wraps(original)
    def __init__(iterator: Any, loader: Any, *rest: Any) -> None:  # noqa: N807  # as it is named in tracebacks
        original(iterator, loader, *rest)
        look(iterator, loader)

    return __init__


def _watching(handed: Callable[..., None], ended: Callable[..., None], original: Any) -> Any:
    """An iterator's `__next__` that shows each batch and when it was asked for, and why there are no more."""
    clock = time.perf_counter

    @wraps(original)
    def __next__(iterator: Any) -> Any:  # noqa: N807  # as it is named in tracebacks
        began = clock()
        try:
            batch = original(iterator)
        except (StopIteration, RuntimeError) as why:
            ended(iterator, why)
            raise
        handed(iterator, batch, began)
        return batch

    return __next__


def _begin(seen: Seen) -> Running:
    number = seen.begun
    seen.begun += 1
    if number < ITERATIONS:
        seen.iterations.append(Iteration(batches=0, ended=False, place=_place_of_loop(), alike=False))
    return Running(seen, number)


def _counted(seen: Seen, number: int, batch: Any, fingerprints: Fingerprints) -> Iteration:
    """An iteration that has given one batch more."""
    now = seen.iterations[number]
    if now.batches:
        alike = now.alike
    else:
        mark = _mark(batch, fingerprints)
        seen.first = seen.first if number else mark
        alike = mark is not None and mark == seen.first
    if seen.rows is not None and number == 0 and seen.rows.total() < STREAMED:
        rows = first_tensor([batch])
        seen.rows.update([] if rows is None else fingerprints.of(rows).tolist())
    return replace(now, batches=now.batches + 1, alike=alike)


def _mark(batch: Any, fingerprints: Fingerprints) -> tuple[int, ...] | None:
    rows = first_tensor([batch])
    return None if rows is None else tuple(fingerprints.of(rows[:MARKED]).tolist())


def _place_of_loop() -> Place | None:
    """The user's line that begins an iteration; None where a library does, and its settings say how far it goes."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001  # the documented way to the caller's frame
    while frame is not None and str(frame.f_globals.get("__name__")).startswith(("torch.utils.data", "assay.")):
        frame = frame.f_back
    return None if frame is None or is_library(frame.f_code.co_filename) else user_place(frame)


def _described(loader: Any, place: Place | None) -> LoaderRecord:
    kinds: dict[type, Order] = {SequentialSampler: "sequential", RandomSampler: "random"}
    order: Order = kinds.get(type(loader.sampler), "other")
    if isinstance(loader.dataset, IterableDataset):
        order = "stream"
    elif loader.batch_size is None and loader.batch_sampler is not None:
        order = "other"  # a batch sampler of the program's own
    return LoaderRecord(
        place=place, kind=type(loader.dataset).__name__, order=order, rows=None, planned=None,
        batch_size=loader.batch_size, drop_last=bool(loader.drop_last), workers=loader.num_workers, begun=0,
        iterations=(), trained=0, randomness=Randomness(),
    )


def _measured(record: LoaderRecord, loader: Any) -> LoaderRecord:
    """The record with what is known when the first iteration begins; PyTorch's own samplers ask for the length too."""
    asked = record.order in ("sequential", "random")
    read = randomness(loader.dataset, loader.worker_init_fn, loader.num_workers)
    return replace(
        record, rows=len(loader.dataset) if asked else None, planned=len(loader) if asked else None,
        randomness=replace(read, built=_own(read.built), cached=_own(read.cached)),
    )


def _own(place: Place | None) -> Place | None:
    return None if place is None else place_in(place.file, place.line)
