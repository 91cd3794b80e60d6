"""Facts about models: their parameters, what reaches them and whether they move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.facts.fact import Fact, Place, Unknown

ParameterKind = Literal["weight", "bias", "norm", "embedding"]
"""Decided once, by the probe, from the module that owns the parameter; a norm's bias is of kind "norm"."""


@dataclass(frozen=True, kw_only=True)
class ParameterRecord:
    """One parameter.

    name        the path as the user wrote it: "head.weight"
    reached     the graph of a loss led to it at one of the sampled steps
    optimised   an optimizer holds it
    moved       it changed over the steps that were compared
    loaded      its values were loaded (load_state_dict), so that leaving it as it is may be meant
    met         the graph of a loss led to it, whether or not a step followed
    """

    name: str
    kind: ParameterKind
    shape: tuple[int, ...]
    trainable: bool
    reached: bool | Unknown
    optimised: bool
    moved: bool | Unknown
    loaded: bool = False
    met: bool = False


@dataclass(frozen=True, kw_only=True)
class ModelRecord:
    """One root module: `kind` is its class's name, `place` the line that made it."""

    kind: str
    place: Place | None
    parameters: tuple[ParameterRecord, ...]


@dataclass(frozen=True, kw_only=True)
class ModelFacts(Fact):
    """All root modules of the program that hold parameters."""

    models: tuple[ModelRecord, ...]
