"""The probe of scikit-learn's transformers: which rows it ties to a fit, and that it is gone when detached."""

from __future__ import annotations

import numpy as np
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from assay.example_book import Fit
from assay.watching.session import recording

TABLE = np.random.default_rng(0).normal(size=(40, 4))


def _came(fit: Fit) -> int:
    return len(fit.all_came)


def test_only_rows_that_were_fitted_are_marked() -> None:
    with recording() as seen:
        scaler = StandardScaler().fit(TABLE[:30])
        scaler.transform(TABLE)
    fit, = seen._data.transformers.fits
    assert (fit.name, fit.rows, _came(fit)) == ("StandardScaler", 30, 30)


def test_marks_pass_through_later_transformers() -> None:
    with recording() as seen:
        scaled = StandardScaler().fit_transform(TABLE)
        PCA(2).fit(scaled[:10]).transform(scaled)
    first, second = seen._data.transformers.fits
    assert {width: len(rows) for width, rows in first.came.items()} == {4: 40, 2: 40}
    assert {width: len(rows) for width, rows in second.came.items()} == {2: 10}


def test_text_and_the_time_after_are_left_alone() -> None:
    fit = StandardScaler.fit
    with recording() as seen:
        StandardScaler().fit([[1.0], [2.0]])
    StandardScaler().fit(TABLE)
    assert not seen.broken
    assert len(seen._data.transformers.fits) == 1
    assert StandardScaler.fit is fit
