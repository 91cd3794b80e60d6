"""The labels' place: found where it slipped, silent where a lag is natural."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

from assay.dataset import Dataset
from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.facts.label_shift import LabelShiftFacts
from assay.measure.label_shift import measure_label_shift
from assay.preparation import split
from assay.recipe.schema import DataBlock, SplitPlan
from assay.rule import judge
from assay.rules.data.label_shift import label_shift
from assay.sources import load
from tests.measure.tables import table


def measured(dataset: Dataset) -> LabelShiftFacts | Absent:
    return measure_label_shift(dataset, split(dataset, SplitPlan()))


def found(dataset: Dataset) -> bool:
    facts = measured(dataset)
    return not isinstance(facts, Absent) and bool(judge([label_shift], FactSet.of(facts)).findings)


def regression(x: np.ndarray, y: np.ndarray) -> Dataset:
    return table(x, y, classes=(), task="regression")


def independent(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    x = np.random.default_rng(seed).normal(size=(600, 4))
    return x, x[:, 0] + np.sin(3 * x[:, 1])


@pytest.mark.parametrize("offset", [-2, -1, 1, 2])
def test_each_offset_is_named(offset: int) -> None:
    x, y = independent()
    facts = measured(regression(x, np.roll(y, offset)))
    assert isinstance(facts, LabelShiftFacts)
    assert facts.whole.best[0] == offset
    assert found(regression(x, np.roll(y, offset)))


@pytest.mark.parametrize("seed", range(15))
def test_labels_in_their_place_and_labels_of_noise_are_silent(seed: int) -> None:
    x, y = independent(seed)
    assert not found(regression(x, y))
    assert not found(table(x, np.random.default_rng(seed).integers(0, 2, size=600)))


@pytest.mark.parametrize("name", ["digits", "breast_cancer", "diabetes", "iris", "wine"])
def test_real_tables_are_silent(name: str) -> None:
    assert not found(load(DataBlock(source="sklearn", name=name)))


def test_white_noise_told_by_its_own_last_value_is_silent() -> None:
    noise = np.random.default_rng(0).normal(size=900)
    other = np.random.default_rng(1).normal(size=900)
    assert not found(regression(np.column_stack([np.roll(noise, 1), other]), noise))


def test_a_random_walk_is_silent() -> None:
    walk = np.cumsum(np.random.default_rng(0).normal(size=900))
    assert not found(regression(np.column_stack([np.roll(walk, 1), np.roll(walk, 2)]), walk))


def test_test_labels_are_not_looked_at() -> None:
    x, y = independent()
    dataset = regression(x, y)
    other = y.copy()
    other[split(dataset, SplitPlan()).test] = 99.0
    assert measured(dataset) == measured(regression(x, other))


def test_too_few_rows_and_constant_labels_are_absent() -> None:
    x, _ = independent()
    assert isinstance(measured(regression(x[:40], x[:40, 0])), Absent)
    assert isinstance(measured(table(x)), Absent)


@pytest.mark.parametrize("seed", range(8))
def test_the_direction_of_a_series_told_by_its_lags_is_silent(seed: int) -> None:
    moves = np.random.default_rng(seed).normal(size=903)
    lags = np.column_stack([moves[3 - lag:903 - lag] for lag in (1, 2, 3)])
    assert not found(table(lags, (moves[3:] > 0).astype(np.int64)))


def test_rows_in_the_order_of_time_may_tell_earlier_labels_and_not_later_ones() -> None:
    x, y = independent()
    for offset, expected in ((-1, False), (1, True)):
        dataset = regression(x, np.roll(y, offset))
        assert found(replace(dataset, times=np.arange(600.0))) is expected
        dated = replace(dataset, x=np.column_stack([np.arange(600.0), x]), columns=("day", *dataset.columns),
                        kinds=("date", *["number"] * 4))
        assert found(dated) is expected  # type: ignore[arg-type]


def test_values_at_the_edge_of_what_numbers_can_be_are_taken_without_a_warning() -> None:
    x, y = independent()
    x[::9, 3] = 1e308
    x[1::9, 2] = np.inf
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert found(regression(x, np.roll(y, 1)))
