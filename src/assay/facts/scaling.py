"""Facts about what preprocessing and the choice of columns were fitted on, and the scale of what enters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.facts.fact import Fact


@dataclass(frozen=True, kw_only=True)
class Moments:
    """One column over all rows, evaluation rows included, and over the training rows alone."""

    column: str
    mean: float
    deviation: float
    smallest: float
    largest: float
    training_mean: float
    training_deviation: float
    training_smallest: float
    training_largest: float


@dataclass(frozen=True, kw_only=True)
class FittedFacts(Fact):
    """Whether numbers were scaled by statistics of all rows.

    where       "as read", or "as entered" after the recipe's own preprocessing (training and validation rows)
    columns     numbers with enough different values to have been scaled
    standard    of these, the ones that have mean 0 and deviation 1 over all rows, and not over the training rows
    unit        that reach from 0 to 1 (or -1 to 1) over all rows, and not over the training rows
    apart       of a watched program: another evaluation holds examples that aren't among these rows
    reaching    that reach from 0 to 1 (or -1 to 1) over all rows, those included that do so over the training rows too
    """

    where: Literal["as read", "as entered"]
    rows: int
    columns: int
    standard: tuple[Moments, ...]
    unit: tuple[Moments, ...]
    reaching: int
    apart: bool = False


@dataclass(frozen=True, kw_only=True)
class InputColumn:
    """One number that enters for each training example: root mean square, deviation and range."""

    name: str
    root_mean_square: float
    deviation: float
    smallest: float
    largest: float


@dataclass(frozen=True, kw_only=True)
class InputScaleFacts(Fact):
    """The scale of the training inputs as they enter, without constants, columns of two values and codes.

    scale       what the recipe asks for
    largest, smallest   the columns with the largest and the smallest root mean square
    """

    scale: str
    columns: int
    largest: InputColumn
    smallest: InputColumn


@dataclass(frozen=True, kw_only=True)
class SelectionFacts(Fact):
    """How closely each column is related to the target, in standard deviations of chance.

    rows            training and validation rows
    strengths       |correlation| × sqrt(rows), one a column, falling
    spread          their standard deviation; columns that were not picked by them spread by 1 or more, since chance
                    alone moves each of them by 1
    improbable      probability of so small a spread by chance: chi squared with columns - 1 degrees of freedom
    agreement       how far the relations in the training rows are met again in the validation rows, in standard
                    deviations of chance: near 0 for columns of noise that were picked by training rows alone
    entangled       mean squared correlation of pairs of columns, times rows: 1 for unrelated columns
    """

    rows: int
    strengths: tuple[float, ...]
    spread: float
    improbable: float
    agreement: float
    entangled: float
