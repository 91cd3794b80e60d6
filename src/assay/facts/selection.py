"""Facts about how a program chooses: what its callbacks monitor, and how it compares a score with the best so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.facts.fact import Fact, Place

Mode = Literal["min", "max"]
Split = Literal["train", "validation", "test"]


@dataclass(frozen=True, kw_only=True)
class MonitorRecord:
    """A callback or scheduler that follows a quantity.

    kind        its class: "ModelCheckpoint", "EarlyStopping", "ReduceLROnPlateau"
    place       the line that made it
    monitor     the quantity's name
    mode        whether less or more of it counts as better
    asked       how often it looked for the quantity
    values      those that it found, the first few
    """

    kind: str
    place: Place | None
    monitor: str
    mode: Mode
    asked: int
    values: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class ComparisonRecord:
    """A line that keeps a score as the best so far: `if value < best: best = value`.

    value, best     the two in the user's words
    keeps           whether the smallest or the largest value is kept
    weights         whether weights are kept or saved with it
    made_of         the expression that gave the value, where it is known
    split           what it was measured on, as far as names say
    """

    place: Place
    value: str
    best: str
    keeps: Mode
    weights: bool
    made_of: str = ""
    split: Split | None = None


@dataclass(frozen=True, kw_only=True)
class KeptRecord:
    """A line that keeps the best weights in vain.

    name        what they are kept under
    alias_of    the model that this is only another name of, which goes on training; None where it is a copy that
                nothing in the program reads
    """

    place: Place
    name: str
    alias_of: str | None


@dataclass(frozen=True, kw_only=True)
class PatienceRecord:
    """A line that counts an epoch that wasn't the best, where one that is never sets the count back.

    name        of the count, which ends the training; `best` is the score that it waits for
    """

    place: Place
    name: str
    best: str


@dataclass(frozen=True, kw_only=True)
class ChoiceFacts(Fact):
    """What chooses among epochs.

    validates       the program's names speak of validation data
    """

    monitors: tuple[MonitorRecord, ...]
    comparisons: tuple[ComparisonRecord, ...]
    kept_in_vain: tuple[KeptRecord, ...] = ()
    validates: bool = False
    patience: tuple[PatienceRecord, ...] = ()
