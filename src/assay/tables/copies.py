"""Columns that say what another one says: copies of the target, and twins among the inputs."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.tables.columns import Column
from assay.tables.targets import Target

FEWEST_ROWS, FEWEST_OF_A_CLASS = 20, 3
"""Of fewer rows, a column may agree with the target by chance: two halves of 20 rows do so once in 180,000 tables."""

NEARLY = 0.995
"""Share of rows that agree, from which a column is the target under another name."""

FEWEST_RARER = 10
"""Rows with another value than the commonest, below which two columns may be alike by chance."""

MOST_DISTINCT = 0.5
"""Distinct values among the rows, up to which it says enough that two columns repeat in the same rows."""

DIGITS = 9
"""Of a number's place between the smallest and the largest: what a change of unit in float64 keeps."""

STRAIGHT = 1.0 - 1e-9
"""Squared correlation with a regression target, from which a column is the target in another unit."""


def copies_of_target(columns: Sequence[Column], target: Target) -> dict[str, str]:
    """The columns that give the target away, each with the reason in words.

    A column of as many values as there are classes, each of which stands for one class in 99.5 % of the rows; for
    numbers, one that is the target times a factor.
    """
    if int(target.known.sum()) < FEWEST_ROWS or target.task == "multilabel":
        return {}
    found: dict[str, str] = {}
    for column in columns:
        if not column.enters:
            continue
        if target.task == "regression" and column.kind != "category" and _straight(column, target):
            found[column.name] = "a copy of the target: the same number, or in another unit"
        elif target.task != "regression" and _one_to_one(column.values, target):
            found[column.name] = "a copy of the target: each of its values stands for one class"
    return found


def _straight(column: Column, target: Target) -> bool:
    values = column.values.to_numpy()
    both = target.known & np.isfinite(values)
    return both.sum() >= max(FEWEST_ROWS, NEARLY * target.known.sum()) and _correlation(values[both],
                                                                                      target.y[both]) >= STRAIGHT


def _correlation(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Squared, 0 where either is constant or overflows."""
    with np.errstate(all="ignore"):
        x, y = x - x.mean(), y - y.mean()
        share = float((x @ y) ** 2 / ((x @ x) * (y @ y)))
    return share if np.isfinite(share) else 0.0


def _one_to_one(values: pl.Series, target: Target) -> bool:
    counts = np.bincount(target.y[target.known], minlength=len(target.classes))
    known = values.filter(pl.Series(target.known))
    if known.n_unique() - int(known.null_count() > 0) != len(counts) or counts.min() < FEWEST_OF_A_CLASS:
        return False
    pairs = pl.DataFrame({"value": known, "id": target.y[target.known]}).drop_nulls()
    table = pairs.group_by("value", "id").len()
    best = table.sort("len", descending=True).unique("value", keep="first")
    return best["id"].n_unique() == len(counts) and int(best["len"].sum()) >= NEARLY * len(known)


def twins(columns: Sequence[Column]) -> dict[str, str]:
    """Columns that an earlier one makes superfluous, with that one's name: row by row the same under other names."""
    found: dict[str, str] = {}
    seen: dict[bytes, str] = {}
    for column in columns:
        pattern = _pattern(column) if column.enters else None
        if pattern is None:
            continue
        key = hashlib.blake2b(pattern.tobytes()).digest()
        if key in seen:
            found[column.name] = seen[key]
        else:
            seen[key] = column.name
    return found


def _pattern(column: Column) -> NDArray[Any] | None:
    """What is the same for two columns that say the same; None where chance could make them alike.

    Where values repeat, it is which rows have equal values; where hardly any does, numbers by their place between the
    smallest and the largest, so that another unit changes nothing.
    """
    places = _first_met(column.values)
    if len(places) - np.unique(places, return_counts=True)[1].max(initial=0) < FEWEST_RARER:
        return None
    if places.max() < MOST_DISTINCT * len(places):
        return places
    if column.kind == "category":
        return None
    values = column.values.to_numpy()
    with np.errstate(all="ignore"):
        scaled = (values - np.nanmin(values)) / (np.nanmax(values) - np.nanmin(values))
    return np.round(scaled, DIGITS) if np.isfinite(scaled[~np.isnan(values)]).all() else None


def _first_met(values: pl.Series) -> NDArray[np.int64]:
    """Each value as the place where it was first met, so that equal patterns have equal numbers; -1 where missing."""
    present = values.drop_nulls().unique(maintain_order=True)
    places = pl.DataFrame({"value": present, "place": np.arange(len(present))})
    joined = values.to_frame("value").join(places, on="value", how="left", maintain_order="left", nulls_equal=False)
    return joined["place"].fill_null(-1).to_numpy().astype(np.int64)
