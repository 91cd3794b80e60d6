"""The spread over seeds against scipy's and numpy's own figures."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from assay.comparison.seeds import summarise

scores = st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=30)


@given(scores)
def test_agrees_with_the_library(values: list[float]) -> None:
    summary = summarise(values)
    assert summary.mean == pytest.approx(np.mean(values), abs=1e-9)
    assert summary.deviation == pytest.approx(np.std(values, ddof=1), abs=1e-9)
    if summary.deviation and summary.deviation > 1e-6:
        low, high = stats.t.interval(0.95, len(values) - 1, loc=np.mean(values), scale=stats.sem(values))
        assert (summary.low, summary.high) == pytest.approx((low, high), rel=1e-6, abs=1e-9)


def test_one_seed_has_no_spread() -> None:
    summary = summarise([0.9])
    assert summary.deviation is None
    assert "spread is unknown" in str(summary)


def test_no_score_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        summarise([])


def test_reads_as_a_person_writes_it() -> None:
    assert str(summarise([0.95, 0.96, 0.97])) == "0.9600 ± 0.0100 over seeds, 95% interval 0.9352 to 0.9848"
    assert not math.isnan(summarise([0.5, 0.5]).mean)
