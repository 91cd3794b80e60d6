from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.dataset import Dataset, Split
from assay.errors import DataError
from assay.preparation import split
from assay.recipe.schema import SplitPlan
from tests.preparation.tables import table

PARTS = ("train", "validation", "test")


def plan(kind: str | None = None, **more: Any) -> SplitPlan:
    return SplitPlan.model_validate({"kind": kind, **more})


def grouped(groups: list[int], *, y: Any = None, classes: int = 0) -> Dataset:
    return table(np.arange(len(groups))[:, None], y, classes=classes, groups=np.array(groups))


def sizes(parts: Split) -> tuple[int, ...]:
    return tuple(len(parts.rows(name)) for name in PARTS)  # type: ignore[arg-type]


def shared(values: np.ndarray, parts: Split) -> set[float]:
    """Values that stand in more than one split."""
    sets = [set(values[parts.rows(name)]) for name in PARTS]  # type: ignore[arg-type]
    return (sets[0] & sets[1]) | (sets[0] & sets[2]) | (sets[1] & sets[2])


class TestGrouped:
    @given(groups=st.lists(st.integers(0, 30), min_size=12, max_size=150), seed=st.integers(0, 2**32 - 1),
           stratified=st.booleans())
    @settings(max_examples=80, deadline=None)
    def test_no_group_is_torn_and_no_row_lost(self, groups: list[int], seed: int, stratified: bool) -> None:
        if len(set(groups)) < 3:
            return
        y = np.arange(len(groups)) % 3
        data = grouped(groups, y=y, classes=3) if stratified else grouped(groups)
        parts = split(data, plan("stratified_grouped" if stratified else "grouped", seed=seed))
        assert sorted(np.concatenate([parts.train, parts.validation, parts.test])) == list(range(len(groups)))
        assert not shared(np.array(groups), parts)
        assert min(sizes(parts)) > 0

    def test_rows_that_stand_alone_leave_no_split_without_any(self) -> None:
        data = grouped([0] * 10 + [1, 2], y=np.arange(12) % 3, classes=3)
        assert sizes(split(data, plan("stratified_grouped"))) == (10, 1, 1)

    def test_sizes_come_near_the_shares(self) -> None:
        rng = np.random.default_rng(0)
        data = grouped(np.repeat(np.arange(200), rng.integers(1, 30, 200)).tolist())
        for seed in range(5):
            got = np.array(sizes(split(data, plan("grouped", seed=seed)))) / data.rows
            np.testing.assert_allclose(got, [0.6, 0.2, 0.2], atol=0.01)

    def test_few_groups_of_very_different_size_leave_the_largest_to_training(self) -> None:
        assert sizes(split(grouped([0] * 80 + [1] * 10 + [2] * 10), plan("grouped"))) == (80, 10, 10)

    def test_stratified_groups_keep_classes_even(self) -> None:
        rng = np.random.default_rng(1)
        groups = np.repeat(np.arange(150), 6)
        y = (rng.random(150)[groups] < 0.3).astype(np.int64)  # a class a group: nothing evens it out by itself
        parts = split(grouped(groups.tolist(), y=y, classes=2), plan("stratified_grouped"))
        for name in PARTS:
            assert y[parts.rows(name)].mean() == pytest.approx(y.mean(), abs=0.02)  # type: ignore[arg-type]

    def test_seeds_differ_and_repeat(self) -> None:
        data = grouped(np.repeat(np.arange(40), np.arange(1, 41)).tolist())
        first, again, other = (split(data, plan("grouped", seed=seed)) for seed in (0, 0, 1))
        assert first.train.tolist() == again.train.tolist()
        assert first.validation.tolist() != other.validation.tolist()

    def test_fewer_groups_than_splits_are_refused(self) -> None:
        with pytest.raises(DataError, match="2 groups that share no rows, too few for 3 splits"):
            split(grouped([0] * 10 + [1] * 10), plan("grouped"))

    def test_a_table_without_groups_is_refused(self) -> None:
        with pytest.raises(DataError, match=r"no column for it; name it as data\.group"):
            split(table(np.ones((20, 1))), plan("grouped"))

    def test_a_plan_without_a_kind_keeps_groups_together(self) -> None:
        groups = np.repeat(np.arange(20), 4)
        assert not shared(groups, split(grouped(groups.tolist(), y=np.arange(80) % 2, classes=2), plan()))


