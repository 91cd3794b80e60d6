"""Facts about how a table was read: values that needed a reading, spellings of classes, columns that were left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.facts.fact import Fact

Form = Literal[
    "unit", "currency", "thousands separator", "decimal comma", "percent", "date", "mixed dates", "sentinel",
    "total row", "repeated header", "text among numbers",
]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Values of one column that are text, or numbers that mean something else, and what they are read as.

    count       of such values; `rows` and `examples` are those of the first few
    read_as     in words, with the first example: "1,234.5 as 1234.5"; None where they can't be read
    stated      the recipe says how to read them, so that nothing is silent
    """

    column: str
    form: Form
    count: int
    rows: tuple[int, ...]
    examples: tuple[str, ...]
    read_as: str | None
    stated: bool


@dataclass(frozen=True, kw_only=True)
class Spellings:
    """One class under several names: `counts` by spelling; `blank` where one of them stands for "unknown"."""

    column: str
    meaning: str
    counts: dict[str, int]
    blank: bool
    merged: bool


LeftOutAs = Literal["empty", "constant", "id", "text", "nested", "copy of the target", "choice"]


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """A column that doesn't enter, and why: in words, and as what."""

    column: str
    why: str
    form: LeftOutAs = "choice"


Difference = Literal["missing column", "extra column", "column order", "type"]


@dataclass(frozen=True, kw_only=True)
class PartDifference:
    """What differs between the files of a table, or between its training and its given test part.

    what    in words, naming the columns: "price is a number in a.csv and text in b.csv"
    form    a column that `second` lacks or has besides, another order of the columns, or another type
    mended  what is done about it: "put in the order of a.csv"; None where nothing is
    """

    first: str
    second: str
    what: str
    form: Difference = "type"
    mended: str | None = None


@dataclass(frozen=True, kw_only=True)
class TableFacts(Fact):
    """How a table was read."""

    files: tuple[str, ...]
    readings: tuple[Reading, ...] = ()
    spellings: tuple[Spellings, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    differences: tuple[PartDifference, ...] = ()
    missing_targets: tuple[int, ...] = ()
