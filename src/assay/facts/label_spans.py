"""Facts about how far labels reach among the outputs that a model has for them."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class LabelSpan:
    """The labels of one line that calls a loss over classes, one label an example, over the whole run.

    outputs     classes that the scores have
    labels      labels that were read, and `classes` how many different ones
    highest     the largest of them
    place       the line of the call
    head        the line that makes the layer whose output the scores are, None where it isn't known
    """

    outputs: int
    labels: int
    classes: int
    highest: int
    place: Place | None
    head: Place | None


@dataclass(frozen=True, kw_only=True)
class LabelSpans(Fact):
    """Every such line."""

    spans: tuple[LabelSpan, ...]
