"""The catalogue of sources: one file a source, which knows examples and not batches.

A source of named data sets is a module with two functions:

    names() -> tuple[str, ...]     the data sets that it holds
    read(name) -> Dataset          one of them; deterministic, and never split, scaled or shuffled

The source `table` reads people's own files instead, as a recipe's data block says.

Its docstring says what one example is, where it is read from, what can repeat, and under which licence it stands.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from pathlib import Path
from typing import Protocol, cast

from assay.dataset import Dataset
from assay.errors import DataError
from assay.facts.task import TaskKind
from assay.recipe.schema import DataBlock, TableData


class Source(Protocol):
    """What every module of this folder offers."""

    def names(self) -> tuple[str, ...]:
        """The data sets that it holds."""

    def read(self, name: str) -> Dataset:
        """One of them."""


def load(data: DataBlock, *, folder: Path | None = None, task: TaskKind | None = None) -> Dataset:
    """Read the data that a recipe names.

    folder      what a table's relative paths are relative to: the recipe's folder; None is where the program runs
    task        as the recipe states it, for tables, whose targets may be read in several ways

    Raises DataError where the source has no such data set, or a table's files can't be used.
    """
    if isinstance(data, TableData):
        from assay.sources import table

        return table.read_files(data, folder=folder or Path(), task=task)
    source = _source(data.source)
    if data.name not in source.names():
        raise DataError(_unknown(data.name, source.names(), where=f"data.name of source {data.source}"))
    return source.read(data.name)


def find(name: str) -> tuple[str, Dataset]:
    """Read the data set of this name, whichever source holds it; gives the source's name with it.

    Raises DataError where no source has it.
    """
    held: list[str] = []
    for source_name in _catalogue():
        source = _source(source_name)
        if name in source.names():
            return source_name, source.read(name)
        held += source.names()
    raise DataError(_unknown(name, tuple(held), where="assay init"))


def _unknown(name: str, held: tuple[str, ...], *, where: str) -> str:
    near = difflib.get_close_matches(name, held, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    return f"{where}: no data set is named {name!r}; {hint}Choose one of {', '.join(held)}."


def _source(name: str) -> Source:
    return cast("Source", importlib.import_module(f"{__name__}.{name}"))


def _catalogue() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(__path__))
