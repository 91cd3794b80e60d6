"""The linear baseline: ridge regression, or logistic regression with an L2 penalty.

The penalty is chosen on the training rows alone, by leave-one-out for ridge; logistic regression keeps scikit-learn's
C = 1, for inputs that were standardised.
"""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, RidgeCV
from threadpoolctl import threadpool_limits

from assay.dataset import Examples
from assay.facts.task import TaskKind

# L-BFGS needs some hundred iterations on standardised tables; one that is cut off is still a fair baseline.
_ITERATIONS = 1000
_PENALTIES = tuple(10.0**power for power in range(-3, 4))


def fit_predict(
    train: Examples, inputs: NDArray[np.float32], *, task: TaskKind, seed: int,
) -> NDArray[np.int64] | NDArray[np.float64]:
    """Class ids, or values in the unit of `train.y`; a training set of one class gives that class."""
    with threadpool_limits(limits=1):
        if task == "regression":
            values: NDArray[np.float64] = RidgeCV(alphas=_PENALTIES).fit(train.x, train.y).predict(inputs)
            return values.astype(np.float64)
        labels = train.y.astype(np.int64)
        if len(np.unique(labels)) == 1:
            return np.full(len(inputs), labels[0], dtype=np.int64)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = LogisticRegression(max_iter=_ITERATIONS, random_state=seed).fit(train.x, labels)
        classes: NDArray[np.int64] = model.predict(inputs)
        return classes.astype(np.int64)
