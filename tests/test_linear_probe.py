"""The probe: what it can tell, what it can't, and that it takes any table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.linear_probe import correlation, held_out, standardised, widened

RNG = np.random.default_rng(0)
X = RNG.normal(size=(600, 4))
NUMBERS = np.zeros(4, dtype=bool)


def told(x: np.ndarray, y: np.ndarray, categorical: np.ndarray = NUMBERS) -> float:
    targets = np.asarray(y, dtype=np.float64).reshape(len(y), -1)
    return correlation(held_out(widened(x, categorical), targets), targets)


@pytest.mark.parametrize("y", [X[:, 0], X[:, 0] ** 2, X[:, 0] * X[:, 1], (X[:, 2] > 0).astype(float)])
def test_it_tells_what_is_straight_and_what_is_bent(y: np.ndarray) -> None:
    assert told(X, y) > 0.5


def test_what_is_unrelated_is_not_told_however_many_columns_there_are() -> None:
    y = np.random.default_rng(1).normal(size=600)
    for width in (4, 400):
        x = np.random.default_rng(2).normal(size=(600, width))
        assert abs(told(x, y, np.zeros(width, dtype=bool))) < 0.2


def test_missing_values_and_categories_tell_too() -> None:
    hidden = RNG.integers(0, 5, size=600)
    gaps = np.where(hidden[:, None] == 2, np.nan, RNG.normal(size=(600, 1)))
    assert told(gaps, hidden == 2, NUMBERS[:1]) > 0.9
    assert told(hidden[:, None].astype(float), np.isin(hidden, (0, 3)), ~NUMBERS[:1]) > 0.9


def test_the_same_seed_gives_the_same_bits() -> None:
    first, second = (held_out(widened(X, NUMBERS), X[:, :1]) for _ in range(2))
    assert first.tobytes() == second.tobytes()


@given(st.integers(1, 30), st.integers(1, 5), st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_any_table_gives_finite_features(rows: int, columns: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    odd = np.array([0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 1e308, -1e308, 1e-308])
    x = rng.choice(odd, size=(rows, columns))
    features = widened(x, rng.random(columns) < 0.5)
    assert np.isfinite(features).all()
    assert np.isfinite(standardised(x)).all()
    assert np.isfinite(held_out(features, np.zeros((rows, 1)))).all()
