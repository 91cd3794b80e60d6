"""Facts about the labels that reached losses over classes."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class ClassLabels:
    """The labels of one line that calls a loss over classes, one label an example, over the first passes of training.

    place       line of the call
    counts      labels met of each of the outputs, in order
    ignored     the loss's ignore_index
    """

    place: Place | None
    counts: tuple[int, ...]
    ignored: int

    @property
    def labels(self) -> int:
        """How many were met."""
        return sum(self.counts)


@dataclass(frozen=True, kw_only=True)
class TargetFacts(Fact):
    """The labels of each line that calls a loss over classes on examples that aren't sequences of ids."""

    calls: tuple[ClassLabels, ...]
