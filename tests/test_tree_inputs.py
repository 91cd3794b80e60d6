"""What trees are given: nothing infinite, nothing beyond float32, no column without a value."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.tree import DecisionTreeClassifier

from assay.tree_inputs import tree_inputs


def test_trees_fit_on_what_they_are_given() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 5))
    x[::3, 1] = np.inf
    x[::4, 2] = 1e308
    x[:, 3] = np.nan
    fitted = np.arange(60) < 40
    x[fitted, 4] = np.nan
    taken = tree_inputs(x, fitted)
    for tree in (HistGradientBoostingClassifier(max_iter=2), DecisionTreeClassifier()):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tree.fit(taken[fitted], np.arange(40) % 2).predict(taken[~fitted])


def test_sound_values_stay_as_they_are() -> None:
    x = np.random.default_rng(0).normal(size=(20, 3))
    x[3, 1] = np.nan
    np.testing.assert_array_equal(tree_inputs(x, np.ones(20, dtype=bool)), x)
