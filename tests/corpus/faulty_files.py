"""Files that can't be used, and parts of a table that don't go together."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.corpus.tables import Catalogue, Rng, binary, numbers, taken, two, write_csv, write_parquet, write_text

catalogue = Catalogue()
faulty = catalogue.add

TARGET = ["--target", "bought"]


@faulty(refused="empty")
def an_empty_file(folder: Path, rng: Rng) -> list[str]:
    return [write_text(folder, ""), *TARGET]


@faulty(refused="row")
def a_header_alone(folder: Path, rng: Rng) -> list[str]:
    return [write_text(folder, "a,b,bought\n"), *TARGET]


@faulty(refused="table.csv")
def a_binary_file(folder: Path, rng: Rng) -> list[str]:
    (folder / "table.csv").write_bytes(b"\x89PNG\r\n\x1a\n" + rng.bytes(5000))
    return [str(folder / "table.csv"), *TARGET]


@faulty(refused="table.parquet")
def a_truncated_parquet_file(folder: Path, rng: Rng) -> list[str]:
    path = Path(write_parquet(folder, binary(rng)))
    path.write_bytes(path.read_bytes()[:-400])
    return [str(path), *TARGET]


@faulty(refused="missing.csv")
def a_file_that_is_not_there(folder: Path, rng: Rng) -> list[str]:
    return [str(folder / "missing.csv"), *TARGET]


@faulty(refused="bought")
def a_target_misspelled(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, binary(rng)), "--target", "boughtt"]


@faulty(refused="patiant")
def a_group_that_is_not_there(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, binary(rng)), *TARGET, "--group", "patiant"]


@faulty(refused="one class")
def one_class_only(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, {**numbers(rng), "bought": ["yes"] * 800}), *TARGET]


@faulty(refused="no value")
def a_target_without_values(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, {**numbers(rng), "bought": [None] * 800}), *TARGET]


@faulty(refused="column")
def nothing_but_the_target(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, {"bought": binary(rng)["bought"]}), *TARGET]


@faulty("split-empty", "label-missing-class", refused="few")
def five_rows(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, taken(binary(rng), range(5))), *TARGET]


@faulty(refused="names")
def a_target_of_names(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, {**numbers(rng), "bought": [f"customer {number}" for number in range(800)]}), *TARGET]


@faulty(refused="target price")
def an_infinite_target(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng)
    return [write_csv(folder, {**table, "price": ["inf", *table["a"][1:]]}), "--target", "price", "--task",
            "regression"]


@faulty(refused="named 'a'")
def columns_of_one_name(folder: Path, rng: Rng) -> list[str]:
    rows = "\n".join(f"{a},{b},{bought}" for a, b, bought in zip(*(binary(rng)[name] for name in ("a", "b", "bought")),
                                                                    strict=True))
    return [write_text(folder, f"a,a,bought\n{rows}\n"), "--target", "b"]


@faulty(refused="line")
def rows_of_other_lengths(folder: Path, rng: Rng) -> list[str]:
    path = Path(write_csv(folder, binary(rng)))
    lines = path.read_text().splitlines()
    lines[300] += ",7,8"
    return [write_text(folder, "\n".join(lines) + "\n"), *TARGET]


@faulty(refused="line 2")
def a_web_page(folder: Path, rng: Rng) -> list[str]:
    return [write_text(folder, "<!DOCTYPE html>\n<html><body><p>Not found, sorry</p></body></html>\n"), *TARGET]


@faulty("bad-values", refused="infinit")
def infinite_inputs(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng)
    return [write_csv(folder, {**table, "b": ["inf" if number % 90 == 0 else value
                                               for number, value in enumerate(table["b"])]}), *TARGET]


@faulty("bad-values", refused="1e+308")
def numbers_at_the_edge(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng)
    return [write_csv(folder, {**table, "b": [1e308 if number % 90 == 0 else value
                                               for number, value in enumerate(table["b"])]}), *TARGET]


@faulty("bad-values", "column-format", quiet=True)
def a_column_that_a_join_left_empty(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, {**binary(rng), "joined": [None] * 800}), *TARGET]


@faulty("columns-differ", refused="column")
def a_test_file_without_a_column(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng, 1200)
    given = taken(table, np.arange(900, 1200))
    del given["c"]
    return [write_csv(folder, taken(table, np.arange(900)), "train.csv"), *TARGET, "--test",
            write_csv(folder, given, "test.csv")]


@faulty("columns-differ", quiet=True)
def a_test_file_with_a_column_more(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng, 1200)
    given = {**taken(table, np.arange(900, 1200)), "z": list(range(300))}
    return [write_csv(folder, taken(table, np.arange(900)), "train.csv"), *TARGET, "--test",
            write_csv(folder, given, "test.csv")]


@faulty("columns-differ", quiet=True)
def a_test_file_in_another_order(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng, 1200)
    given = taken(table, np.arange(900, 1200))
    given = {name: given[name] for name in reversed(given)}
    return [write_csv(folder, taken(table, np.arange(900)), "train.csv"), *TARGET, "--test",
            write_csv(folder, given, "test.csv")]


@faulty("columns-differ")
def a_test_file_of_words_where_numbers_were(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng, 1200)
    given = taken(table, np.arange(900, 1200))
    given["c"] = [("low", "high")[value > 10] for value in given["c"]]
    return [write_csv(folder, taken(table, np.arange(900)), "train.csv"), *TARGET, "--test",
            write_csv(folder, given, "test.csv")]


@faulty("columns-differ")
def a_test_file_that_spells_cities_in_capitals(folder: Path, rng: Rng) -> list[str]:
    table = {"city": rng.choice(["Bonn", "Kiel", "Ulm"], size=1200).tolist(), **binary(rng, 1200)}
    given = taken(table, np.arange(900, 1200))
    given["city"] = [str(city).upper() for city in given["city"]]
    return [write_csv(folder, taken(table, np.arange(900)), "train.csv"), *TARGET, "--test",
            write_csv(folder, given, "test.csv")]


@faulty("split-drift")
def a_test_file_in_other_units(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng, 1200)
    given = taken(table, np.arange(900, 1200))
    given["b"] = [value / 2.54 for value in given["b"]]
    return [write_csv(folder, taken(table, np.arange(900)), "train.csv"), *TARGET, "--test",
            write_csv(folder, given, "test.csv")]


@faulty("split-drift")
def a_test_file_of_another_year(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng, 1200)
    given = taken(table, np.arange(900, 1200))
    given["a"] = [value + 3 for value in given["a"]]
    return [write_csv(folder, taken(table, np.arange(900)), "train.csv"), *TARGET, "--test",
            write_csv(folder, given, "test.csv")]


@faulty("split-drift")
def a_test_file_half_empty(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng, 1200)
    given = taken(table, np.arange(900, 1200))
    given["d"] = [None if number % 2 else value for number, value in enumerate(given["d"])]
    return [write_csv(folder, taken(table, np.arange(900)), "train.csv"), *TARGET, "--test",
            write_csv(folder, given, "test.csv")]


@faulty("split-overlap", refused="test.csv")
def a_test_file_that_repeats_training_rows(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng, 1200)
    given = taken(table, np.concatenate([np.arange(900, 1100), rng.choice(900, 120, replace=False)]))
    return [write_csv(folder, taken(table, np.arange(900)), "train.csv"), *TARGET, "--test",
            write_csv(folder, given, "test.csv")]


@faulty("label-missing-class", refused="test")
def a_test_file_with_other_classes(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng, 1200)
    table["bought"] = two(table, rng)
    given = taken(table, np.arange(900, 1200))
    given["bought"] = ["perhaps"] * 300
    return [write_csv(folder, taken(table, np.arange(900)), "train.csv"), *TARGET, "--test",
            write_csv(folder, given, "test.csv")]
