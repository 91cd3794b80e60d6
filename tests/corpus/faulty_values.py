"""Tables whose cells need a reading, whose classes are spelled in several ways, or whose target is cut off."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import numpy as np

from tests.corpus.tables import (
    Catalogue,
    Columns,
    Rng,
    binary,
    gaps,
    numbers,
    regression,
    signal,
    two,
    write_csv,
    write_text,
)

catalogue = Catalogue()
faulty = catalogue.add

TARGET = ["--target", "bought"]
PRICE = ["--target", "price"]


def days(rng: Rng, form: str, rows: int = 800) -> list[str]:
    return [(date(2020, 1, 1) + timedelta(days=int(day))).strftime(form) for day in rng.integers(0, 900, size=rows)]


def respelled(table: Columns, rng: Rng, spellings: dict[str, list[str]]) -> list[str]:
    return [str(rng.choice(spellings.get(str(label), [str(label)]))) for label in table["bought"]]


@faulty("column-format", quiet=True)
def weights_in_kilograms(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, {"weight": [f"{value:.1f} kg" for value in rng.uniform(40, 120, size=800)],
                               **binary(rng)}), *TARGET]


@faulty("column-format", quiet=True)
def fees_in_dollars(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, {"fee": [f"${value:,.2f}" for value in rng.uniform(1, 6000, size=800)],
                               **binary(rng)}), *TARGET]


@faulty("column-format", quiet=True)
def incomes_with_thousands_separators(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, {"income": [f"{value:,}" for value in rng.integers(900, 90_000, size=800)],
                               **binary(rng)}), *TARGET]


@faulty("column-format", quiet=True)
def decimal_commas(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng)
    return [write_csv(folder, {**table, "b": [f"{value:.2f}".replace(".", ",") for value in table["b"]]}, sep=";"),
            *TARGET]


@faulty("column-format", quiet=True)
def shares_in_per_cent(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, {"share": [f"{value:.1f} %" for value in rng.uniform(0, 60, size=800)],
                               **binary(rng)}), *TARGET]


@faulty("column-format", quiet=True)
def dates_in_two_forms(folder: Path, rng: Rng) -> list[str]:
    mixed = [first if number % 2 else second for number, (first, second) in
             enumerate(zip(days(rng, "%Y-%m-%d"), days(rng, "%d.%m.%Y"), strict=True))]
    return [write_csv(folder, {"day": mixed, **binary(rng)}), *TARGET]


@faulty("column-format", quiet=True)
def dates_that_read_both_ways(folder: Path, rng: Rng) -> list[str]:
    early = [f"{rng.integers(1, 13):02d}/{rng.integers(1, 13):02d}/2021" for _ in range(800)]
    return [write_csv(folder, {"day": early, **binary(rng)}), *TARGET]


@faulty("column-format", quiet=True)
def minus_999_among_heights(folder: Path, rng: Rng) -> list[str]:
    heights = gaps(np.round(rng.normal(170, 10, size=800), 1).tolist(), rng, 0.1, -999)
    return [write_csv(folder, {"height": heights, **binary(rng)}), *TARGET]


@faulty("column-format", quiet=True)
def nines_among_ages(folder: Path, rng: Rng) -> list[str]:
    ages = gaps(rng.integers(18, 90, size=800).tolist(), rng, 0.08, 9999)
    return [write_csv(folder, {"age": ages, **binary(rng)}), *TARGET]


@faulty("column-format", quiet=True)
def words_among_numbers(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng)
    return [write_csv(folder, {**table, "c": gaps(table["c"], rng, 0.03, "see note")}), *TARGET]


@faulty("column-format", quiet=True)
def a_few_decimal_commas(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng)
    mixed = [str(value).replace(".", ",") if number % 25 == 0 else value for number, value in enumerate(table["b"])]
    return [write_csv(folder, {**table, "b": mixed}), *TARGET]


@faulty("column-format", quiet=True)
def a_total_at_the_foot(folder: Path, rng: Rng) -> list[str]:
    table = regression(rng)
    named = {"month": [*(f"shop {number}" for number in rng.integers(0, 9, size=1200)), "Total"],
             **{name: [*values, round(sum(values), 2)] for name, values in table.items()}}
    return [write_csv(folder, named), *PRICE]


@faulty("column-format", quiet=True)
def a_header_in_the_middle(folder: Path, rng: Rng) -> list[str]:
    path = Path(write_csv(folder, binary(rng)))
    lines = path.read_text().splitlines()
    return [write_text(folder, "\n".join([*lines[:400], lines[0], *lines[400:]]) + "\n"), *TARGET]


@faulty("column-format", quiet=True)
def a_target_in_euros(folder: Path, rng: Rng) -> list[str]:
    table = regression(rng)
    return [write_csv(folder, {**table, "price": [f"€{value}" for value in table["price"]]}), *PRICE]


@faulty("label-spelling", quiet=True)
def yes_in_several_spellings(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng)
    spelled = respelled(table, rng, {"yes": ["yes", "Yes", "YES", "y"], "no": ["no", "No", "n"]})
    return [write_csv(folder, {**table, "bought": spelled}), *TARGET]


@faulty("label-spelling", quiet=True)
def classes_with_blanks_around(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng)
    spelled = respelled(table, rng, {"yes": ["yes", "yes ", " yes"]})
    return [write_csv(folder, {**table, "bought": spelled}), *TARGET]


@faulty("label-spelling", quiet=True)
def species_in_capitals(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng, 900)
    kinds = np.digitize(signal(table, rng), [-1.5, 1.5])
    table["bought"] = [("adelie", "gentoo", "chinstrap")[each] for each in kinds]
    return [write_csv(folder, {**table, "bought": respelled(table, rng, {"gentoo": ["gentoo", "Gentoo"]})}), *TARGET]


@faulty("label-spelling", quiet=True)
def full_stops_after_some_classes(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng)
    spelled = respelled(table, rng, {"yes": [">50K", ">50K."], "no": ["<=50K", "<=50K."]})
    return [write_csv(folder, {**table, "bought": spelled}), *TARGET]


@faulty("label-spelling", quiet=True)
def a_question_mark_as_a_class(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng)
    return [write_csv(folder, {**table, "bought": gaps(table["bought"], rng, 0.06, "?")}), *TARGET]


@faulty("label-spelling", quiet=True)
def unknown_as_a_class(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng)
    return [write_csv(folder, {**table, "bought": gaps(table["bought"], rng, 0.06, "unknown")}), *TARGET]


@faulty("target-capped")
def prices_cut_at_a_limit(folder: Path, rng: Rng) -> list[str]:
    table = regression(rng)
    return [write_csv(folder, {**table, "price": [min(value, 330.01) for value in table["price"]]}), *PRICE]


@faulty("target-capped")
def whole_prices_cut_at_a_limit(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng, 1500)
    price = np.minimum(np.round(np.exp(signal(table, rng) / 5) * 200_000), 500_001)
    return [write_csv(folder, {**table, "price": price.astype(int).tolist()}), *PRICE]


@faulty("target-capped")
def a_sensor_with_a_floor(folder: Path, rng: Rng) -> list[str]:
    table = regression(rng)
    return [write_csv(folder, {**table, "price": [max(value, 275.5) for value in table["price"]]}), *PRICE]


@faulty("class-imbalance", settings=("evaluation.metrics=[accuracy]", "checkpointing.monitor=val_accuracy"))
def a_rare_class_judged_by_accuracy(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng, 2000)
    return [write_csv(folder, {**table, "bought": np.where(signal(table, rng) > 6, "fraud", "fine").tolist()}),
            *TARGET]


@faulty("label-missing-class", refused="class")
def a_class_of_three_rows(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng)
    return [write_csv(folder, {**table, "bought": ["perhaps"] * 3 + list(table["bought"][3:])}), *TARGET]


@faulty("label-missing-class", refused="1,000 classes")
def a_thousand_classes_of_one_row(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, {**numbers(rng, 1000), "bought": [f"c{number:04d}" for number in range(1000)]}),
            *TARGET, "--task", "multiclass"]


@faulty("bad-values", "input-scale", "column-format", quiet=True)
def a_column_constant_by_a_failed_join(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, {"rate": [1.19] * 800, **binary(rng)}), *TARGET]


@faulty("label-suspect")
def one_label_in_twelve_flipped(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng, 1500)
    labels = two(table, rng, noise=0.0)
    flipped = rng.random(1500) < 0.08
    return [write_csv(folder, {**table, "bought": [
        ("yes" if label == "no" else "no") if flip else label for label, flip in zip(labels, flipped, strict=True)
    ]}), *TARGET]
