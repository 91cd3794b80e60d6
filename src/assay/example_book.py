"""Which examples have passed through a model, told by fingerprints: in training, and in each evaluation.

Of the first examples copies are kept, so that at the end of a run their numbers can be compared. Everything has a
budget of examples and numbers, so that what is kept doesn't depend on how fast the program runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay.facts.fact import Place

Values = NDArray[np.float32]
Chain = tuple[tuple[str, int, str], ...]
"""The user's lines that led to a pass, the innermost first: (file, line, name of the function)."""

KEPT_ROWS, KEPT_NUMBERS = 4096, 2**21
EVALUATIONS = 16  # chains of lines that evaluations of one model come from
PHASES = 24  # of one evaluation, after which it is known well enough
ENOUGH = 2  # equal phases, both after all training examples were known


@dataclass(eq=False)
class Rows:
    """Distinct examples in the order in which they were met, and copies of the first of them.

    shape       of one example's first tensor; its numbers stand first in a copy, those of further tensors follow
    integers    that tensor holds integers: ids, tokens
    """

    numbers: dict[int, int] = field(default_factory=dict)
    shape: tuple[int, ...] = ()
    integers: bool = False
    _copies: list[Values] = field(default_factory=list)
    _kept: int = 0

    def __len__(self) -> int:
        return len(self.numbers)

    def __contains__(self, fingerprint: int) -> bool:
        return fingerprint in self.numbers

    @property
    def whole(self) -> bool:
        """Whether a copy of every one is kept."""
        return self._kept == len(self.numbers)

    @property
    def values(self) -> Values:
        """The copies [kept, numbers of an example]."""
        return np.concatenate(self._copies) if self._copies else np.zeros((0, 0), dtype=np.float32)

    def fresh(self, fingerprints: Sequence[int]) -> list[int]:
        """Positions of those that were not met before, each once."""
        first: dict[int, int] = {}
        for position, each in enumerate(fingerprints):
            if each not in self.numbers:
                first.setdefault(each, position)
        return list(first.values())

    def room(self, width: int) -> bool:
        """Whether copies of further examples of so many numbers are kept."""
        return self.whole and self._kept < KEPT_ROWS and self._kept * width < KEPT_NUMBERS

    def meet(self, fingerprints: Sequence[int], copied: Callable[[list[int]], Values | None]) -> int:
        """Take these in, with copies of the new ones while there is room; how many were new."""
        new = self.fresh(fingerprints)
        values = copied(new) if new else None
        if values is not None and self.room(values.shape[1]) and (
            not self._copies or values.shape[1] == self._copies[0].shape[1]
        ):
            self._copies.append(values)
            self._kept += len(values)
        for position in new:
            self.numbers[fingerprints[position]] = len(self.numbers)
        return len(new)


@dataclass(eq=False)
class Phase:
    """Evaluation passes from one chain of lines without a step of training between them.

    known       of its examples, those that training had used before
    trained     training examples that had been met by then; `complete` where these were all
    """

    step: int
    trained: int
    complete: bool
    fingerprints: list[int] = field(default_factory=list)
    known: int = 0

    @property
    def digest(self) -> int:
        """Equal for phases that held the same examples, in whatever order."""
        return hash((len(self.fingerprints), sum(self.fingerprints)))


@dataclass(eq=False)
class Evaluation:
    """The phases from one chain of lines."""

    chain: Chain
    rows: Rows = field(default_factory=Rows)
    phases: list[Phase] = field(default_factory=list)

    @property
    def enough(self) -> bool:
        """Whether it needs no further look."""
        complete = [phase.digest for phase in self.phases[:-1] if phase.complete]
        return len(self.phases) > PHASES or max(Counter(complete).values(), default=0) >= ENOUGH

    def fixed(self, trained: int) -> Phase | None:
        """The last phase that stands for all: each held these examples, and all training examples were known.

        None where phases hold different examples (states of an environment, random batches, folds), or none is settled.
        """
        phases = self.after_training
        if len({phase.digest for phase in phases}) != 1:
            return None
        settled = [phase for phase in phases if phase.complete or phase.trained == trained]
        return settled[-1] if settled else None

    @property
    def after_training(self) -> list[Phase]:
        """The phases after the first step: those before it may be trials of a few batches."""
        return [phase for phase in self.phases if phase.trained]


