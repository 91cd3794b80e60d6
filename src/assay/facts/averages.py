"""Facts about averaged copies of models: whether they follow, and with which statistics they are evaluated."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class AverageRecord:
    """A model that no optimizer holds, at its last evaluation, beside the trained model of its class.

    model       its class
    place       the line that made it, and `evaluated` the line that called it
    claimed     what calls it an average: PyTorch's class for one, or the name that the program gives it
    steps       optimizer steps since it was first looked at
    moved       its parameters have changed since
    norms       its batch norms in evaluation mode; `stale` those whose running statistics are the same as then, while
                those of the trained model have moved, or are the last averaged state's
    """

    model: str
    place: Place | None
    evaluated: Place | None
    claimed: str | None
    steps: int
    moved: bool
    norms: int
    stale: int


@dataclass(frozen=True, kw_only=True)
class AverageFacts(Fact):
    """Every such model."""

    averages: tuple[AverageRecord, ...]
