"""What each column of a table is: numbers, categories, dates, or something that can't enter."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

import polars as pl

from assay.facts.table import Reading
from assay.recipe.schema import InputKind, TableData
from assay.tables.dates import DAY, are_compact, looks_like_dates, read_dates
from assay.tables.missing import NUMBER_WORDS, WORDS, missing_words, sentinels
from assay.tables.numbers import CODE, TRIED, read_numbers, reading
from assay.tables.written_number import Decimal, read_written

Kind = Literal["number", "category", "date", "text", "id", "empty", "constant", "nested"]

MOSTLY = 0.8
"""The share of a column's values that must read as numbers, or as dates, for the column to hold them."""

FEWEST_ROWS = 20
"""Of fewer, nothing is called an id: values that don't repeat are no surprise there."""

HARDLY_REPEATS = 0.5
"""Distinct values among those that there are, beyond which text is an id or free text: no value can be learned."""

SENTENCE = 4.0
"""Words of an average value, beyond which text is free text."""

_NAMED = "user|customer|client|patient|subject|account|order|product|item|sample|session|record|employee|case|object"
ID_NAME = re.compile(
    r"(?i:(^|[_\W])(id|uuid|guid|key|index|idx|no|nr|number|rowid|row|unnamed)($|[_\W\d]))"
    rf"|[a-z](Id|ID|No|Nr|Number)$|(?i:^({_NAMED})id$)"
)
"""orderId and orderid, yet not paid."""


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column as read.

    values      float64 for numbers and dates (days since 1970), else text; null where missing
    why         how its kind was told, in words
    missing     the values that were read as missing, as they are written
    ambiguous   dates could have day and month the other way round
    """

    name: str
    kind: Kind
    values: pl.Series
    why: str
    readings: tuple[Reading, ...] = ()
    missing: tuple[str, ...] = ()
    ambiguous: bool = False

    @property
    def enters(self) -> bool:
        """Whether a network can take it as it is."""
        return self.kind in ("number", "category", "date")


@dataclass(frozen=True)
class Conventions:
    """How the table's values are written, where a column itself doesn't tell."""

    decimal: Decimal
    day_first: bool | None
    missing: tuple[str, ...] | None

    @classmethod
    def of(cls, data: TableData, *, comma: bool) -> Conventions:
        """Those of a recipe; `comma` where it leaves the decimal mark open."""
        return cls(data.decimal or ("," if comma else "."), data.day_first, data.missing)


def read_column(cells: pl.Series, conventions: Conventions, *, asked: InputKind | None = None) -> Column:
    """What a column is.

    asked   the kind that the recipe states: values that aren't of that kind are missing, and named in the readings
    """
    kind = cells.dtype
    if kind == pl.Boolean:
        return _refined(_text_column(cells.cast(pl.String), conventions), asked)
    if kind.is_temporal() and kind not in (pl.Duration, pl.Time):
        days = cells.cast(pl.Datetime("us")).dt.epoch("us").cast(pl.Float64) / DAY
        return _refined(Column(name=cells.name, kind="date", values=days, why="dates"), asked)
    if kind.is_nested() or kind in (pl.Binary, pl.Object):
        return Column(name=cells.name, kind="nested", values=cells, why="holds lists, records or bytes")
    if kind != pl.String:
        numbers = cells.to_physical() if kind.is_temporal() else cells
        values = numbers.cast(pl.Float64, strict=False).fill_nan(None)
        column = _without_sentinels(values, values, conventions)
        return _codes(column) if asked == "category" else _refined(column, asked)
    if asked in (None, "leave_out"):
        return _refined(_told(cells, conventions), asked)
    return _as_asked(cells, conventions, asked)


def _codes(column: Column) -> Column:
    whole = column.values.drop_nulls().cast(pl.Int64, strict=False) == column.values.drop_nulls()
    values = column.values.cast(pl.Int64, strict=False) if whole.fill_null(value=False).all() else column.values
    return replace(column, kind="category", values=values.cast(pl.String), why="as the recipe says")


def _as_asked(cells: pl.Series, conventions: Conventions, asked: InputKind) -> Column:
    if asked == "category":
        return replace(_text_column(cells, conventions), why="as the recipe says")
    column = _numbers(cells, conventions, stated=True) if asked == "number" else \
        _dates(cells, conventions, stated=True)
    return replace(column, why="as the recipe says")


def _told(cells: pl.Series, conventions: Conventions) -> Column:
    """The kind by the values themselves."""
    text = _text_column(cells, conventions)
    present = text.values.drop_nulls()
    if present.is_empty() or _are_codes(present):
        return text
    if are_compact(present):
        return _dates(cells, conventions, stated=False)
    numbers = _numbers(cells, conventions, stated=False)
    if not numbers.values.drop_nulls().is_empty() and _share(numbers) >= MOSTLY:
        return numbers
    if looks_like_dates(present):
        dates = _dates(cells, conventions, stated=False)
        if _share(dates) >= MOSTLY:
            return dates
    if _refined(text, None).kind == "id" and _in_several_units(text.values, numbers, conventions):
        return numbers
    return text


def _in_several_units(cells: pl.Series, numbers: Column, conventions: Conventions) -> bool:
    """Whether most are numbers in one unit and the rest in others; a single letter, as in 12a, may be a house's."""
    unread = cells.filter(cells.is_not_null() & numbers.values.is_null() & ~cells.is_in(list(numbers.missing)))
    others = [read_written(text, decimal=conventions.decimal) for text in unread.unique().head(TRIED)]
    return _share(numbers) > 0.5 and all(each is not None and len(each.unit) > 1 for each in others)


