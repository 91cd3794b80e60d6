"""Measure whether numbers carry the mark of a scaler that was fitted on evaluation rows too."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.dataset import Dataset, Prepared, Split
from assay.facts.fact import Absent
from assay.facts.scaling import FittedFacts, Moments

Values = NDArray[np.float64]

DISTINCT = 20  # values, from which a column counts as scaled numbers rather than flags or categories
FEWEST = 20  # rows
FIRST = 10_000  # rows, among which different values are counted
EXACT = 0.02  # standard errors of a mean; chance comes so close to 0 in one column of 60, and to 1 too in one of 3,000
RESOLUTION = 2e-6  # of files written with six digits


def measure_fitted(dataset: Dataset, split: Split, prepared: Prepared | None) -> FittedFacts | Absent:
    """Compare moments and ranges over all rows with those over the training rows.

    The columns as read are asked first; where they bear no mark, what enters the network.
    """
    training = np.zeros(dataset.rows, dtype=bool)
    training[split.train] = True
    numbers = [column for column in range(dataset.x.shape[1]) if dataset.kind_of(column) == "number"]
    names = tuple(dataset.columns[column] for column in numbers)
    if training.all() or dataset.rows < FEWEST or not numbers:
        return Absent("there are no numbers, or no rows beside the training rows, to compare")
    as_read = _marks(dataset.x[:, numbers], training, names)
    if as_read.standard or as_read.unit or prepared is None:
        return as_read
    entered = np.concatenate([prepared.train.x, prepared.validation.x])
    entered = entered.reshape(len(entered), -1)
    training = np.arange(len(entered)) < len(prepared.train)
    found = _marks(entered, training, prepared.names or dataset.columns, entered=True)
    return found if found.standard or found.unit else as_read


def _marks(
    x: Values | NDArray[np.float32], training: NDArray[np.bool_], names: tuple[str, ...], *, entered: bool = False,
) -> FittedFacts:
    looked = [at for at in range(x.shape[1]) if _many(x[:, at])]
    moments = [_moments(names[at], x[:, at].astype(np.float64), training) for at in looked]
    tolerance = max(EXACT / np.sqrt(len(x)), 1e-6 if entered else RESOLUTION)
    standard = tuple(each for each in moments if _is_standard(each, len(x), tolerance))
    reaching = [each for each in moments if _reaches(each.smallest, each.largest)]
    unit = tuple(each for each in reaching if not _reaches(each.training_smallest, each.training_largest))
    return FittedFacts(
        where="as entered" if entered else "as read", rows=len(x), columns=len(looked), standard=standard, unit=unit,
        reaching=len(reaching),
    )


def _many(column: Values | NDArray[np.float32]) -> bool:
    """Whether it holds enough different values among the first rows."""
    first = column[:FIRST]
    return len(np.unique(first[np.isfinite(first)])) >= DISTINCT


def _moments(name: str, column: Values, training: NDArray[np.bool_]) -> Moments:
    known = np.isfinite(column)
    every, learned = column[known], column[known & training]
    learned = learned if len(learned) else every
    with np.errstate(over="ignore", invalid="ignore"):
        return Moments(
            column=name, mean=float(every.mean()), deviation=float(every.std()), smallest=float(every.min()),
            largest=float(every.max()), training_mean=float(learned.mean()), training_deviation=float(learned.std()),
            training_smallest=float(learned.min()), training_largest=float(learned.max()),
        )


def _is_standard(moments: Moments, rows: int, tolerance: float) -> bool:
    sample = moments.deviation * np.sqrt(rows / (rows - 1))  # pandas and R divide by n - 1
    every = abs(moments.mean) <= tolerance and min(abs(moments.deviation - 1), abs(sample - 1)) <= tolerance
    training = abs(moments.training_mean) <= 2 * tolerance and abs(moments.training_deviation - 1) <= 2 * tolerance
    return bool(every and not training)


def _reaches(smallest: float, largest: float) -> bool:
    return abs(largest - 1) <= RESOLUTION and min(abs(smallest), abs(smallest + 1)) <= RESOLUTION
