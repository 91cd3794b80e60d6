"""A column of text to numbers: which values are numbers, and how those that aren't plain are read."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import polars as pl

from assay.facts.table import Form, Reading
from assay.tables.written_number import Decimal, WrittenNumber, read_written, tells_decimal

PLAIN = r"^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$|^[+-]?(?i:inf|infinity)$"
CODE = r"^0\d+$"
"""A number that begins with a zero is a code: a postcode, a month, a telephone number."""

TRIED = 500
"""Distinct values that decide whether a column of text is worth reading as numbers."""

SHOWN = 5
"""Rows and examples that a reading names."""


@dataclass(frozen=True)
class NumberColumn:
    """What a column is as numbers.

    values      float64, null where there is none or it can't be read
    share       of the values that there are and that are numbers, 0 to 1
    readings    of values that aren't plain numbers; those that can't be read among them
    """

    values: pl.Series
    share: float
    readings: tuple[Reading, ...]


def tells_comma(cells: pl.Series) -> bool | None:
    """Whether a column's decimals are marked by a comma; None where nothing tells."""
    odd = cells.drop_nulls().unique(maintain_order=True).head(TRIED)
    marks = Counter(tells_decimal(text) for text in odd)
    return marks[","] > marks["."] if marks[","] or marks["."] else None


def read_numbers(cells: pl.Series, *, decimal: Decimal, stated: bool) -> NumberColumn:
    """Read text as numbers.

    decimal     what marks decimals where a value itself doesn't tell; a column whose other values tell goes by those
    stated      the recipe says that this column holds numbers
    """
    comma = tells_comma(cells)
    mark: Decimal = decimal if comma is None else "," if comma else "."
    doubtful = r"^\d{1,3}(\.\d{3})+$" if mark == "," else r"^$"
    plain = cells.str.contains(PLAIN) & ~cells.str.contains(doubtful)
    odd = cells.filter(~plain.fill_null(value=True)).unique(maintain_order=True)
    present = cells.len() - cells.null_count()
    meanings = _meanings(odd.head(TRIED), mark)
    if not stated and len(odd) > TRIED and len(meanings) < TRIED / 2 and present and plain.sum() / present < 0.5:
        return NumberColumn(pl.Series(cells.name, [None] * len(cells), dtype=pl.Float64), 0.0, ())
    meanings = _meanings(odd, mark)
    usual = _usual_unit(meanings, cells)
    meanings = {text: each for text, each in meanings.items() if each.unit in ("", usual)}
    values = cells.set(~plain.fill_null(value=False), None).cast(pl.Float64, strict=False)
    if meanings:
        table = pl.DataFrame({"text": list(meanings), "number": [each.value for each in meanings.values()]})
        written = cells.to_frame("text").join(table, on="text", how="left", maintain_order="left")["number"]
        values = values.fill_null(written)
    values = values.alias(cells.name)
    share = 1.0 if not present else (len(values) - values.null_count()) / present
    unread = cells.is_not_null() & values.is_null()
    return NumberColumn(values, share, (*_readings(cells, meanings, stated=stated), *_unread(cells, unread, stated)))


def _meanings(odd: pl.Series, mark: Decimal) -> dict[str, WrittenNumber]:
    read = {text: read_written(text, decimal=mark) for text in odd}
    return {text: each for text, each in read.items() if each is not None}


def _usual_unit(meanings: dict[str, WrittenNumber], cells: pl.Series) -> str:
    """The commonest unit: a number in another one would be another number."""
    units = {each.unit for each in meanings.values() if each.unit}
    if len(units) < 2:
        return next(iter(units), "")
    counts: Counter[str] = Counter()
    for text, count in cells.filter(cells.is_in(list(meanings))).value_counts().iter_rows():
        counts[meanings[text].unit] += count
    counts.pop("", None)
    return counts.most_common(1)[0][0]


def _readings(cells: pl.Series, meanings: dict[str, WrittenNumber], *, stated: bool) -> list[Reading]:
    forms: dict[Form, list[str]] = {}
    for text, each in meanings.items():
        for form in each.forms:
            forms.setdefault(form, []).append(text)
    return [reading(cells, cells.is_in(texts), form=form, read_as=f"{texts[0]} as {meanings[texts[0]].value:.15g}",
                    stated=stated) for form, texts in forms.items()]


def _unread(cells: pl.Series, unread: pl.Series, stated: bool) -> list[Reading]:
    if not unread.any():
        return []
    return [reading(cells, unread, form="text among numbers", read_as=None, stated=stated)]


def reading(cells: pl.Series, which: pl.Series, *, form: Form, read_as: str | None, stated: bool) -> Reading:
    """How the values at `which` are read: counted, and the first few shown."""
    chosen = which.fill_null(value=False)
    rows = chosen.arg_true().head(SHOWN)
    return Reading(
        column=cells.name, form=form, count=int(chosen.sum()), rows=tuple(rows.to_list()),
        examples=tuple(str(text) for text in cells.gather(rows)), read_as=read_as, stated=stated,
    )
