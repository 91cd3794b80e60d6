"""Sound tables of every kind: nothing at error or warning may be said of any of them.

They are large enough for their evaluation splits to mean something, so that silence is the only right answer.
"""

from __future__ import annotations

import uuid
from datetime import date, timedelta
from pathlib import Path

import numpy as np

from tests.corpus.tables import (
    Catalogue,
    Rng,
    binary,
    gaps,
    numbers,
    regression,
    signal,
    taken,
    two,
    write_csv,
    write_parquet,
    write_text,
)

catalogue = Catalogue()
sound = catalogue.add()
SOUND = catalogue.cases

TARGET = ["--target", "bought"]
PRICE = ["--target", "price"]
CITIES = ["Berlin", "Bonn", "Hamburg", "Köln", "München"]


@sound
def two_classes_from_numbers(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, binary(rng)), *TARGET]


@sound
def three_classes_of_words(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng, 900)
    cuts = np.digitize(signal(table, rng), [-1.5, 1.5])
    return [write_csv(folder, {**table, "bought": [("low", "middle", "high")[each] for each in cuts]}), *TARGET]


@sound
def classes_far_apart(folder: Path, rng: Rng) -> list[str]:
    kinds = rng.integers(0, 3, size=900)
    x = rng.normal(size=(900, 4)) + 6 * np.eye(3, 4)[kinds]
    table = {name: np.round(x[:, number], 2).tolist() for number, name in enumerate("abcd")}
    return [write_csv(folder, {**table, "bought": [("oak", "elm", "ash")[each] for each in kinds]}), *TARGET]


@sound
def an_exclusive_or(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng, 1000)
    a, b = (np.array(table[name]) > 10 for name in "ab")
    return [write_csv(folder, {**table, "bought": np.where(a ^ b, "yes", "no").tolist()}), *TARGET]


@sound
def labels_with_much_noise(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng, 1000)
    return [write_csv(folder, {**table, "bought": two(table, rng, noise=6.0)}), *TARGET]


@sound
def a_linear_regression(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, regression(rng)), *PRICE]


@sound
def a_regression_with_a_heavy_tail(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng, 1500)
    price = np.round(np.exp(signal(table, rng) / 3) * 2000, 2)
    return [write_csv(folder, {**table, "price": price.tolist()}), *PRICE]


@sound
def a_regression_of_counts(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng, 1500)
    visits = rng.poisson(np.exp(signal(table, rng, noise=0.1).clip(-9, 9) / 6 + 3))
    return [write_csv(folder, {**table, "price": visits.tolist()}), *PRICE]


@sound
def a_regression_with_many_zeros(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng, 1500)
    rain = np.round(np.maximum(signal(table, rng), 0), 2)
    return [write_csv(folder, {**table, "price": rain.tolist()}), *PRICE, "--task", "regression"]


@sound
def ratings_from_one_to_five(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng, 1500)
    stars = np.clip(np.round(signal(table, rng) / 2.5 + 3), 1, 5).astype(int)
    return [write_csv(folder, {**table, "price": stars.tolist()}), *PRICE, "--task", "regression"]


@sound
def mixed_numbers_and_categories(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng)
    city = rng.choice(CITIES, size=800)
    size = rng.choice(["S", "M", "L", "XL"], size=800)
    liked = signal(table, rng) + 3 * np.isin(city, ["Bonn", "Köln"]) > 1
    return [write_csv(folder, {**table, "city": city.tolist(), "size": size.tolist(),
                               "bought": np.where(liked, "yes", "no").tolist()}), *TARGET]


@sound
def categories_alone(folder: Path, rng: Rng) -> list[str]:
    answers = rng.integers(0, 4, size=(900, 4))
    chance = 1 / (1 + np.exp(-(answers.sum(axis=1) - 6) / 1.5))
    table = {f"q{number}": [("never", "seldom", "often", "always")[each] for each in answers[:, number]]
             for number in range(4)}
    return [write_csv(folder, {**table, "bought": np.where(rng.random(900) < chance, "yes", "no").tolist()}), *TARGET]


@sound
def a_category_of_many_shops(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng, 1500)
    shop = [f"shop {number}" for number in (rng.zipf(1.3, size=1500) % 400)]
    return [write_csv(folder, {**table, "shop": shop, "bought": two(table, rng)}), *TARGET]


