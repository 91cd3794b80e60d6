"""Data in memory: what a source gives, how its rows are split, and the examples as the model sees them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.facts.fact_set import FactSet
from assay.facts.task import TaskKind

SplitName = Literal["train", "validation", "test"]


ColumnKind = Literal["number", "category", "date"]


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """A table as read.

    x           inputs, float64 [rows, columns]: numbers as they are, the codes of categories, dates in days since
                1970; NaN where a value is missing
    y           class ids in [0, classes), int64 [rows]; regression targets, float64 [rows]; or, for multilabel tasks,
                0 and 1, float64 [rows, labels]
    classes     their names in the order of the ids (the labels' names for multilabel); empty for regression
    kinds       of the columns; empty where all are numbers
    categories  the names of the codes, for each column of kind category
    groups      whose rows must stay together, int64 [rows]; equal numbers are one group
    times       when a row was made, float64 [rows], in days for dates
    given       the split that the data state for each row: "train", "validation", "test", or "" where they don't
    known       what reading them showed: facts for the data rules (column formats, spellings, columns left out)
    image       (height, width), where the columns are the pixels of a picture, row by row
    digest      of the files it was read from; None where it is read from none
    """

    name: str
    task: TaskKind
    x: NDArray[np.float64]
    y: NDArray[np.int64] | NDArray[np.float64]
    columns: tuple[str, ...]
    classes: tuple[str, ...]
    kinds: tuple[ColumnKind, ...] = ()
    categories: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    groups: NDArray[np.int64] | None = None
    times: NDArray[np.float64] | None = None
    given: NDArray[np.str_] | None = None
    known: FactSet = field(default_factory=FactSet)
    image: tuple[int, int] | None = None
    digest: str | None = None

    def kind_of(self, column: int) -> ColumnKind:
        """The kind of the column at this position."""
        return self.kinds[column] if self.kinds else "number"

    @property
    def rows(self) -> int:
        """How many examples."""
        return len(self.x)

    def label_of(self, row: int) -> str:
        """A row's label in words: its class, its labels, or its target; the number where it names no class."""
        label = self.y[row]
        if self.y.ndim == 2:
            return ", ".join(name for name, held in zip(self.classes, label, strict=True) if held) or "none"
        named = self.task != "regression" and 0 <= label < len(self.classes)
        return self.classes[int(label)] if named else f"{label:g}"

    def class_counts(self, rows: NDArray[np.int64] | None = None) -> tuple[int, ...]:
        """How many of these rows (None: all) are of each class or carry each label; empty for regression."""
        y = self.y if rows is None else self.y[rows]
        if self.task == "regression":
            return ()
        if self.task == "multilabel":
            return tuple(int(count) for count in (y == 1).sum(axis=0))
        return tuple(int(np.count_nonzero(y == each)) for each in range(len(self.classes)))

    def fingerprint(self) -> str:
        """SHA-256 over values, the names of columns, classes and categories, and what splits go by.

        One changed value changes it. Of files it is the digest of their bytes: which columns enter is a choice, and
        choosing otherwise doesn't change the data.
        """
        if self.digest is not None:
            return f"sha256:{self.digest}"
        digest = hashlib.sha256()
        named = (f"{column}\0" + "\0".join(names) for column, names in sorted(self.categories.items()))
        for part in ("\0".join(self.columns), "\0".join(self.classes), *named):
            digest.update(part.encode() + b"\1")
        for array in (self.x, self.y, self.groups, self.times, self.given):
            if array is not None:
                digest.update(np.ascontiguousarray(array).tobytes())
        return f"sha256:{digest.hexdigest()}"


@dataclass(frozen=True, kw_only=True)
class Split:
    """Row numbers of each split, int64, rising."""

    train: NDArray[np.int64]
    validation: NDArray[np.int64]
    test: NDArray[np.int64]

    def rows(self, name: SplitName) -> NDArray[np.int64]:
        """The row numbers of one split."""
        return {"train": self.train, "validation": self.validation, "test": self.test}[name]


@dataclass(frozen=True, kw_only=True)
class Examples:
    """One split exactly as it enters the network.

    x       float32 [n, columns]
    y       int64 [n] class ids; float32 [n] for binary tasks (0 or 1) and regression (scaled); float32 [n, labels]
            of 0 and 1 for multilabel tasks
    rows    row numbers in the data set, int64 [n]
    embedded    sizes of the embeddings' tables: the last columns of x are codes in [0, size) for them
    """

    x: NDArray[np.float32]
    y: NDArray[np.int64] | NDArray[np.float32]
    rows: NDArray[np.int64]
    embedded: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.x)

    def take(self, positions: NDArray[np.int64]) -> Examples:
        """The examples at these positions, in that order."""
        return replace(self, x=self.x[positions], y=self.y[positions], rows=self.rows[positions])


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """Training and validation examples after preprocessing that was fitted on training rows only.

    target_mean, target_scale   regression targets enter as (y - mean) / scale; metrics are in the original unit
    names                       of the numbers that enter, in order; empty where they are the table's columns
    """

    train: Examples
    validation: Examples
    target_mean: float = 0.0
    target_scale: float = 1.0
    names: tuple[str, ...] = ()

    @property
    def embedded(self) -> tuple[int, ...]:
        """Sizes of the embeddings' tables: the last columns of x are codes in [0, size) for them."""
        return self.train.embedded