def _share(column: Column) -> float:
    """Of the values that aren't missing, those that were read."""
    unread = sum(each.count for each in column.readings if each.read_as is None)
    read = len(column.values) - column.values.null_count()
    return read / (read + unread) if read + unread else 0.0


def _are_codes(present: pl.Series) -> bool:
    """Whether digits stand for names: some begin with a zero, and all are of one length."""
    return bool(present.str.contains(CODE).any()) and present.str.contains(r"^\d+$").all() \
        and present.str.len_chars().n_unique() == 1


def _cleaned(cells: pl.Series, conventions: Conventions, words: tuple[str, ...]) -> tuple[pl.Series, list[str]]:
    found = missing_words(cells, words=words, exact=conventions.missing)
    return (cells.set(cells.is_in(found), None) if found else cells), found


def _words_reading(cells: pl.Series, found: list[str], conventions: Conventions) -> tuple[Reading, ...]:
    if not found:
        return ()
    return (reading(cells, cells.is_in(found), form="sentinel", read_as=f"{found[0]} as missing",
                    stated=conventions.missing is not None),)


def _text_column(cells: pl.Series, conventions: Conventions) -> Column:
    cleaned, found = _cleaned(cells, conventions, WORDS)
    return Column(name=cells.name, kind="category", values=cleaned, why="words", missing=tuple(found),
                  readings=_words_reading(cells, found, conventions))


def _numbers(cells: pl.Series, conventions: Conventions, *, stated: bool) -> Column:
    cleaned, found = _cleaned(cells, conventions, NUMBER_WORDS)
    numbers = read_numbers(cleaned, decimal=conventions.decimal, stated=stated)
    column = _without_sentinels(numbers.values, cells, conventions)
    words = _words_reading(cells, found, conventions)
    return replace(column, missing=(*found, *column.missing), readings=(*words, *numbers.readings, *column.readings))


def _without_sentinels(values: pl.Series, cells: pl.Series, conventions: Conventions) -> Column:
    """Numbers with sentinels as missing; one that the recipe doesn't list stays a number, and is named."""
    found = sentinels(values, exact=conventions.missing)
    said = tuple(f"{each:.15g}" for each in found)
    readings = [reading(cells, values == each, form="sentinel", read_as=f"{text} as missing",
                        stated=conventions.missing is not None) for each, text in zip(found, said, strict=True)]
    cleaned = values.set(values.is_in(found), None) if found else values
    if conventions.missing is not None:
        readings += [reading(cells, cleaned == each, form="sentinel", read_as=f"{each:.15g} as a number", stated=False)
                     for each in sentinels(cleaned, exact=None)]
    return Column(name=cells.name, kind="number", values=cleaned, why="numbers", missing=said,
                  readings=tuple(readings))


def _dates(cells: pl.Series, conventions: Conventions, *, stated: bool) -> Column:
    cleaned, found = _cleaned(cells, conventions, NUMBER_WORDS)
    dates = read_dates(cleaned, day_first=conventions.day_first, stated=stated)
    return Column(name=cells.name, kind="date", values=dates.values, why="dates", missing=tuple(found),
                  readings=(*_words_reading(cells, found, conventions), *dates.readings), ambiguous=dates.ambiguous)


def _refined(column: Column, asked: InputKind | None) -> Column:
    """The same, called empty, constant, an id or free text where it is and the recipe doesn't say otherwise."""
    if asked not in (None, "leave_out"):
        return column
    present = column.values.drop_nulls()
    distinct = present.n_unique()
    if present.is_empty():
        return replace(column, kind="empty", why="every value is missing")
    if distinct == 1 and len(present) == len(column.values) > 1:
        return replace(column, kind="constant", why="it has one value only")
    if len(present) < FEWEST_ROWS or column.kind == "date":
        return column
    if column.kind == "number":
        return _counter(column, present, distinct)
    words = present.str.count_matches(r"\S+").mean() or 0.0
    share = distinct / len(present)
    if isinstance(words, float) and words > SENTENCE and share > HARDLY_REPEATS / 5:
        return replace(column, kind="text", why=f"free text, {words:.0f} words on average")
    if share > HARDLY_REPEATS:
        why = f"{distinct:,} different values in {len(present):,} rows: they hardly repeat"
        return replace(column, kind="text" if isinstance(words, float) and words >= 3 else "id", why=why)
    return column


def _counter(column: Column, present: pl.Series, distinct: int) -> Column:
    """Whether whole numbers count the rows, or name them."""
    if distinct < 0.95 * len(present) or not (present == present.round()).all():
        return column
    steps = present.diff().drop_nulls()
    if distinct == len(column.values) and ((steps == 1).all() or (steps == -1).all()):
        return replace(column, kind="id", why="it counts the rows")
    if ID_NAME.search(column.name):
        return replace(column, kind="id", why="its name and its values are those of an id")
    return column
