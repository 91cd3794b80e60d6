"""Facts about the weights that a program writes to files, beside those that it has trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.facts.fact import Fact, Place

Origin = Literal["live", "initial", "untrained", "other"]


@dataclass(frozen=True, kw_only=True)
class SavedRecord:
    """One writing of a dictionary of weights that has the names and shapes of a trained model's.

    origin  "live": they are the model's own at that moment
            "initial": they are those that it had before its first step
            "untrained": they are another module's, that no optimizer holds and that was neither loaded nor copied
            "other": anything else, such as an average or an earlier best
    model   the trained model's class, and `steps` the optimizer steps taken by then
    """

    origin: Origin
    model: str
    place: Place | None
    steps: int


@dataclass(frozen=True, kw_only=True)
class SavedWeights(Fact):
    """Every such writing, in order."""

    saves: tuple[SavedRecord, ...]
