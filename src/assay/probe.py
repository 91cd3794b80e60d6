"""What every probe has in common: it attaches to a living program, can be detached, and yields facts.

Probes are strangers to each other. What they share is handed to them when they are made: a `Clock` that says when to
look, `Faults` that keeps their own failures out of the program.
"""

from __future__ import annotations

import os
import re
import sys
import sysconfig
import weakref
from collections.abc import Callable, Iterator
from functools import cache, lru_cache, wraps
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, Protocol

from assay.at_hand import names_in
from assay.facts.fact import Fact, Place, Schedule
from assay.facts.fact_set import FactSet


class Probe(Protocol):
    """Looks at one part of a program. It never raises into the program and never changes what it computes."""

    @property
    def name(self) -> str:
        """What it is called where its faults are reported."""

    @property
    def kinds(self) -> tuple[type[Fact], ...]:
        """The kinds of facts that it yields."""

    def attach(self) -> None:
        """Put its hooks and patches in place."""

    def detach(self) -> None:
        """Take all of them away again."""

    def facts(self) -> FactSet:
        """What it has seen so far; plain values, nothing of the program is kept alive by them."""


class Clock:
    """Counts the program's optimizer steps and says which of them to look at.

    Whatever begins anew (an optimizer made later in the program) makes the dense phase begin anew, a limited number of
    times, so that a program that makes an optimizer a step doesn't pay for it.
    """

    RESTARTS = 16

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self.steps = 0
        self.looks = schedule.looks_at(0)
        self._dense_until = schedule.dense
        self._restarts = 0

    def tick(self) -> None:
        """An optimizer has taken a step."""
        self.steps += 1
        self.looks = self.steps < self._dense_until or self.schedule.looks_at(self.steps)

    def restart(self) -> None:
        """Something new begins: look at the next steps as closely as at the first."""
        if self._restarts < self.RESTARTS:
            self._restarts += 1
            self._dense_until = self.steps + self.schedule.dense
            self.looks = True


class Faults:
    """Failures inside probes, by probe: kept, reported, and never raised into the program."""

    def __init__(self) -> None:
        self.seen: dict[str, str] = {}

    def contained(self, probe: str, look: Callable[..., None]) -> Callable[..., None]:
        """`look`, which returns nothing and now raises nothing either."""

        @wraps(look)
        def contained(*arguments: Any) -> None:  # on every step: keywords would cost as much again
            try:
                look(*arguments)
            except Exception as fault:  # noqa: BLE001  # a probe's failure must not become the program's
                self.note(probe, fault)

        return contained

    def note(self, probe: str, fault: Exception) -> None:
        """Keep the first failure of this probe."""
        self.seen.setdefault(probe, f"{type(fault).__name__}: {fault}")


def ignore(*_: Any) -> None:
    """A look that isn't taken."""


def after(look: Callable[[Any], None], original: Any) -> Any:
    """`original`, a method, that then shows its object to `look`."""

    @wraps(original)
    def method(this: Any, *arguments: Any, **named: Any) -> Any:
        result = original(this, *arguments, **named)
        look(this)
        return result

    return method


class Patches:
    """Attributes that were replaced, so that all of them can be put back in reverse order."""

    def __init__(self) -> None:
        self._undo: list[tuple[Any, str, Any]] = []

    def replace(self, owner: Any, name: str, made: Callable[[Any], Any]) -> None:
        """Put `made(original)` in place of `owner.name`."""
        original = getattr(owner, name)
        setattr(owner, name, made(original))
        self._undo.append((owner, name, original))

    def replace_held(self, owner: Any, name: str, made: Callable[[Any], Any]) -> None:
        """The same, also where the user's own modules already hold the original by name (`from owner import name`)."""
        original = getattr(owner, name)
        replacement = made(original)
        holders = [(owner, name), *((module, held) for module, held in _own_names(original) if module is not owner)]
        for holder, held in holders:
            self.replace(holder, held, lambda _: replacement)

    def restore(self) -> None:
        """Put every original back."""
        while self._undo:
            owner, name, original = self._undo.pop()
            setattr(owner, name, original)


