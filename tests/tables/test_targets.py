from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from assay.errors import DataError
from assay.facts.task import TaskKind
from assay.tables.columns import Conventions
from assay.tables.targets import Target, read_labels, read_target
from tests.tables.writing import facts, label, read, write

PLAIN = Conventions(".", None, None)


def target(values: list[object], task: TaskKind | None = None) -> Target:
    return read_target(pl.Series("y", values), PLAIN, task=task)


@pytest.mark.parametrize(("values", "task", "classes", "certain"), [
    (["u", "v"], "binary", ("u", "v"), True),
    (["v", "u", "w"], "multiclass", ("u", "v", "w"), True),
    (["-1", "+1"], "binary", ("-1", "1"), True),
    (["0.0", "1.0"], "binary", ("0", "1"), True),
    (["1", "2", "3"], "multiclass", ("1", "2", "3"), False),
    (["10", "9", "a"], "multiclass", ("10", "9", "a"), True),
    (["True", "False"], "binary", ("False", "True"), True),
    ([True, False], "binary", ("false", "true"), True),
    ([2, 1], "binary", ("1", "2"), True),
    (["0.5", "1.5"], "binary", ("0.5", "1.5"), True),
])
def test_the_task_follows_from_the_values(
    values: list[object], task: str, classes: tuple[str, ...], certain: bool,
) -> None:
    found = target(values * 20)
    assert (found.task, found.classes, found.certain) == (task, classes, certain)
    assert [found.classes[code] for code in found.y[: len(values)]] == [
        classes[index] for index in found.y[: len(values)]]


def test_many_numbers_are_amounts() -> None:
    found = target([str(number / 3) for number in range(60)])
    assert found.task == "regression"
    assert found.y[3] == 1.0


def test_numbers_that_are_classes_may_be_asked_for_as_amounts_and_the_reverse() -> None:
    assert target(["1", "2", "3"] * 20, "regression").task == "regression"
    assert len(target([str(number) for number in range(30)] * 4, "multiclass").classes) == 30


def test_spellings_of_one_class_are_merged_and_counted() -> None:
    found = target(["Yes"] * 9 + ["yes"] * 3 + ["No"] * 8 + ["n.a."])
    assert found.classes == ("No", "Yes")
    assert found.known.sum() == 20
    merged, blank = found.spellings
    assert (merged.meaning, merged.counts, merged.merged) == ("Yes", {"Yes": 9, "yes": 3}, True)
    assert (blank.blank, blank.counts) == (True, {"n.a.": 1})


def test_a_full_stop_makes_no_class() -> None:
    assert target(["<=50K", ">50K", "<=50K.", ">50K."] * 5).classes in {("<=50K", ">50K"), ("<=50K.", ">50K.")}


def test_words_for_yes_and_no_are_two_classes() -> None:
    assert len(target(["Yes", "Y", "1", "No", "N", "0"] * 5).classes) == 2
    assert len(target(["Y", "N", "maybe"] * 5).classes) == 3


def test_words_among_numbers_are_classes_where_there_are_few() -> None:
    found = target((["1", "2", "3"] * 9) + ["other"] * 3)
    assert found.task == "multiclass"
    assert "other" in found.classes


@pytest.mark.parametrize(("values", "task", "said"), [
    (["u"] * 30, None, "has one class only .u."),
    (["5"] * 30, "regression", "has one value only .5."),
    ([None, None], None, "has no value in any row"),
    (["?", "na"], None, "has no value in any row"),
    ([f"name {number}" for number in range(100)], None, "100 different texts in 100 rows"),
    ([f"name {number}" for number in range(100)], "multiclass", "100 classes of one row each"),
    (["1.5", "inf"] + [str(number / 7) for number in range(30)], None, "holds inf in row 2"),
    (["1.5", "1e308"] + [str(number / 7) for number in range(30)], None, "holds 1e\\+308 in row 2"),
    (["u", "v"] * 9, "regression", "holds words such as 'u', not numbers"),
    (["2020-01-01", "2020-02-02", "2020-03-03"] * 9, None, "holds dates"),
    ([str(number / 7) for number in range(30)], "multiclass", "which are no classes"),
    ([[1], [2]], None, "holds lists"),
])
def test_what_cannot_be_predicted_is_one_sentence(values: list[object], task: TaskKind | None, said: str) -> None:
    with pytest.raises(DataError, match=said):
        target(values, task)


def test_several_targets_of_two_values_are_labels() -> None:
    table = pl.DataFrame({"a": ["0", "1", "1"] * 5, "b": ["no", "yes", None] * 5})
    found = read_labels(table, PLAIN)
    assert (found.task, found.classes, found.y.shape) == ("multilabel", ("a", "b"), (15, 2))
    assert found.known.sum() == 10
    with pytest.raises(DataError, match="target c doesn't hold two values"):
        read_labels(table.with_columns(c=pl.Series([str(number / 7) for number in range(15)])), PLAIN)


def test_rows_without_a_target_are_left_out_and_named(tmp_path: Path) -> None:
    path = write(tmp_path, "x,y", lambda rng, index: f"{rng.random()},{label(rng) if index % 10 else ''}")
    dataset = read(path)
    assert dataset.rows == 54
    assert facts(dataset).missing_targets == (0, 10, 20, 30, 40, 50)


def test_blanks_around_a_class_are_taken_off_and_named(tmp_path: Path) -> None:
    path = write(tmp_path, "x,y", lambda rng, index: f"{rng.random()},{label(rng)}{' ' * (index % 9 == 0)}")
    (spelled, *_) = facts(read(path)).spellings
    assert spelled.merged
    assert {text.strip() for text in spelled.counts} == {spelled.meaning}
    assert read(path).classes == ("u", "v")


def test_counts_that_fall_off_are_amounts() -> None:
    counted = [number for number, rows in enumerate([200, 150, 80, 30, 9, 3, 1]) for _ in range(rows)]
    found = target(counted)
    assert (found.task, found.certain) == ("regression", False)
    assert target([0, 1, 2, 3] * 50 + [4]).task == "multiclass"
    assert target([3, 4, 5, 5, 6, 6, 6, 7, 7, 8] * 20).task == "multiclass"
