"""One column of a table on its way into the network: what was fitted on training rows, and what it makes of any row.

Nothing here is ever not finite: a missing value is filled in, and whatever lies further out than training rows could
tell of is held at a bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

Values = NDArray[np.float64]
Inputs = NDArray[np.float32]

FURTHEST = 10.0
"""Standardised inputs are held within ± this many deviations: a pixel that is set in one training row of a thousand has
a deviation so small that it may stand at 186 in validation. The bound is that of Stable-Baselines3's VecNormalize."""

LARGEST = float(np.finfo(np.float32).max)
"""Inputs that enter as they are can't be larger than single precision holds."""

CALENDAR = (-700_000.0, 2_900_000.0)
"""Days since 1970 of the years 53 to 9909; dates beyond have no month or weekday worth telling."""


class Fitted(BaseModel):
    """What was learned of a column on training rows."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    column: str


class NumberColumn(Fitted):
    """A number: missing values become the median, then all are standardised.

    constant        in training rows it is, so that nothing can be learned from it: it enters as 0 everywhere, since
                    whatever stood in validation would be divided by zero or by rounding noise
    marks_missing   some training rows lack it: a second column says which
    """

    kind: Literal["number"] = "number"
    median: float
    mean: float
    deviation: float
    constant: bool
    marks_missing: bool

    @property
    def names(self) -> tuple[str, ...]:
        """Of the columns that it becomes."""
        return (self.column, f"{self.column} is missing") if self.marks_missing else (self.column,)

    def inputs(self, values: Values, *, standardise: bool) -> Iterator[Inputs]:
        """The columns [n] that values [n] become."""
        filled = np.where(np.isnan(values), self.median, values)
        if standardise:
            yield self._standardised(filled).astype(np.float32)
        else:
            yield np.clip(filled, -LARGEST, LARGEST).astype(np.float32)
        if self.marks_missing:
            yield np.isnan(values).astype(np.float32)

    def _standardised(self, filled: Values) -> Values:
        if self.constant:
            return np.zeros(len(filled))
        with np.errstate(over="ignore"):
            return np.clip((filled - self.mean) / self.deviation, -FURTHEST, FURTHEST)


class DateColumn(Fitted):
    """A date, in days since 1970: how long ago, and the place in the year and the week, each as a point on a circle.

    days        the days as a number
    month, weekday      whether they vary among the training rows
    """

    kind: Literal["date"] = "date"
    days: NumberColumn
    month: bool
    weekday: bool

    @property
    def names(self) -> tuple[str, ...]:
        """Of the columns that it becomes."""
        cycles = [name for name, varies in (("month", self.month), ("weekday", self.weekday)) if varies]
        circles = [f"{self.column}: {name} ({part})" for name in cycles for part in ("sin", "cos")]
        return (*self.days.names, *circles)

    def inputs(self, values: Values, *, standardise: bool) -> Iterator[Inputs]:
        """The columns [n] that days [n] become; a missing date stands in the middle of each circle."""
        yield from self.days.inputs(values, standardise=standardise)
        for varies, position in ((self.month, months(values) / 12), (self.weekday, weekdays(values) / 7)):
            if varies:
                for wave in (np.sin, np.cos):
                    yield np.where(np.isnan(values), 0.0, wave(2 * np.pi * position)).astype(np.float32)


class CategoryColumn(Fitted):
    """A category, as one column of 0 and 1 for each that is common enough, or as a code for an embedding.

    known       the names of all codes of the table that it was fitted on
    levels      the codes that stand for themselves, the commonest first
    pooled      rarer ones occurred, and share one column (in an embedding: code 0, as what was never seen)
    missing     some training rows lack it, which is a category of its own

    What was never seen in training counts as one of the rare ones. Where there were none, it is all zeros: a column
    that no training row sets would hold the random number that it started from.
    """

    kind: Literal["category"] = "category"
    known: tuple[str, ...]
    levels: tuple[int, ...]
    pooled: bool
    missing: bool
    embedded: bool

    @property
    def constant(self) -> bool:
        """Whether all training rows are the same in it: then it enters nothing."""
        return len(self.levels) + self.pooled + self.missing < 2

    @property
    def size(self) -> int:
        """Codes of the embedding: 0 for whatever isn't known, one a level, and one for missing where that occurs."""
        return 1 + len(self.levels) + self.missing

    @property
    def names(self) -> tuple[str, ...]:
        """Of the columns that it becomes."""
        if self.constant:
            return ()
        if self.embedded:
            return (f"{self.column} (code)",)
        named = [f"{self.column} = {self.known[level]}" for level in self.levels]
        rest = [f"{self.column} = other"] * self.pooled + [f"{self.column} is missing"] * self.missing
        return (*named, *rest)

    def inputs(self, values: Values, *, standardise: bool) -> Iterator[Inputs]:  # noqa: ARG002  # every column's form
        """The columns [n] that codes [n] become."""
        if self.constant:
            return
        if self.embedded:
            yield self._codes(values)
            return
        for level in self.levels:
            yield (values == level).astype(np.float32)
        if self.pooled:
            yield (~np.isin(values, self.levels) & ~np.isnan(values)).astype(np.float32)
        if self.missing:
            yield np.isnan(values).astype(np.float32)

    def _codes(self, values: Values) -> Inputs:
        codes = np.zeros(len(self.known) + 1, dtype=np.float32)
        codes[list(self.levels)] = np.arange(1, len(self.levels) + 1)
        inside = (values >= 0) & (values < len(self.known))
        found = codes[np.where(inside, values, len(self.known)).astype(np.int64)]
        return np.where(np.isnan(values) & self.missing, np.float32(self.size - 1), found)


AnyColumn = Annotated[NumberColumn | DateColumn | CategoryColumn, Field(discriminator="kind")]


def months(days: Values) -> Values:
    """Months since January, 0 to 11, for days since 1970; missing dates count as some month."""
    calendar = np.clip(np.nan_to_num(days), *CALENDAR).astype("datetime64[D]").astype("datetime64[M]")
    return np.asarray(calendar.astype(np.int64) % 12, dtype=np.float64)


def weekdays(days: Values) -> Values:
    """Days since Monday, 0 to 6, for days since 1970 (which began on a Thursday)."""
    return np.asarray((np.floor(np.clip(np.nan_to_num(days), *CALENDAR)) + 3) % 7, dtype=np.float64)
