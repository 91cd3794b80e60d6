"""Splits: sizes, classes, equal inputs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine

from assay.facts.fact_set import FactSet
from assay.facts.splits import Overlap, SplitFacts
from assay.measure.splits import measure_splits
from assay.rule import judge
from assay.rules.data.split_overlap import split_overlap
from tests.measure.tables import parts, table


def overlap(facts: SplitFacts, first: str, second: str) -> Overlap | None:
    assert isinstance(facts.overlaps, tuple)
    return next((each for each in facts.overlaps if (each.first, each.second) == (first, second)), None)


def test_sizes_and_class_counts_come_by_split() -> None:
    facts = measure_splits(table(np.arange(12).reshape(6, 2), [0, 1, 1, 0, 0, 1]), parts([0, 1, 2], [3, 4], [5]))
    assert [(split.name, split.rows, split.class_counts) for split in facts.splits] == [
        ("train", 3, (1, 2)), ("validation", 2, (2, 0)), ("test", 1, (0, 1)),
    ]
    assert facts.overlaps == ()
    assert facts.natural_share is None


def test_a_regression_has_no_class_counts() -> None:
    facts = measure_splits(
        table(np.arange(4).reshape(4, 1), [0.1, 0.2, 0.3, 0.4], classes=(), task="regression"), parts([0, 1], [2], [3]),
    )
    assert all(split.class_counts == () for split in facts.splits)


def test_equal_rows_are_named_by_their_numbers() -> None:
    x = [[1.0, 2.0], [3.0, 4.0], [3.0, 4.0], [5.0, 6.0], [1.0, 2.0]]
    found = overlap(measure_splits(table(x), parts([0, 1], [2, 3], [4])), "train", "validation")
    assert found is not None
    assert (found.rows, found.share, found.examples, found.same_rows) == (1, 0.5, ((1, 2),), 0)


def test_the_same_row_number_in_two_splits_is_told_apart_from_an_equal_row() -> None:
    x = [[1.0], [2.0], [3.0], [2.0]]
    found = overlap(measure_splits(table(x), parts([0, 1], [1, 3], [2])), "train", "validation")
    assert found is not None
    assert (found.rows, found.same_rows) == (2, 1)


@pytest.mark.parametrize(("one", "other"), [(0.0, -0.0), (np.nan, -np.nan)])
def test_values_that_mean_the_same_are_equal(one: float, other: float) -> None:
    found = overlap(measure_splits(table([[one, 1.0], [other, 1.0]]), parts([0], [1])), "train", "validation")
    assert found is not None


def test_columns_that_swap_their_values_are_different_rows() -> None:
    facts = measure_splits(table([[1.0, 2.0], [2.0, 1.0]]), parts([0], [1]))
    assert facts.overlaps == ()


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_counts_agree_with_a_comparison_of_all_pairs(data: st.DataObject) -> None:
    rows = data.draw(st.integers(2, 14))
    columns = data.draw(st.integers(1, 3))
    values = st.sampled_from([0.0, 1.0, 2.0**40, 2.0**40 + 1, 0.1, -1.0])
    row = st.lists(values, min_size=columns, max_size=columns)
    x = np.array(data.draw(st.lists(row, min_size=rows, max_size=rows)))
    cut = data.draw(st.integers(1, rows - 1))
    facts = measure_splits(table(x), parts(range(cut), range(cut, rows)))
    shared = sum(any((x[at] == x[other]).all() for other in range(cut)) for at in range(cut, rows))
    repeated = sum(sum((x[at] == x[other]).all() for other in range(cut)) > 1 for at in range(cut))
    found = overlap(facts, "train", "validation")
    assert (found.rows if found else 0) == shared
    assert facts.repeated_share == pytest.approx(repeated / cut)


def test_whole_numbers_that_leave_most_bits_at_zero_do_not_collide() -> None:
    x = np.stack(np.meshgrid(np.arange(300.0), np.arange(300.0)), axis=-1).reshape(-1, 2) * 2.0**30
    rows = np.random.default_rng(0).permutation(len(x))
    assert measure_splits(table(x), parts(rows[:60_000], rows[60_000:])).overlaps == ()


def test_copies_of_fine_rows_are_no_natural_repeats_and_coarse_rows_are() -> None:
    rng = np.random.default_rng(0)
    fine = rng.normal(size=(400, 5))
    fine[300:] = fine[:100]
    coarse = rng.integers(0, 3, size=(400, 5))
    share = measure_splits(table(fine), parts(range(300), range(300, 400))).natural_share
    assert share is not None
    assert share < 1e-6
    share = measure_splits(table(coarse), parts(range(300), range(300, 400))).natural_share
    assert share is not None
    assert share > 0.9


def test_one_hot_columns_count_as_the_one_category_that_they_encode() -> None:
    rng = np.random.default_rng(0)
    x = np.hstack([np.eye(5)[rng.choice(5, size=300, p=[0.6, 0.2, 0.1, 0.05, 0.05])] for _ in range(5)])
    share = measure_splits(table(x), parts(range(200), range(200, 300))).natural_share
    assert share is not None
    assert share > 0.9


@pytest.mark.parametrize("load", [load_digits, load_wine, load_breast_cancer, load_iris, load_diabetes])
def test_real_tables_raise_neither_error_nor_warning_however_they_are_split(load: object) -> None:
    x = load().data  # type: ignore[operator]
    for seed in range(20):
        rows = np.random.default_rng(seed).permutation(len(x))
        first, second = int(0.6 * len(x)), int(0.8 * len(x))
        split = parts(np.sort(rows[:first]), np.sort(rows[first:second]), np.sort(rows[second:]))
        judgement = judge([split_overlap], FactSet.of(measure_splits(table(x), split)))
        assert not judgement.findings
        assert judgement.passed == ("split-overlap",)


def test_random_splits_of_coarse_tables_raise_nothing() -> None:
    rng = np.random.default_rng(5)
    for _ in range(60):
        rows, columns = int(rng.choice([100, 400, 1500])), int(rng.integers(1, 7))
        x = np.column_stack([rng.integers(0, rng.integers(2, 12), size=rows) for _ in range(columns)])
        order = rng.permutation(rows)
        first, second = int(0.6 * rows), int(0.8 * rows)
        split = parts(np.sort(order[:first]), np.sort(order[first:second]), np.sort(order[second:]))
        assert not judge([split_overlap], FactSet.of(measure_splits(table(x), split))).findings
