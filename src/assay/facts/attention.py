"""Facts about attention: which keys its masks leave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.facts.fact import Fact, Place

MaskFault = Literal["padding alone", "future alone", "nothing", "adds one", "score for hidden"]
"""What a mask leaves: the padding and none of the tokens; what comes later and not the position itself; no key for any
query; or everything, as zeros and ones were added to the scores, or a score was put in that hides nothing."""


@dataclass(frozen=True, kw_only=True)
class MaskedAttention:
    """One call of attention, or of a softmax over masked scores, within a model that was given sequences.

    function    its name in PyTorch
    keys        how many there are
    padded      shares of padding among the model's positions, 0 where none was seen
    fault       what is wrong with the mask; None where nothing is
    """

    model: str
    function: str
    place: Place | None
    keys: int
    padded: float
    fault: MaskFault | None


@dataclass(frozen=True, kw_only=True)
class AttentionFacts(Fact):
    """The masked calls of attention that were seen."""

    calls: tuple[MaskedAttention, ...]


@dataclass(frozen=True, kw_only=True)
class LoneSoftmax:
    """A softmax along an axis of size one, whose result then weighs values: every weight is 1.

    shape   of the scores, which a layer with one output gave; `axis`, from 0, is the one of size one
    axes    other axes, not the first, along which there is something to weigh
    """

    model: str
    place: Place | None
    shape: tuple[int, ...]
    axis: int
    axes: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class LoneSoftmaxFacts(Fact):
    """Models whose graphs were looked through for such a softmax, and those that were found."""

    looked: int
    found: tuple[LoneSoftmax, ...]
