"""What the corpus's tables are made of: columns drawn at random, and files of every kind."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

Rng = np.random.Generator
Columns = dict[str, Sequence[Any]]
Write = Callable[[Path, Rng], list[str]]
"""Writes a table's files into a folder and gives the arguments of `assay init`, file names included."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One table.

    name        says what it is
    write       writes its files
    settings    values put in the recipe's place (`assay run --set`), where a fault lies in what a person chose
    rules       that find the planted fault, each alone; empty for sound tables and for refusals
    quiet       a note is enough: the fault is mended, and the person told
    refused     a part of the sentence that refuses the table; right as well where `rules` are named
    """

    name: str
    write: Write
    settings: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    quiet: bool = False
    refused: str = ""

    @property
    def sound(self) -> bool:
        """Whether nothing was planted."""
        return not self.rules and not self.refused


class Catalogue:
    """Collects the functions that write tables: their names are the tables' names."""

    def __init__(self) -> None:
        self.cases: list[Case] = []

    def add(
        self, *rules: str, settings: tuple[str, ...] = (), quiet: bool = False, refused: str = "",
    ) -> Callable[[Write], Write]:
        """Register the function below as a case."""

        def made(write: Write) -> Write:
            name = write.__name__.replace("_", "-")
            self.cases.append(Case(
                name=name, write=write, settings=settings, rules=rules, quiet=quiet, refused=refused,
            ))
            return write

        return made


def numbers(rng: Rng, rows: int = 800, columns: int = 5) -> Columns:
    """Normal columns a, b, c and so on (then n26, n27 …), rounded to three decimals."""
    values = np.round(rng.normal(size=(rows, columns)) * 3 + 10, 3)
    names = [chr(97 + number) if number < 26 else f"n{number}" for number in range(columns)]
    return {name: values[:, number].tolist() for number, name in enumerate(names)}


def signal(table: Columns, rng: Rng, *, noise: float = 1.5) -> np.ndarray:
    """A number that depends on columns a, b and c, with noise."""
    a, b, c = (np.array(table[name], dtype=float) - 10 for name in ("a", "b", "c"))
    return a + 0.6 * b - 0.15 * c * np.abs(c) + noise * rng.normal(size=len(a))


def two(table: Columns, rng: Rng, *, names: tuple[str, str] = ("no", "yes"), noise: float = 1.5) -> list[str]:
    """Two classes of about equal size that the columns tell, not always rightly."""
    return np.where(signal(table, rng, noise=noise) > 0, names[1], names[0]).tolist()


def binary(rng: Rng, rows: int = 800, columns: int = 5) -> Columns:
    """Numbers and a target of two words."""
    table = numbers(rng, rows, columns)
    return {**table, "bought": two(table, rng)}


def regression(rng: Rng, rows: int = 1200, columns: int = 5) -> Columns:
    """Numbers and a target that is a number."""
    table = numbers(rng, rows, columns)
    return {**table, "price": np.round(signal(table, rng) * 7 + 300, 2).tolist()}


def write_csv(
    folder: Path, table: Mapping[str, Sequence[Any]], name: str = "table.csv", *, sep: str = ",",
    encoding: str = "utf-8", header: bool = True,
) -> str:
    """Write the columns as text, None as an empty cell, and give the file's path."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=sep, lineterminator="\n")
    if header:
        writer.writerow(table)
    writer.writerows(zip(*table.values(), strict=True))
    return write_text(folder, text.getvalue(), name, encoding=encoding)


def write_text(folder: Path, text: str, name: str = "table.csv", *, encoding: str = "utf-8") -> str:
    """Write a file as it stands, and give its path."""
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return str(path)


def write_parquet(folder: Path, table: Mapping[str, Sequence[Any]], name: str = "table.parquet") -> str:
    """Write the columns with their types."""
    path = folder / name
    pl.DataFrame(dict(table)).write_parquet(path)
    return str(path)


def taken(table: Columns, rows: Sequence[int] | np.ndarray) -> Columns:
    """Some of the rows."""
    return {name: [values[int(row)] for row in rows] for name, values in table.items()}


def gaps(values: Sequence[Any], rng: Rng, share: float = 0.1, mark: Any = None) -> list[Any]:
    """The values with a share of them replaced by `mark`."""
    empty = rng.random(len(values)) < share
    return [mark if gone else value for value, gone in zip(values, empty, strict=True)]
