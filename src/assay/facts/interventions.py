"""Facts that come from trying something on a copy of the model. Each is what a `Suspicion` may ask for."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class EvaluateTwice(Fact):
    """The same batch twice through the model in evaluation mode: the largest difference between the outputs.

    model       the model's class; of several, one of those that differ
    operation   the first whose result differs, by its name in PyTorch, and `place`, the user's line that calls it
    """

    rows: int
    largest_difference: float
    spread: float
    model: str = ""
    operation: str | None = None
    place: Place | None = None


@dataclass(frozen=True, kw_only=True)
class BatchMixing(Fact):
    """One example of a batch was changed, in evaluation mode.

    changed     its row
    moved       the other rows whose output moved by more than rounding
    largest     the largest such movement, against `spread`, the outputs' standard deviation
    model       the model's class; of several, the one that mixes most
    operation   the first whose result mixes examples, by its name in PyTorch ("view", "softmax", "lstm"), and `place`,
                the user's line that calls it
    """

    rows: int
    changed: int
    moved: tuple[int, ...]
    largest: float
    spread: float
    model: str = ""
    operation: str | None = None
    place: Place | None = None


@dataclass(frozen=True, kw_only=True)
class FutureMixing(Fact):
    """A model that predicts its own next inputs, in evaluation mode, with the end of its inputs changed.

    model           its class's name
    steps           of its sequences, those from `changed_from` having been changed
    moved           steps before those whose outputs moved by more than rounding
    largest         the largest such movement, against `spread`, the outputs' standard deviation
    operation       the first whose result moved too early, by its name in PyTorch, and `place`, the user's line
    """

    model: str
    steps: int
    changed_from: int
    moved: int
    largest: float
    spread: float
    operation: str | None = None
    place: Place | None = None


@dataclass(frozen=True, kw_only=True)
class InputUse(Fact):
    """A trained model in evaluation mode: do its outputs move with its inputs? Of several, one whose outputs don't.

    model       its class's name
    rows        of its inputs, which are not all alike
    steps       optimizer steps since its first pass
    moves       whether an output differs when all rows are replaced by one of them
    varies      whether the outputs of the rows differ, None where there isn't one for each row
    operation   the last that was given what depends on the inputs, by its name in PyTorch, and whose result doesn't;
                or, where that was used no further, the last whose result did. None where no operation was given them.
    place       the user's line that calls it; of none, that of the model's forward
    """

    model: str
    rows: int
    steps: int
    moves: bool
    varies: bool | None
    operation: str | None = None
    place: Place | None = None


@dataclass(frozen=True, kw_only=True)
class ZeroedInputs(Fact):
    """A model fitted to one batch for `steps` steps, judged on that batch as it is and with all inputs zeroed.

    initial_loss        the mean loss before the first step
    loss, zeroed_loss   mean losses after the last
    standard_error      of the mean of the examples' paired differences
    largest_difference  the largest of those differences in size: 0 where the inputs aren't used at all
    """

    rows: int
    initial_loss: float
    loss: float
    zeroed_loss: float
    standard_error: float
    largest_difference: float
    steps: int


@dataclass(frozen=True, kw_only=True)
class OutputShape(Fact):
    """The shape of the model's output for one batch, and the shape that the task needs."""

    output: tuple[int, ...]
    needed: tuple[int, ...]
    varies: bool
