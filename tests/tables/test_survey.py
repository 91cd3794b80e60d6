from __future__ import annotations

import random
from pathlib import Path

import pytest

from assay.recipe.schema import TableData
from assay.tables.survey import Survey, likely_targets
from tests.tables.writing import facts, label, named, surveyed, write


def remarks(seen: Survey) -> dict[str, object]:
    return {each.path: each.value for each in seen.remarks}


def test_nothing_that_is_stated_is_read_silently(tmp_path: Path) -> None:
    path = write(tmp_path, "price;datum;t;y", lambda rng, index: f"{rng.randint(1, 9)}.{rng.randint(100, 999)},5 €;"
                 f"{rng.randint(1, 28)}.{rng.randint(1, 12)}.2020;{-999 if index % 9 == 0 else rng.randint(0, 30)};"
                 f"{label(rng)}")
    seen = surveyed(path)
    assert remarks(seen) == {
        "delimiter": ";", "decimal": ",", "missing": ("-999",), "inputs.price": "number", "inputs.datum": "date",
        "inputs.t": "number", "identical_rows": "together"}
    assert all(each.stated for each in facts(seen.dataset).readings)
    assert {each.form for each in facts(seen.dataset).readings} == {
        "currency", "thousands separator", "decimal comma", "date", "sentinel"}


def test_an_order_of_day_and_month_that_nothing_tells_is_stated_and_uncertain(tmp_path: Path) -> None:
    path = write(tmp_path, "d,x,y", lambda rng, index:
                 f"{rng.randint(1, 12)}/{rng.randint(1, 12)}/2020,{rng.random()},{label(rng)}")
    remark = next(each for each in surveyed(path).remarks if each.path == "day_first")
    assert (remark.value, remark.certain) == (False, False)


def test_a_sentinel_that_is_a_value_elsewhere_stays_and_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, "t,b,y", lambda rng, index:
                 f"{-999 if index % 9 == 0 else rng.randint(0, 30)},{-999 if index == 5 else rng.randint(-2000, 2000)},"
                 f"{label(rng)}")
    seen = surveyed(path)
    assert seen.data.missing == ()
    said = [each for each in facts(seen.dataset).readings if not each.stated]
    assert [(each.column, each.read_as) for each in said] == [("t", "-999 as a number")]


@pytest.mark.parametrize(("header", "row", "path", "value"), [
    ("patient_id,x,y", lambda rng, index: f"p{index // 4},{rng.random()},{label(rng)}", "group", "patient_id"),
    ("date,x,y", lambda rng, index: f"2020-{1 + index // 28:02}-{1 + index % 28:02},{rng.random()},{rng.random()}",
     "time", "date"),
])
def test_a_likely_group_or_series_is_stated_and_does_not_enter(
    tmp_path: Path, header: str, row: object, path: str, value: str,
) -> None:
    seen = surveyed(write(tmp_path, header, row))  # type: ignore[arg-type]
    remark = next(each for each in seen.remarks if each.path == path)
    assert (remark.value, remark.certain) == (value, False)
    assert seen.dataset.columns == ("x",)
    assert f"inputs.{value}" not in remarks(seen)


@pytest.mark.parametrize("name", ["households", "device", "site", "group"])
def test_a_column_that_counts_or_names_a_kind_is_no_group(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, f"{name},x,y", lambda rng, index: f"{rng.randint(1, 20)},{rng.random()},{label(rng)}")
    assert "group" not in remarks(surveyed(path))


def test_a_group_that_is_asked_for_leaves_no_guess(tmp_path: Path) -> None:
    path = write(tmp_path, "patient_id,ward,x,y", lambda rng, index:
                 f"p{index // 4},{rng.choice('abc')},{rng.random()},{label(rng)}")
    assert "group" not in remarks(surveyed(path, group="ward"))


def test_of_many_columns_those_are_stated_that_there_is_something_to_say_of(tmp_path: Path) -> None:
    header = ",".join(["row", *(f"f{index}" for index in range(60)), "y"])
    path = write(tmp_path, header, lambda rng, index:
                 ",".join([str(index), *(str(rng.random()) for _ in range(60)), label(rng)]))
    assert surveyed(path).data.inputs == {"row": "leave_out"}


@pytest.mark.parametrize(("header", "said"), [
    ("a,b,churn,x", "use --target churn or --target x (its columns: a, b, churn, x)."),
    ("a,b,c,last one", "use --target 'last one'"),
    ("", "its first line looks like data"),
])
def test_a_target_is_offered(tmp_path: Path, header: str, said: str) -> None:
    def row(rng: random.Random, index: int) -> str:
        return f"{rng.random()},{rng.random()},{label(rng)},{rng.random()}"

    path = write(tmp_path, header, row)
    assert said in likely_targets(named(path, ""), folder=tmp_path)


def test_a_task_that_could_be_another_is_uncertain(tmp_path: Path) -> None:
    path = write(tmp_path, "x,y", lambda rng, index: f"{rng.random()},{rng.randint(1, 5)}")
    seen = surveyed(path)
    assert (seen.dataset.task, seen.certain_task) == ("multiclass", False)


def test_two_files_and_a_test_part_are_surveyed_as_one(tmp_path: Path) -> None:
    from assay.tables.survey import survey

    for name in ("a.csv", "t.csv"):
        write(tmp_path, "x,y", lambda rng, index: f"{rng.random()},{label(rng)}", name=name)
    data = TableData(name="a", files=("a.csv",), test_file="t.csv", target="y")
    assert survey(data, folder=tmp_path, task=None).dataset.rows == 120
