"""The rules on scores: worse-than-constant, worse-than-simple, unstable, close to their thresholds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay.facts.fact_set import FactSet
from assay.facts.training import BaselineScore, ScoreFacts, SeedScore
from assay.rule import Judgement, Rule, judge
from assay.rules.comparison.unstable import unstable
from assay.rules.evaluation.worse_than_constant import worse_than_constant
from assay.rules.evaluation.worse_than_simple import worse_than_simple


def judged(
    rule: Rule, *seeds: float | None, metric: str = "accuracy", rows: int = 400, failure: str | None = None,
    **baselines: float,
) -> Judgement:
    return judge([rule], FactSet.of(ScoreFacts(
        metric=metric, sense="min" if metric in ("rmse", "mae") else "max", validation_rows=rows,
        baselines=tuple(BaselineScore(name=name, scores={metric: score}) for name, score in baselines.items()),
        seeds=tuple(
            SeedScore(seed=number, score=score, epoch=0, failure=failure if score is None else None)
            for number, score in enumerate(seeds)
        ),
    )))


def severities(judgement: Judgement) -> list[str]:
    return [str(finding.severity) for finding in judgement.findings]


class TestWorseThanConstant:
    # the standard error of 0.5 over 400 rows is 0.025
    @pytest.mark.parametrize(("score", "expected"), [
        (0.4, ["error"]), (0.5, ["error"]), (0.506, ["error"]), (0.515, ["warning"]), (0.53, []),
    ])
    def test_the_height_of_the_gain_decides(self, score: float, expected: list[str]) -> None:
        assert severities(judged(worse_than_constant, score, constant=0.5)) == expected

    def test_lower_is_better_for_an_error(self) -> None:
        assert severities(judged(worse_than_constant, 1.2, metric="rmse", constant=1.0)) == ["error"]
        assert severities(judged(worse_than_constant, 0.8, metric="rmse", constant=1.0)) == []

    def test_for_a_metric_without_a_known_error_equal_is_the_limit(self) -> None:
        assert severities(judged(worse_than_constant, 0.5, metric="auc", constant=0.5)) == ["error"]
        assert severities(judged(worse_than_constant, 0.501, metric="auc", constant=0.5)) == []

    def test_without_a_baseline_or_a_score_it_can_not_look(self) -> None:
        assert "worse-than-constant" in judged(worse_than_constant, 0.5, linear=0.5).not_checked
        assert "worse-than-constant" in judged(worse_than_constant, None, constant=0.5).not_checked


class TestWorseThanSimple:
    def test_no_better_than_the_best_baseline_is_a_warning_that_names_it(self) -> None:
        judgement = judged(worse_than_simple, 0.9, 0.92, linear=0.8, trees=0.91, constant=0.99)
        assert severities(judgement) == ["warning"]
        assert "trees" in judgement.findings[0].summary

    def test_better_by_less_than_chance_is_a_note(self) -> None:
        assert severities(judged(worse_than_simple, 0.915, linear=0.91)) == ["note"]
        assert severities(judged(worse_than_simple, 0.94, linear=0.91)) == []

    def test_the_constant_alone_is_no_simple_model(self) -> None:
        assert "worse-than-simple" in judged(worse_than_simple, 0.9, constant=0.5).not_checked


class TestUnstable:
    def test_a_failed_seed_is_an_error_that_says_why(self) -> None:
        judgement = judged(unstable, 0.9, 0.91, None, failure="its loss is not finite")
        assert severities(judgement) == ["error"]
        assert "seed 2: its loss is not finite" in judgement.findings[0].summary

    def test_a_score_that_is_not_finite_is_a_failure(self) -> None:
        assert "its score is nan" in judged(unstable, 0.9, 0.91, math.nan).findings[0].summary

    def test_one_collapsed_seed_of_three_is_far_off(self) -> None:
        judgement = judged(unstable, 0.96, 0.95, 0.1)
        assert [finding.summary.partition(":")[0] for finding in judgement.findings] == ["seed 2 at 0.1"]
        assert judgement.findings[0].evidence["scores"] == {"0": 0.96, "1": 0.95, "2": 0.1}

    def test_two_collapsed_seeds_of_three_leave_the_sound_one_far_off(self) -> None:
        assert severities(judged(unstable, 0.1, 0.95, 0.11)) == ["error"]

    def test_equal_seeds_and_a_near_one_are_ordinary(self) -> None:
        # two seeds agree to the digit, so their spread is zero; the third is two rows of thirty away
        assert severities(judged(unstable, 1.0, 1.0, 0.933, rows=30)) == []

    def test_seeds_that_spread_widely_have_no_outlier(self) -> None:
        assert severities(judged(unstable, 0.5, 0.6, 0.7, 0.8, 0.9, rows=5000)) == []

    def test_one_seed_says_nothing(self) -> None:
        assert "unstable" in judged(unstable, 0.9).not_checked

    @pytest.mark.parametrize("seeds", [3, 5, 10])
    def test_equally_good_seeds_raise_no_alarm(self, seeds: int) -> None:
        rng = np.random.default_rng(0)
        alarms = 0
        for _ in range(500):
            drawn = rng.binomial(360, 0.96, size=seeds) / 360
            alarms += bool(judged(unstable, *drawn.tolist(), rows=360).findings)
        assert alarms <= 3
