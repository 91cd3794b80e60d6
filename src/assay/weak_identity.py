"""What is known of living objects, by identity, for as long as they live.

The standard library's weak collections ask an object for its hash and whether it equals another. Those are the
program's own code: a metric's hash reads its state, which isn't there yet while it is made, and a dataset that is a
dataclass has none. These collections ask for neither, and keep nothing alive.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator, MutableMapping, MutableSet
from typing import TypeVar, overload

K = TypeVar("K")
V = TypeVar("V")
D = TypeVar("D")


class IdentityDict(MutableMapping[K, V]):
    """Values by living object."""

    def __init__(self) -> None:
        self._entries: dict[int, tuple[weakref.ref[K], V]] = {}

    def __getitem__(self, key: K) -> V:
        return self._entries[id(key)][1]

    @overload
    def get(self, key: K) -> V | None: ...
    @overload
    def get(self, key: K, default: V | D) -> V | D: ...
    def get(self, key: K, default: V | D | None = None) -> V | D | None:
        """The object's value, or the default; objects that can't be referred to weakly have none."""
        entry = self._entries.get(id(key))
        return default if entry is None else entry[1]

    def __contains__(self, key: object) -> bool:
        return id(key) in self._entries

    def __setitem__(self, key: K, value: V) -> None:
        number, this = id(key), weakref.ref(self)

        def gone(_: object) -> None:
            held = this()
            if held is not None:
                held._entries.pop(number, None)  # noqa: SLF001  # its own

        entry = self._entries.get(number)
        self._entries[number] = (weakref.ref(key, gone) if entry is None else entry[0], value)

    def __delitem__(self, key: K) -> None:
        del self._entries[id(key)]

    def __iter__(self) -> Iterator[K]:
        living = [reference() for reference, _ in list(self._entries.values())]
        return iter([each for each in living if each is not None])

    def __len__(self) -> int:
        return len(self._entries)


class IdentitySet(MutableSet[K]):
    """A set of living objects."""

    def __init__(self) -> None:
        self._held: IdentityDict[K, None] = IdentityDict()

    def __contains__(self, value: object) -> bool:
        return value in self._held

    def __iter__(self) -> Iterator[K]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def add(self, value: K) -> None:
        """Take it in."""
        self._held[value] = None

    def discard(self, value: K) -> None:
        """Leave it out."""
        self._held.pop(value, None)
