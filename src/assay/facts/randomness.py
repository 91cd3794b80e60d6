"""Facts about where a program's randomness comes from."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """Random numbers that the program drew from a source that it had not seeded.

    source      "torch", "NumPy", "NumPy's default_rng" or "Python's random"
    by          what drew them: "kaiming_uniform_", "permutation", "scikit-learn with random_state=None"
    step        optimizer steps taken before
    """

    source: str
    by: str
    place: Place | None
    step: int


@dataclass(frozen=True, kw_only=True)
class TorchRandomness(Fact):
    """What training drew from torch's own generator before anybody had seeded it; None where nothing."""

    drawn: Drawn | None


@dataclass(frozen=True, kw_only=True)
class GlobalRandomness(Fact):
    """What the user's own code drew from NumPy's and Python's global generators without a seed, before the last step:
    the first draw of each, in order.
    """

    drawn: tuple[Drawn, ...]
