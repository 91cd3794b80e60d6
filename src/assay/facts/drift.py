"""Facts about how evaluation rows differ from training rows: in distribution, and in the categories that occur."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact


@dataclass(frozen=True, kw_only=True)
class ColumnDrift:
    """One column in two splits.

    distance    the largest difference between the two distribution functions (Kolmogorov and Smirnov), or between the
                shares of any category, or of missing values
    first, second    what stands there, in words: the median and the quartiles, "3.1 (2.2 to 4), 2% missing"
    """

    column: str
    distance: float
    first: str
    second: str


@dataclass(frozen=True, kw_only=True)
class Drift:
    """How well a classifier tells the rows of two splits apart by their inputs.

    auc             of held-out rows; 0.5 where they can't be told apart
    chance          what permuted memberships give: mean and standard deviation of the area
    compared        rows of each of the two splits
    columns         the most different ones, at most three, the most different first
    """

    first: str
    second: str
    auc: float
    chance: tuple[float, float]
    compared: tuple[int, int]
    columns: tuple[ColumnDrift, ...]


@dataclass(frozen=True, kw_only=True)
class DriftFacts(Fact):
    """Training rows against each evaluation split that is large enough.

    divided     the kind of the split: "random", "stratified", "grouped", "stratified_grouped", "time", "column"
    given       the test rows are a part that was given, whatever divided the others
    """

    drifts: tuple[Drift, ...]
    divided: str
    given: bool = False


@dataclass(frozen=True, kw_only=True)
class UnseenCategories:
    """Categories of one column that stand in an evaluation split and not in training.

    rows        that hold them, of `of` rows of the split
    expected    rows that would hold categories new to them in a random split: by Good and Turing the share of
                categories seen once in training
    names       some of them
    """

    column: str
    split: str
    rows: int
    of: int
    expected: float
    names: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class CategoryFacts(Fact):
    """The categories of the columns that hold some; `columns` counts them."""

    columns: int
    unseen: tuple[UnseenCategories, ...]
    divided: str
