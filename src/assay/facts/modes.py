"""Facts about modes: models that are scored in training mode or trained in evaluation mode, dropout, batch norm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class ScoredInTraining:
    """One line of the program at which a model was scored, not trained, while it was in training mode.

    model       its class's name
    active      what behaves otherwise in training: paths of its dropouts and batch norms, "dropout" for a functional
                one
    recorded    whether autograd recorded these passes, no backward pass having followed
    passes      how many of them were seen to be scored, and `step` of the first
    how         by a loss function, or by comparing predictions with labels
    """

    model: str
    place: Place | None
    active: tuple[str, ...]
    recorded: bool
    passes: int
    step: int
    how: Literal["loss", "comparison"]


@dataclass(frozen=True, kw_only=True)
class ScoringFacts(Fact):
    """Models that were scored between their training steps.

    judged      passes, neither trained on nor in evaluation mode, that were followed to see whether they are scored
    """

    scored: tuple[ScoredInTraining, ...]
    judged: int


@dataclass(frozen=True, kw_only=True)
class Replay:
    """The first pass at one line that autograd didn't record and in training mode, run again in evaluation mode.

    rows        of its output
    others      rows of class scores whose largest is another in evaluation mode; None where they aren't such scores
    loss        by `function`, as the program took it, and `evaluated` in evaluation mode; None where none was seen
    """

    place: Place | None
    rows: int
    others: int | None
    loss: float | None = None
    evaluated: float | None = None
    function: str | None = None


@dataclass(frozen=True, kw_only=True)
class ReplayFacts(Fact):
    """What evaluations in training mode would have come to in evaluation mode."""

    replays: tuple[Replay, ...]


@dataclass(frozen=True, kw_only=True)
class RecordedEvaluation:
    """One line that calls a model in evaluation mode, recorded by autograd, with no backward pass afterwards."""

    model: str
    place: Place | None
    passes: int


@dataclass(frozen=True, kw_only=True)
class RecordedEvaluations(Fact):
    """Evaluations that build a graph for nothing, of models that are trained in training mode."""

    evaluations: tuple[RecordedEvaluation, ...]


@dataclass(frozen=True, kw_only=True)
class TrainedInEvaluation:
    """A model that was trained in training mode, evaluated, and from then on trained in evaluation mode.

    place       the line of its training passes
    switched    the line that switched it to evaluation mode
    inactive    paths of its dropouts and batch norms, which no longer do what they did
    before      steps in training mode before the first in evaluation mode, and `steps` in evaluation mode
    step        the first of those
    """

    model: str
    place: Place | None
    switched: Place | None
    inactive: tuple[str, ...]
    before: int
    steps: int
    step: int


@dataclass(frozen=True, kw_only=True)
class TrainingModeFacts(Fact):
    """In which mode models were trained; `trained` counts the models that were."""

    stuck: tuple[TrainedInEvaluation, ...]
    trained: int


@dataclass(frozen=True, kw_only=True)
class DropoutCall:
    """One line that calls dropout.

    function        its name in torch.nn.functional
    stated          whether the call says `training=`
    probability     of setting a value to zero
    calls           how many were seen
    """

    function: str
    place: Place | None
    probability: float
    stated: bool
    calls: int


@dataclass(frozen=True, kw_only=True)
class DropoutFacts(Fact):
    """Dropout where it is switched on.

    never_off   on while the model was in evaluation mode, and no part of it in training mode had asked for that
    sampled     whether the same examples were passed again and again, unscored, as Monte-Carlo dropout does
    on_outputs  whose result was given to a loss as it is
    seen        every line seen on the sampled steps of training
    """

    never_off: tuple[DropoutCall, ...]
    sampled: bool
    on_outputs: tuple[DropoutCall, ...]
    seen: tuple[DropoutCall, ...]
