"""The boosted-trees baseline: histogram gradient boosting, capped so that it stays cheap.

The caps: 100 rounds (scikit-learn's default), 10 where there are more than 20 classes, since a round grows one tree a
class; and 50,000 training rows, drawn by the seed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from threadpoolctl import threadpool_limits

from assay.dataset import Examples
from assay.facts.task import TaskKind

_ROUNDS, _FEW_ROUNDS, _MANY_CLASSES = 100, 10, 20
_ROWS = 50_000


def fit_predict(
    train: Examples, inputs: NDArray[np.float32], *, task: TaskKind, seed: int,
) -> NDArray[np.int64] | NDArray[np.float64]:
    """Class ids, or values in the unit of `train.y`; a training set of one class gives that class."""
    if len(train) > _ROWS:
        train = train.take(np.sort(np.random.default_rng(seed).choice(len(train), _ROWS, replace=False)))
    with threadpool_limits(limits=1):
        if task == "regression":
            regressor = HistGradientBoostingRegressor(max_iter=_ROUNDS, early_stopping=False, random_state=seed)
            values: NDArray[np.float64] = regressor.fit(train.x, train.y).predict(inputs)
            return values.astype(np.float64)
        labels = train.y.astype(np.int64)
        present = len(np.unique(labels))
        if present == 1:
            return np.full(len(inputs), labels[0], dtype=np.int64)
        rounds = _FEW_ROUNDS if present > _MANY_CLASSES else _ROUNDS
        classifier = HistGradientBoostingClassifier(max_iter=rounds, early_stopping=False, random_state=seed)
        classes: NDArray[np.int64] = classifier.fit(train.x, labels).predict(inputs)
        return classes.astype(np.int64)
