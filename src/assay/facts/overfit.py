"""Facts about memorising one tiny batch."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact


@dataclass(frozen=True, kw_only=True)
class Floor:
    """A level at which a loss is known to stall, with the reason, as a formula and in words."""

    value: float
    formula: str
    cause: str


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One try at memorising: `losses` holds up to 50 points, evenly spaced over `steps`, the last included."""

    learning_rate: float
    steps: int
    losses: tuple[float, ...]
    accuracy: float | None

    @property
    def final(self) -> float:
        """The last loss."""
        return self.losses[-1]


@dataclass(frozen=True, kw_only=True)
class OverfitFacts(Fact):
    """The attempts in order; `target` is the loss's lowest reachable value on this batch, `conflicting` the rows
    left out because equal inputs carry different labels.
    """

    rows: int
    attempts: tuple[Attempt, ...]
    target: float
    tolerance: float
    floors: tuple[Floor, ...]
    conflicting: int

    @property
    def best(self) -> Attempt:
        """The attempt with the lowest final loss; one that is not finite comes last."""
        return min(self.attempts, key=lambda attempt: (attempt.final != attempt.final, attempt.final))
