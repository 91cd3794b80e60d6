"""Facts about the order of an image's axes and channels as it enters the network."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact


@dataclass(frozen=True, kw_only=True)
class ChannelFacts(Fact):
    """Images as they enter, [images, channels, height, width].

    shape       of one image: channels, height, width
    next_to     mean absolute difference of values that stand next to each other in a row of an image
    apart       of values that stand as far apart as there are channels
    """

    shape: tuple[int, int, int]
    next_to: float
    apart: float
