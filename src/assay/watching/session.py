"""A session of watching: probes are attached, the program runs, probes are detached, and rules judge what was seen.

    with recording() as seen:          # what a stage uses: facts, no judgement
        train()
    seen.facts()

    with watch() as w:                 # what people use in scripts and notebooks
        train()
    w.judgement.findings

Attaching and detaching costs some milliseconds; nothing of the program is kept alive afterwards.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from assay.facts.fact import Absent, Fact, Schedule
from assay.facts.fact_set import FactSet, join
from assay.parameter_book import ParameterBook
from assay.probe import Clock, Faults, Probe
from assay.rule import Judgement
from assay.traffic import Traffic
from assay.watching.instruments import Ground, every_probe, probes_of_data
from assay.watching.judging import judged
from assay.watching.measuring import measured

DENSE = 5
"""Steps at the start that are looked at one by one: a fault in the loop shows in the first few."""


class Recording:
    """What the probes have seen so far; after the session, all that they saw.

    traffic, faults     what else may listen to, and where its failures are kept
    """

    def __init__(self, schedule: Schedule) -> None:
        self.traffic, self.faults = Traffic(), Faults()
        ground = Ground(Clock(schedule), self.faults, ParameterBook(), self.traffic)
        self._data = probes_of_data(ground)
        self._probes: tuple[Probe, ...] = (*every_probe(ground), *self._data.probes)

    def attach(self) -> None:
        """Attach every probe."""
        for probe in self._probes:
            self.faults.contained(probe.name, probe.attach)()
        os.register_at_fork(after_in_child=_leaving(weakref.ref(self)))

    def detach(self) -> None:
        """Detach every probe, the last one first: two may have wrapped the same function."""
        for probe in reversed(self._probes):
            self.faults.contained(probe.name, probe.detach)()

    def leave(self) -> None:
        """Take all hooks away in a forked child, such as a loader's worker: only its parent is seen."""
        for probe in reversed(self._probes):
            self.faults.contained(probe.name, probe.detach)()

    @property
    def broken(self) -> dict[str, str]:
        """Probes that failed, and how; their facts are absent."""
        return {f"probe: {name}": why for name, why in self.faults.seen.items()}

    def facts(self) -> FactSet:
        """The facts of all probes."""
        return join([*map(self._facts_of, self._probes), measured(self._data.passed(), self.faults)])

    def facts_of(self, kinds: Collection[type[Fact]]) -> FactSet:
        """The facts of the probes that yield any of these kinds."""
        return join(self._facts_of(probe) for probe in self._probes if set(kinds).intersection(probe.kinds))

    def _facts_of(self, probe: Probe) -> FactSet:
        if probe.name not in self.faults.seen:
            try:
                return probe.facts()
            except Exception as fault:  # noqa: BLE001  # the other probes' facts still stand
                self.faults.note(probe.name, fault)
        why = f"the probe of the {probe.name} failed: {self.faults.seen[probe.name]}"
        return FactSet(absent={kind: Absent(why) for kind in probe.kinds})


def _leaving(reference: weakref.ref[Recording]) -> Callable[[], None]:
    """What a forked child does first; a process can't take it back, so that it must not keep the recording alive."""

    def leave() -> None:
        seen = reference()
        if seen is not None:
            seen.leave()

    return leave


def started(schedule: Schedule | None = None) -> Recording:
    """A recording that has begun; `detach` ends it."""
    seen = Recording(schedule or Schedule(dense=DENSE))
    seen.attach()
    return seen


@contextmanager
def recording(schedule: Schedule | None = None) -> Iterator[Recording]:
    """Record what happens within, whether it ends well or raises."""
    seen = started(schedule)
    try:
        yield seen
    finally:
        seen.detach()


class Watch:
    """A recording and, once it has ended, its judgement."""

    def __init__(self, seen: Recording, allow: Collection[str]) -> None:
        self._seen = seen
        self._allow = allow

    @property
    def facts(self) -> FactSet:
        """What was seen so far."""
        return self._seen.facts()

    @property
    def judgement(self) -> Judgement:
        """What all rules say to the facts; within the `with` block, to those seen so far."""
        return judged(
            self._seen.facts(), broken=self._seen.broken, allow=self._allow, from_start=False,
        )


@contextmanager
def watch(allow: Collection[str] = ()) -> Iterator[Watch]:
    """Watch what happens within.

    allow   names of rules whose findings are set aside
    """
    with recording() as seen:
        yield Watch(seen, allow)
