"""Facts about the scores that a program computes with scikit-learn and torchmetrics."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class BatchScores:
    """Scores of one line, computed batch by batch within one evaluation, and averaged.

    metric      the function's name
    place       the line that calls it
    averaged    how the program averages, in its own words
    batches     scores, of which `mean` is the average, weighed by rows where the batches' rows differ
    rows        rows of all batches together
    whole       the score over all rows at once, by the same function
    settled     the program computes the score over all rows too, and reads it
    """

    metric: str
    place: Place
    averaged: str
    batches: int
    rows: int
    mean: float
    whole: float
    settled: bool


@dataclass(frozen=True, kw_only=True)
class MetricFacts(Fact):
    """The scores that were computed.

    calls       calls by the user's own code of functions whose score over all rows is no mean over batches
    """

    calls: int
    averaged: tuple[BatchScores, ...]