@sound
def one_hot_columns(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng)
    kind = rng.integers(0, 6, size=800)
    flags = {f"is_{number}": (kind == number).astype(int).tolist() for number in range(6)}
    return [write_csv(folder, {**table, **flags, "bought": two(table, rng)}), *TARGET]


@sound
def dates_as_inputs(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng)
    signed = [str(date(2020, 1, 1) + timedelta(days=int(day))) for day in rng.integers(0, 900, size=800)]
    return [write_csv(folder, {"signed": signed, **table, "bought": two(table, rng)}), *TARGET]


@sound
def missing_numbers(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng)
    return [write_csv(folder, {**table, "b": gaps(table["b"], rng), "d": gaps(table["d"], rng, 0.3)}), *TARGET]


@sound
def missing_categories(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng)
    city = gaps(rng.choice(CITIES, size=800).tolist(), rng, 0.2)
    return [write_csv(folder, {"city": city, **table}), *TARGET]


@sound
def missing_as_question_marks(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng)
    city = gaps(rng.choice(CITIES, size=800).tolist(), rng, 0.1, "?")
    return [write_csv(folder, {"city": city, **table, "c": gaps(table["c"], rng, 0.1, "?")}), *TARGET]


@sound
def missing_as_na(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng)
    return [write_csv(folder, {**table, "a": gaps(table["a"], rng, 0.05, "NA"),
                               "e": gaps(table["e"], rng, 0.05, "n/a")}), *TARGET]


@sound
def wide(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, binary(rng, 900, 120)), *TARGET]


@sound
def one_column(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng, 900)
    return [write_csv(folder, {"a": table["a"], "bought": table["bought"]}), *TARGET]


@sound
def imbalanced(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng, 2000)
    rare = signal(table, rng) > 6
    return [write_csv(folder, {**table, "bought": np.where(rare, "fraud", "fine").tolist()}), *TARGET]


@sound
def rounded_measurements(folder: Path, rng: Rng) -> list[str]:
    kinds = rng.integers(0, 3, size=900)
    x = np.round(rng.normal(size=(900, 4)) * 0.5 + kinds[:, None], 1)
    table = {name: x[:, number].tolist() for number, name in enumerate("abcd")}
    return [write_csv(folder, {**table, "bought": [("r", "s", "t")[each] for each in kinds]}), *TARGET]


@sound
def repeated_rows_kept_together(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng, 900)
    return [write_csv(folder, taken(table, np.concatenate([np.arange(900), rng.choice(900, 150)]))), *TARGET]


@sound
def sorted_by_the_label(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng, 900)
    return [write_csv(folder, taken(table, np.argsort(table["bought"], kind="stable"))), *TARGET]


@sound
def sorted_by_a_column(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng, 900)
    return [write_csv(folder, taken(table, np.argsort(table["a"]))), *TARGET]


@sound
def numbered_rows(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, {"id": list(range(1, 801)), **binary(rng)}), *TARGET]


@sound
def unique_identifiers(folder: Path, rng: Rng) -> list[str]:
    names = [str(uuid.UUID(bytes=rng.bytes(16))) for _ in range(800)]
    return [write_csv(folder, {"customer_id": names, **binary(rng)}), *TARGET]


@sound
def a_column_of_free_text(folder: Path, rng: Rng) -> list[str]:
    words = ["the", "parcel", "came", "late", "and", "wet", "so", "we", "sent", "it", "back", "with", "a", "note"]
    said = [" ".join(rng.choice(words, size=9)) + "." for _ in range(800)]
    return [write_csv(folder, {**binary(rng), "remark": said}), *TARGET]


@sound
def quoted_lines_and_commas(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng)
    said = [f'first line, {number}\nsecond "line"' for number in rng.integers(0, 10**6, size=800)]
    return [write_csv(folder, {"remark": said, **table}), *TARGET]


@sound
def a_series_split_by_time(folder: Path, rng: Rng) -> list[str]:
    days = [str(date(2019, 1, 1) + timedelta(days=day)) for day in range(1500)]
    noise, level = rng.normal(size=1500), np.zeros(1500)
    for step in range(1, 1500):
        level[step] = 0.8 * level[step - 1] + noise[step]
    sales = np.round(100 + 10 * level, 2)
    table = {"day": days[3:], "last": sales[2:-1].tolist(), "before": sales[1:-2].tolist(),
             "earlier": sales[:-3].tolist(), "price": sales[3:].tolist()}
    return [write_csv(folder, table), *PRICE, "--time", "day"]


