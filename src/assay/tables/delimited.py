"""Text with delimiters to cells: strict, so that no line is bent into shape silently."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from assay.errors import DataError
from assay.facts.table import Spellings
from assay.tables.delimiter import NAMES
from assay.tables.unquoted import read_unquoted

CHUNK = 50_000
"""Rows that are held as Python's own text at a time."""

MOST_SPELLINGS = 200
"""Different values of a column whose spellings are counted: classes are fewer."""

WIDEST_NAME = 500
"""Characters of a column's name; a longer one is no name."""

NUMBER = r"^[+-]?(\d+([.,]\d*)*|[.,]\d+)([eE][+-]?\d+)?$"


@dataclass(frozen=True)
class Cells:
    """Text cells, blanks around them taken off and empty ones null, with their columns' names.

    padded      values that stand with blanks around them and without, in columns of few different ones
    """

    frame: pl.DataFrame
    first_row_is_data: bool
    padded: tuple[Spellings, ...] = ()


def parse(text: str, *, delimiter: str, header: bool, name: str) -> Cells:
    """The cells of a text table; empty lines are passed over, and so are blanks after a closing quote.

    header      False: the first line is data, and the columns are named c1 to cN

    Raises DataError where there are no rows, a line has too few or too many fields, or two columns have one name.
    """
    records = _records(_without_blanks_after_quotes(text, delimiter), delimiter, name)
    first = next(records, None)
    if first is None:
        raise DataError(f"{name} is empty; give a table with a header and rows.")
    line, fields = first
    names = _names(fields, name) if header else [f"c{index + 1}" for index in range(len(fields))]
    frame = read_unquoted(text, delimiter=delimiter, names=names, skip=int(header)) if line == 1 else None
    if frame is None:
        frames = list(_frames(records, names, name, delimiter=delimiter, first=None if header else (line, fields)))
        frame = pl.concat(frames) if frames else pl.DataFrame()
    if frame.height == 0:
        raise DataError(f"{name} has a header and no rows; give rows to learn from.")
    padded = tuple(_padded(frame))
    frame = frame.with_columns(pl.all().str.strip_chars())
    frame = frame.with_columns(pl.when(pl.all().str.len_bytes() > 0).then(pl.all()))
    return Cells(frame, header and _looks_like_data(fields, frame), padded)


def _padded(frame: pl.DataFrame) -> Iterator[Spellings]:
    for column in frame:
        if not (column.str.len_bytes() != column.str.strip_chars().str.len_bytes()).any():
            continue
        counts = dict(column.drop_nulls().value_counts(sort=True).iter_rows())
        if len(counts) > MOST_SPELLINGS:
            continue
        alike: dict[str, dict[str, int]] = {}
        for text, count in counts.items():
            alike.setdefault(text.strip(), {})[text] = count
        yield from (Spellings(column=column.name, meaning=meaning, counts=spelled, blank=False, merged=True)
                    for meaning, spelled in alike.items() if meaning and len(spelled) > 1)


def _well_quoted(text: str, delimiter: str) -> bool:
    try:
        for _ in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True):
            pass
    except csv.Error:
        return False
    return True


def _without_blanks_after_quotes(text: str, delimiter: str) -> str:
    """The text as it is, unless its quotes are only sound without the blanks behind them."""
    blanks = re.compile(rf'"[ \t]+(?=[{re.escape(delimiter)}\r\n]|$)')
    if not blanks.search(text) or _well_quoted(text, delimiter):
        return text
    return blanks.sub('"', text)


def _records(text: str, delimiter: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Every line's number, from 1, and its fields."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
    began = 1
    try:
        for fields in reader:
            if fields and (fields[0].strip() or any(field.strip() for field in fields)):
                yield began, fields
            began = reader.line_num + 1
    except csv.Error as fault:
        what = "a field is larger than any table's" if "limit" in str(fault) else \
            "a quote is opened and not closed, or text follows a closing quote"
        raise DataError(f"{name}, line {began}: {what}; mend the line.") from None


def _names(fields: list[str], name: str) -> list[str]:
    names = [" ".join(field.split()) or f"c{index + 1}" for index, field in enumerate(fields)]
    while len(names) > 1 and not fields[len(names) - 1].strip():
        names.pop()  # a delimiter at the end of every line, as some programs write it
    if any(len(each) > WIDEST_NAME for each in names):
        raise DataError(f"{name} has a column name of more than {WIDEST_NAME} characters, so line 1 is no header; "
                        "give one, or use --no-header.")
    repeated = [each for each, count in Counter(names).items() if count > 1]
    if repeated:
        raise DataError(f"{name} has {names.count(repeated[0])} columns named {repeated[0]!r}; give each a name of its "
                        "own, or use --no-header if line 1 is data.")
    return names


def _frames(
    records: Iterator[tuple[int, list[str]]], names: list[str], name: str, *, delimiter: str,
    first: tuple[int, list[str]] | None,
) -> Iterator[pl.DataFrame]:
    width, rows = len(names), []
    if first is not None:
        rows.append(first[1])
    for line, fields in records:
        if width == 1 and len(fields) > 1:
            raise DataError(f"{name}, line {line}: {len(fields)} fields where line 1 has one; if line 1 is a title, "
                            "delete what stands above the header.")
        if len(fields) < width or any(field.strip() for field in fields[width:]):
            raise DataError(
                f"{name}, line {line}: {len(fields)} field{'s' if len(fields) != 1 else ''} where line 1 has {width}; "
                f"mend the line, or quote fields that hold a {NAMES[delimiter]}."
            )
        rows.append(fields[:width])
        if len(rows) == CHUNK:
            yield _frame(rows, names)
            rows = []
    if rows:
        yield _frame(rows, names)


def _frame(rows: list[list[str]], names: list[str]) -> pl.DataFrame:
    columns = zip(*rows, strict=True)
    return pl.DataFrame({each: pl.Series(list(cells), dtype=pl.String) for each, cells in zip(names, columns,
                                                                                              strict=True)})


def _looks_like_data(fields: list[str], frame: pl.DataFrame) -> bool:
    """Whether line 1 holds numbers where the rows do, and nowhere text above numbers."""
    numbers = pl.Series([field.strip() for field in fields[: frame.width]]).str.contains(NUMBER).to_list()
    below = [float(frame[column].drop_nulls().head(1000).str.contains(NUMBER).mean() or 0.0) > 0.9  # type: ignore[arg-type]
             for column in frame.columns]
    return any(numbers) and all(number or not under for number, under in zip(numbers, below, strict=True))
