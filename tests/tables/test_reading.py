from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.errors import DataError
from assay.recipe.schema import TableData
from assay.tables.reading import read_table
from tests.tables.writing import facts, in_a_sentence, label, read, surveyed, write


def table(folder: Path, name: str = "data.csv", **more: Any) -> Path:
    return write(folder, "n,c,d,y", lambda rng, index:
                 f"{rng.random():.3f},{rng.choice('abc')},2020-0{rng.randint(1, 9)}-11,{label(rng)}", name=name, **more)


def test_a_table_is_numbers_codes_and_days(tmp_path: Path) -> None:
    dataset = read(table(tmp_path))
    assert dataset.kinds == ("number", "category", "date")
    assert dataset.categories == {"c": ("a", "b", "c")}
    assert set(dataset.x[:, 1]) == {0.0, 1.0, 2.0}
    assert (dataset.task, dataset.classes, dataset.rows) == ("binary", ("u", "v"), 60)


def test_reading_twice_gives_the_same(tmp_path: Path) -> None:
    first, second = read(table(tmp_path)), read(table(tmp_path))
    assert np.array_equal(first.x, second.x)
    assert first.fingerprint() == second.fingerprint()


def test_missing_values_are_nan(tmp_path: Path) -> None:
    path = write(tmp_path, "n,c,y", lambda rng, index: f"{rng.random() if index else ''},{'a' if index else '?'},"
                                                       f"{label(rng)}")
    path.write_text(path.read_text() + "1,b,u\n")
    assert np.isnan(read(path).x[0]).all()


def test_a_copy_of_the_target_is_left_out_until_it_is_asked_for(tmp_path: Path) -> None:
    def row(rng: random.Random, index: int) -> str:
        value = label(rng)
        return f"{rng.random()},{'yes' if value == 'v' else 'no'},{value}"

    path = write(tmp_path, "x,alive,y", row)
    assert [each.column for each in facts(read(path)).left_out] == ["alive"]
    assert read(path, inputs={"alive": "category"}).columns == ("x", "alive")


def test_a_copy_of_a_number_in_another_unit_is_left_out(tmp_path: Path) -> None:
    def row(rng: random.Random, index: int) -> str:
        value = rng.random()
        return f"{rng.random()},{2.54 * value + 1!r},{value!r}"

    assert read(write(tmp_path, "x,inches,y", row)).columns == ("x",)


def test_a_second_column_that_says_the_same_is_left_out(tmp_path: Path) -> None:
    def row(rng: random.Random, index: int) -> str:
        value, size = rng.randint(1, 3), rng.random()
        return f"{value},{'XYZ'[value - 1]},{size!r},{2 * size!r},{rng.random()},{label(rng)}"

    dataset = read(write(tmp_path, "k,name,cm,half,other,y", row))
    assert dataset.columns == ("k", "cm", "other")
    assert facts(dataset).left_out[0].why == "says row by row the same as k"


def test_columns_that_differ_anywhere_stay(tmp_path: Path) -> None:
    rare = write(tmp_path, "a,b,x,y", lambda rng, index: f"{int(index == 3)},{int(index == 3)},{rng.random()},"
                                                         f"{label(rng)}")
    assert read(rare).columns == ("a", "b", "x")


def test_totals_and_repeated_headers_are_no_examples(tmp_path: Path) -> None:
    path = write(tmp_path, "k,x,y", lambda rng, index: f"{rng.choice('ab')},{rng.random()},{rng.random()}")
    path.write_text(path.read_text() + "k,x,y\nTotal,31.5,30.1\n")
    dataset = read(path)
    assert dataset.rows == 60
    assert {each.form: each.stated for each in facts(dataset).readings} == {"repeated header": False,
                                                                            "total row": False}
    assert surveyed(path).data.leave_out_rows == ("repeated_header", "total") or set(
        surveyed(path).data.leave_out_rows or ()) == {"total", "repeated_header"}
    assert read(path, leave_out_rows=("repeated_header",)).rows == 61


