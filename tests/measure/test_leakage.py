"""Groups, times, windows, near-copies and columns that tell the target: what is measured, and where lines are drawn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine

from assay.dataset import Dataset, Split
from assay.facts.fact import Absent, Unknown
from assay.facts.fact_set import FactSet
from assay.facts.leakage import GroupFacts, NearOverlapFacts, TargetLeakFacts, TimeFacts, WindowFacts
from assay.measure.groups import measure_groups
from assay.measure.near_overlap import measure_near_overlap
from assay.measure.target_leak import measure_target_leak
from assay.measure.times import measure_times
from assay.measure.windows import measure_windows
from assay.preparation import split
from assay.recipe.schema import SplitPlan
from assay.rule import Finding, judge
from assay.rules.data.split_near_overlap import split_near_overlap
from assay.rules.data.target_leak import target_leak
from assay.rules.data.time_overlap import time_overlap
from tests.measure.tables import parts, table

ANY = SplitPlan(kind="random")


def random_parts(dataset: Dataset, seed: int = 0) -> Split:
    return split(dataset, SplitPlan(seed=seed))


def leaks(dataset: Dataset) -> tuple[Finding, ...]:
    facts = measure_target_leak(dataset, random_parts(dataset))
    assert isinstance(facts, TargetLeakFacts)
    return judge([target_leak], FactSet.of(facts)).findings


def test_without_a_stated_column_groups_and_times_are_not_checked() -> None:
    plain = table(np.arange(10).reshape(5, 2))
    for found in (measure_groups(plain, parts([0, 1, 2], [3], [4]), ANY),
                  measure_times(plain, parts([0, 1, 2], [3], [4]), ANY)):
        assert isinstance(found, Absent)
        assert found.applicable


def test_groups_and_rows_are_counted_by_pair_of_splits() -> None:
    grouped = replace(table(np.zeros((6, 1))), groups=np.array([7, 7, 8, 8, 9, 7]))
    facts = measure_groups(grouped, parts([0, 2], [1, 3, 4], [5]), ANY)
    assert isinstance(facts, GroupFacts)
    assert [(each.first, each.second, each.groups, each.rows, each.examples) for each in facts.shared] == [
        ("train", "validation", 2, 2, (7, 8)), ("train", "test", 1, 1, (7,)), ("validation", "test", 1, 1, (7,)),
    ]


def times(values: list[float], split_: Split, **plan: object) -> TimeFacts:
    dated = replace(table(np.zeros((len(values), 1))), times=np.array(values))
    facts = measure_times(dated, split_, SplitPlan.model_validate({"kind": "column", **plan}))
    assert isinstance(facts, TimeFacts)
    return facts


def test_rows_at_the_same_time_are_not_later_and_those_without_a_time_are_left_out() -> None:
    facts = times([1, 2, np.nan, 2, 3], parts([0, 1, 2], [3], [4]))
    assert [order.later for order in facts.orders] == [0, 0, 0]
    assert judge([time_overlap], FactSet.of(facts)).passed == ("time-overlap",)


def test_rows_within_the_gap_are_a_warning_and_whole_groups_that_overlap_in_time_a_note() -> None:
    near = times([1, 2, 5, 30], parts([0, 1], [2], [3]), gap=4)
    assert [str(each.severity) for each in judge([time_overlap], FactSet.of(near)).findings] == ["warning"]
    grouped = times([1, 9, 5, 30], parts([0, 1], [2], [3]), kind="grouped")
    assert [str(each.severity) for each in judge([time_overlap], FactSet.of(grouped)).findings] == ["note"]


@pytest.mark.parametrize("load", [load_digits, load_wine, load_breast_cancer, load_iris, load_diabetes])
def test_real_tables_have_no_leak_and_no_near_copies_however_they_are_split(load: object) -> None:
    bunch = load()  # type: ignore[operator]
    classes = () if load is load_diabetes else tuple(str(name) for name in bunch.target_names)
    task = "regression" if not classes else "binary" if len(classes) == 2 else "multiclass"
    real = table(bunch.data, bunch.target, classes=classes, task=task)
    assert leaks(real) == ()
    for seed in range(5):
        rows = random_parts(real, seed)
        near, windows = measure_near_overlap(real, rows), measure_windows(real, rows)
        assert isinstance(near, NearOverlapFacts)
        assert isinstance(windows, WindowFacts)
        assert judge([split_near_overlap], FactSet.of(near, windows)).findings == ()


def test_a_copy_of_the_label_is_found_under_any_names_and_with_missing_values() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, size=300)
    copy = np.array([5.0, -1.0, 2.0])[y]
    copy[rng.random(300) < 0.2] = np.nan
    found = leaks(table(np.column_stack([rng.normal(size=(300, 2)), copy]), y, classes=("r", "s", "t"),
                        task="multiclass"))
    assert [(finding.severity, finding.evidence["column"]) for finding in found] == [("error", "c2")]


def test_a_category_is_named_by_its_own_word() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, size=200)
    copied = replace(table(np.column_stack([rng.normal(size=200), 1.0 - y]), y), kinds=("number", "category"),
                     categories={"c1": ("alive", "gone")})
    assert "alive where it is yes" in leaks(copied)[0].summary or "gone where it is no" in leaks(copied)[0].summary


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["binary", "multiclass", "regression"]))
def test_noise_never_tells_the_target(seed: int, task: str) -> None:
    rng = np.random.default_rng(seed)
    x = np.column_stack([rng.normal(size=(200, 3)), rng.integers(0, 4, size=200)])
    y = rng.normal(size=200) if task == "regression" else rng.integers(0, 2 if task == "binary" else 4, size=200)
    classes = {"binary": ("n", "y"), "multiclass": tuple("abcd"), "regression": ()}[task]
    assert leaks(table(x, y, classes=classes, task=task)) == ()


def test_a_single_column_and_a_table_that_is_easy_by_many_columns_are_no_leak() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, size=300)
    assert leaks(table(10.0 * y[:, None] + rng.normal(size=(300, 1)), y)) == ()
    assert leaks(table(10.0 * y[:, None] + rng.normal(size=(300, 4)), y)) == ()


def test_too_few_rows_are_not_checked() -> None:
    small = table(np.arange(20.0).reshape(10, 2), np.arange(10) % 2)
    assert isinstance(measure_target_leak(small, parts(range(6), [6, 7], [8, 9])), Absent)
    assert isinstance(measure_near_overlap(small, parts(range(6), [6, 7], [8, 9])), Absent)
    assert isinstance(measure_windows(small, parts(range(6), [6, 7], [8, 9])), Absent)


def test_exact_copies_are_left_to_the_hashes_of_whole_rows() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(400, 5))
    x[300:] = x[:100]
    near = measure_near_overlap(table(x), parts(range(300), range(300, 350), range(350, 400)))
    assert isinstance(near, NearOverlapFacts)
    assert [copies.rows for copies in near.copies] == [0, 0]


def test_distances_are_not_asked_of_categories() -> None:
    rng = np.random.default_rng(0)
    codes = replace(table(rng.integers(0, 50, size=(300, 5))), kinds=("category",) * 5)
    near = measure_near_overlap(codes, parts(range(200), range(200, 250), range(250, 300)))
    assert isinstance(near, NearOverlapFacts)
    assert isinstance(near.within, Unknown)


def test_the_dimension_is_that_of_the_plane_on_which_the_rows_lie() -> None:
    plane = np.random.default_rng(0).normal(size=(2000, 2))
    x = np.column_stack([plane, plane.sum(axis=1), plane[:, 0] - plane[:, 1]])
    near = measure_near_overlap(table(x), parts(range(1600), range(1600, 1800), range(1800, 2000)))
    assert isinstance(near, NearOverlapFacts)
    assert near.dimension == pytest.approx(2, abs=0.3)


@pytest.mark.parametrize("size", [1e200, 1e-200])
def test_the_unit_of_a_column_changes_nothing(size: float) -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(400, 4))
    x[300:] = x[:100] + 0.001 * rng.normal(size=(100, 4))
    rows = parts(range(300), range(300, 350), range(350, 400))
    plain, scaled = measure_near_overlap(table(x), rows), measure_near_overlap(table(x * [size, 1, 1, 1]), rows)
    assert isinstance(plain, NearOverlapFacts)
    assert isinstance(scaled, NearOverlapFacts)
    assert [copies.rows for copies in plain.copies] == [copies.rows for copies in scaled.copies] == [50, 50]


def test_a_split_by_time_meets_windows_before_and_none_after() -> None:
    series = np.random.default_rng(0).normal(size=310)
    windows = np.lib.stride_tricks.sliding_window_view(series, 10)
    ordered = table(windows[:, :9], windows[:, 9], classes=(), task="regression")
    facts = measure_windows(ordered, parts(range(200), range(200, 250), range(250, 301)))
    assert isinstance(facts, WindowFacts)
    assert [(each.second, each.after, each.before) for each in facts.windows] == [("validation", 0, 1)]


def test_a_number_that_one_class_alone_has_is_a_leak() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(600, 3))
    y = (x[:, 0] + rng.normal(0, 1, 600) > 0).astype(np.int64)
    refund = np.where(y == 1, rng.gamma(2, 30, 600), 0.0)
    (found,) = leaks(table(np.column_stack([x, refund]), y))
    assert (found.severity, found.evidence["way"]) == ("warning", "number")
