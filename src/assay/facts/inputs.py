"""Facts about what the model sees: the columns as read, and examples exactly as they enter the network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.facts.fact import Fact


@dataclass(frozen=True, kw_only=True)
class ColumnSpread:
    """One column of the table as read, over the training rows.

    missing                     share of the rows, 0 to 1
    smallest, middle, largest   of the finite values, `middle` is their median; dates in days since 1970; None for
                                categories, and where there is no finite value
    counts                      rows in bins of equal width from smallest to largest; for a category, the rows of each
                                of `levels`
    levels                      the commonest categories, the commonest first
    distinct                    different values
    """

    name: str
    kind: Literal["number", "category", "date"]
    missing: float
    smallest: float | None
    middle: float | None
    largest: float | None
    counts: tuple[int, ...]
    levels: tuple[str, ...] = ()
    distinct: int


@dataclass(frozen=True, kw_only=True)
class InputSpread:
    """One number that the network is given for each example, over the training rows."""

    name: str
    smallest: float
    largest: float
    mean: float
    deviation: float


@dataclass(frozen=True, kw_only=True)
class ShownExample:
    """One training example: its row in the data, its label in words, and its values to six digits as they enter."""

    row: int
    label: str
    values: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class TargetSpread:
    """Regression targets of one split in the data's own unit: rows in bins of equal width, the same for all splits."""

    split: str
    counts: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class InputFacts(Fact):
    """What the model sees. Test rows are in none of it.

    width       numbers that enter for one example; `columns` of the table before preprocessing
    table       the first columns as read; `inputs` the first numbers as they enter
    examples    some of each class
    image       (height, width), where the numbers of an example are the pixels of a picture, row by row
    targets     of a regression, training and validation; `target_range` is their smallest and largest
    """

    rows: int
    columns: int
    width: int
    table: tuple[ColumnSpread, ...]
    inputs: tuple[InputSpread, ...]
    examples: tuple[ShownExample, ...]
    image: tuple[int, int] | None = None
    targets: tuple[TargetSpread, ...] = ()
    target_range: tuple[float, float] | None = None
