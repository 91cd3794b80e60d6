"""Measure whether what entered a model was scaled by statistics of the evaluated examples too.

Numbers that were scaled over all examples have, over all of them and exactly, mean 0 and deviation 1, or reach from 0
to 1; over the training examples alone they don't. It can be told only where every example was met and kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.example_book import Evaluation, ExampleBook, Values
from assay.facts.fact import Absent
from assay.facts.scaling import FittedFacts, Moments

Doubles = NDArray[np.float64]

DISTINCT = 20  # values, from which a column counts as scaled numbers rather than flags or categories
FEWEST = 20  # rows
MOST_COLUMNS = 4096
EXACT = 0.02  # standard errors of a mean; chance comes so close to 0 in one column of 60, and to 1 too in one of 3,000
ALONE = 0.002  # the same where there is a single number to go by: one in 300,000
ROUNDING = 2e-6  # of single precision, summed


def measure_example_moments(books: Sequence[ExampleBook]) -> FittedFacts | Absent:
    """Compare moments and ranges over training and evaluated examples with those over the training examples.

    Each evaluation is asked together with training, and all of them together with it.
    """
    plain: FittedFacts | None = None
    for book in books:
        for asked, apart in _unions(book):
            for view in _views(book.trained.values, asked, book.trained.shape):
                found = _marks(*view)
                if found is not None and (found.standard or found.unit):
                    return replace(found, apart=apart)
                plain = plain or found
    return plain or Absent("no model was trained and evaluated on numbers that were all met: nothing to compare")


def _unions(book: ExampleBook) -> Iterator[tuple[Values, bool]]:
    """Evaluated examples that training never used: of all evaluations, and of each, others being apart."""
    if book.trained.integers or not book.complete or not book.trained.whole:
        return
    fixed: list[Evaluation] = [evaluation for evaluation, _ in book.fixed() if evaluation.rows.whole]
    parts = [book.unseen(evaluation) for evaluation in fixed]
    width = book.trained.values.shape[1]
    parts = [part for part in parts if len(part) and part.shape[1] == width]
    if parts:
        yield np.unique(np.concatenate(parts), axis=0), False
    together = len(np.unique(np.concatenate(parts), axis=0)) if parts else 0
    yield from ((part, True) for part in parts if len(part) < together)


def _views(training: Values, asked: Values, shape: tuple[int, ...]) -> Iterator[tuple[Doubles, Doubles, str]]:
    """Examples as columns to scale: each number, each channel in either layout, and all numbers as one."""
    width = int(np.prod(shape))
    known, other = (rows[:, :width].astype(np.float64) for rows in (training, asked))
    if width <= MOST_COLUMNS:
        yield known, other, "feature"
    if len(shape) >= 2:
        first, second = (rows.reshape(len(rows), *shape) for rows in (known, other))
        yield first.swapaxes(1, -1).reshape(-1, shape[0]), second.swapaxes(1, -1).reshape(-1, shape[0]), "channel"
        yield first.reshape(-1, shape[-1]), second.reshape(-1, shape[-1]), "channel"
    if width > 1:
        yield known.reshape(-1, 1), other.reshape(-1, 1), "all numbers"


def _marks(training: Doubles, asked: Doubles, name: str) -> FittedFacts | None:
    """What bears the mark of a scaler; None where there is nothing to go by."""
    every = np.concatenate([training, asked])
    if len(every) < FEWEST or not np.isfinite(every).all():
        return None
    if not _may_be_marked(every):
        width = every.shape[1]
        return FittedFacts(where="as entered", rows=len(every), columns=width, standard=(), unit=(), reaching=0)
    looked = [at for at in range(every.shape[1]) if len(np.unique(every[:10_000, at])) >= DISTINCT]
    if not looked:
        return None
    moments = [_moments(f"{name} {at}" if every.shape[1] > 1 else name, every[:, at], training[:, at]) for at in looked]
    tolerance = max((EXACT if len(looked) > 1 else ALONE) / np.sqrt(len(every)), ROUNDING)
    reaching = [each for each in moments if _reaches(each.smallest, each.largest)]
    return FittedFacts(
        where="as entered", rows=len(every), columns=len(looked),
        standard=tuple(each for each in moments if _is_standard(each, len(every), tolerance)),
        unit=tuple(each for each in reaching if not _reaches(each.training_smallest, each.training_largest)),
        reaching=len(reaching),
    )


def _may_be_marked(every: Doubles) -> bool:
    """Whether any column is near either mark: a fast look at all of them, since most programs have none."""
    tolerance = max(EXACT / np.sqrt(len(every)), ROUNDING)
    near = (np.abs(every.mean(axis=0)) <= tolerance) & (np.abs(every.std(axis=0) - 1) <= tolerance + 1 / len(every))
    reaching = np.abs(every.max(axis=0) - 1) <= ROUNDING
    return bool(near.any() or reaching.any())


def _moments(name: str, every: Doubles, training: Doubles) -> Moments:
    return Moments(
        column=name, mean=float(every.mean()), deviation=float(every.std()), smallest=float(every.min()),
        largest=float(every.max()), training_mean=float(training.mean()), training_deviation=float(training.std()),
        training_smallest=float(training.min()), training_largest=float(training.max()),
    )


def _is_standard(moments: Moments, rows: int, tolerance: float) -> bool:
    sample = moments.deviation * np.sqrt(rows / (rows - 1))  # torch and pandas divide by n - 1
    every = abs(moments.mean) <= tolerance and min(abs(moments.deviation - 1), abs(sample - 1)) <= tolerance
    training = abs(moments.training_mean) <= 2 * tolerance and abs(moments.training_deviation - 1) <= 2 * tolerance
    return bool(every and not training)


def _reaches(smallest: float, largest: float) -> bool:
    return abs(largest - 1) <= ROUNDING and min(abs(smallest), abs(smallest + 1)) <= ROUNDING
