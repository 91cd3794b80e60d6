"""The spread of a score over seeds: mean, standard deviation and a t interval for the mean."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

LEVEL = 0.95


@dataclass(frozen=True, kw_only=True)
class SeedSummary:
    """`deviation`, `low` and `high` are None for a single seed, of whose spread nothing is known."""

    count: int
    mean: float
    deviation: float | None
    low: float | None
    high: float | None

    def __str__(self) -> str:
        if self.deviation is None or self.low is None or self.high is None:
            return f"{self.mean:.4f} (one seed: its spread is unknown)"
        interval = f"{LEVEL:.0%} interval {self.low:.4f} to {self.high:.4f}"
        return f"{self.mean:.4f} ± {self.deviation:.4f} over seeds, {interval}"


def summarise(scores: Sequence[float]) -> SeedSummary:
    """Mean, sample standard deviation (n - 1) and Student's t interval at 95 % for the mean.

    Raises ValueError for no scores. Source: Student 1908; the interval assumes scores that are roughly normal over
    seeds, which the printed scores let a reader judge.
    """
    if not scores:
        raise ValueError("summarise needs at least one score")
    count, mean = len(scores), math.fsum(scores) / len(scores)
    if count == 1:
        return SeedSummary(count=1, mean=mean, deviation=None, low=None, high=None)
    deviation = math.sqrt(math.fsum((score - mean) ** 2 for score in scores) / (count - 1))
    half = _t_quantile(count - 1) * deviation / math.sqrt(count)
    return SeedSummary(count=count, mean=mean, deviation=deviation, low=mean - half, high=mean + half)


def _t_quantile(freedom: int) -> float:
    from scipy.stats import t  # scipy takes longer to import than the whole command line

    return float(t.ppf((1 + LEVEL) / 2, freedom))
