"""The rules on curves: diverged and plateau-at-floor, close to their thresholds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from assay.facts.fact_set import FactSet
from assay.facts.overfit import Attempt, Floor, OverfitFacts
from assay.facts.training import Curve, CurveFacts
from assay.rule import Judgement, Rule, judge
from assay.rules.curve.diverged import diverged
from assay.rules.curve.plateau_at_floor import plateau_at_floor
from assay.rules.loss.cannot_overfit import cannot_overfit

TWICE = Floor(value=math.log(1 + 9 / math.e), formula="log(1 + 9/e)", cause="softmax is applied twice")
CONSTANT = Floor(value=math.log(10), formula="the entropy of the labels", cause="the same for every input")


def curves(*values: Sequence[float], name: str = "train_loss") -> CurveFacts:
    return CurveFacts(floors=(TWICE, CONSTANT), curves=tuple(
        Curve(run=f"seed-{run}", name=name, steps=tuple(range(len(each))), values=tuple(float(v) for v in each))
        for run, each in enumerate(values)
    ))


def memorised(losses: Sequence[float]) -> OverfitFacts:
    attempt = Attempt(learning_rate=1e-3, steps=400, losses=tuple(float(v) for v in losses), accuracy=None)
    return OverfitFacts(
        rows=32, attempts=(attempt,), target=0.0, tolerance=0.05, floors=(TWICE, CONSTANT), conflicting=0,
    )


def judged(rule: Rule, *facts: CurveFacts | OverfitFacts) -> Judgement:
    return judge([rule], FactSet.of(*facts))


class TestDiverged:
    @pytest.mark.parametrize("value", [math.nan, math.inf])
    def test_a_value_that_is_not_finite_is_named_with_its_step(self, value: float) -> None:
        finding = judged(diverged, curves([2.3, 2.0, value, value])).findings[0]
        assert finding.where is not None
        assert finding.where.step == 2
        assert finding.evidence["run"] == "seed-0"

    def test_each_run_is_told_once(self) -> None:
        assert len(judged(diverged, curves([2.3, math.nan], [2.3, 2.0], [math.nan, math.nan])).findings) == 2

    def test_ending_twice_as_high_as_the_start_is_an_explosion_and_below_is_not(self) -> None:
        assert judged(diverged, curves([2.5] * 6 + [5.1] * 4)).findings
        assert judged(diverged, curves([2.5] * 6 + [4.9] * 4)).passed == ("diverged",)

    def test_a_first_batch_that_was_low_by_luck_is_no_start_to_compare_with(self) -> None:
        assert judged(diverged, curves([0.4] + [2.3] * 30)).passed == ("diverged",)  # 2.3 is uninformed
        assert judged(diverged, curves([0.4] + [9.0] * 30)).findings

    def test_single_batches_that_scatter_are_no_explosion(self) -> None:
        batches = np.random.default_rng(0).chisquare(7, size=(400, 90)) / 7  # losses of batches of seven
        assert judged(diverged, curves(*(0.8 * batches))).passed == ("diverged",)
        assert len(judged(diverged, replace(curves(*batches), floors=())).findings) <= 0.03 * len(batches)
        assert judged(diverged, replace(curves(*(batches * np.r_[1.0, [30.0] * 89])), floors=())).findings

    def test_a_spike_that_is_recovered_from_is_no_divergence(self) -> None:
        assert judged(diverged, curves([2.0, 1.0, 900.0, 1.0, 0.9, 0.8, 0.8, 0.8, 0.7])).passed == ("diverged",)

    def test_a_validation_loss_may_rise_by_overfitting(self) -> None:
        assert judged(diverged, curves(np.geomspace(0.7, 50, 30), name="val_loss")).passed == ("diverged",)

    def test_without_a_loss_it_can_not_look(self) -> None:
        assert "diverged" in judged(diverged, curves([0.5], name="val_accuracy")).not_checked


class TestPlateauAtFloor:
    def test_a_run_that_settles_just_above_a_floor_is_named(self) -> None:
        values = TWICE.value + 0.01 + 0.8 * np.exp(-np.arange(60) / 5)
        finding = judged(plateau_at_floor, curves(values)).findings[0]
        assert "log(1 + 9/e): softmax is applied twice" in finding.summary

    def test_noise_around_a_floor_does_not_hide_it(self) -> None:
        noise = np.random.default_rng(0).normal(size=(20, 60))
        found = [judged(plateau_at_floor, curves(TWICE.value + 0.01 + 0.01 * each)).findings for each in noise]
        assert all(found)

    @pytest.mark.parametrize("noise", [0.0, 0.005, 0.02])
    def test_a_curve_that_falls_through_a_floor_is_silent(self, noise: float) -> None:
        rng = np.random.default_rng(0)
        for start in np.linspace(1.50, 1.75, 12):
            values = np.linspace(start + 0.9, start - 0.2, 60) + noise * rng.normal(size=60)
            assert judged(plateau_at_floor, curves(values)).passed == ("plateau-at-floor",)

    def test_a_level_that_is_no_floor_is_silent(self) -> None:
        assert judged(plateau_at_floor, curves([1.6] * 60)).passed == ("plateau-at-floor",)

    def test_a_batch_that_stalls_at_a_floor_is_named(self) -> None:
        finding = judged(plateau_at_floor, memorised([2.3] * 10 + [CONSTANT.value - 0.01] * 40)).findings[0]
        assert finding.evidence["floor"] == CONSTANT.value

    def test_a_batch_that_was_memorised_is_no_plateau_however_short(self) -> None:
        assert judged(plateau_at_floor, memorised([2.3, 1.0, 0.01])).passed == ("plateau-at-floor",)

    def test_a_short_or_broken_curve_can_not_be_judged(self) -> None:
        for values in ([1.46] * 10, [1.46] * 30 + [math.nan] * 30):
            assert "plateau-at-floor" in judged(plateau_at_floor, curves(values)).not_checked

    def test_in_a_short_run_the_losses_within_epochs_are_read(self) -> None:
        by_epoch, by_step = curves([1.5, 1.47]).curves[0], curves([1.47] * 60, name="train_loss_step").curves[0]
        facts = CurveFacts(curves=(by_epoch, by_step), floors=(TWICE,))
        assert judged(plateau_at_floor, facts).findings

    def test_the_floor_explains_why_the_batch_is_not_memorised(self) -> None:
        judgement = judge([cannot_overfit, plateau_at_floor], FactSet.of(memorised([TWICE.value] * 50)))
        assert [finding.rule for finding in judgement.findings] == ["plateau-at-floor"]
        assert [finding.rule for finding in judgement.findings[0].explains] == ["cannot-overfit"]


class TestCannotOverfit:
    @pytest.mark.parametrize(("final", "found"), [(0.049, False), (0.051, True), (math.nan, True), (math.inf, True)])
    def test_the_tolerance_decides(self, final: float, found: bool) -> None:
        assert bool(judged(cannot_overfit, memorised([2.3, final])).findings) is found

    def test_every_attempt_is_evidence(self) -> None:
        facts = memorised([2.3, 0.8])
        second = Attempt(learning_rate=1e-2, steps=400, losses=(2.3, math.nan), accuracy=0.1)
        both = OverfitFacts(
            rows=32, attempts=(*facts.attempts, second), target=0.0, tolerance=0.05, floors=(), conflicting=2,
        )
        finding = judged(cannot_overfit, both).findings[0]
        assert [each["learning_rate"] for each in finding.evidence["attempts"]] == [1e-3, 1e-2]  # type: ignore[attr-defined]
        assert "0.8" in finding.summary

    def test_with_nothing_to_memorise_it_can_not_look(self) -> None:
        empty = OverfitFacts(rows=0, attempts=(), target=0.0, tolerance=0.05, floors=(), conflicting=32)
        assert "cannot-overfit" in judged(cannot_overfit, empty).not_checked