class TestIdenticalRows:
    @given(values=st.lists(st.integers(0, 60), min_size=20, max_size=120), seed=st.integers(0, 1000))
    @settings(max_examples=60, deadline=None)
    def test_equal_inputs_stay_in_one_split(self, values: list[int], seed: int) -> None:
        if len(set(values)) < 3:
            return
        data = table(np.array(values)[:, None], np.arange(len(values)) % 2, classes=2)
        assert not shared(data.x[:, 0], split(data, plan("stratified", seed=seed), identical_rows="together"))

    def test_missing_values_are_equal_to_each_other(self) -> None:
        x = np.repeat(np.arange(20.0), 2)[:, None] * [1, np.nan]
        parts = split(table(x), plan("random"), identical_rows="together")
        assert not shared(x[:, 0], parts)

    def test_without_repeats_nothing_changes(self) -> None:
        data = table(np.arange(90)[:, None], np.arange(90) % 3, classes=3)
        for kind in ("random", "stratified"):
            apart, together = (split(data, plan(kind), identical_rows=how) for how in ("apart", "together"))
            assert apart.train.tolist() == together.train.tolist()

    def test_a_few_repeats_leave_classes_exactly_in_proportion(self) -> None:
        x = np.arange(100)[:, None].copy()
        x[50:55] = x[:5]
        y = np.repeat([0, 1], 50)
        parts = split(table(x, y, classes=2), plan("stratified"), identical_rows="together")
        assert [np.bincount(y[parts.rows(name)]).tolist() for name in PARTS] == [  # type: ignore[arg-type]
            [30, 30], [10, 10], [10, 10]]

    def test_groups_that_share_an_equal_row_become_one(self) -> None:
        groups = np.repeat(np.arange(12), 3)
        x = np.arange(36)[:, None].copy()
        x[3] = x[0]  # group 1 meets group 0
        parts = split(table(x, groups=groups), plan("grouped"), identical_rows="together")
        joined = np.where(groups == 1, 0, groups)
        assert not shared(joined, parts)

    def test_a_table_of_two_different_rows_is_refused(self) -> None:
        with pytest.raises(DataError, match="only 2 different rows"):
            split(table(np.arange(40)[:, None] % 2), plan("random"), identical_rows="together")


class TestTime:
    @given(times=st.lists(st.integers(0, 50), min_size=12, max_size=100), gap=st.sampled_from([0, 0, 1, 5]))
    @settings(max_examples=80, deadline=None)
    def test_training_comes_before_validation_before_test(self, times: list[int], gap: float) -> None:
        data = table(np.arange(len(times))[:, None], times=np.array(times, dtype=np.float64))
        try:
            parts = split(data, plan("time", gap=gap))
        except DataError:
            assert len(set(times)) < 3 or gap
            return
        moments = [np.array(times)[parts.rows(name)] for name in PARTS if len(parts.rows(name))]  # type: ignore[arg-type]
        for earlier, later in pairwise(moments):
            assert later.min() > earlier.max() + gap

    def test_shares_are_those_of_the_plan_where_times_allow(self) -> None:
        rng = np.random.default_rng(0)
        data = table(np.arange(100)[:, None], times=rng.permutation(100).astype(np.float64))
        assert sizes(split(data, plan("time"))) == (60, 20, 20)
        assert sizes(split(data, plan("time", gap=5))) == (60, 15, 15)

    def test_equal_times_stay_in_one_split(self) -> None:
        times = np.repeat(np.arange(10.0), 10)
        parts = split(table(times[:, None], times=times), plan("time", train=0.55, validation=0.25, test=0.2))
        assert not shared(times, parts)
        assert sizes(parts) in ((50, 30, 20), (60, 20, 20))

    def test_what_has_no_order_is_refused(self) -> None:
        with pytest.raises(DataError, match="all rows of x have the same time"):
            split(table(np.ones((20, 1)), times=np.ones(20)), plan("time"))
        with pytest.raises(DataError, match=r"1 row of x without a time \(the first is row 3\)"):
            split(table(np.ones((20, 1)), times=np.where(np.arange(20) == 3, np.nan, np.arange(20))), plan("time"))
        with pytest.raises(DataError, match="a gap of 100 in x leaves no rows"):
            split(table(np.ones((20, 1)), times=np.arange(20.0)), plan("time", gap=100))


class TestGiven:
    def test_a_column_decides(self) -> None:
        stated = np.array(["test", "train", "validation", "train"])
        parts = split(table(np.ones((4, 1)), given=stated), plan("column"))
        assert (parts.train.tolist(), parts.validation.tolist(), parts.test.tolist()) == ([1, 3], [2], [0])

    def test_a_column_without_validation_has_its_training_rows_divided(self) -> None:
        stated = np.array(["train"] * 80 + ["test"] * 20)
        data = table(np.arange(100)[:, None], np.arange(100) % 2, classes=2, given=stated)
        parts = split(data, plan("column"))
        assert sizes(parts) == (60, 20, 20)
        assert parts.test.tolist() == list(range(80, 100))
        assert np.bincount(data.y[parts.validation].astype(int)).tolist() == [10, 10]

    def test_rows_that_state_no_split_are_named(self) -> None:
        with pytest.raises(DataError, match=r"1 row of x \(row 2\) without a split"):
            split(table(np.ones((4, 1)), given=np.array(["train", "validation", "", "test"])), plan("column"))

    @pytest.mark.parametrize("kind", ["random", "stratified", "time", "stratified_grouped"])
    def test_a_given_test_part_stays_and_the_rest_is_divided(self, kind: str) -> None:
        stated = np.array([""] * 80 + ["test"] * 20)
        data = table(np.arange(100)[:, None], np.arange(100) % 2, classes=2, given=stated, times=np.arange(100.0),
                     groups=np.arange(100) // 2)
        parts = split(data, plan(kind))
        assert parts.test.tolist() == list(range(80, 100))
        assert sizes(parts) == (60, 20, 20)

    def test_a_column_without_training_rows_is_refused(self) -> None:
        with pytest.raises(DataError, match="no rows for training"):
            split(table(np.ones((4, 1)), given=np.array(["test", "validation"] * 2)), plan("column"))


def test_several_labels_are_not_stratified() -> None:
    data = table(np.arange(40)[:, None], np.ones((40, 2)), task="multilabel", classes=2)
    with pytest.raises(DataError, match="examples with several labels have no single class to stratify by; use random"):
        split(data, plan("stratified"))
    assert sizes(split(data, plan())) == (24, 8, 8)
