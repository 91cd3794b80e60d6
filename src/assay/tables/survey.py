"""What `assay init` sees in a table's files, and what its recipe says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from assay.dataset import Dataset
from assay.facts.task import TaskKind
from assay.recipe.schema import TableData
from assay.tables.columns import Column
from assay.tables.files import read_files
from assay.tables.keys import likely_group, likely_time
from assay.tables.raw import RawTable
from assay.tables.reading import MOST_LISTED, ReadTable, read_cells
from assay.tables.targets import MOST_NUMBERED

MOST_STATED = 40
"""Columns, up to which a recipe states each; of more it states those that there is something to say of."""

TARGET_NAMES = ("target", "label", "class", "y", "outcome", "survived", "churn", "churned", "diagnosis", "species",
                "quality", "income", "price")
"""What people call what they want to predict; beside these, the last column is the likeliest."""


@dataclass(frozen=True)
class Remark:
    """One thing that the recipe says of the table: where, what, why, and whether it is sure."""

    path: str
    value: Any
    why: str
    certain: bool = True


@dataclass(frozen=True, kw_only=True)
class Survey:
    """A table, what its recipe says of it and why, and what was inferred about its target."""

    data: TableData
    dataset: Dataset
    remarks: tuple[Remark, ...]
    why_task: str
    certain_task: bool


def survey(data: TableData, *, folder: Path, task: TaskKind | None) -> Survey:
    """Look at a table's files.

    data        its files and what the person said of them
    folder      what relative paths are relative to

    Raises DataError where they can't be used.
    """
    raw = read_files(data, folder=folder)
    first = read_cells(raw, data, task=task)
    remarks = tuple(_remarks(first, data))
    stated = data.model_copy(update=_values(remarks))
    read = read_cells(raw, stated, task=task or first.target.task)
    if read.dataset.rows != first.dataset.rows:
        raise AssertionError("what is stated reads the same rows")
    return Survey(data=stated, dataset=read.dataset, remarks=remarks,
                  why_task="as asked" if task else first.target.why, certain_task=bool(task) or first.target.certain)


def likely_targets(data: TableData, *, folder: Path) -> str:
    """The sentence that offers a target: the files' columns that are named as targets are, and the last one.

    Raises DataError where the files can't be read.
    """
    raw = read_files(data, folder=folder)
    return _offer(raw)


def _offer(raw: RawTable) -> str:
    columns = raw.cells.columns
    if raw.first_row_is_data:
        last = f"c{len(columns)}"
        return (f"{raw.files[0]}: its first line looks like data ({', '.join(columns[:3])}, …), and no target is "
                f"named; use --no-header and --target, such as --target {last}.")
    named = [column for column in columns if column.lower() in TARGET_NAMES]
    likely = list(dict.fromkeys([*named, *_of_few_values(raw)]))[:2]
    offered = " or ".join(f"--target {_quoted(column)}" for column in likely)
    more = f" and {len(columns) - MOST_LISTED} more" if len(columns) > MOST_LISTED else ""
    return f"{raw.files[0]}: no target is named; use {offered} (its columns: {', '.join(columns[:MOST_LISTED])}{more})."


def _of_few_values(raw: RawTable) -> list[str]:
    """The last column, or the first where it alone holds few different words."""
    columns = raw.cells.columns
    few = [column for column in (columns[-1], columns[0]) if raw.cells[column].dtype == pl.String
           and raw.cells[column].n_unique() <= MOST_NUMBERED]
    return [*few, columns[-1]]


def _quoted(column: str) -> str:
    return column if column.replace("_", "").isalnum() else f"'{column}'"


def _values(remarks: tuple[Remark, ...]) -> dict[str, Any]:
    values: dict[str, Any] = {"inputs": {}}
    for remark in remarks:
        if remark.path.startswith("inputs."):
            values["inputs"][remark.path.removeprefix("inputs.")] = remark.value
        else:
            values[remark.path] = remark.value
    return values


def _remarks(read: ReadTable, data: TableData) -> Iterator[Remark]:
    """What the recipe states beside what the person did; paths are those within `data:`."""
    raw, forms = read.raw, {each.form: each for each in read.readings}
    if raw.delimiter not in (None, ",", data.delimiter):
        yield Remark("delimiter", raw.delimiter, "it divides every line alike")
    if raw.encoding not in (None, "utf-8", data.encoding):
        yield Remark("encoding", raw.encoding, "the bytes are of this encoding")
    if read.comma and data.decimal is None:
        yield Remark("decimal", ",", "most columns with decimals mark them so")
    doubtful = next((column for column in read.columns if column.ambiguous), None)
    if doubtful is not None and data.day_first is None:
        said = next((each.read_as for each in doubtful.readings if each.read_as and "before" in each.read_as), "")
        yield Remark("day_first", "day before" in said, f"nothing in {doubtful.name} tells; read {said}", certain=False)
    odd = {"total row": "total", "repeated header": "repeated_header"}
    if data.leave_out_rows is None and any(form in odd for form in forms):
        found = tuple(odd[each.form] for each in forms.values() if each.form in odd)
        why = ", ".join(f"{each.count} {each.form}{'s' if each.count > 1 else ''}" for each in forms.values()
                        if each.form in odd)
        yield Remark("leave_out_rows", found, f"{why}: no examples")
    yield from _missing(read, data)
    keys = tuple(_keys(read, data))
    yield from (each for each in _inputs(read, data) if each.path not in {f"inputs.{key.value}" for key in keys})
    yield from keys
    if not data.time and not data.split_column:
        yield Remark("identical_rows", data.identical_rows, "equal inputs in two splits would be remembered, not "
                                                            "predicted")


def _missing(read: ReadTable, data: TableData) -> Iterator[Remark]:
    """Words and sentinels that mean "missing", unless one is a value like others in another column."""
    if data.missing is not None:
        return
    counts: Counter[str] = Counter(text for column in read.columns for text in column.missing)
    kept = {text: named for text in counts if (named := _a_value_elsewhere(read, text))}
    texts = [text for text in counts if text not in kept]
    if not counts:
        return
    where = [f"{text} in {', '.join(column.name for column in read.columns if text in column.missing)}"
             for text in texts]
    doubts = [f"{text} is a value of {named} and stays one" for text, named in kept.items()]
    yield Remark("missing", tuple(texts), "; ".join([*where[:6], *doubts[:3]]), certain=False)


def _a_value_elsewhere(read: ReadTable, text: str) -> str:
    """The column, if any, in which a sentinel is a number like the others."""
    try:
        number = float(text)
    except ValueError:
        return ""
    return next((column.name for column in read.columns if text not in column.missing
                 and column.values.dtype == pl.Float64 and (column.values == number).any()), "")


def _inputs(read: ReadTable, data: TableData) -> Iterator[Remark]:
    few = len(read.columns) <= MOST_STATED
    for column in read.columns:
        if column.name in data.inputs or column.name in (data.group, data.time, data.split_column):
            continue
        why, path = read.left_out.get(column.name), f"inputs.{column.name}"
        said = [each.read_as for each in column.readings if each.read_as and each.form != "sentinel"]
        if why is not None:
            yield Remark(path, "leave_out", why)
        elif said:
            yield Remark(path, column.kind, f"read {'; '.join(said[:2])}", certain=False)
        elif any(each.read_as is None for each in column.readings):
            unread = next(each for each in column.readings if each.read_as is None)
            yield Remark(path, column.kind, f"{unread.count} values such as {unread.examples[0]} can't be read and are "
                                            "missing", certain=False)
        elif few:
            yield Remark(path, column.kind, _what(column))


def _what(column: Column) -> str:
    present = column.values.drop_nulls()
    gaps = f", {column.values.null_count():,} missing" if column.values.null_count() else ""
    if column.kind == "category":
        return f"{present.n_unique():,} different words{gaps}"
    if column.kind == "date":
        return f"dates{gaps}"
    values = present.to_numpy()
    return f"numbers from {values.min():.6g} to {values.max():.6g}{gaps}"


def _keys(read: ReadTable, data: TableData) -> Iterator[Remark]:
    """A likely group or series; neither where the person, or a column, says how rows are split."""
    if data.group or data.time or data.split_column:
        return
    time = likely_time(read.columns, read.dataset.rows)
    group = likely_group(read.columns, read.dataset.rows)
    if time is not None and len(read.left_out) + 1 < len(read.columns):
        yield Remark("time", time, "its dates rise row by row, as in a series: later rows are not known earlier",
                     certain=False)
    elif group is not None and (len(read.left_out) + 1 < len(read.columns) or group in read.left_out):
        yield Remark("group", group, "several rows carry each of its values, and one in two splits would be recognised",
                     certain=False)