@sound
def returns_told_by_their_past(folder: Path, rng: Rng) -> list[str]:
    moves = np.round(rng.normal(size=1503), 4)
    table = {"day": [str(date(2019, 1, 1) + timedelta(days=day)) for day in range(1500)],
             **{f"lag{lag}": moves[3 - lag:1503 - lag].tolist() for lag in (1, 2, 3)}}
    up = moves[3:] + 0.8 * moves[2:-1] > 0
    return [write_csv(folder, {**table, "bought": np.where(up, "up", "down").tolist()}), *TARGET, "--time", "day"]


@sound
def patients_kept_together(folder: Path, rng: Rng) -> list[str]:
    patient = np.repeat(np.arange(250), 5)
    table = numbers(rng, 1250)
    offset = rng.normal(size=250)[patient]
    sick = signal(table, rng) + offset > 0
    return [write_csv(folder, {"patient": [f"P{number:03d}" for number in patient], **table,
                               "bought": np.where(sick, "sick", "well").tolist()}), *TARGET, "--group", "patient"]


@sound
def a_given_split_column(folder: Path, rng: Rng) -> list[str]:
    part = rng.choice(["train", "validation", "test"], p=[0.6, 0.2, 0.2], size=1000)
    return [write_csv(folder, {**binary(rng, 1000), "part": part.tolist()}), *TARGET, "--split", "part"]


@sound
def a_given_test_file(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng, 1200)
    given = write_csv(folder, taken(table, np.arange(900, 1200)), "test.csv")
    return [write_csv(folder, taken(table, np.arange(900)), "train.csv"), *TARGET, "--test", given]


@sound
def several_files(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng, 900)
    paths = [write_csv(folder, taken(table, np.arange(start, start + 300)), f"part{start}.csv")
             for start in (0, 300, 600)]
    return [*paths, *TARGET]


@sound
def without_a_header(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, binary(rng, columns=6), header=False), "--no-header", "--target", "c7"]


@sound
def european(folder: Path, rng: Rng) -> list[str]:
    table = regression(rng)
    text = {name: [f"{value:.2f}".replace(".", ",") for value in values] for name, values in table.items()}
    return [write_csv(folder, text, sep=";"), *PRICE]


@sound
def between_tabs(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, binary(rng), "table.tsv", sep="\t"), *TARGET]


@sound
def between_bars(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, binary(rng), sep="|"), *TARGET]


@sound
def a_byte_order_mark(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, {"city": rng.choice(CITIES, size=800).tolist(), **binary(rng)}, encoding="utf-8-sig"),
            *TARGET]


@sound
def western_european_letters(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, {"city": rng.choice(CITIES, size=800).tolist(), **binary(rng)}, encoding="cp1252"),
            *TARGET]


@sound
def sixteen_bits_a_letter(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, {"city": rng.choice(CITIES, size=800).tolist(), **binary(rng)}, encoding="utf-16"),
            *TARGET]


@sound
def windows_line_ends(folder: Path, rng: Rng) -> list[str]:
    path = write_csv(folder, binary(rng))
    return [write_text(folder, Path(path).read_text().replace("\n", "\r\n"), "windows.csv"), *TARGET]


@sound
def parquet_of_numbers(folder: Path, rng: Rng) -> list[str]:
    return [write_parquet(folder, regression(rng)), *PRICE]


@sound
def parquet_of_every_type(folder: Path, rng: Rng) -> list[str]:
    days = [date(2020, 1, 1) + timedelta(days=int(day)) for day in rng.integers(0, 900, size=800)]
    table = {"day": days, "city": rng.choice(CITIES, size=800).tolist(), "flag": (rng.random(800) < 0.4).tolist(),
             **binary(rng)}
    return [write_parquet(folder, {**table, "b": gaps(table["b"], rng)}), *TARGET]


@sound
def classes_counted_from_one(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng, 900)
    return [write_csv(folder, {**table, "bought": (np.digitize(signal(table, rng), [-1.5, 1.5]) + 1).tolist()}),
            *TARGET]


