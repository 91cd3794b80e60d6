"""What the program's own code holds by name at the moment of a look, to tell people of it by their own words."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from types import FrameType
from typing import Any

NAMES = 400
"""Names of one scope that are looked through."""


def names_in(frame: FrameType) -> dict[str, Any]:
    """The names of a running function and their values, or of a module.

    Up to Python 3.12 the interpreter keeps such a reading beside a running function, and with it what the function has
    since let go of; that is cleared, unless a debugger is there, which would take it for a change.
    """
    reading = frame.f_locals
    names = dict(reading)
    kept = sys.version_info < (3, 13) and frame.f_code.co_flags & inspect.CO_OPTIMIZED and sys.gettrace() is None
    if kept:
        reading.clear()
    return names


def at_hand(frames: Iterable[FrameType]) -> Iterator[tuple[str, Any]]:
    """Names and values of the user's own functions that are running, and of their modules.

    Attributes of `self` and entries of dictionaries come as `self.name` and `name['key']`, each one level deep.

    frames      of these functions, innermost first
    """
    seen: set[int] = set()
    for frame in frames:
        if frame.f_code.co_flags & inspect.CO_OPTIMIZED:  # a function's; a module's names are its globals
            yield from _opened(names_in(frame))
        if id(frame.f_globals) not in seen:
            seen.add(id(frame.f_globals))
            yield from _opened(dict(frame.f_globals))


def _opened(scope: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in islice(scope.items(), NAMES):
        if name.startswith("__"):
            continue
        yield name, value
        if name == "self":
            yield from ((f"self.{key}", held) for key, held in islice(_attributes(value), NAMES))
        elif type(value) is dict:
            yield from ((f"{name}[{key!r}]", held) for key, held in islice(list(value.items()), NAMES))
        else:
            yield from ((f"{name}.{key}", held) for key, held in islice(stored(value), NAMES))


def _attributes(value: Any) -> Iterator[tuple[str, Any]]:
    for key, held in list(getattr(value, "__dict__", {}).items()):
        yield key, held
        yield from ((f"{key}.{inner}", each) for inner, each in stored(held))


def stored(value: Any) -> Iterator[tuple[str, Any]]:
    """What a Data object of PyTorch Geometric carries, by name; nothing for any other object."""
    if not type(value).__module__.startswith("torch_geometric.data"):
        return
    store = getattr(value, "__dict__", {}).get("_store")
    mapping = getattr(store, "__dict__", {}).get("_mapping")
    if isinstance(mapping, dict):
        yield from list(mapping.items())


def name_of(wanted: Any, frames: Iterable[FrameType]) -> str:
    """What the program's own code calls this very object; empty where nothing at hand holds it."""
    return next((name for name, value in at_hand(frames) if value is wanted), "")
