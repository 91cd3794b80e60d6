"""The ranks of a watched program: processes that it starts, each watched by itself, their facts gathered by the parent.

An environment variable names the folder where ranks leave their facts, and a site hook, first on PYTHONPATH, reaches
every Python that the program starts (torchrun, spawned or started anew); forked ones have it already. A process becomes
a rank when it initialises a process group, or when torchrun has numbered it: loader workers and other children don't,
and run as without a watch. What a rank has seen is left at its end, and in part at steps in between, so that of a rank
that is killed something is known.
"""

from __future__ import annotations

import atexit
import os
import pickle
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.announcing import when_imported
from assay.facts.distributed import RankedFact, ReplicaFacts, ShardFacts, WrapperFacts
from assay.facts.fact import Fact, Schedule
from assay.facts.fact_set import FactSet
from assay.facts.optimizer import OptimizerFacts
from assay.probe import Patches

if TYPE_CHECKING:
    from assay.watching.session import Recording

FOLDER = "ASSAY_RANKS"
PATH = "PYTHONPATH"
HOOK = str(Path(__file__).parent / "site_hook")

GATHERED: tuple[type[RankedFact], ...] = (WrapperFacts, ReplicaFacts, ShardFacts)
"""Facts that all ranks contribute to; of the others those of one rank stand for all."""

LEFT_IN_BETWEEN = Schedule(dense=2)


@dataclass(frozen=True, kw_only=True)
class Left:
    """What one rank left: its facts, and the probes that failed in it."""

    facts: FactSet
    broken: dict[str, str] = field(default_factory=dict)

    @property
    def number(self) -> int:
        """The rank's number."""
        shown = self.facts.records.get(ReplicaFacts)
        return shown.ranks[0].number if isinstance(shown, ReplicaFacts) and shown.ranks else sys.maxsize


class Rank:
    """A process that may become a rank, and is recorded from then on.

    folder      where it leaves its facts
    recorded    the process that is recorded already, by whoever started the watch
    """

    def __init__(self, folder: str, recorded: int | None = None) -> None:
        self._folder = Path(folder)
        self._process = recorded
        self._recording: Recording | None = None
        self._steps = 0
        self._patches = Patches()

    def await_group(self) -> None:
        """Begin when a process group has been initialised, or at once where torchrun has made this process a rank."""
        import torch.distributed

        if not torch.distributed.is_available():
            return
        self._patches.replace(torch.distributed, "init_process_group", self._beginning)
        numbered = "RANK" in os.environ and "LOCAL_RANK" in os.environ and "--multiprocessing-fork" not in sys.orig_argv
        if numbered and "TORCHELASTIC_RUN_ID" in os.environ:
            self.begin()

    def restore(self) -> None:
        """Take the wrapper away."""
        self._patches.restore()

    def begin(self) -> None:
        """Record this process from now on, unless it is recorded already."""
        if self._process == os.getpid():
            return
        from multiprocessing.util import Finalize

        from assay.watching.session import started

        self._process, self._steps = os.getpid(), 0
        self._recording = started()
        self._recording.traffic.stepped.append(self._recording.faults.contained("ranks", self._stepped))
        atexit.register(self._end)
        Finalize(None, self._end, exitpriority=100)  # a forked child ends without what atexit holds

    def _beginning(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(original)
        def init_process_group(*arguments: Any, **named: Any) -> Any:
            made = original(*arguments, **named)
            with suppress(Exception):  # the program's group stands, watched or not
                self.begin()
            return made

        return init_process_group

    def _stepped(self, *_: Any) -> None:
        self._steps += 1
        if self._recording is not None and LEFT_IN_BETWEEN.looks_at(self._steps):
            self._leave(Left(facts=self._recording.facts_of(GATHERED)))

    def _end(self) -> None:
        recording, self._recording = self._recording, None
        if recording is None or self._process != os.getpid():
            return
        with suppress(Exception):
            recording.detach()
            self._leave(Left(facts=recording.facts(), broken=recording.broken))

    def _leave(self, left: Left) -> None:
        target = self._folder / f"{os.getpid()}.pickle"
        part = target.with_suffix(".part")
        part.write_bytes(pickle.dumps(left))
        part.replace(target)


def listen() -> None:
    """In a process that a watched program has started: become a rank when it does. The site hook calls this."""
    folder = os.environ.get(FOLDER)
    if folder is not None:
        when_imported("torch", _contained(Rank(folder).await_group))


@contextmanager
def gathering() -> Iterator[Gathered]:
    """Within, every rank that the program starts leaves its facts; afterwards they can be joined to its own."""
    before = {name: os.environ.get(name) for name in (FOLDER, PATH)}
    folder, process = tempfile.mkdtemp(prefix="assay-ranks-"), os.getpid()
    os.environ[FOLDER] = folder
    os.environ[PATH] = os.pathsep.join(filter(None, (HOOK, before[PATH])))
    rank = Rank(folder, recorded=process)
    cancel = when_imported("torch", _contained(rank.await_group))
    try:
        yield Gathered(Path(folder))
    finally:
        if os.getpid() == process:  # a child that the program forked leaves all to its parent
            cancel()
            rank.restore()
            _put_back(before)
            shutil.rmtree(folder, ignore_errors=True)


def _put_back(variables: dict[str, str | None]) -> None:
    for name, value in variables.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value


@dataclass(frozen=True)
class Gathered:
    """What the ranks of a program have left so far."""

    folder: Path

    def left(self) -> list[Left]:
        """In the order of their numbers; a file that can't be read, of a rank that was killed, is passed over."""
        left = []
        for file in sorted(self.folder.glob("*.pickle")):
            with suppress(OSError, EOFError, pickle.UnpicklingError):
                left.append(pickle.loads(file.read_bytes()))  # noqa: S301  # written by our own ranks
        return sorted(left, key=lambda each: each.number)


def joined(own: FactSet, left: Sequence[Left]) -> FactSet:
    """A program's facts: its own where it trains itself, else those of its first rank, and what all ranks contribute.

    own     of the process that started the ranks, which may be one itself
    """
    if not left:
        return own
    stands = own if OptimizerFacts in own.records else own.joined(left[0].facts)
    together: list[Fact] = []
    for kind in GATHERED:
        known = [fact for each in (own, *(rank.facts for rank in left)) if isinstance(fact := each.find(kind), kind)]
        if known:
            together.append(kind.gathered(known))
    return stands.joined(FactSet.of(*together))


def _contained(then: Callable[[], None]) -> Callable[[], None]:
    def contained() -> None:
        with suppress(Exception):  # what a watch can't do must not reach the program's import
            then()

    return contained
