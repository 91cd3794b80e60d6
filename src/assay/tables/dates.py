"""A column of text to dates, in days since 1970."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from assay.facts.table import Reading
from assay.tables.numbers import TRIED, reading

DAY = 86_400_000_000
"""Microseconds."""

_TIMES = ("", " %H:%M:%S%.f", " %H:%M", " %I:%M:%S %p", " %I:%M %p", "T%H:%M:%S%.f", "T%H:%M", " %H:%M:%S%.f%#z",
          "T%H:%M:%S%.f%#z", "T%H:%M%#z", " %H:%M:%S %z")
_ISO = ("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d")
_NAMED = ("%d %b %Y", "%d-%b-%Y", "%b %d, %Y", "%d %B %Y", "%B %d, %Y", "%b %d %Y", "%d-%b-%y", "%d. %B %Y")
_SHAPE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,4}[-/. ]+[A-Za-z]{3,9}[-/., ]+\d{2,4}"
                    r"|[A-Za-z]{3,9}\.? \d{1,2},? \d{4}|\d{4}-\d{2}$")
_COMPACT = r"^(19|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$"
_DECORATED = (
    (r"^(?i:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? +", ""), (r"^(\d{1,2})(?:st|nd|rd|th)\b", "${1}"),
    (r"^(\d{1,2})/([A-Za-z]{3})/(\d{4})(?::| |$)", "${1} ${2} ${3} "), (r" (?:UTC|GMT| *)$", ""),
)
"""What goes with a date and doesn't change it: its weekday, an ordinal's ending, a web server's marks, UTC."""
_LEADING = r"^(\d{1,2})([-/.])(\d{1,2})[-/.]\d{2,4}"


@dataclass(frozen=True)
class DateColumn:
    """What a column is as dates: days since 1970, null where there is none; the share that reads as dates.

    ambiguous   every value could have day and month the other way round
    """

    values: pl.Series
    share: float
    readings: tuple[Reading, ...]
    ambiguous: bool = False


def are_compact(present: pl.Series) -> bool:
    """Whether all values are dates without marks, such as 20200131."""
    return len(present) > 2 and bool(present.str.contains(_COMPACT).all())


def looks_like_dates(cells: pl.Series) -> bool:
    """Whether most of a column's first values have the shape of a date."""
    sample = _plain(cells.drop_nulls().unique(maintain_order=True).head(TRIED))
    shaped = sum(bool(_SHAPE.match(text)) for text in sample)
    return len(sample) > 0 and shaped >= 0.8 * len(sample)


def _plain(cells: pl.Series) -> pl.Series:
    for form, kept in _DECORATED:
        cells = cells.str.replace(form, kept)
    return cells


def read_dates(cells: pl.Series, *, day_first: bool | None, stated: bool) -> DateColumn:
    """Read text as dates.

    day_first   whether 3/4/2020 is in April; None goes by the values: a number above 12 is no month, dots and dashes
                put the day first, and where nothing tells, slashes put the month first

    A date without an offset is taken as it stands, one with an offset in UTC.
    """
    written, cells = cells, _plain(cells)
    numbers = cells.str.extract_groups(_LEADING)
    first, second = (numbers.struct.field(each).cast(pl.Int32, strict=False) for each in ("1", "3"))
    days, months = int((first > 12).sum()), int((second > 12).sum())
    slashes = bool((numbers.struct.field("2") == "/").any())
    ambiguous = first.drop_nulls().len() > 0 and not days and not months
    order = day_first if day_first is not None else days >= months and (days > 0 or not slashes)
    marks = [mark for mark in "/.-" if cells.str.contains(mark, literal=True).any()]
    distinct = cells.drop_nulls().unique(maintain_order=True)
    groups: list[list[tuple[str, ...]]] = [
        [_ISO, ("%Y-%m",), ("%Y%m%d",)], [_NAMED], [_numeric(marks, day_first=order)],
        [_numeric(marks, day_first=not order)],
    ]
    read = pl.Series(cells.name, [None] * len(distinct), dtype=pl.Float64)
    used: list[bool] = []
    for formats in groups:
        unread = read.null_count()
        if unread:
            read = read.fill_null(_first_of([each for part in formats for each in part], distinct, read))
            used.append(read.null_count() < unread)
    table = pl.DataFrame({"text": distinct, "day": read})
    values = cells.to_frame("text").join(table, on="text", how="left", maintain_order="left")["day"].alias(cells.name)
    present = cells.len() - cells.null_count()
    share = 1.0 if not present else (len(values) - values.null_count()) / present
    readings = _readings(written, used, ambiguous, order=order, stated=stated or day_first is not None)
    left = cells.is_not_null() & values.is_null()
    if left.any():
        readings.append(reading(written, left, form="mixed dates", read_as=None, stated=stated))
    return DateColumn(values, share, tuple(readings), ambiguous)


def _numeric(marks: Sequence[str], *, day_first: bool) -> tuple[str, ...]:
    return tuple((f"%d{mark}%m{mark}{year}" if day_first else f"%m{mark}%d{mark}{year}")
                 for mark in marks for year in ("%Y", "%y"))


def _first_of(formats: Sequence[str], cells: pl.Series, known: pl.Series) -> pl.Series:
    """Days by the first of the formats that reads each value."""
    values = known
    for form in formats:
        for time in _TIMES if form not in ("%Y-%m", "%Y%m%d") else ("",):
            left = cells.set(values.is_not_null(), None)
            if left.null_count() == len(left):
                return values
            values = values.fill_null(_days(left, form + time))
    return values


def _days(cells: pl.Series, form: str) -> pl.Series:
    text, pattern = (cells + "-01", "%Y-%m-%d") if form == "%Y-%m" else (cells, form)
    if form == "%Y-%m":
        text = text.set(~cells.str.contains(r"^\d{4}-\d{1,2}$").fill_null(value=False), None)
    elif "%Y" in form:  # chrono's %Y takes years of any length: 01/02/03 is no date of the year 3
        text = text.set(~cells.str.contains(r"(^|\D)\d{4}(\D|$)|^\d{8}$").fill_null(value=False), None)
    zone = {"time_zone": "UTC"} if "%#z" in form else {}
    try:
        read = text.str.strptime(pl.Datetime("us", **zone), pattern, strict=False)
    except pl.exceptions.PolarsError:
        return pl.Series(cells.name, [None] * len(cells), dtype=pl.Float64)
    return read.dt.epoch("us").cast(pl.Float64) / DAY


def _readings(
    cells: pl.Series, used: list[bool], ambiguous: bool, *, order: bool, stated: bool
) -> list[Reading]:
    ways = sum(used)
    if not ways:
        return []
    said = "day before month" if order else "month before day"
    whole = pl.Series([True] * len(cells)) & cells.is_not_null()
    if ways > 1:
        return [reading(cells, whole, form="mixed dates", read_as=f"dates in {ways} forms, {said}",
                        stated=stated)]
    if used[0] and not cells.str.contains(_COMPACT).any():
        return []
    leading = ambiguous or bool(cells.str.contains(_LEADING).any())
    how = f"with the {said}" if leading else "as a date"
    return [reading(cells, whole, form="date", read_as=f"{cells.drop_nulls()[0]} {how}", stated=stated)]
