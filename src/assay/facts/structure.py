"""Facts about how models are put together: layers outside of them, layers in several places, layers made anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.facts.fact import Fact, Place

Relation = Literal["same input", "in a row", "apart"]


@dataclass(frozen=True, kw_only=True)
class OutsideLayer:
    """A layer with trainable parameters that a model's code calls and that isn't registered in the model.

    model           the class whose code calls it
    kind            its class
    place           the line that made it
    held            the attribute of the model that holds it, "" where none does
    alone           whether it is the only one there: a container of one is how people hide a layer on purpose
    numbers         how many trainable numbers it has
    trained         an optimizer holds it, its values changed, or they were loaded
    reached         the graph of a loss that was stepped on led to it
    evaluating      it was in evaluation mode, which a model's own `eval()` doesn't bring it into
    model_trained   an optimizer holds parameters of the model
    """

    model: str
    kind: str
    place: Place | None
    held: str
    alone: bool
    numbers: int
    trained: bool
    reached: bool
    evaluating: bool
    model_trained: bool


@dataclass(frozen=True, kw_only=True)
class OutsideLayers(Fact):
    """Every such layer; `models` counts the models whose layers were followed."""

    layers: tuple[OutsideLayer, ...]
    models: int


@dataclass(frozen=True, kw_only=True)
class LooseParameter:
    """A tensor that requires gradients, that losses lead to, and that belongs to no module.

    name        what the program calls it: "Net.scales" for an attribute of a model, "log_sigma" for a variable
    registers   whether it is an nn.Parameter
    of_model    whether an attribute of a model holds it
    place       the line that gives the name its value
    looks       sampled backward passes that led to it
    trained     an optimizer holds it, or its values changed
    """

    name: str
    registers: bool
    of_model: bool
    place: Place | None
    shape: tuple[int, ...]
    looks: int
    trained: bool


@dataclass(frozen=True, kw_only=True)
class LooseParameters(Fact):
    """Every such tensor.

    differentiated      whether the program calls torch.autograd.grad, so that some may be inputs
    walked              backward passes whose graphs were walked
    anew                those of them that led to an nn.Parameter which nothing holds, after the one before had gone
    anew_place          the line of a model's own code, outside of its `__init__`, that makes parameters
    """

    loose: tuple[LooseParameter, ...]
    differentiated: bool
    walked: int
    anew: int = 0
    anew_place: Place | None = None


@dataclass(frozen=True, kw_only=True)
class MadeAnew:
    """A layer, or a parameter, that a model's forward makes in each pass.

    kind    its class
    place   the line that makes it
    passes  sampled passes that were recorded and for which it was made
    model   the class of the model that was running
    """

    kind: str
    place: Place | None
    passes: int
    model: str


@dataclass(frozen=True, kw_only=True)
class LayersMadeAnew(Fact):
    """Every such layer; `passes` counts the recorded passes that were looked at."""

    made: tuple[MadeAnew, ...]
    passes: int


@dataclass(frozen=True, kw_only=True)
class SharedLayer:
    """Places of one container (a ModuleList, say) that hold the same parameters.

    model       the class of the model
    container   the container's name in it
    kind        the class of what is shared
    places      how many entries of the container hold it
    place       the line that made the container
    relation    what its calls have to do with each other: they are given the same input, each is given what came of
                the one before, or neither
    declared    whether the words around the line speak of sharing
    """

    model: str
    container: str
    kind: str
    places: int
    place: Place | None
    relation: Relation
    declared: bool


@dataclass(frozen=True, kw_only=True)
class SharedLayers(Fact):
    """Every such container; `containers` counts those that were looked at."""

    shared: tuple[SharedLayer, ...]
    containers: int


@dataclass(frozen=True, kw_only=True)
class LeftOutModel:
    """A module that the program calls by itself, in training mode, and of which no optimizer ever holds a parameter.

    name        what the program calls it, its class where that is unknown
    kind        its class
    place       the line that made it
    partner     the class of the trained model with which it stands in a row
    before      whether its output goes into the partner, and not the partner's into it
    numbers     how many trainable numbers it has
    reached     the graph of a loss that was stepped on led to all of its parameters
    changed     its values were loaded or changed
    """

    name: str
    kind: str
    place: Place | None
    partner: str
    before: bool
    numbers: int
    reached: bool
    changed: bool


@dataclass(frozen=True, kw_only=True)
class LeftOutModels(Fact):
    """Every such module; `models` counts the modules that were called by the program and trained."""

    models: tuple[LeftOutModel, ...]
    trained: int


@dataclass(frozen=True, kw_only=True)
class AliasedModel:
    """A model that is trained and has a second name, of one that should stay behind: "target", "ema", "old".

    name    the second name
    of      the name that it was given at `place`
    kind    its class
    """

    name: str
    of: str
    kind: str
    place: Place | None


@dataclass(frozen=True, kw_only=True)
class AliasedModels(Fact):
    """Every such name that was met when an optimizer stepped."""

    aliases: tuple[AliasedModel, ...]
