"""A table's cells, read as a recipe says: inputs as numbers and codes, targets, groups, times and given splits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.dataset import ColumnKind, Dataset
from assay.errors import DataError
from assay.facts.fact_set import FactSet
from assay.facts.table import LeftOut, PartDifference, Reading, Spellings, TableFacts
from assay.facts.task import TaskKind
from assay.recipe.nearest import did_you_mean
from assay.recipe.schema import TableData
from assay.tables.columns import Column, Conventions, read_column
from assay.tables.copies import copies_of_target, twins
from assay.tables.files import read_files
from assay.tables.keys import read_given, read_groups, read_times
from assay.tables.numbers import tells_comma
from assay.tables.raw import RawTable
from assay.tables.rows import without_odd_rows
from assay.tables.targets import Target, read_labels, read_target

MOST_LISTED = 12
"""Column names that a sentence lists."""


@dataclass(frozen=True, kw_only=True)
class ReadTable:
    """A table as read.

    columns     every column that isn't target, group, time or split, whether it enters or not
    left_out    those that don't enter, with the reason in words
    comma       whether decimals are marked by a comma, where a column doesn't tell
    """

    dataset: Dataset
    raw: RawTable
    target: Target
    columns: tuple[Column, ...]
    left_out: Mapping[str, str]
    readings: tuple[Reading, ...]
    comma: bool


def read_table(data: TableData, *, folder: Path, task: TaskKind | None = None) -> Dataset:
    """The table that a recipe names.

    folder      what relative paths are relative to
    task        as the recipe states it; None infers it from the target

    Row numbers in what the dataset knows of its reading count the rows that are kept, from 0.

    Raises DataError, one sentence, where the files or what the recipe says of them can't be used.
    """
    return read_cells(read_files(data, folder=folder), data, task=task).dataset


def targets_of(data: TableData) -> tuple[str, ...]:
    """The columns that are predicted."""
    return (data.target,) if isinstance(data.target, str) else tuple(data.target)


def read_cells(raw: RawTable, data: TableData, *, task: TaskKind | None) -> ReadTable:
    """The same from cells that were taken from the files already. Raises DataError."""
    _refuse_unknown(raw, data)
    raw, odd_rows = without_odd_rows(raw, data)
    comma = _comma(raw.cells)
    conventions = Conventions.of(data, comma=comma)
    target = _target(raw, data, conventions, task=task)
    missing_targets = np.flatnonzero(~target.known)
    if len(missing_targets):
        raw, target = raw.kept(target.known), _kept(target)
    roles = {*targets_of(data), *(each for each in (data.group, data.time, data.split_column) if each)}
    columns = tuple(
        read_column(raw.cells[name], conventions, asked=data.inputs.get(name))
        for name in raw.cells.columns if name not in roles or (name in data.inputs and name not in targets_of(data))
    )
    left_out = _left_out(columns, target, data)
    readings = (*odd_rows, *target.readings, *(each for column in columns if column.name not in left_out
                                               for each in column.readings))
    facts = TableFacts(
        files=raw.files, readings=readings, spellings=_spellings(raw, target, data),
        left_out=tuple(_explained(left_out, columns, target)),
        differences=(*raw.differences, *_type_differences(raw, columns, conventions)),
        missing_targets=tuple(int(row) for row in missing_targets),
    )
    dataset = _dataset(raw, data, [each for each in columns if each.name not in left_out], target, facts)
    return ReadTable(dataset=dataset, raw=raw, target=target, columns=columns, left_out=left_out, readings=readings,
                     comma=comma)


def _refuse_unknown(raw: RawTable, data: TableData) -> None:
    known = raw.cells.columns
    roles = ((data.group, "group"), (data.time, "time"), (data.split_column, "split column"))
    named = [*((name, "target") for name in targets_of(data)), *roles, *((name, "input") for name in data.inputs)]
    for name, what in named:
        if name is not None and name not in known:
            raise DataError(f"{raw.files[0]} has no column {name!r}, named as {what}{_hint(name, raw)}")
    repeated = [name for name in targets_of(data) if targets_of(data).count(name) > 1]
    if repeated:
        raise DataError(f"target {repeated[0]} is named twice; name each column once.")
    for name, what in roles:
        if name in targets_of(data):
            raise DataError(f"{name} is named as target and as {what}; a column can't be both.")


def _hint(name: str, raw: RawTable) -> str:
    if raw.first_row_is_data:
        return "; its first line looks like data, so use --no-header and name columns c1, c2 and so on."
    known = raw.cells.columns
    if len(known) == 1:
        return f"; its only column is {known[0][:60]!r}: fields are divided by a comma, semicolon, tab or bar."
    near = did_you_mean(name, known)
    if "mean" in near:
        return near
    more = f" and {len(known) - MOST_LISTED} more" if len(known) > MOST_LISTED else ""
    return f"; its columns are {', '.join(known[:MOST_LISTED])}{more}."


def _comma(cells: pl.DataFrame) -> bool:
    """Whether more columns mark decimals by a comma than by a point."""
    votes = [tells_comma(column) for column in cells if column.dtype == pl.String]
    return sum(vote is True for vote in votes) > sum(vote is False for vote in votes)


def _target(raw: RawTable, data: TableData, conventions: Conventions, *, task: TaskKind | None) -> Target:
    names = targets_of(data)
    if len(names) > 1:
        if task not in (None, "multilabel"):
            raise DataError(f"several targets ({', '.join(names)}) make a multilabel task, not a {task} one; name one "
                            "column, or leave out the task.")
        return read_labels(raw.cells.select(names), conventions)
    if task == "multilabel":
        raise DataError("a multilabel task has several targets; name each of them, such as --target a,b,c.")
    target = read_target(raw.cells[names[0]], conventions, task=task)
    if task == "binary" and target.task != "binary":
        raise DataError(f"target {names[0]} has {len(target.classes)} classes, not two; leave out the task.")
    if task == "multiclass":
        return replace(target, task="multiclass")
    return target


def _spellings(raw: RawTable, target: Target, data: TableData) -> tuple[Spellings, ...]:
    """Those of the classes, with blanks around them counted where nothing else differs."""
    named = {each.meaning for each in target.spellings}
    padded = [each for each in raw.padded if each.column in targets_of(data) and each.meaning not in named]
    return (*target.spellings, *padded)


def _kept(target: Target) -> Target:
    return replace(target, y=target.y[target.known], known=np.ones(int(target.known.sum()), dtype=bool))


def _left_out(columns: tuple[Column, ...], target: Target, data: TableData) -> dict[str, str]:
    """The columns that don't enter: as the recipe says, because they can't, or because another one says the same."""
    said = {name: "as the recipe says" for name, kind in data.inputs.items() if kind == "leave_out"}
    free = [column for column in columns if column.name not in said]
    unable = {column.name: column.why for column in free if not column.enters}
    open_to_choice = [column for column in free if column.enters and column.name not in data.inputs]
    copies = copies_of_target(open_to_choice, target)
    rest = [column for column in free if column.enters and column.name not in copies]
    alike = {name: f"says row by row the same as {other}" for name, other in twins(rest).items()
             if name not in data.inputs}
    return {column.name: reason for column in columns for reasons in (said, unable, copies, alike)
            if (reason := reasons.get(column.name)) is not None}


def _explained(left_out: Mapping[str, str], columns: Sequence[Column], target: Target) -> Iterator[LeftOut]:
    """What the columns left out are, also where the recipe leaves them out."""
    named = [column for column in columns if column.name in left_out]
    copies = copies_of_target(named, target)
    for column in named:
        name, kind = column.name, column.kind
        if name in copies:
            yield LeftOut(column=name, why=copies[name], form="copy of the target")
        elif kind == "number" or kind == "category" or kind == "date":
            yield LeftOut(column=name, why=left_out[name])
        else:
            yield LeftOut(column=name, why=column.why, form=kind)


def _type_differences(
    raw: RawTable, columns: tuple[Column, ...], conventions: Conventions
) -> Iterator[PartDifference]:
    """Columns that hold numbers in one file and words in another."""
    if len(raw.files) < 2:
        return
    for column in columns:
        kinds = {}
        for index, file in enumerate(raw.files):
            cells = raw.cells[column.name].filter(pl.Series(raw.parts == index))
            if cells.null_count() < len(cells):
                kinds[file] = read_column(cells, conventions).values.dtype == pl.Float64
        first = next(iter(kinds), "")
        for file, numeric in kinds.items():
            if numeric != kinds[first]:
                was, now = ("numbers", "words") if kinds[first] else ("words", "numbers")
                yield PartDifference(first=first, second=file, form="type",
                                     what=f"{column.name} holds {was} in {first} and {now} in {file}")


def _dataset(raw: RawTable, data: TableData, columns: list[Column], target: Target, facts: TableFacts) -> Dataset:
    if not columns:
        why = "; ".join(f"{each.column}: {each.why}" for each in facts.left_out[:3])
        raise DataError(f"{raw.files[0]} has no column left to learn from{f' ({why})' if why else ''}; give more "
                        "columns, or say under data.inputs how one of them enters.")
    read = [_codes(column) if column.kind == "category" else (column.values.fill_null(float("nan")).to_numpy(), ())
            for column in columns]
    kinds = tuple(cast("ColumnKind", column.kind) for column in columns)
    return Dataset(
        name=data.name, task=target.task, x=np.stack([values for values, _ in read], axis=1).astype(np.float64),
        y=target.y, columns=tuple(column.name for column in columns), classes=target.classes, kinds=kinds,
        categories={column.name: names for column, (_, names) in zip(columns, read, strict=True)
                    if column.kind == "category"},
        groups=read_groups(raw.cells[data.group]) if data.group else None,
        times=read_times(raw.cells[data.time], Conventions.of(data, comma=False)) if data.time else None,
        given=_given(raw, data), known=FactSet.of(facts), digest=raw.digest,
    )


def _codes(column: Column) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """Each category's place in the alphabet, NaN where missing, and the categories."""
    names = sorted(column.values.drop_nulls().unique())
    codes = column.values.replace_strict({name: float(code) for code, name in enumerate(names)}, default=None,
                                         return_dtype=pl.Float64)
    return codes.fill_null(float("nan")).to_numpy(), tuple(names)


def _given(raw: RawTable, data: TableData) -> NDArray[np.str_] | None:
    if data.split_column:
        given = read_given(raw.cells[data.split_column])
    elif raw.test_part is not None:
        given = np.full(len(raw.parts), "", dtype="<U10")
    else:
        return None
    if raw.test_part is not None:
        given = np.where(raw.parts == raw.test_part, "test", given)
    return given
