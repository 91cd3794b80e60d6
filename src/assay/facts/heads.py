"""Facts about last layers: the one whose output the model puts out, and what of the model is trained."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class HeadRecord:
    """The last layer of one model at the last of the training passes that were looked at.

    model, place    the model's class, the line that made it
    name            of the layer's weight
    looks           training passes that were looked at
    trainable       whether its weight requires gradients
    known           its values were loaded, an optimizer held it, or it changed: it is no random layer
    trained         counts the model's other parameters that require gradients and that an optimizer holds, by kind
    frozen          weight matrices of the model that don't, besides the last layer's
    frozen_known    those of them whose values were loaded, held by an optimizer or changed before
    """

    model: str
    place: Place | None
    name: str
    looks: int
    trainable: bool
    known: bool
    trained: dict[str, int]
    frozen: int
    frozen_known: int


@dataclass(frozen=True, kw_only=True)
class HeadFacts(Fact):
    """The last layers of the models that the program trains."""

    heads: tuple[HeadRecord, ...]