@sound
def plus_and_minus_one(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng)
    return [write_csv(folder, {**table, "bought": np.where(signal(table, rng) > 0, 1, -1).tolist()}), *TARGET]


@sound
def true_and_false(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng)
    return [write_csv(folder, {**table, "bought": np.where(signal(table, rng) > 0, "True", "False").tolist()}),
            *TARGET]


@sound
def several_labels(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng, 1000)
    labels = {name: (signal(table, rng) > cut).astype(int).tolist()
              for name, cut in (("red", 0), ("round", -1), ("sweet", 1.5))}
    return [write_csv(folder, {**table, **labels}), "--target", "red,round,sweet"]


@sound
def pixels(folder: Path, rng: Rng) -> list[str]:
    shapes = np.round(rng.random(size=(4, 64)) * 12)
    kinds = rng.integers(0, 4, size=900)
    values = np.clip(np.round(shapes[kinds] + rng.normal(size=(900, 64)) * 4), 0, 16)
    values[:, [0, 7, 56, 63]] = 0
    table = {f"p{number}": values[:, number].astype(int).tolist() for number in range(64)}
    return [write_csv(folder, {**table, "bought": [("a", "b", "c", "d")[each] for each in kinds]}), *TARGET]


@sound
def names_of_every_kind(folder: Path, rng: Rng) -> list[str]:
    table = dict(zip(["<script>", "größe in cm", "a.b", "x y", "100%"], numbers(rng).values(), strict=True))
    classes = two(dict(zip("abc", table.values(), strict=False)), rng, names=("<b>no</b>", "ja & nein"))
    return [write_csv(folder, {**table, "gekauft?": classes}), "--target", "gekauft?"]


@sound
def very_large_and_very_small_numbers(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng)
    large, small = np.array(table["a"]) * 1e9, np.array(table["b"]) * 1e-9
    return [write_csv(folder, {**table, "a": large.tolist(), "b": small.tolist()}), *TARGET]


@sound
def a_constant_and_an_empty_looking_column(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, {"year": [2024] * 800, "zero": [0] * 800, **binary(rng)}), *TARGET]


@sound
def correlated_columns(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng, 900)
    a = np.array(table["a"])
    return [write_csv(folder, {**table, "a2": np.round(a * 1.8 + rng.normal(size=900) * 0.2 + 32, 2).tolist()}),
            *TARGET]


@sound
def smooth_trajectories(folder: Path, rng: Rng) -> list[str]:
    x = np.cumsum(rng.normal(size=(900, 3)), axis=0)
    table = {name: np.round(x[:, number], 3).tolist() for number, name in enumerate("abc")}
    return [write_csv(folder, {**table, "bought": np.where(rng.random(900) < 1 / (1 + np.exp(-x[:, 0] / 10)), "yes",
                                                            "no").tolist()}), *TARGET]


@sound
def thousands_separators(folder: Path, rng: Rng) -> list[str]:
    income = [f"{value:,}" for value in rng.integers(900, 90_000, size=800)]
    return [write_csv(folder, {"income": income, **binary(rng)}), *TARGET]


@sound
def per_cent_and_currency(folder: Path, rng: Rng) -> list[str]:
    share = [f"{value:.1f}%" for value in rng.uniform(0, 60, size=800)]
    fee = [f"${value:.2f}" for value in rng.uniform(1, 60, size=800)]
    return [write_csv(folder, {"share": share, "fee": fee, **binary(rng)}), *TARGET]


@sound
def numbers_with_units(folder: Path, rng: Rng) -> list[str]:
    weight = [f"{value:.1f} kg" for value in rng.uniform(40, 120, size=800)]
    return [write_csv(folder, {"weight": weight, **binary(rng)}), *TARGET]


@sound
def german_dates(folder: Path, rng: Rng) -> list[str]:
    days = [(date(2020, 1, 1) + timedelta(days=int(day))).strftime("%d.%m.%Y")
            for day in rng.integers(0, 900, size=800)]
    return [write_csv(folder, {"tag": days, **binary(rng)}), *TARGET]


@sound
def minus_999_for_unknown(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng)
    return [write_csv(folder, {**table, "d": gaps(table["d"], rng, 0.08, -999)}), *TARGET]
