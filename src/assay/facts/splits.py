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
    """Examples of two splits with equal inputs.

    rows        rows of `second` whose input stands in `first` too
    share       the same as a share of `second`
    examples    some pairs of row numbers, (row of `first`, row of `second`)
    same_rows   rows of `second` that are, by their very number, rows of `first`
    """

    first: str
    second: str
    rows: int
    share: float
    examples: tuple[tuple[int, int], ...]
    same_rows: int = 0


@dataclass(frozen=True, kw_only=True)
class SplitFacts(Fact):
    """The splits of the data.

    overlaps            pairs of splits that share inputs
    repeated_share      share of training rows whose input occurs more than once among the training rows
    natural_share       share of training rows for which an equal would be no surprise, so coarse are the columns: the
                        larger of the share (of distinct rows) that differs from another in one column only, and the
                        share that would meet an equal if the columns were independent; the columns of a one-hot
                        category count as one. None where no inputs are shared, so that nobody asks
    """

    splits: tuple[SplitRecord, ...]
    classes: tuple[str, ...]
    overlaps: tuple[Overlap, ...] | Unknown
    repeated_share: float | Unknown
    natural_share: float | None = None

    def rows(self, name: str) -> int:
        """How many rows the split of this name holds; 0 where there is no such split."""
        return next((split.rows for split in self.splits if split.name == name), 0)


@dataclass(frozen=True, kw_only=True)
class BadColumn:
    """A column with values that can't be learned from, and the first few rows where they stand.

    what        "NaN", "infinite", "too large" (beyond 1e150), "empty" (NaN in every row), "constant" (one value other
                than zero in all training rows), "always zero" or "constant target"
    """

    column: str
    what: str
    count: int
    rows: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class ColumnFacts(Fact):
    """The input columns of a table, as read, and its target."""

    columns: int
    bad: tuple[BadColumn, ...]


@dataclass(frozen=True, kw_only=True)
class LabelFacts(Fact):
    """The labels as they reach the loss.

    outside         up to ten rows, with their label, whose label is no whole number in [0, classes)
    outside_rows    how many rows there are of them in all; 0 means that `outside` names every one
    """

    classes: int | Unknown
    smallest: float
    largest: float
    outside: tuple[tuple[int, float], ...]
    outside_rows: int = 0


@dataclass(frozen=True, kw_only=True)
class DataVersionFacts(Fact):
    """The data as read against the data that the recipe was written for.

    recorded    the recipe's fingerprint; None where it holds none
    changes     what the recipe says of the data and is so no more, in words: "rows: 1797, now 1796"
    """

    recorded: str | None
    found: str
    changes: tuple[str, ...]
