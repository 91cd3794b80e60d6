"""Run a script or a module exactly as `python` would, under a session of probes.

The program is `__main__`, with its own sys.argv, sys.path and working directory; it ends as it would have ended, with
its own traceback and exit code. Nothing heavy is imported before the program does so itself: probes attach at the
moment when its own `import torch` is complete, so that what it sets before (thread counts, devices) still counts.
"""

from __future__ import annotations

import atexit
import builtins
import io
import os
import runpy
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType, TracebackType
from typing import TYPE_CHECKING, Any

from assay.announcing import when_imported
from assay.errors import UnusableInput
from assay.facts.fact_set import FactSet
from assay.probe import is_library
from assay.watching.ranks import gathering, joined

if TYPE_CHECKING:
    from assay.rule import Finding
    from assay.watching.holding import Holding
    from assay.watching.memorising import Memorising
    from assay.watching.session import Recording
    from assay.watching.stopping import Stopping

INTERRUPTED = 130
"""What a shell shows for a program that Ctrl-C ended."""


@dataclass(frozen=True)
class Program:
    """What to run: a script's path or, with `module`, a module's dotted name, and its arguments."""

    target: str
    arguments: tuple[str, ...] = ()
    module: bool = False


@dataclass(frozen=True, kw_only=True)
class Manner:
    """How the program is to be run.

    steps       optimizer steps after which it is ended; None lets it run to its own end
    overfit     its loops are held on the first batch, and what works against memorising it is off
    tell        is shown each error as soon as it is seen
    """

    steps: int | None = None
    overfit: bool = False
    tell: Callable[[Finding], None] | None = None


@dataclass(frozen=True, kw_only=True)
class Ended:
    """How a program ended, and what was seen of it.

    saw_torch       False where it never imported PyTorch
    files           the program's own source files below the working directory
    stopped         it was ended after the steps that were asked for
    held            a DataLoader gave the batch on which it was held
    """

    exit: int
    facts: FactSet
    saw_torch: bool
    broken: dict[str, str] = field(default_factory=dict)
    files: tuple[Path, ...] = ()
    stopped: bool = False
    held: bool = False


@dataclass(frozen=True)
class _Session:
    """What is attached to the program: the recording, and what else was asked for."""

    recording: Recording
    stopping: Stopping | None
    holding: Holding | None
    memorising: Memorising | None
    others: tuple[Any, ...]

    @classmethod
    def attached(cls, manner: Manner) -> _Session:
        """Begin: the recording first, so that it has seen each step before it is stopped at."""
        from assay.watching.alarming import Alarm
        from assay.watching.holding import Holding
        from assay.watching.memorising import Memorising
        from assay.watching.session import started
        from assay.watching.stopping import Stopping

        recording = started()
        alarm = Alarm(recording, recording.faults, manner.tell) if manner.tell else None
        holding = Holding() if manner.overfit else None
        memorising = Memorising(recording.faults, recording.traffic, holding) if holding else None
        stopping = Stopping(manner.steps) if manner.steps is not None else None
        others = tuple(each for each in (alarm, holding, memorising, stopping) if each is not None)
        for each in others:
            each.attach()
        return cls(recording, stopping, holding, memorising, others)

    def ended(self, code: int) -> Ended:
        """Detach everything, and say what was seen."""
        held = self.holding is not None and self.holding.first is not None
        for each in reversed(self.others):
            each.detach()
        self.recording.detach()
        facts = self.recording.facts()
        if self.memorising is not None:
            facts = facts.joined(self.memorising.facts())
        return Ended(
            exit=code, facts=facts, saw_torch=True, broken=self.recording.broken, held=held,
            stopped=self.stopping is not None and self.stopping.stopped,
        )


TO_ITS_END = Manner()


def run(program: Program, manner: Manner = TO_ITS_END) -> Ended:
    """Run the program to its end under probes.

    Raises UnusableInput where there is no such script or module; whatever the program itself raises is printed as
    Python prints it, and told by the exit code.
    """
    main = _module(program) if program.module else _script(program)
    sessions: list[_Session] = []
    process = os.getpid()
    with (
        gathering() as ranks, _as_main(program),
        _once_imported("torch", lambda: sessions.append(_Session.attached(manner))),
    ):
        code = _exit_code(main)
        if os.getpid() != process:  # a child that the program forked ends as itself: the report is its parent's
            raise SystemExit(code)
        _await_threads()
        ended = [session.ended(code) for session in sessions]
        left = ranks.left()
    files = _own_files()
    own = ended[0] if ended else Ended(exit=code, facts=FactSet(), saw_torch=False)
    return replace(
        own, files=files, facts=joined(own.facts, left), saw_torch=own.saw_torch or bool(left),
        broken={name: why for each in left for name, why in each.broken.items()} | own.broken,
    )


