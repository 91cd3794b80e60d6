"""Tables whose rows leak from one split into another, or whose labels don't belong to them."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import numpy as np

from tests.corpus.tables import Catalogue, Rng, binary, numbers, regression, signal, taken, two, write_csv

catalogue = Catalogue()
faulty = catalogue.add

TARGET = ["--target", "bought"]
PRICE = ["--target", "price"]
APART = ("data.identical_rows=apart",)


@faulty("label-shift")
def labels_one_row_too_low(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng)
    return [write_csv(folder, {**table, "bought": np.roll(table["bought"], 1).tolist()}), *TARGET]


@faulty("label-shift")
def labels_two_rows_too_high(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng)
    return [write_csv(folder, {**table, "bought": np.roll(table["bought"], -2).tolist()}), *TARGET]


@faulty("label-shift")
def targets_one_row_too_high(folder: Path, rng: Rng) -> list[str]:
    table = regression(rng)
    return [write_csv(folder, {**table, "price": np.roll(table["price"], -1).tolist()}), *PRICE]


@faulty("label-shift")
def labels_that_slip_halfway(folder: Path, rng: Rng) -> list[str]:
    table = regression(rng, 1500)
    prices = list(table["price"])
    return [write_csv(folder, {**table, "price": [*prices[:700], *prices[701:], prices[700]]}), *PRICE]


@faulty("labels-unrelated")
def labels_shuffled(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng, 1000)
    return [write_csv(folder, {**table, "bought": rng.permutation(table["bought"]).tolist()}), *TARGET]


@faulty("split-overlap", settings=APART)
def repeated_rows_split_apart(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng, 900)
    return [write_csv(folder, taken(table, np.concatenate([np.arange(900), rng.choice(900, 200)]))), *TARGET]


@faulty("split-overlap", settings=APART)
def a_rare_class_copied_before_the_split(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng, 1500)
    table["bought"] = np.where(signal(table, rng) > 5, "fraud", "fine").tolist()
    rare = np.flatnonzero(np.array(table["bought"]) == "fraud")
    return [write_csv(folder, taken(table, np.concatenate([np.arange(1500), rng.choice(rare, 600)]))), *TARGET]


@faulty("split-near-overlap")
def rows_copied_with_a_little_noise(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng, 700)
    twice = taken(table, np.repeat(np.arange(700), 2))
    noise = 1e-3 * rng.normal(size=1400)
    jittered = {name: values if name == "bought" else (np.array(values) + rng.permutation(noise)).round(5).tolist()
                for name, values in twice.items()}
    return [write_csv(folder, taken(jittered, rng.permutation(1400))), *TARGET]


@faulty("split-near-overlap", "split-overlap")
def overlapping_windows_of_a_series(folder: Path, rng: Rng) -> list[str]:
    series = np.cumsum(rng.normal(size=1230))
    windows = np.stack([series[start:start + 24] for start in range(1200)]).round(3)
    up = series[29:1229] > series[23:1223]
    table = {f"t{number}": windows[:, number].tolist() for number in range(24)}
    return [write_csv(folder, {**table, "bought": np.where(up, "up", "down").tolist()}), *TARGET]


@faulty("group-overlap", settings=("data.split.kind=random", "data.group=patient"))
def patients_in_several_splits(folder: Path, rng: Rng) -> list[str]:
    patient = np.repeat(np.arange(200), 5)
    table = numbers(rng, 1000)
    return [write_csv(folder, {"patient": [f"P{number:03d}" for number in patient], **table,
                               "bought": two(table, rng)}), *TARGET, "--group", "patient"]


@faulty("group-overlap")
def patients_in_several_given_splits(folder: Path, rng: Rng) -> list[str]:
    patient = np.repeat(np.arange(200), 5)
    table = numbers(rng, 1000)
    part = rng.choice(["train", "validation", "test"], p=[0.6, 0.2, 0.2], size=1000)
    return [write_csv(folder, {"patient": [f"P{number:03d}" for number in patient], **table, "part": part.tolist(),
                               "bought": two(table, rng)}), *TARGET, "--group", "patient", "--split", "part"]


@faulty("time-overlap", settings=("data.split.kind=random", "data.time=day"))
def later_rows_train_for_earlier_ones(folder: Path, rng: Rng) -> list[str]:
    days = [str(date(2019, 1, 1) + timedelta(days=day)) for day in range(1000)]
    return [write_csv(folder, {"day": days, **binary(rng, 1000)}), *TARGET, "--time", "day"]


@faulty("target-leak", settings=("data.inputs.outcome=category",))
def a_copy_of_the_label(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng)
    return [write_csv(folder, {**table, "outcome": [("lost", "won")[label == "yes"] for label in table["bought"]]}),
            *TARGET]


@faulty("target-leak", quiet=True)
def a_copy_of_the_label_left_out(folder: Path, rng: Rng) -> list[str]:
    return a_copy_of_the_label(folder, rng)


@faulty("target-leak", quiet=True)
def customer_numbers_in_order(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng, 900)
    ordered = taken(table, np.argsort(table["bought"], kind="stable"))
    return [write_csv(folder, {"customer_id": list(range(5000, 5900)), **ordered}), *TARGET]


@faulty("target-leak", settings=("data.inputs.net=number",))
def the_price_before_tax(folder: Path, rng: Rng) -> list[str]:
    table = regression(rng)
    return [write_csv(folder, {**table, "net": [value / 1.19 for value in table["price"]]}), *PRICE]


@faulty("target-leak")
def a_value_known_after_the_outcome(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng, 1000)
    labels = two(table, rng, noise=4.0)
    refund = [round(float(rng.uniform(5, 50)), 2) if label == "yes" and rng.random() < 0.98 else 0 for label in labels]
    return [write_csv(folder, {**table, "refund": refund, "bought": labels}), *TARGET]


@faulty("target-leak")
def a_code_that_nearly_is_the_label(folder: Path, rng: Rng) -> list[str]:
    table = numbers(rng, 1000)
    labels = two(table, rng, noise=4.0)
    code = [("A", "B")[(label == "yes") ^ (rng.random() < 0.01)] for label in labels]
    return [write_csv(folder, {**table, "code": code, "bought": labels}), *TARGET]


@faulty("label-conflict")
def equal_inputs_with_other_labels(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng, 700)
    twice = taken(table, np.concatenate([np.arange(700), np.arange(300)]))
    labels = list(twice["bought"])
    labels[700:] = ["yes" if label == "no" else "no" for label in labels[700:]]
    return [write_csv(folder, {**twice, "bought": labels}), *TARGET]


@faulty("split-empty")
def forty_rows(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, binary(rng, 40)), *TARGET]


@faulty("split-empty", settings=("data.split.train=0.8", "data.split.test=0"))
def no_rows_left_for_the_test(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, binary(rng)), *TARGET]


@faulty("input-scale", settings=("data.scale=none",))
def unscaled_inputs(folder: Path, rng: Rng) -> list[str]:
    table = binary(rng)
    return [write_csv(folder, {**table, "a": [value * 40_000 for value in table["a"]]}), *TARGET]


@faulty("data-changed", settings=("data.fingerprint=sha256:" + 64 * "0",))
def a_table_that_was_edited_since(folder: Path, rng: Rng) -> list[str]:
    return [write_csv(folder, binary(rng)), *TARGET]
