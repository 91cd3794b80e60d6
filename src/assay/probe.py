"""What every probe has in common: it attaches to a living program, can be detached, and yields facts."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from assay.facts.fact import Place
from assay.facts.fact_set import FactSet


class Probe(Protocol):
    """Looks at one part of a program. It never raises into the program and never changes what it computes."""

    def attach(self) -> None:
        """Put its hooks and patches in place."""

    def detach(self) -> None:
        """Take all of them away again."""

    def facts(self) -> FactSet:
        """What it has seen so far; plain values, nothing of the program is kept alive by them."""


class Patches:
    """Attributes that were replaced, so that all of them can be put back in reverse order."""

    def __init__(self) -> None:
        self._undo: list[tuple[Any, str, Any]] = []

    def replace(self, owner: Any, name: str, made: Callable[[Any], Any]) -> None:
        """Put `made(original)` in place of `owner.name`."""
        original = getattr(owner, name)
        setattr(owner, name, made(original))
        self._undo.append((owner, name, original))

    def restore(self) -> None:
        """Put every original back."""
        while self._undo:
            owner, name, original = self._undo.pop()
            setattr(owner, name, original)


@cache
def _library_folders() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    own = str(Path(__file__).parent)
    return tuple({own, *(paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib"))})


@cache
def _is_library(file: str) -> bool:
    return file.startswith("<frozen") or any(file.startswith(folder) for folder in _library_folders())


def user_place() -> Place | None:
    """The innermost line of the call stack that is the user's own: not assay's, the library's or a package's."""
    frame = sys._getframe(1)  # noqa: SLF001  # the documented way to the caller's frame
    while frame is not None:
        file = frame.f_code.co_filename
        if not _is_library(file):
            return Place(_relative(file), frame.f_lineno)
        frame = frame.f_back  # type: ignore[assignment]  # None at the outermost frame
    return None


@cache
def _relative(file: str) -> str:
    path = Path(file)
    working = Path.cwd()
    return str(path.relative_to(working)) if path.is_relative_to(working) else file
