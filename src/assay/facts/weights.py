"""Facts about weights that start alike and stay alike, and about what layers put out."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class AlikeUnits:
    """A trained weight matrix all of whose rows, or columns, were equal at the first pass.

    name    the parameter's path in `model`
    shape   rows and columns; further axes are laid flat
    value   the number that it was filled with, None where rows differ within themselves
    place   the line that filled it, or else the one that made the model
    fed     sampled steps at which an optimizer stepped with a gradient of it
    still   whether the rows, or columns, were still equal after the last of them
    moved   its values had changed by then
    flat    at all of them the gradient was zero throughout
    """

    model: str
    name: str
    shape: tuple[int, int]
    value: float | None
    place: Place | None
    fed: int
    still: bool
    moved: bool
    flat: bool


@dataclass(frozen=True, kw_only=True)
class AlikeLayers:
    """Two trained weight matrices of one model that were equal at the first pass; fields as in AlikeUnits."""

    model: str
    names: tuple[str, str]
    place: Place | None
    fed: int
    still: bool
    moved: bool


@dataclass(frozen=True, kw_only=True)
class InitialWeights(Fact):
    """What started alike; `matrices` counts the weight matrices that were looked at."""

    units: tuple[AlikeUnits, ...]
    layers: tuple[AlikeLayers, ...]
    matrices: int


@dataclass(frozen=True, kw_only=True)
class Rectified:
    """A layer whose outputs a ReLU rectifies, at sampled training steps.

    units   how many it has
    dead    of these, how many put out nothing above zero for any row of the last `looks` sampled steps
    rows    examples (and positions) of these steps
    place   the line that calls the model
    """

    model: str
    name: str
    units: int
    dead: int
    rows: int
    looks: int
    place: Place | None


@dataclass(frozen=True, kw_only=True)
class Spreads:
    """The standard deviations of what a model's layers put out at its first training pass, in the order of calls."""

    model: str
    place: Place | None
    names: tuple[str, ...]
    spreads: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class ActivationFacts(Fact):
    """What the layers of all models put out."""

    rectified: tuple[Rectified, ...]
    spreads: tuple[Spreads, ...]
