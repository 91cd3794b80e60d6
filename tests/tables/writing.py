"""Small tables as files, and reading them the way a recipe does."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from assay.dataset import Dataset
from assay.errors import DataError
from assay.facts.table import TableFacts
from assay.recipe.schema import TableData
from assay.tables.reading import read_table
from assay.tables.survey import Survey, survey

T = TypeVar("T")
Row = Callable[[random.Random, int], str]


def write(folder: Path, header: str, row: Row, *, rows: int = 60, name: str = "data.csv") -> Path:
    """A table of rows that a seeded generator makes."""
    rng = random.Random(0)
    lines = ([header] if header else []) + [row(rng, index) for index in range(rows)]
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def named(path: Path, target: str | tuple[str, ...] = "y", **more: Any) -> TableData:
    return TableData(name=path.stem, files=(path.name,), target=target, **more)


def read(path: Path, target: str | tuple[str, ...] = "y", **more: Any) -> Dataset:
    return read_table(named(path, target, **more), folder=path.parent)


def surveyed(path: Path, target: str | tuple[str, ...] = "y", **more: Any) -> Survey:
    return survey(named(path, target, **more), folder=path.parent, task=None)


def facts(dataset: Dataset) -> TableFacts:
    found = dataset.known.find(TableFacts)
    assert isinstance(found, TableFacts)
    return found


def in_a_sentence(made: Callable[[], T]) -> T | None:
    """What is made, or None where it is refused in one line."""
    try:
        return made()
    except DataError as refused:
        said = str(refused)
    assert len(said.splitlines()) == 1
    return None


def label(rng: random.Random) -> str:
    return rng.choice("uv")