@dataclass(eq=False)
class ExampleBook:
    """What is known of one model's examples.

    streak      training examples in a row that had been met before; once as many as there are, all are known
    closed      no further training example is looked at; `exhausted`: because the budget was spent
    lines       chains of lines that training came from
    """

    trained: Rows = field(default_factory=Rows)
    streak: int = 0
    exhausted: bool = False
    in_training_mode: bool = False
    lines: set[Chain] = field(default_factory=set)
    evaluations: dict[Chain, Evaluation] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether a whole epoch brought no new training example."""
        return 0 < len(self.trained) <= self.streak

    @property
    def closed(self) -> bool:
        """Whether training examples need no further look."""
        return self.exhausted or self.complete

    def train(self, fingerprints: Sequence[int], copied: Callable[[list[int]], Values | None]) -> None:
        """These were trained on."""
        new = self.trained.meet(fingerprints, copied)
        self.streak = 0 if new else self.streak + len(fingerprints)

    def evaluate(
        self, chain: Chain, fingerprints: Sequence[int], step: int, copied: Callable[[list[int]], Values | None],
    ) -> Evaluation | None:
        """These passed in evaluation, from this chain of lines; None where there are too many such chains."""
        evaluation = self.evaluations.get(chain)
        if evaluation is None:
            if len(self.evaluations) >= EVALUATIONS:
                return None
            evaluation = self.evaluations[chain] = Evaluation(chain)
        evaluation.rows.meet(fingerprints, copied)
        phase = evaluation.phases[-1] if evaluation.phases else None
        if phase is None or phase.step != step:
            phase = Phase(step=step, trained=len(self.trained), complete=self.complete)
            evaluation.phases.append(phase)
        phase.fingerprints += fingerprints
        phase.known += sum(each in self.trained for each in fingerprints)
        return evaluation

    def fixed(self) -> Iterator[tuple[Evaluation, Phase]]:
        """The evaluations that hold the same examples each time, each with a phase that stands for all.

        There are none where the training examples aren't known in full: those unknown would look like others.
        """
        if not self.exhausted and len(self.trained):
            for evaluation in self.evaluations.values():
                phase = evaluation.fixed(len(self.trained))
                if phase is not None:
                    yield evaluation, phase

    def unseen(self, evaluation: Evaluation) -> Values:
        """Copies of the evaluated examples that training never used."""
        numbers = evaluation.rows.numbers
        kept = evaluation.rows.values
        others = [number for each, number in numbers.items() if each not in self.trained and number < len(kept)]
        return kept[others]


@dataclass(eq=False)
class Fit:
    """A transformer's fit: the fingerprints of the rows it was given, and of what came out for them.

    rows    that it was fitted on
    came    by the width of a row: rows that came out, of it or of a transformer behind it
    """

    name: str
    place: Place | None
    rows: int
    given: frozenset[int]
    came: dict[int, set[int]] = field(default_factory=dict)

    @property
    def all_came(self) -> set[int]:
        """What came out, of any width."""
        return set().union(*self.came.values())


@dataclass(frozen=True, kw_only=True, eq=False)
class Ordered:
    """Inputs [rows, numbers] and labels [rows] in the order in which a program holds them.

    names   what the program calls them; empty where they lie within a data set
    place   the line that made the labels, or that of the loss
    """

    inputs: Values
    labels: NDArray[np.float64]
    whole_numbers: bool
    names: tuple[str, str]
    place: Place | None
