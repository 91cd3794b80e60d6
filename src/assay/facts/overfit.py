"""Facts about memorising one tiny batch."""

from __future__ import annotations

from dataclasses import dataclass, replace

from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet


@dataclass(frozen=True, kw_only=True)
class Floor:
    """A level at which a loss is known to stall, with the reason, as a formula and in words.

    wrong   what a share of 1 of the examples adds to the level where they are stuck on a wrong answer: two softmaxes
            that are sure of the wrong class give no gradient either
    """

    value: float
    formula: str
    cause: str
    wrong: float = 0.0

    def with_wrong(self, share: float) -> Floor:
        """The level where this share of the examples is stuck on a wrong answer."""
        if not self.wrong or not share:
            return self
        return replace(self, value=self.value + self.wrong * share, formula=f"{self.formula} + {share:.0%} wrong")


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


def verdict_words(facts: FactSet) -> str:
    """What came of holding a program on its first batch, in one line."""
    found = facts.find(OverfitFacts)
    if not isinstance(found, OverfitFacts):
        return f"overfit: no verdict: {found.why if isinstance(found, Absent) else 'nothing was seen'}."
    attempt = found.best
    course = f"loss {attempt.losses[0]:.4g} → {attempt.final:.4g} in {attempt.steps} steps"
    if attempt.final <= found.target + found.tolerance:
        return f"overfit: the first batch, {found.rows} examples, is memorised: {course}."
    best = f"of {found.target:.4g} at best"
    return f"overfit: the first batch, {found.rows} examples, is not memorised: {course}, {best}."
