"""Measure whether evaluated examples lie on another scale than training examples, number by number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assay.example_book import ExampleBook, Values
from assay.facts.examples import EvaluatedScale, ExampleScaleFacts
from assay.facts.fact import Absent, Place
from assay.probe import place_in

Doubles = NDArray[np.float64]

FEWEST_ROWS = 20
FACTOR, SCALED_FACTOR = 10.0, 3.0
NEAR_STANDARD = 0.1  # of mean 0 and of deviation 1, as published constants and rounding leave them
FEWEST_APART = 2  # numbers that lie apart, where some are wider and others narrower
MOST = 0.75  # of the numbers, that must be near standard
FLAT = 1e-6  # of the largest deviation, below which a number doesn't vary


def measure_example_scales(books: Sequence[ExampleBook]) -> ExampleScaleFacts | Absent:
    """Compare the deviations in each fixed evaluation with those in training."""
    found: list[EvaluatedScale] = []
    for book in books:
        training = book.trained.values
        if book.trained.integers or len(training) < FEWEST_ROWS:
            continue
        for evaluation, _ in book.fixed():
            asked = evaluation.rows.values
            if len(asked) >= FEWEST_ROWS and asked.shape[1] == training.shape[1]:
                place = place_in(*evaluation.chain[0][:2]) if evaluation.chain else None
                found += _compared(training, asked, place)
    return ExampleScaleFacts(evaluations=tuple(found)) if found else Absent("no numbers were evaluated beside training")


def _compared(training: Values, asked: Values, place: Place | None) -> list[EvaluatedScale]:
    learned, evaluated = training.astype(np.float64), asked.astype(np.float64)
    if not (np.isfinite(learned).all() and np.isfinite(evaluated).all()):
        return []
    first, second = learned.std(axis=0), evaluated.std(axis=0)
    varies = (first > FLAT * first.max()) & (second > FLAT * second.max()) & (first > 0)
    if not varies.any():
        return []
    ratios = second[varies] / first[varies]
    scaled = _is_scaled(learned[:, varies])
    factor = SCALED_FACTOR if scaled else FACTOR
    wider, narrower = (ratios >= factor).sum(), (ratios <= 1 / factor).sum()
    elsewhere = scaled and _apart(learned[:, varies], evaluated[:, varies]) >= FEWEST_APART
    beyond = wider + narrower if elsewhere else max(wider, narrower)
    return [EvaluatedScale(
        place=place, rows=len(asked), numbers=int(varies.sum()), beyond=int(beyond), ratio=float(np.median(ratios)),
        scaled=scaled, training=(float(learned.min()), float(learned.max())),
        evaluated=(float(evaluated.min()), float(evaluated.max())),
    )]


def _apart(learned: Doubles, evaluated: Doubles) -> int:
    """Numbers of which all evaluated values lie beyond all that were trained on."""
    above, below = evaluated.min(axis=0) > learned.max(axis=0), evaluated.max(axis=0) < learned.min(axis=0)
    return int((above | below).sum())


def _is_scaled(x: Doubles) -> bool:
    """Whether most numbers have mean 0 and deviation 1, or all of them together have."""
    alone = (np.abs(x.mean(axis=0)) < NEAR_STANDARD) & (np.abs(x.std(axis=0) - 1) < NEAR_STANDARD)
    together = abs(x.mean()) < NEAR_STANDARD and abs(x.std() - 1) < NEAR_STANDARD
    return bool(alone.mean() >= MOST or together)
