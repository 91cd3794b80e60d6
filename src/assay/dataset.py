"""Data in memory: what a source gives, how its rows are split, and the examples as the model sees them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.facts.task import TaskKind

SplitName = Literal["train", "validation", "test"]


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """A table as read.

    x           inputs, float64 [rows, columns]
    y           class ids in [0, classes), int64 [rows], or regression targets, float64 [rows]
    classes     their names in the order of the ids; empty for regression
    """

    name: str
    task: TaskKind
    x: NDArray[np.float64]
    y: NDArray[np.int64] | NDArray[np.float64]
    columns: tuple[str, ...]
    classes: tuple[str, ...]

    @property
    def rows(self) -> int:
        """How many examples."""
        return len(self.x)

    def fingerprint(self) -> str:
        """SHA-256 over values, column names and classes: one changed value changes it."""
        digest = hashlib.sha256()
        for part in ("\0".join(self.columns), "\0".join(self.classes)):
            digest.update(part.encode() + b"\1")
        for array in (self.x, self.y):
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
    y       int64 [n] class ids, float32 [n] for binary tasks (0 or 1) and regression (scaled)
    rows    row numbers in the data set, int64 [n]
    """

    x: NDArray[np.float32]
    y: NDArray[np.int64] | NDArray[np.float32]
    rows: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.x)

    def take(self, positions: NDArray[np.int64]) -> Examples:
        """The examples at these positions, in that order."""
        return Examples(x=self.x[positions], y=self.y[positions], rows=self.rows[positions])


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """Training and validation examples after preprocessing that was fitted on training rows only.

    target_mean, target_scale   regression targets enter as (y - mean) / scale; metrics are in the original unit
    """

    train: Examples
    validation: Examples
    target_mean: float = 0.0
    target_scale: float = 1.0
