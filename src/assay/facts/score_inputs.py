"""Facts about what scores are computed from: comparisons by hand, and what libraries' metrics are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.facts.fact import Fact, Place

Misreading = Literal["broadcast", "half of a logit", "single output", "decisions ranked", "swapped"]


@dataclass(frozen=True, kw_only=True)
class PaddedScore:
    """One line that compares predictions with labels, padded or ignored positions among them.

    metric      a library's function, None where the program compares by hand
    padded      such positions, of `positions` in all; `hits` of them count as right
    known_by    why these are known not to count: "ignore_index" of a loss, or what fills the model's input there
    mean        the comparison is averaged over all positions, or divided by their number
    """

    metric: str | None
    place: Place | None
    padded: int
    positions: int
    hits: int
    known_by: str
    mean: bool


@dataclass(frozen=True, kw_only=True)
class MisreadScore:
    """One line that takes a model's outputs for something else than they are.

    fault       "broadcast": predictions [n, 1] met labels [n], or the reverse, in [n, n]
                "half of a logit": logits were compared with 0.5 or rounded, as probabilities are
                "single output": argmax over one output
                "decisions ranked": a score of rankings was given decisions
                "swapped": a score that isn't symmetric was given predictions for labels
    metric      a library's function, None where the program compares by hand
    rows        examples that were looked at, of which `wrong` come out otherwise than meant, None where unknown
    """

    fault: Misreading
    metric: str | None
    place: Place | None
    rows: int
    wrong: int | None = None


@dataclass(frozen=True, kw_only=True)
class ComparisonFacts(Fact):
    """Comparisons by hand; `looked` counts those that were looked at."""

    looked: int
    padded: tuple[PaddedScore, ...] = ()
    misread: tuple[MisreadScore, ...] = ()


@dataclass(frozen=True, kw_only=True)
class LibraryScoreFacts(Fact):
    """Calls of scikit-learn's and torchmetrics' metrics; `looked` counts those that were looked at."""

    looked: int
    padded: tuple[PaddedScore, ...] = ()
    misread: tuple[MisreadScore, ...] = ()
