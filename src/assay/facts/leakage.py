"""Facts about what the training rows tell of the rows that they are judged by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.facts.fact import Fact, Unknown

Way = Literal[
    "one to one", "present or missing", "same order", "nearly the same order", "coarse", "missingness", "number",
    "row number",
]


@dataclass(frozen=True, kw_only=True)
class SharedGroups:
    """Groups with rows in two splits: how many, how many rows of `second` are theirs, and some of their numbers."""

    first: str
    second: str
    groups: int
    rows: int
    share: float
    examples: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class GroupFacts(Fact):
    """The stated groups over the splits; `split_by` is the kind of split, as in the recipe."""

    groups: int
    split_by: str
    shared: tuple[SharedGroups, ...]


@dataclass(frozen=True, kw_only=True)
class TimeOrder:
    """Two splits in time: `first` ought to end before `second` begins.

    later       rows of `first` that are later than the earliest row of `second`
    within      those that aren't later, but closer to it than the stated gap
    last, start the latest time of `first` and the earliest of `second`
    example     (row of `first`, row of `second`): the latest and the earliest
    """

    first: str
    second: str
    rows: int
    later: int
    within: int
    last: float
    start: float
    example: tuple[int, int]

    @property
    def share(self) -> float:
        """Of the rows of `first`, those that are later."""
        return self.later / self.rows


@dataclass(frozen=True, kw_only=True)
class TimeFacts(Fact):
    """The stated times over the splits; `split_by` and `gap` as in the recipe."""

    split_by: str
    gap: float
    orders: tuple[TimeOrder, ...]


@dataclass(frozen=True, kw_only=True)
class TellingColumn:
    """A column that tells the target by itself.

    target      of a multilabel task, the label that it tells; else empty
    way         "one to one"            each class has its value, and each value its class
                "present or missing"    there is a value for one of two classes, and none for the other
                "same order"            rows come in the same or the reverse order as by the target
                "nearly the same order" all but so
                "coarse"                the class that is commonest for a value is right
                "missingness"           whether there is a value says the class
                "number"                ranges of values say the class, or how large the target is
                "row number"            it counts the rows, and the rows are sorted by class
    error       1 - balanced accuracy over rows that were held out, or the share of the variance of the target's ranks
                that stays unexplained
    others      the same for trees on all columns that don't tell it by themselves; 0 where there are none to compare
                with, and the smallest error of one column where three or more tell it; None where it wasn't asked
    example     a value and what it tells, in words
    """

    column: str
    target: str
    way: Way
    error: float
    others: float | None
    example: str


@dataclass(frozen=True, kw_only=True)
class TargetLeakFacts(Fact):
    """Columns that tell the target by themselves, over `rows` training rows; `columns` were looked at."""

    classes: bool
    rows: int
    columns: int
    telling: tuple[TellingColumn, ...]


@dataclass(frozen=True, kw_only=True)
class NearCopies:
    """Rows of `second` that nearly stand in `first`.

    how         "one column"    equal in all columns but one (`column`)
                "near"          so much nearer to one row than to the next ones as chance doesn't bring them
    rows        how many of those `asked`, drawn from the `total` rows of `second`
    expected    how many chance or nature would give
    examples    (row of `first`, row of `second`)
    """

    first: str
    second: str
    how: Literal["one column", "near"]
    asked: int
    total: int
    rows: int
    expected: float
    examples: tuple[tuple[int, int], ...]
    column: str | None = None

    @property
    def share(self) -> float:
        """Of the rows asked."""
        return self.rows / self.asked


@dataclass(frozen=True, kw_only=True)
class Windows:
    """Rows that are windows of a series, or hold its lags, so that neighbours hold the same measurements.

    after, before   rows of `second` of which a window in `first` that comes later, or earlier, holds values
    column          that repeats another of the row before, `repeats`
    """

    first: str
    second: str
    rows: int
    after: int
    before: int
    column: str
    repeats: str


@dataclass(frozen=True, kw_only=True)
class WindowFacts(Fact):
    """Whether rows are windows of a series, and where they meet across the splits; empty where they aren't."""

    windows: tuple[Windows, ...]


@dataclass(frozen=True, kw_only=True)
class NearOverlapFacts(Fact):
    """Near-copies across the splits.

    within      share of training rows that nearly stand among the other training rows; Unknown where distances say
                nothing
    dimension   that the columns seem to have around a row, by how distances to neighbours grow
    """

    copies: tuple[NearCopies, ...]
    within: float | Unknown
    dimension: float | Unknown
