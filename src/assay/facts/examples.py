"""Facts about the examples that passed through a program's models in training and in evaluation."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class EvaluatedExamples:
    """The examples of one evaluation, told by the chain of lines that it comes from, against one model's training.

    place       line of the pass
    rows        examples in one go, `distinct` of them different
    known       of these, those that training had used before
    training    different training examples; `covered` is the share of them that the evaluation holds
    again       the same examples were evaluated more than once, as validation examples are after each epoch
    always_known    each time it was made, training had used all of them
    held_out    the lines that lead to it call it validation or test
    ways        chains of lines that training examples came by
    natural_share   of training examples, for which an equal would be no surprise (see SplitFacts); None where all or
                    none of the evaluated were known, so that nobody asks
    """

    place: Place | None
    rows: int
    distinct: int
    known: int
    training: int
    covered: float
    again: bool
    always_known: bool
    held_out: bool
    ways: int
    natural_share: float | None = None

    @property
    def share(self) -> float:
        """Of the evaluated examples, those that training had used."""
        return self.known / self.rows


@dataclass(frozen=True, kw_only=True)
class ExampleFacts(Fact):
    """All evaluations of a program with a fixed set of examples, where all training examples were known by then."""

    evaluations: tuple[EvaluatedExamples, ...]

    @property
    def apart(self) -> bool:
        """Whether some evaluation holds examples that training never used."""
        return any(each.known < each.rows for each in self.evaluations)


@dataclass(frozen=True, kw_only=True)
class EvaluatedWindows:
    """Windows of a series in one evaluation, against the windows of training.

    rows        windows that aren't training windows themselves
    both        of these, those whose beginning stands later in a training window, and whose end earlier in another
    length      time steps in a window
    """

    place: Place | None
    rows: int
    both: int
    length: int


@dataclass(frozen=True, kw_only=True)
class ExampleWindowFacts(Fact):
    """Evaluated windows that training windows overlap, whatever the split that a program made."""

    evaluations: tuple[EvaluatedWindows, ...]


@dataclass(frozen=True, kw_only=True)
class FittedRows:
    """A transformer of scikit-learn, and whom it was fitted on.

    name        of its class; `place` is the line of its fit
    rows        that it was fitted on
    evaluated   of `of` evaluated examples that training never used, those that it was fitted on
    """

    name: str
    place: Place | None
    rows: int
    evaluated: int
    of: int

    @property
    def share(self) -> float:
        """Of the evaluated examples, those that it was fitted on."""
        return self.evaluated / self.of


@dataclass(frozen=True, kw_only=True)
class TransformerFacts(Fact):
    """The fits of transformers whose outputs entered a model.

    apart       some evaluation holds examples that no transformer was fitted on
    """

    fits: tuple[FittedRows, ...]
    apart: bool


@dataclass(frozen=True, kw_only=True)
class EvaluatedScale:
    """The spread of each number of an example in one evaluation, against training.

    numbers     that vary in training, and in the evaluation
    beyond      of these, those whose deviation is FACTOR times that of training, or one FACTORth of it, whichever are
                more; FACTOR is 10, and 3 where the training examples bear the mark of a scaler. Both together where
                these do and all evaluated values of two numbers or more lie beyond all that were trained on
    ratio       median of the evaluation's deviations over those of training
    scaled      training examples bear the mark: mean 0 and deviation 1, in most numbers or over all of them
    training, evaluated     (smallest, largest) of all numbers
    """

    place: Place | None
    rows: int
    numbers: int
    beyond: int
    ratio: float
    scaled: bool
    training: tuple[float, float]
    evaluated: tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class ExampleScaleFacts(Fact):
    """The scale of what is evaluated, of each fixed evaluation."""

    evaluations: tuple[EvaluatedScale, ...]
