"""Preprocessing as a value: fitted on training rows alone, kept as plain JSON, applied to any rows."""

from __future__ import annotations

from itertools import chain
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from assay.dataset import Dataset, Split
from assay.errors import DataError
from assay.facts.task import TaskKind
from assay.preparation.columns import (
    AnyColumn,
    CategoryColumn,
    DateColumn,
    Inputs,
    NumberColumn,
    Values,
    months,
    weekdays,
)
from assay.recipe.schema import DataBlock

ROUNDING = 1e-9
"""A column that varies by less than this share of its largest value is constant: the mean of n float64 values is off
by at most n × 2e-16 of it, 2e-10 for a million rows."""

RARE, RARE_SHARE = 5, 0.05
"""Categories of fewer training rows than this are pooled (in small tables: than this share of them). Five is the least
count that Cochran (1954) lets a frequency be judged by."""

MOST_LEVELS = 32
"""Categories that get a column each; more of them become an embedding."""


class Preprocessing(BaseModel):
    """How the rows of a table enter the network.

    `model_dump_json` writes it and `model_validate_json` reads it, bit for bit.

    columns                     in the table's order
    scale                       standardise: (x - mean) / deviation; none: numbers enter as they are
    target_mean, target_scale   regression targets enter as (y - mean) / scale
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: TaskKind
    columns: tuple[AnyColumn, ...]
    scale: Literal["standardise", "none"] = "standardise"
    target_mean: float = 0.0
    target_scale: float = 1.0

    @property
    def names(self) -> tuple[str, ...]:
        """Of the columns of the inputs."""
        return tuple(chain.from_iterable(self.columns[position].names for position in self._order))

    @property
    def embedded(self) -> tuple[int, ...]:
        """Sizes of the embeddings' tables: the last columns of the inputs are codes in [0, size) for them."""
        return tuple(column.size for column in self.columns if isinstance(column, CategoryColumn) and column.embedded)

    def inputs(self, x: Values) -> Inputs:
        """Rows [n, columns] of the table, coded as it was, as the network sees them, [n, len(names)]; all finite."""
        standardise = self.scale == "standardise"
        out = np.empty((len(x), len(self.names)), dtype=np.float32)
        parts = (self.columns[at].inputs(x[:, at], standardise=standardise) for at in self._order)
        for position, values in enumerate(chain.from_iterable(parts)):
            out[:, position] = values
        return out

    def targets(self, y: NDArray[np.int64] | Values) -> NDArray[np.int64] | Inputs:
        """Targets in the form that their loss takes."""
        if self.task == "multiclass":
            return y.astype(np.int64)
        return ((y - self.target_mean) / self.target_scale).astype(np.float32)

    def recoded(self, dataset: Dataset) -> Values:
        """The rows of another table with the same columns, in any order, coded as this one's was: [rows, columns].

        Categories that weren't there get a code of none.

        Raises DataError where a column is not there, or is a number here and a category there.
        """
        absent = [column.column for column in self.columns if column.column not in dataset.columns]
        if absent:
            raise DataError(f"{dataset.name} has no column named {' or '.join(map(repr, absent))}, which the model "
                            f"was trained on; its columns are {', '.join(dataset.columns)}.")
        found = [dataset.columns.index(column.column) for column in self.columns]
        coded = [_recoded(column, dataset, position) for column, position in zip(self.columns, found, strict=True)]
        return np.stack(coded, axis=1)

    @property
    def _order(self) -> list[int]:
        """The positions of the columns, those with codes for embeddings last."""
        return sorted(range(len(self.columns)), key=lambda position: _is_embedded(self.columns[position]))


def _is_embedded(column: NumberColumn | DateColumn | CategoryColumn) -> bool:
    return isinstance(column, CategoryColumn) and column.embedded


def _recoded(column: NumberColumn | DateColumn | CategoryColumn, dataset: Dataset, position: int) -> Values:
    values, kind = dataset.x[:, position], dataset.kind_of(position)
    if kind != column.kind:
        raise DataError(f"The column {column.column} of {dataset.name} is read as a {kind}, where the model was "
                        f"trained on a {column.kind}; look at its values.")
    if not isinstance(column, CategoryColumn):
        return values
    code_of = {name: code for code, name in enumerate(column.known)}
    names = dataset.categories.get(column.column, ())
    codes = np.array([*(code_of.get(name, len(column.known)) for name in names), np.nan])
    return codes[np.where(np.isnan(values), len(names), values).astype(np.int64)]


