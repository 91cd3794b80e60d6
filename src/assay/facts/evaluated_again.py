"""Facts about evaluation loaders that were read again after more training."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class EvaluatedAgain:
    """Examples that a loader returned for evaluation, in the same order as in an earlier evaluation of its.

    place       the line that makes the loader
    rows        examples with the same label at the same position both times, of more than one label
    unchanged   those of them whose input is, bit for bit, the same too
    nearer      those whose input has changed, and lies nearer to what it was than to most others of the same label
    """

    place: Place | None
    rows: int
    unchanged: int
    nearer: int


@dataclass(frozen=True, kw_only=True)
class EvaluatedAgainFacts(Fact):
    """The loaders of which two evaluations with steps between them were compared."""

    loaders: tuple[EvaluatedAgain, ...]
