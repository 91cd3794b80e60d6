"""A fast answer to "do these inputs say anything about that?": ridge regression on widened inputs.

The inputs are widened by what a straight line can't see: missing values, categories as one-hot columns, and random
rectified features, which bend with the inputs (an extreme learning machine: Huang, Zhu and Siew, Neurocomputing 70,
2006). One factorisation serves any number of targets, so that targets permuted at random, which say what chance gives,
cost next to nothing. Predictions are always for rows that were held out of the fit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

FOLDS = 5
BENT = 64  # random rectified features
WIDEST = 256  # columns taken, by the seed where there are more
COMMONEST = 20  # categories that get a column of their own
FURTHEST = 5.0  # standard deviations; a value beyond stands here, so that one row doesn't bend the line
SHRINKAGE = 0.01  # of the number of rows, the size of a standardised column's entry in the normal equations


def widened(x: Values, categorical: NDArray[np.bool_], *, seed: int = 0) -> Values:
    """Features of these inputs, each of mean 0 and deviation 1.

    x               [rows, columns]; NaN where a value is missing
    categorical     [columns]: whether a column holds the codes of categories
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    taken = np.arange(x.shape[1])
    if len(taken) > WIDEST:
        taken = np.sort(rng.choice(taken, WIDEST, replace=False))
    parts = [_categories(x[:, column]) if categorical[column] else _numbers(x[:, [column]]) for column in taken]
    plain = standardised(np.hstack([*parts, _missing(x[:, taken])]) if parts else np.zeros((len(x), 0)))
    if plain.shape[1] == 0:
        return plain
    weights = rng.normal(size=(plain.shape[1], BENT)) / np.sqrt(plain.shape[1])
    offsets = rng.normal(size=BENT)
    return np.hstack([plain, standardised(np.maximum(plain @ weights + offsets, 0.0))])


def standardised(values: Values) -> Values:
    """Columns of mean 0 and deviation 1, within five deviations; those that are constant are taken out."""
    finite = np.where(np.isfinite(values), values, np.nan)
    with np.errstate(over="ignore", invalid="ignore"):
        largest = np.nanmax(np.abs(finite), axis=0, initial=0.0)
        scaled = finite / np.where(largest > 0, largest, 1.0)
        known = np.isfinite(scaled)
        count = np.maximum(known.sum(axis=0), 1)
        mean = np.where(known, scaled, 0.0).sum(axis=0) / count
        centred = np.where(known, scaled - mean, 0.0)
        deviation = np.sqrt((centred**2).sum(axis=0) / count)
    varies = deviation > 1e-9
    return np.asarray(np.clip(centred[:, varies] / deviation[varies], -FURTHEST, FURTHEST))


def held_out(features: Values, targets: Values, *, seed: int = 0) -> Values:
    """Predictions [rows, targets] of rows that the fit didn't see, over five folds drawn by the seed."""
    rng = np.random.Generator(np.random.PCG64(seed))
    folds = rng.permutation(np.arange(len(features)) % FOLDS)
    predicted = np.empty_like(targets)
    wide = np.hstack([features, np.ones((len(features), 1))])
    gram, moments = wide.T @ wide, wide.T @ targets
    penalty = np.full(wide.shape[1], SHRINKAGE * len(wide) + wide.shape[1])
    penalty[-1] = 1e-9  # the mean isn't shrunk
    for fold in range(FOLDS):
        out = wide[folds == fold]
        fitted = np.linalg.solve(gram - out.T @ out + np.diag(penalty), moments - out.T @ targets[folds == fold])
        predicted[folds == fold] = out @ fitted
    return predicted


def correlation(predicted: Values, true: Values) -> float:
    """Of predictions with the truth over all targets at once [rows, targets], each target weighing by its variance."""
    first, second = predicted - predicted.mean(axis=0), true - true.mean(axis=0)
    size = np.sqrt((first**2).sum() * (second**2).sum())
    return float((first * second).sum() / size) if size > 0 else 0.0


def _numbers(column: Values) -> Values:
    return standardised(column)


def _categories(codes: Values) -> Values:
    values, counts = np.unique(codes[np.isfinite(codes)], return_counts=True)
    commonest = values[np.argsort(-counts, kind="stable")[:COMMONEST]]
    return np.asarray(codes[:, None] == commonest, dtype=np.float64)


def _missing(x: Values) -> Values:
    return (~np.isfinite(x[:, ~np.isfinite(x).all(axis=0)])).astype(np.float64)