def test_total_as_a_value_like_others_stays(tmp_path: Path) -> None:
    path = write(tmp_path, "k,x,y", lambda rng, index: f"{rng.choice(['total', 'part'])},{rng.random()},{label(rng)}")
    assert read(path).rows == 60


def test_subtotals_below_each_part_are_no_examples(tmp_path: Path) -> None:
    def row(rng: random.Random, index: int) -> str:
        if index % 50 == 49:
            return f"{'Grand total' if index == 199 else 'Subtotal'},{rng.random() * 50},"
        return f"part {index // 50},{rng.random()},{label(rng)}"

    (found,) = facts(read(write(tmp_path, "k,x,y", row, rows=200))).readings
    assert (found.form, found.count, found.rows) == ("total row", 4, (49, 99, 149, 199))


def test_a_file_that_is_named_twice_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "x,y", lambda rng, _: f"{rng.random()},{label(rng)}")
    with pytest.raises(DataError, match=r"data.csv is named twice among the files"):
        read_table(TableData(name="t", files=(path.name, path.name), target="y"), folder=tmp_path)


def test_several_files_are_one_table_and_the_test_part_is_given(tmp_path: Path) -> None:
    table(tmp_path, "a.csv"), table(tmp_path, "b.csv", rows=20), table(tmp_path, "t.csv", rows=10)
    data = TableData(name="a", files=("a.csv", "b.csv"), test_file="t.csv", target="y")
    dataset = read_table(data, folder=tmp_path)
    assert dataset.rows == 90
    assert dataset.given is not None
    assert list(dataset.given).count("test") == 10


def test_files_that_differ_are_told(tmp_path: Path) -> None:
    table(tmp_path, "a.csv")
    write(tmp_path, "c,n,extra,y", lambda rng, index: f"{rng.choice('abc')},word,{index % 7},{label(rng)}", rows=10,
          name="b.csv")
    found = facts(read_table(TableData(name="a", files=("a.csv", "b.csv"), target="y"), folder=tmp_path)).differences
    assert {(each.form, each.second) for each in found} == {
        ("missing column", "b.csv"), ("extra column", "b.csv"), ("column order", "b.csv"), ("type", "b.csv")}
    assert "n holds numbers in a.csv and words in b.csv" in {each.what for each in found}


def test_parquet_keeps_its_types(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({
        "n": rng.normal(size=60), "flag": rng.integers(0, 2, 60) > 0, "nested": [[1]] * 60,
        "day": pl.date_range(pl.date(2020, 1, 1), pl.date(2020, 2, 29), eager=True),
        "kind": pl.Series(rng.choice(["a", "b", "c"], 60)).cast(pl.Categorical), "y": rng.integers(0, 3, 60),
    })
    frame.write_parquet(tmp_path / "a.parquet")
    dataset = read(tmp_path / "a.parquet")
    assert dict(zip(dataset.columns, dataset.kinds, strict=True)) == {
        "n": "number", "flag": "category", "day": "date", "kind": "category"}
    assert [each.column for each in facts(dataset).left_out] == ["nested"]


def test_roles_do_not_enter(tmp_path: Path) -> None:
    path = write(tmp_path, "who,when,part,x,y", lambda rng, index:
                 f"p{index // 4},2020-01-{1 + index % 28:02},{['train', 'val', 'Test'][index % 3]},{rng.random()},"
                 f"{label(rng)}")
    dataset = read(path, group="who", time="when", split_column="part")
    assert dataset.columns == ("x",)
    assert dataset.groups is not None
    assert dataset.times is not None
    assert dataset.given is not None
    assert len(set(dataset.groups)) == 15
    assert dataset.times[0] == 18262.0
    assert list(dataset.given[:3]) == ["train", "validation", "test"]


def test_rows_without_a_group_stand_alone(tmp_path: Path) -> None:
    path = write(tmp_path, "who,x,y", lambda rng, index: f"{'' if index < 3 else 'p'},{rng.random()},{label(rng)}")
    groups = read(path, group="who").groups
    assert groups is not None
    assert len(set(groups)) == 4


@pytest.mark.parametrize(("more", "said"), [
    ({"target": "why"}, "has no column 'why', named as target; did you mean y"),
    ({"group": "zzz"}, "has no column 'zzz', named as group; its columns are n, c, d, y."),
    ({"inputs": {"m": "number"}}, "named as input"),
    ({"group": "y"}, "y is named as target and as group"),
    ({"time": "c"}, "time c holds words"),
    ({"split_column": "c"}, "it must say train, validation or test"),
    ({"inputs": {"n": "leave_out", "c": "leave_out", "d": "leave_out"}}, "no column left to learn from"),
    ({"encoding": "utf-99"}, "no encoding 'utf-99'"),
])
def test_what_the_recipe_says_and_the_table_lacks_is_one_sentence(tmp_path: Path, more: dict[str, Any],
                                                                 said: str) -> None:
    path = table(tmp_path)
    with pytest.raises(DataError, match=said):
        read(path, **{"target": "y", **more})


@pytest.mark.parametrize(("name", "content", "said"), [
    ("absent.csv", None, "absent.csv does not exist"),
    ("data.csb", None, "did you mean data.csv"),
    (".", None, "is a folder"),
    ("a.parquet", b"PAR1xxxx", "broken Parquet"),
    ("b.parquet", b"PAR1" + b"\0" * 64 + b"PAR1", "can't be read as Parquet"),
])
def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path, name: str, content: bytes | None,
                                                    said: str) -> None:
    table(tmp_path)
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=said):
        read_table(TableData(name="a", files=(name,), target="y"), folder=tmp_path)


