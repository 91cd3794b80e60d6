"""Facts about the data and how they were split."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Unknown


@dataclass(frozen=True, kw_only=True)
class SplitRecord:
    """One split: `class_counts` has one entry a class in the task's order, and is empty for regression."""

    name: str
    rows: int
    class_counts: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Overlap:
    """Examples of two splits with equal inputs: how many of `second`'s rows, and some pairs of row numbers."""

    first: str
    second: str
    rows: int
    share: float
    examples: tuple[tuple[int, int], ...]


@dataclass(frozen=True, kw_only=True)
class SplitFacts(Fact):
    """The splits of the data.

    overlaps            pairs of splits that share inputs
    repeated_share      share of training rows whose input occurs more than once among the training rows
    """

    splits: tuple[SplitRecord, ...]
    classes: tuple[str, ...]
    overlaps: tuple[Overlap, ...]
    repeated_share: float


@dataclass(frozen=True, kw_only=True)
class BadColumn:
    """A column with values that can't be learned from, and the first few rows where they stand."""

    column: str
    what: str
    count: int
    rows: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class ColumnFacts(Fact):
    """The input columns of a table, as read."""

    columns: int
    bad: tuple[BadColumn, ...]


@dataclass(frozen=True, kw_only=True)
class LabelFacts(Fact):
    """The labels as they reach the loss: `outside` names rows whose label is no whole number in [0, classes)."""

    classes: int | Unknown
    smallest: float
    largest: float
    outside: tuple[tuple[int, float], ...]
