"""Measure whether evaluated examples are windows of a series that training windows overlap on both sides.

A window is a run of numbers along one axis. Its first and its last few are looked for in the training windows, at
other positions: where windows were split at random, training holds a window that begins earlier and one that ends
later. A split by time leaves windows on one side alone, and other recordings share nothing. How many numbers it takes
depends on how coarse they are: four measurements hardly ever agree by chance, four pixels do.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from assay.example_book import ExampleBook, Values
from assay.facts.examples import EvaluatedWindows, ExampleWindowFacts
from assay.facts.fact import Absent, Place
from assay.probe import place_in

Grams = NDArray[np.int64]

GRAM = 4  # numbers in a row, at least, that are looked for
SHORTEST = 2 * GRAM
BY_CHANCE = 1e-6  # matches of one run in all training windows that chance may bring
COMPARED = 2**20  # numbers of training windows
COVERED = 0.8  # of the training windows, from which an evaluation is one of all data


def measure_example_windows(books: Sequence[ExampleBook]) -> ExampleWindowFacts | Absent:
    """Count the windows of each evaluation that training windows continue on both sides.

    Absent where no model was trained and evaluated on examples that may be windows: runs of eight numbers or more.
    """
    found: list[EvaluatedWindows] = []
    for book in books:
        if book.trained.integers or len(book.trained.shape) not in (1, 2):
            continue
        training = book.trained.values
        for evaluation, phase in book.fixed():
            place = place_in(*evaluation.chain[0][:2]) if evaluation.chain else None
            met = len(set(phase.fingerprints) & set(book.trained.numbers))
            if met < COVERED * len(book.trained):
                found += _evaluated(training, book.unseen(evaluation), book.trained.shape, place)
    return ExampleWindowFacts(evaluations=tuple(found)) if found else Absent("no examples are long enough for windows")


def _evaluated(
    training: Values, asked: Values, shape: tuple[int, ...], place: Place | None,
) -> Iterator[EvaluatedWindows]:
    """By the view of the examples (time first, or channels first) in which the most are met."""
    best: EvaluatedWindows | None = None
    views = zip(_series(training, shape), _series(asked, shape), strict=True) if len(asked) else ()
    for known, evaluated in views:
        length = known.shape[1]
        if length < SHORTEST:
            continue
        known = known[:COMPARED // length]
        size = _telling(known)
        if size > length // 2:
            continue
        both = int(_met(_grams(known, size), _grams(evaluated, size)).sum())
        if best is None or both > best.both:
            best = EvaluatedWindows(place=place, rows=len(evaluated), both=both, length=length)
    if best is not None:
        yield best


def _series(rows: Values, shape: tuple[int, ...]) -> list[Values]:
    """One number a time step: of examples [time], or the first channel of [channels, time] and of [time, channels]."""
    if not rows.size:
        return []
    first = rows[:, :int(np.prod(shape))].reshape(len(rows), *shape)
    return [first] if len(shape) == 1 else [first[:, 0, :], first[:, :, 0]]


def _telling(series: Values) -> int:
    """How many numbers in a row tell a place, if two numbers agree as often as two of these drawn at random do."""
    counts = np.unique(series, return_counts=True)[1] / series.size
    agreeing = float(counts @ counts)
    if agreeing >= 1:
        return int(series.shape[1]) + 1
    return max(GRAM, math.ceil(math.log(series.size / BY_CHANCE) / -math.log(agreeing)))


def _grams(series: Values, size: int) -> Grams:
    """So many numbers in a row as one, at each position [rows, positions]; 0 where they hold too few values."""
    bits = np.ascontiguousarray(series + np.float32(0)).view(np.int32).astype(np.int64)
    positions = series.shape[1] - size + 1
    parts = [bits[:, at:at + positions] for at in range(size)]
    grams = np.zeros_like(parts[0])
    with np.errstate(over="ignore"):
        for part in parts:
            grams = (grams ^ part) * np.int64(0x2545F4914F6CDD1D)
            grams ^= grams >> np.int64(29)
    ordered = np.sort(np.stack(parts), axis=0)
    distinct = 1 + (ordered[1:] != ordered[:-1]).sum(axis=0)
    return np.where(distinct >= max(GRAM - 1, size // 2), grams, 0)


def _met(known: Grams, asked: Grams) -> NDArray[np.bool_]:
    """Windows whose beginning stands later in a training window, and whose end earlier in one."""
    first, last = asked[:, 0], asked[:, -1]
    begins = np.isin(first, known[:, 1:]) & (first != 0)
    ends = np.isin(last, known[:, :-1]) & (last != 0)
    return np.asarray(begins & ends)