def test_fields_that_nothing_divides_are_told(tmp_path: Path) -> None:
    path = write(tmp_path, "a b y", lambda rng, index: f"{rng.random()} {rng.random()} {label(rng)}")
    with pytest.raises(DataError, match="its only column is 'a b y': fields are divided by a comma"):
        read(path)


def test_a_target_that_is_not_there_in_a_file_without_a_header_says_how_to_name_it(tmp_path: Path) -> None:
    path = write(tmp_path, "", lambda rng, index: f"{rng.random()},{rng.random()},{label(rng)}")
    with pytest.raises(DataError, match="its first line looks like data, so use --no-header"):
        read(path, "c3")
    assert read(path, "c3", header=False).rows == 60


SOUND = "a,b,c,y\n" + "".join(f"{number % 7}.5,{number},w{number % 3},{'uv'[number % 2]}\n" for number in range(30))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(0, len(SOUND) - 1), st.sampled_from(["", ",", '"', "\n", "\0", "é", ";", "-999",
                                                                          "1e308", "inf", "NA", "$1,5", "2020-01-01"])),
                min_size=1, max_size=12), st.sampled_from(["utf-8", "latin-1", "utf-16", "cp1252"]))
def test_a_spoilt_table_is_read_or_refused_in_one_sentence(
    tmp_path: Path, changes: list[tuple[int, str]], encoding: str,
) -> None:
    text = SOUND
    for place, put in changes:
        text = text[:place] + put + text[place + 1:]
    path = tmp_path / "spoilt.csv"
    path.write_bytes(text.encode(encoding, errors="replace"))
    seen = in_a_sentence(lambda: surveyed(path))
    if seen is None:
        return
    assert seen.dataset.x.shape == (seen.dataset.rows, len(seen.dataset.columns))
    again = read_table(seen.data, folder=tmp_path, task=seen.dataset.task)
    assert np.array_equal(again.x, seen.dataset.x, equal_nan=True)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=400), st.sampled_from([b"", b"PAR1", b"\xef\xbb\xbf", b"a,y\n", b"\xff\xfe"]))
def test_any_bytes_are_read_or_refused_in_one_sentence(tmp_path: Path, content: bytes, head: bytes) -> None:
    path = tmp_path / "any.csv"
    path.write_bytes(head + content)
    in_a_sentence(lambda: read(path))
