"""Scores: which way is better, and how far chance alone moves them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay.facts.fact import Unknown
from assay.facts.training import BaselineScore, Curve, ScoreFacts, SeedScore


def scores(metric: str = "accuracy", *, rows: int = 400, values: tuple[float | None, ...] = (0.9, 0.8)) -> ScoreFacts:
    sense = "min" if metric in ("rmse", "mae") else "max"
    return ScoreFacts(
        metric=metric, sense=sense, validation_rows=rows,
        baselines=(BaselineScore(name="constant", scores={"accuracy": 0.5}),),
        seeds=tuple(SeedScore(seed=number, score=value, epoch=0) for number, value in enumerate(values)),
    )


def test_the_mean_is_over_the_seeds_that_have_a_finite_score() -> None:
    assert scores(values=(0.9, None, math.nan, 0.7)).mean == pytest.approx(0.8)
    assert scores(values=(None,)).mean is None


def test_gain_is_positive_where_a_score_is_better_in_the_metrics_sense() -> None:
    assert scores("accuracy").gain(0.9, 0.8) == pytest.approx(0.1)
    assert scores("rmse").gain(0.9, 0.8) == pytest.approx(-0.1)


def test_a_baseline_without_the_selecting_metric_has_no_score() -> None:
    assert scores("accuracy").baseline("constant") == 0.5
    assert scores("rmse").baseline("constant") is None
    assert scores("accuracy").baseline("linear") is None


def error(metric: str, score: float, *, rows: int = 400) -> float:
    value = scores(metric, rows=rows).standard_error(score)
    assert not isinstance(value, Unknown)
    return value


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_the_error_of_a_proportion_is_what_drawing_rows_gives(share: float) -> None:
    drawn = np.random.default_rng(0).binomial(400, share, size=20_000) / 400
    assert error("accuracy", share) == pytest.approx(drawn.std(), rel=0.05)
    assert error("val_macro_f1", share) == error("accuracy", share)
    assert error("subset_accuracy", share) == error("accuracy", share)


def test_the_error_of_a_perfect_score_is_not_zero() -> None:
    assert error("accuracy", 1.0, rows=30) > 0.02


def test_the_errors_of_a_regression_are_what_drawing_rows_gives() -> None:
    rng = np.random.default_rng(0)
    residuals = rng.normal(size=(20_000, 400))
    signal = 2 * rng.normal(size=(2_000, 400))
    assert error("rmse", 1.0) == pytest.approx(np.sqrt((residuals**2).mean(1)).std(), rel=0.05)
    assert error("mae", float(np.abs(residuals).mean())) == pytest.approx(np.abs(residuals).mean(1).std(), rel=0.05)
    # of the residuals alone: the spread of the targets in the rows drawn adds to it
    assert error("r2", 0.8) <= (1 - (residuals[:2000] ** 2).mean(1) / (signal + residuals[:2000]).var(1)).std() * 1.1


def test_an_unknown_metric_or_an_empty_validation_set_has_no_known_error() -> None:
    assert isinstance(scores("auc").standard_error(0.9), Unknown)
    assert isinstance(scores(rows=0).standard_error(0.9), Unknown)


def test_a_curve_names_the_step_where_it_is_first_not_finite() -> None:
    curve = Curve(run="a", name="train_loss", steps=(0, 5, 10), values=(1.0, math.inf, math.nan))
    assert curve.not_finite_at == 5
    assert Curve(run="a", name="train_loss", steps=(0,), values=(1.0,)).not_finite_at is None
