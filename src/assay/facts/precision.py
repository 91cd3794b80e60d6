"""Facts about half precision in training: gradient scalers, and what passes below them."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class PrecisionFacts(Fact):
    """What was seen of float16 training.

    scalers             1 where an enabled gradient scaler scales or steps, else 0
    scaler_steps        steps that they were asked for
    backwards           backward passes looked at since a scaler was first asked to scale or step
    unscaled            those of them whose loss no scaler had scaled
    unscaled_place      the line of the last such
    steps               steps looked at whose gradients a scaler had scaled
    direct              those of them that were taken without the scaler, their gradients still scaled
    direct_place        the line of the last such
    halved              backward passes looked at after a training pass under float16 autocast, of a loss that the
                        program doesn't scale by itself
    halved_place        the line of the first such
    """

    scalers: int
    scaler_steps: int
    backwards: int = 0
    unscaled: int = 0
    unscaled_place: Place | None = None
    steps: int = 0
    direct: int = 0
    direct_place: Place | None = None
    halved: int = 0
    halved_place: Place | None = None
