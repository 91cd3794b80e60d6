"""Measure which evaluated examples scikit-learn's transformers were fitted on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch

from assay.example_book import ExampleBook, Fit, Values
from assay.facts.examples import FittedRows, TransformerFacts
from assay.facts.fact import Absent
from assay.tensors import Fingerprints

MOST = 0.5  # of the time steps of a window, from which a transformer counts as fitted on it


def measure_example_fits(books: Sequence[ExampleBook], fits: Sequence[Fit]) -> TransformerFacts | Absent:
    """Count, for each fit, the evaluated examples that it saw and that training never used.

    Of several evaluations the one that it saw the most of stands in the fact.
    """
    if not fits:
        return Absent("no transformer of scikit-learn was fitted", applicable=False)
    found: dict[int, FittedRows] = {}
    apart = False
    for book in books:
        for evaluation, _ in book.fixed():
            asked = book.unseen(evaluation)
            if book.trained.integers or not len(asked):
                continue
            seen = {number: _seen(book, asked, fit) for number, fit in enumerate(fits)}
            apart |= not any(seen.values())
            for number, count in seen.items():
                fit = fits[number]
                row = FittedRows(name=fit.name, place=fit.place, rows=fit.rows, evaluated=count, of=len(asked))
                if count and (number not in found or row.share > found[number].share):
                    found[number] = row
    return TransformerFacts(fits=tuple(found.values()), apart=apart)


def _seen(book: ExampleBook, asked: Values, fit: Fit) -> int:
    """Examples whose row, or most of whose time steps, the transformer was fitted on."""
    shape = book.trained.shape
    for width, came in fit.came.items():
        if width == int(np.prod(shape)):
            return sum(row in came for row in _fingerprints(asked[:, :width]))
        steps = _steps(asked, shape, width)
        if steps is not None:
            known = _steps(book.trained.values, shape, width)
            trained = set(_fingerprints(known)) if known is not None else set()
            met = np.array([row in came and row not in trained for row in _fingerprints(steps)])
            return int((met.reshape(len(asked), -1).mean(axis=1) > MOST).sum())
    return 0


def _steps(rows: Values, shape: tuple[int, ...], width: int) -> Values | None:
    """The time steps of windows as rows of this width; None where they don't have it."""
    if len(shape) > 2 or not rows.size:
        return None
    windows = rows[:, :int(np.prod(shape))].reshape(len(rows), *shape)
    if width == 1 and (len(shape) == 1 or 1 in shape):
        return windows.reshape(-1, 1)
    if len(shape) == 2 and shape[1] == width:
        return windows.reshape(-1, width)
    if len(shape) == 2 and shape[0] == width:
        return np.ascontiguousarray(windows.swapaxes(1, 2)).reshape(-1, width)
    return None


def _fingerprints(rows: Values) -> Iterator[int]:
    yield from Fingerprints().of(torch.from_numpy(np.ascontiguousarray(rows))).tolist()
