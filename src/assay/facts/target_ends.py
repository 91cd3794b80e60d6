"""Facts about the ends of a regression target: does it pile up at a limit?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.facts.fact import Fact


@dataclass(frozen=True, kw_only=True)
class TargetEnd:
    """The rows at the largest or the smallest value.

    count       of rows that hold it exactly, `share` the same as a share
    neighbours  the highest count of any of the twenty next distinct values
    """

    side: Literal["largest", "smallest"]
    value: float
    count: int
    share: float
    neighbours: int


@dataclass(frozen=True, kw_only=True)
class TargetEndFacts(Fact):
    """Both ends of a regression target, over training and validation rows.

    distinct    how many different values there are
    counts      all are whole numbers from 0 or 1 on, and most of those up to the largest occur: a count or a scale
    """

    rows: int
    distinct: int
    counts: bool
    ends: tuple[TargetEnd, TargetEnd]
