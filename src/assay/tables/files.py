"""A table's files to one table of cells: several files one below the other, the given test part last."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from assay.errors import DataError
from assay.facts.table import PartDifference
from assay.recipe.schema import TableData
from assay.tables.delimited import Cells, parse
from assay.tables.delimiter import find_delimiter
from assay.tables.encoding import decode
from assay.tables.parquet import MAGIC, read_parquet
from assay.tables.raw import RawTable


@dataclass(frozen=True)
class _Part:
    """One file's cells, and how it was read where it is text."""

    name: str
    cells: Cells
    delimiter: str | None = None
    encoding: str | None = None


def read_files(data: TableData, *, folder: Path) -> RawTable:
    """The cells of all files of a table.

    folder      what relative paths are relative to

    Raises DataError where a file isn't there, can't be read, is named twice, or has no column in common with the first.
    """
    listed = [*data.files, *([data.test_file] if data.test_file else [])]
    twice = next((name for name in data.files if data.files.count(name) > 1), None)
    if twice is not None:
        raise DataError(f"{twice} is named twice among the files, so every row of it would be; name each file once.")
    parts = [_read(data, name, folder) for name in listed]
    first = parts[0].cells.frame
    columns = [*first.columns, *dict.fromkeys(
        column for part in parts[1:] for column in part.cells.frame.columns if column not in first.columns)]
    for part in parts[1:]:
        if not {*part.cells.frame.columns} & {*first.columns}:
            raise DataError(f"{part.name} has no column in common with {parts[0].name}; give files of one table.")
    frames = _alike([part.cells.frame for part in parts])
    height = [frame.height for frame in frames]
    return RawTable(
        name=Path(data.files[0]).stem, files=tuple(listed),
        cells=pl.concat(frames, how="diagonal_relaxed").select(columns) if len(frames) > 1 else frames[0],
        parts=np.repeat(np.arange(len(parts)), height), test_part=len(data.files) if data.test_file else None,
        delimiter=parts[0].delimiter, encoding=parts[0].encoding,
        first_row_is_data=parts[0].cells.first_row_is_data,
        differences=tuple(each for part in parts[1:] for each in _differences(parts[0], part)),
        padded=tuple(each for part in parts for each in part.cells.padded),
        digest=digest_of(folder / name for name in listed),
    )


def digest_of(paths: Iterable[Path]) -> str:
    """SHA-256 over the digests of these files, in their order. Raises OSError."""
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def _read(data: TableData, name: str, folder: Path) -> _Part:
    path = folder / name
    try:
        if path.is_dir():
            raise DataError(f"{name} is a folder; name a CSV, TSV or Parquet file.")
        with path.open("rb") as file:
            head = file.read(len(MAGIC))
            content = b"" if head == MAGIC else head + file.read()
    except FileNotFoundError:
        near = _near(Path(name), path.parent)
        raise DataError(f"{name} does not exist{near}; give the name of a CSV, TSV or Parquet file.") from None
    except (OSError, ValueError) as fault:
        raise DataError(f"{name} can't be read ({getattr(fault, 'strerror', None) or fault}); check the name and its "
                        "permissions.") from None
    if head == MAGIC:
        return _Part(name, Cells(read_parquet(path, name=name), first_row_is_data=False))
    decoded = decode(content, name=name, stated=data.encoding)
    delimiter = data.delimiter or find_delimiter(decoded.text)
    cells = parse(decoded.text, delimiter=delimiter, header=data.header, name=name)
    return _Part(name, cells, delimiter, decoded.encoding)


def _near(named: Path, folder: Path) -> str:
    try:
        beside = [each.name for each in folder.iterdir() if each.is_file()]
    except OSError:
        return ""
    near = difflib.get_close_matches(named.name, beside, n=1)
    return f" (did you mean {named.with_name(near[0])}?)" if near else ""


def _alike(frames: Sequence[pl.DataFrame]) -> list[pl.DataFrame]:
    """The frames with one type a column: text where they disagree, since text can hold every value."""
    types: dict[str, set[pl.DataType]] = {}
    for frame in frames:
        for column, kind in frame.schema.items():
            types.setdefault(column, set()).add(kind)
    mixed = {column for column, kinds in types.items() if len(kinds) > 1
             and not all(kind.is_numeric() for kind in kinds)}
    return [_as_text(frame, mixed) for frame in frames]


def _as_text(frame: pl.DataFrame, mixed: set[str]) -> pl.DataFrame:
    try:
        return frame.with_columns(pl.col(column).cast(pl.String) for column in frame.columns if column in mixed)
    except pl.exceptions.PolarsError:
        nested = next(column for column in frame.columns if column in mixed and frame[column].dtype.is_nested())
        raise DataError(f"column {nested} holds lists or records in one file and other values in another; write it "
                        "alike in all files.") from None


def _differences(first: _Part, second: _Part) -> Iterator[PartDifference]:
    ours, theirs = first.cells.frame.columns, second.cells.frame.columns
    for column in ours:
        if column not in theirs:
            yield PartDifference(first=first.name, second=second.name, form="missing column",
                                 what=f"{second.name} has no column {column}", mended="its values are missing there")
    for column in theirs:
        if column not in ours:
            yield PartDifference(first=first.name, second=second.name, form="extra column",
                                 what=f"{second.name} has a column {column} that {first.name} lacks")
    shared = [column for column in theirs if column in ours]
    if shared != [column for column in ours if column in theirs]:
        yield PartDifference(first=first.name, second=second.name, form="column order",
                             what=f"{second.name} has its columns in another order",
                             mended=f"put in the order of {first.name}")