def fit_preprocessing(dataset: Dataset, split: Split, data: DataBlock) -> Preprocessing:
    """Fit on the training rows of `split`, by the choices of `data`; no other row has a say.

    Raises DataError where no column varies in the training rows.
    """
    training = dataset.x[split.train]
    columns = _fitted(dataset, training)
    mean, scale = _target_moments(dataset, split)
    fitted = Preprocessing(task=dataset.task, columns=columns, scale=data.scale, target_mean=mean, target_scale=scale)
    if not fitted.names:
        raise DataError(f"Every column of {dataset.name} has one value only in the training rows, so there is nothing "
                        "to learn from; look at data.inputs.")
    return fitted


def _fitted(dataset: Dataset, training: Values) -> tuple[NumberColumn | DateColumn | CategoryColumn, ...]:
    kinds = [dataset.kind_of(position) for position in range(len(dataset.columns))]
    numeric = [position for position, kind in enumerate(kinds) if kind != "category"]
    names = [dataset.columns[position] for position in numeric]
    matrix = training if len(numeric) == len(kinds) else np.ascontiguousarray(training[:, numeric])
    numbers = dict(zip(numeric, _numbers(names, matrix), strict=True))
    return tuple(_category(dataset, position, training[:, position]) if kind == "category"
                 else _date(numbers[position], training[:, position]) if kind == "date" else numbers[position]
                 for position, kind in enumerate(kinds))


def _numbers(names: list[str], x: Values) -> list[NumberColumn]:
    """Median and moments of columns [rows, names], over what is finite; missing values count as the median."""
    finite = np.isfinite(x)
    medians = np.array([np.median(x[finite[:, at], at]) if finite[:, at].any() else 0.0 for at in range(len(names))])
    filled = x if finite.all() else np.where(finite, x, medians)
    means, deviations = _moments(filled)
    constant = deviations <= ROUNDING * np.abs(filled).max(axis=0, initial=0.0)
    missing = np.isnan(x).mean(axis=0)
    return [
        NumberColumn(column=name, median=float(medians[at]), mean=float(means[at]), deviation=float(deviations[at]),
                     constant=bool(constant[at]), marks_missing=bool(0 < missing[at] < 1))
        for at, name in enumerate(names)
    ]


def _moments(x: Values) -> tuple[Values, Values]:
    """Mean and standard deviation of each column, of values near the largest that there are too."""
    with np.errstate(over="ignore", invalid="ignore"):
        means, deviations = x.mean(axis=0), x.std(axis=0)
    if np.isfinite(means).all() and np.isfinite(deviations).all():
        return means, deviations
    largest = np.maximum(np.abs(x).max(axis=0), 1.0)
    scaled = x / largest
    return scaled.mean(axis=0) * largest, scaled.std(axis=0) * largest


def _date(days: NumberColumn, values: Values) -> DateColumn:
    known = values[np.isfinite(values)]
    return DateColumn(column=days.column, days=days, month=len(np.unique(months(known))) > 1,
                      weekday=len(np.unique(weekdays(known))) > 1)


def _category(dataset: Dataset, position: int, codes: Values) -> CategoryColumn:
    name = dataset.columns[position]
    known = dataset.categories[name]
    counts = np.bincount(codes[~np.isnan(codes)].astype(np.int64), minlength=len(known))
    fewest = min(RARE, RARE_SHARE * len(codes))
    commonest = np.argsort(-counts, kind="stable")
    levels = tuple(int(code) for code in commonest if counts[code] >= max(fewest, 1))
    return CategoryColumn(
        column=name, known=known, levels=levels, pooled=bool(((counts > 0) & (counts < fewest)).any()),
        missing=bool(np.isnan(codes).any()), embedded=len(levels) > MOST_LEVELS,
    )


def _target_moments(dataset: Dataset, split: Split) -> tuple[float, float]:
    if dataset.task != "regression":
        return 0.0, 1.0
    training = dataset.y[split.train]
    return float(training.mean()), float(training.std()) or 1.0
