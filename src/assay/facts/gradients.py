"""Facts about autograd functions that a program writes by hand."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class WrittenBackward:
    """One torch.autograd.Function, its backward compared with central differences of its forward in double precision.

    place       the line that defines its backward
    entries     entries of its inputs that were moved
    flat        those where the forward doesn't move at all, as in a rounding; nothing can be said there
    differing   of the others, those where the two slopes differ
    written, measured   both slopes at the entry where they differ most
    identity    the forward gives its input back, so that its backward can only be meant to differ
    why         why it could not be compared
    """

    name: str
    place: Place | None
    entries: int = 0
    flat: int = 0
    differing: int = 0
    written: float = 0.0
    measured: float = 0.0
    identity: bool = False
    why: str | None = None


@dataclass(frozen=True, kw_only=True)
class WrittenBackwards(Fact):
    """Every such function that the program called."""

    functions: tuple[WrittenBackward, ...]