def _script(program: Program) -> Callable[[], None]:
    path = Path(program.target)
    try:
        with io.open_code(str(path.absolute())) as file:
            source = file.read()
    except OSError as fault:
        why = "there is no such file" if isinstance(fault, FileNotFoundError) else fault.strerror
        raise UnusableInput(f"{program.target} can't be run ({why}): give the path of a Python script.") from fault
    file_name = str(path.absolute())

    def main() -> None:
        module = ModuleType("__main__")
        vars(module).update(
            __file__=file_name, __builtins__=builtins, __cached__=None,
            __loader__=SourceFileLoader("__main__", file_name),
        )
        if sys.version_info < (3, 14):  # where Python made this name for every script
            vars(module)["__annotations__"] = {}
        sys.modules["__main__"] = module
        code: CodeType = compile(source, file_name, "exec", dont_inherit=True)
        exec(code, vars(module))  # noqa: S102  # running the user's program is what was asked for

    return main


def _module(program: Program) -> Callable[[], None]:
    sys.path.insert(0, str(Path.cwd()))
    try:
        found = PathFinder.find_spec(program.target.partition(".")[0])
    finally:
        sys.path.pop(0)
    if found is None:
        raise UnusableInput(f"There is no module {program.target!r} here: check its name and the working directory.")

    def main() -> None:
        sys.modules["__main__"] = ModuleType("__main__")
        runpy._run_module_as_main(program.target)  # type: ignore[attr-defined]  # noqa: SLF001  # what `python -m` calls

    return main


@dataclass(frozen=True, kw_only=True)
class _Surroundings:
    """What a program may change of the process, and what its functions registered with atexit expect to find."""

    argv: list[str]
    path: list[str]
    main: ModuleType
    folder: str | None
    streams: tuple[Any, Any]

    @classmethod
    def now(cls) -> _Surroundings:
        """As they are."""
        try:
            folder = str(Path.cwd())
        except OSError:  # it was removed
            folder = None
        return cls(
            argv=sys.argv, path=sys.path[:], main=sys.modules["__main__"], folder=folder,
            streams=(sys.stdout, sys.stderr),
        )

    def reinstate(self) -> None:
        """Put them back; a stream that the program closed is opened anew, since its file is still open."""
        sys.argv, sys.path[:], sys.modules["__main__"] = self.argv, self.path, self.main
        sys.stdout, sys.stderr = self.streams
        if self.folder is not None:
            with suppress(OSError):
                os.chdir(self.folder)

    def opened(self) -> _Surroundings:
        """The same with streams that can be written to."""
        streams = [
            open(file, "w", closefd=False) if getattr(stream, "closed", False) else stream  # noqa: SIM115
            for file, stream in enumerate(self.streams, 1)
        ]
        return replace(self, streams=(streams[0], streams[1]))


@contextmanager
def _as_main(program: Program) -> Iterator[None]:
    """Put the program's arguments and folder in place of ours, and again when its atexit functions are called."""
    ours, registered = _Surroundings.now(), atexit._ncallbacks()  # noqa: SLF001  # the only way to know of any
    sys.argv = [program.target, *program.arguments]
    first = str(Path.cwd()) if program.module else str(Path(program.target).resolve().parent)
    sys.path[:] = [first, *ours.path[1:]]
    try:
        yield
    finally:
        _flush()
        if atexit._ncallbacks() > registered:  # noqa: SLF001
            atexit.register(_Surroundings.now().reinstate)
        ours.opened().reinstate()


def _flush() -> None:
    """What the program has printed comes before what we print; it may have left anything as its stream."""
    with suppress(Exception):
        sys.stdout.flush()


def _exit_code(main: Callable[[], None]) -> int:
    """Run, and do with whatever the program raises what Python does at its top."""
    try:
        main()
    except SystemExit as end:
        return _code_of(end)
    except KeyboardInterrupt as stop:
        _print_as_python(stop)
        return INTERRUPTED
    except BaseException as fault:  # noqa: BLE001  # the program's own end, told as Python tells it
        _print_as_python(fault)
        return 1
    return 0


def _code_of(end: SystemExit) -> int:
    if end.code is None:
        return 0
    if isinstance(end.code, int):
        return end.code & 0xFF
    _flush()
    print(end.code, file=sys.stderr)  # noqa: T201  # what Python itself does with such a code
    return 1


def _print_as_python(fault: BaseException) -> None:
    """The traceback as Python prints it, by the program's own excepthook, without the frames that ran the program."""
    fault.__traceback__ = _without_ours(fault.__traceback__)
    _flush()
    sys.excepthook(type(fault), fault, fault.__traceback__)


def _without_ours(traceback: TracebackType | None) -> TracebackType | None:
    while traceback is not None and traceback.tb_frame.f_code.co_filename == __file__:
        traceback = traceback.tb_next
    return traceback


def _own_files() -> tuple[Path, ...]:
    """The files of all modules that are the user's own."""
    named = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    folder = Path.cwd()
    return tuple(sorted(
        Path(name) for name in named
        if isinstance(name, str) and name.endswith(".py") and not is_library(name) and Path(name).is_relative_to(folder)
    ))


def _await_threads() -> None:
    """Python waits for a program's threads before it ends; what they do belongs to it."""
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()


@contextmanager
def _once_imported(name: str, then: Callable[[], None]) -> Iterator[None]:
    """Call `then` when the module has been imported: at once if it already is."""
    cancel = when_imported(name, then)
    try:
        yield
    finally:
        cancel()
