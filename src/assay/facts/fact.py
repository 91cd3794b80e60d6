"""What a fact is: a frozen record of something seen in a program, and the two ways of not knowing it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Fact:
    """Base of all facts: frozen, typed, free of torch, small enough to keep.

    There is one record of each kind per program. A field that could not be observed holds `Unknown`.
    """


@dataclass(frozen=True)
class Unknown:
    """The value of a field that could not be observed, with the reason (a compiled region, say)."""

    why: str


@dataclass(frozen=True)
class Absent:
    """Stands for a whole fact that was not recorded.

    `applicable` tells the two reasons apart: False where the program has no such thing at all (no scheduler, no
    graph), True where it may have one that was not looked at.
    """

    why: str
    applicable: bool = True


@dataclass(frozen=True)
class Place:
    """A line of the user's own code: `file` relative to the working directory, `line` counted from 1."""

    file: str
    line: int


@dataclass(frozen=True)
class Schedule:
    """When a probe looked: at the first `dense` steps, and from then on at steps that are powers of two.

    A rule may say so: a fault between two looks is not seen.
    """

    dense: int

    def looks_at(self, step: int) -> bool:
        """Whether `step` (from 0) is sampled."""
        return step < self.dense or step & (step - 1) == 0

    def __str__(self) -> str:
        return f"sampled at the first {self.dense} steps and at powers of two"