def _own_names(value: Any) -> Iterator[tuple[Any, str]]:
    """The user's modules that hold this very object, and the names that they hold it under."""
    for reference in _own_modules(len(sys.modules), id(sys.modules.get("__main__"))):
        module = reference()
        if module is not None:
            yield from ((module, held) for held, each in list(vars(module).items()) if each is value)


@lru_cache(maxsize=1)
def _own_modules(_number: int, _main: int) -> tuple[weakref.ref[ModuleType], ...]:
    """The user's modules among so many that are imported: walking them all takes a millisecond, for each name anew."""
    found = []
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if name == "__main__" or (isinstance(file, str) and not is_library(file)):
            found.append(weakref.ref(module))
    return tuple(found)


@cache
def _library_folders() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    own = str(Path(__file__).parent)
    folders = {own, *(paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib", "scripts"))}
    return tuple(folder.rstrip(os.sep) + os.sep for folder in folders)


@cache
def is_library(file: str) -> bool:
    """Whether a source file is Python's, a package's or assay's own, and not the user's."""
    if file.startswith("<"):  # generated code, such as a compiled graph's or a dataclass's, unless somebody typed it
        return not file.startswith(("<stdin", "<ipython"))
    return file.startswith(_library_folders())


def asked_by_user() -> bool:
    """Whether a wrapped function was called from the user's own file, past other probes' wrappers of the same."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001  # the documented way to the caller's frame
    own = os.path.dirname(__file__) + os.sep  # noqa: PTH120  # a string's, on each call
    while frame is not None and frame.f_code.co_filename.startswith(own):
        frame = frame.f_back
    return frame is not None and not is_library(frame.f_code.co_filename)


def own_files() -> tuple[str, ...]:
    """The running program's own files: the script, and the user's modules that lie in its folder or below."""
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    if not isinstance(script, str) or is_library(script):
        return ()
    folder = os.path.dirname(os.path.abspath(script)) + os.sep  # noqa: PTH100, PTH120  # hundreds of strings, quickly
    named = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    own = {file for file in named if isinstance(file, str) and file.startswith(folder) and not is_library(file)}
    return script, *sorted(own - {script})


def user_place(frame: FrameType | None = None) -> Place | None:
    """The innermost line of the call stack that is the user's own: not assay's, the library's or a package's.

    frame   where to begin; the caller's by default
    """
    frame = frame or sys._getframe(1)  # noqa: SLF001  # the documented way to the caller's frame
    while frame is not None:
        file = frame.f_code.co_filename
        if not is_library(file):
            return Place(_relative(file), frame.f_lineno)
        frame = frame.f_back
    return None


def place_in(file: str, line: int) -> Place | None:
    """A line of a source file, if that file is the user's own."""
    return None if is_library(file) else Place(_relative(file), line)


def user_frames() -> Iterator[FrameType]:
    """The calls of the user's own code that are running, innermost first."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001  # the documented way to the caller's frame
    while frame is not None:
        if not is_library(frame.f_code.co_filename):
            yield frame
        frame = frame.f_back


def place_of_making(made: object) -> Place | None:
    """The user's line that makes `made`, whose constructor is running: its own and its bases' `__init__` are passed."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001  # the documented way to the caller's frame
    innermost = frame
    while frame is not None:
        code = frame.f_code
        if code.co_name == "__init__" and code.co_argcount and names_in(frame).get(code.co_varnames[0]) is made:
            innermost = frame.f_back
        elif not is_library(code.co_filename):
            break
        frame = frame.f_back
    return user_place(innermost) if innermost is not None else None


@cache
def _relative(file: str) -> str:
    cell = _cell(file)
    if cell is not None:
        return cell
    path = Path(file)
    working = Path.cwd()
    return str(path.relative_to(working)) if path.is_relative_to(working) else file


def _cell(file: str) -> str | None:
    """What a notebook or IPython calls the cell behind the file name that it gave its code: "cell 3"."""
    typed = re.match(r"<ipython-input-(\d+)-", file)
    if typed is not None:
        return f"cell {typed[1]}"
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    number = getattr(getattr(shell, "compile", None), "_filename_map", {}).get(file)
    return None if number is None else f"cell {number}"
