"""Measure whether one column alone tells the target, and whether the others together come near it.

Training rows alone are looked at, at most 20,000 of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from assay.dataset import Dataset, Split
from assay.facts.fact import Absent
from assay.facts.leakage import TargetLeakFacts, TellingColumn, Way
from assay.tree_inputs import tree_inputs

Values = NDArray[np.float64]
Codes = NDArray[np.int64]
Found = tuple[Way, float, str]
"""How a column tells the target, its error, and an example in words."""

ROWS = 20_000  # that are looked at, drawn by the seed where there are more
FEWEST = 30  # rows, below which one column in some dozens tells the target by chance
BINS = 64  # ranges of a number that are told apart
COARSE = 20  # different values, up to which a number is taken value by value
TELLING = 0.05  # error from which a column isn't asked any further
SAME, NEARLY = 1e-5, 1e-3  # 1 - rank correlation
REPEATS = 5  # rows to a value, on average, from which values repeat
ROUNDS, MANY_CLASSES = 60, 30  # of the trees
SEVERAL = 3  # columns, from which one that tells the target doesn't stand out
UNCLEAR = ("coarse", "missingness", "number", "row number")
CROWDED = 0.03  # of the rows of two classes; a normal distribution that is cut in half has 0.13
STANDING = 0.95  # of a class at one value, beyond which that value is the class's own
LABELS = 20  # of a multilabel task that are looked at


@dataclass(frozen=True)
class _Target:
    """What is told: class ids, or ranks scaled to mean 0 and deviation 1; one label where there are several.

    drift   of a regression: 1 - rank correlation of a target with the one in the row before. In a series a column may
            be the past, which is known, and be as close as that
    """

    name: str
    values: Values
    rows: Codes
    classes: bool
    words: tuple[str, ...]
    drift: float = 1.0

    @property
    def singular(self) -> bool:
        """Whether classes have so few rows that nothing is learned from half of them."""
        return self.classes and len(self.values) < 2 * REPEATS * len(np.unique(self.values))


def measure_target_leak(dataset: Dataset, split: Split, *, seed: int = 0) -> TargetLeakFacts | Absent:
    """Ask every column by itself; where some tell the target, ask all others together.

    Absent where there are fewer than 30 training rows, or the target doesn't vary among them.
    """
    rows = split.train
    if len(rows) > ROWS:
        rows = np.sort(np.random.default_rng(seed).choice(rows, ROWS, replace=False))
    targets = list(_targets(dataset, rows, split.train))
    if not targets:
        return Absent("there are too few training rows, or the target doesn't vary among them")
    telling = [found for target in targets for found in _telling(dataset, target, seed)]
    return TargetLeakFacts(
        classes=dataset.task != "regression", rows=len(rows), columns=dataset.x.shape[1], telling=tuple(telling),
    )


def _targets(dataset: Dataset, rows: Codes, train: Codes) -> Iterator[_Target]:
    y = dataset.y[rows].reshape(len(rows), -1)
    for number in range(min(y.shape[1], LABELS)):
        known = np.isfinite(y[:, number].astype(np.float64))
        values = y[known, number].astype(np.float64)
        if len(values) < FEWEST or (values == values[0]).all():
            continue
        if dataset.task == "regression":
            drift = _drift(dataset, rows[known], train)
            yield _Target("", _ranks(values), rows[known], classes=False, words=(), drift=drift)
        elif dataset.task == "multilabel":
            name = dataset.classes[number]
            yield _Target(name, values, rows[known], classes=True, words=(f"without {name}", f"with {name}"))
        else:
            yield _Target("", values, rows[known], classes=True, words=dataset.classes)


def _drift(dataset: Dataset, rows: Codes, train: Codes) -> float:
    after = rows[np.isin(rows + 1, train)] + 1
    y = dataset.y.astype(np.float64)
    before, later = y[after - 1], y[after]
    both = np.isfinite(before) & np.isfinite(later)
    if both.sum() < FEWEST:
        return 1.0
    return 1 - abs(_rank_correlation(before[both], later[both]))


def _telling(dataset: Dataset, target: _Target, seed: int) -> list[TellingColumn]:
    """The columns that tell this target by themselves, with what the others say where that is asked."""
    alone = {}
    for column in range(dataset.x.shape[1]):
        found = _alone(dataset, column, target)
        if found is not None:
            alone[column] = found
    unclear = {column: found for column, found in alone.items() if found.way in UNCLEAR}
    if not unclear:
        return list(alone.values())
    rest = [column for column in range(dataset.x.shape[1]) if column not in alone]
    others = _others(dataset.x[target.rows][:, rest], target, seed) if rest else 0.0
    if len(unclear) >= SEVERAL:  # easy by many columns, rather than given away by each of them
        others = min(others, *(found.error for found in unclear.values()))
    return [replace(found, others=others) if column in unclear else found for column, found in alone.items()]


def _alone(dataset: Dataset, column: int, target: _Target) -> TellingColumn | None:
    values = dataset.x[target.rows, column]
    known = np.isfinite(values)
    if known.sum() < FEWEST // 2:
        return None
    found = _one_to_one(dataset, column, target) or _presence(known, target)
    if found is None and not target.classes:
        found = _same_order(values, known, target)
    if found is None and not target.singular:
        found = _by_value(dataset, column, target)
    if found is None:
        return None
    way, error, example = found
    return TellingColumn(
        column=dataset.columns[column], target=target.name, way=way, error=error, others=None, example=example,
    )


def _one_to_one(dataset: Dataset, column: int, target: _Target) -> Found | None:
    """Each class has its value and each value its class, where a value is known."""
    values = dataset.x[target.rows, column]
    known = np.isfinite(values)
    if not target.classes:
        return None
    pairs = np.unique(np.stack([values[known], target.values[known]]), axis=1)
    sizes = {len(np.unique(pairs[0])), len(np.unique(pairs[1])), pairs.shape[1]}
    present = len(np.unique(target.values))
    if sizes != {present} or known.mean() < 0.5 or known.sum() < REPEATS * present:
        return None
    names = dataset.categories.get(dataset.columns[column], ())
    value = names[int(pairs[0, 0])] if 0 <= pairs[0, 0] < len(names) else f"{pairs[0, 0]:g}"
    return "one to one", 0.0, f"{value} where it is {_word(target, pairs[1, 0])}"


def _presence(known: NDArray[np.bool_], target: _Target) -> Found | None:
    """A value for one of two classes, none for the other."""
    classes = np.unique(target.values)
    if not target.classes or len(classes) != 2 or known.all() or not known.any():
        return None
    given, missing = np.unique(target.values[known]), np.unique(target.values[~known])
    if len(given) > 1 or len(missing) > 1 or min(known.sum(), (~known).sum()) < REPEATS:
        return None
    return "present or missing", 0.0, f"a value where it is {_word(target, given[0])}, none elsewhere"


def _same_order(values: Values, known: NDArray[np.bool_], target: _Target) -> Found | None:
    """The column orders the rows as the target does, and more closely than the row before it in a series."""
    if known.mean() < 0.5 or len(np.unique(values[known])) < FEWEST // 2:
        return None
    away = 1 - abs(_rank_correlation(values[known], target.values[known]))
    if away > min(NEARLY, 0.5 * target.drift) or _counts_rows(values, target.rows):
        return None
    return "same order" if away <= SAME else "nearly the same order", away, f"a rank correlation of {1 - away:.6f}"


def _by_value(dataset: Dataset, column: int, target: _Target) -> Found | None:
    """The best that values or ranges of values say of rows that were held out."""
    values = dataset.x[target.rows, column]
    known = np.isfinite(values)
    distinct = len(np.unique(values[known]))
    coarse = dataset.kind_of(column) == "category" or distinct <= COARSE
    if coarse and len(values) < REPEATS * distinct:
        return None
    error = _held_out_error(_bins(values, coarse=coarse), target)
    if not coarse:
        error = min(error, _tree_error(values, target) if target.classes else _order_error(values, target))
    if error > (TELLING if target.classes else min(TELLING, target.drift)):
        return None
    if not known.all() and _held_out_error(known.astype(np.int64), target) <= max(TELLING, error):
        return "missingness", error, "whether it is missing"
    if target.classes and not coarse and _counts_rows(values, target.rows):
        return "row number", error, "the rows are sorted by class, and it counts them"
    if target.classes and not coarse and _crowded_between(values, target):
        return None
    return ("coarse" if coarse else "number"), error, f"{distinct} different values"


def _crowded_between(values: Values, target: _Target) -> bool:
    """Whether neighbouring classes both have rows close to where one ends and the other begins.

    There are few where a number follows from the label, and many where the label was cut from a number's range. Close
    is a tenth of the distance between the classes' medians. A class that stands at one value has no range to be cut.
    """
    known = np.isfinite(values)
    values, classes = values[known], target.values[known]
    parts = sorted((values[classes == each] for each in np.unique(classes)), key=np.median)
    for low, high in pairwise(parts):
        if _stands_at_one_value(low, high) or _stands_at_one_value(high, low):
            continue
        cut = float(np.quantile(low, 0.98)) / 2 + float(np.quantile(high, 0.02)) / 2
        close = (float(np.median(high)) - float(np.median(low))) / 10
        both = min(int((np.abs(low - cut) <= close).sum()), int((np.abs(high - cut) <= close).sum()))
        if 2 * both > CROWDED * (len(low) + len(high)):
            return True
    return False


def _stands_at_one_value(some: Values, others: Values) -> bool:
    """Whether nearly all of a class have a value that nearly none of the others has: no refund, where it is no."""
    at, counts = np.unique(some, return_counts=True)
    value = at[counts.argmax()]
    return bool((some == value).mean() >= STANDING and (others == value).mean() <= 1 - STANDING)


def _bins(values: Values, *, coarse: bool) -> Codes:
    known = np.isfinite(values)
    codes = np.zeros(len(values), dtype=np.int64)
    if coarse:
        codes[known] = 1 + np.unique(values[known], return_inverse=True)[1]
    else:
        edges = np.unique(np.quantile(values[known], np.linspace(0, 1, BINS + 1)[1:-1]))
        codes[known] = 1 + np.searchsorted(edges, values[known], side="right")
    return codes


def _held_out_error(codes: Codes, target: _Target) -> float:
    """Of the answer learned for each code on every second row, and asked of the others, and the other way round."""
    errors = []
    for half in (0, 1):
        fitted = np.arange(len(codes)) % 2 == half
        if target.classes:
            ids = np.unique(target.values, return_inverse=True)[1]
            table = np.zeros((codes.max() + 1, ids.max() + 1))
            np.add.at(table, (codes[fitted], ids[fitted]), 1.0)
            weighed = table / np.maximum(table.sum(axis=0), 1)
            errors.append(_balanced_error(weighed.argmax(axis=1)[codes[~fitted]], ids[~fitted]))
        else:
            sums, counts = np.zeros(codes.max() + 1), np.zeros(codes.max() + 1)
            np.add.at(sums, codes[fitted], target.values[fitted])
            np.add.at(counts, codes[fitted], 1.0)
            errors.append(_unexplained((sums / np.maximum(counts, 1))[codes[~fitted]], target.values[~fitted]))
    return float(np.mean(errors))


def _order_error(values: Values, target: _Target) -> float:
    known = np.isfinite(values)
    return 1 - float(known.mean()) * _rank_correlation(values[known], target.values[known]) ** 2


def _tree_error(values: Values, target: _Target) -> float:
    """Of a small tree on this number alone, which puts its limits where the classes change."""
    ids = np.unique(target.values, return_inverse=True)[1]
    errors = []
    for half in (0, 1):
        fitted = np.arange(len(ids)) % 2 == half
        inputs = tree_inputs(values[:, None], fitted)
        tree = DecisionTreeClassifier(
            max_leaf_nodes=3 * (int(ids.max()) + 1), min_samples_leaf=3, class_weight="balanced", random_state=0,
        )
        predicted = tree.fit(inputs[fitted], ids[fitted]).predict(inputs[~fitted])
        errors.append(_balanced_error(predicted, ids[~fitted]))
    return float(np.mean(errors))


def _others(x: Values, target: _Target, seed: int) -> float:
    """The error of boosted trees on every second row, fitted on the others."""
    fitted = np.arange(len(x)) % 2 == 0
    inputs = tree_inputs(x, fitted)
    with threadpool_limits(limits=1):
        if not target.classes:
            regressor = HistGradientBoostingRegressor(max_iter=ROUNDS, early_stopping=False, random_state=seed)
            predicted = regressor.fit(inputs[fitted], target.values[fitted]).predict(inputs[~fitted])
            return _unexplained(predicted, target.values[~fitted])
        ids = np.unique(target.values, return_inverse=True)[1]
        if len(np.unique(ids[fitted])) < 2:
            return 1.0
        predicted = _classifier(ids, seed).fit(inputs[fitted], ids[fitted]).predict(inputs[~fitted])
        return _balanced_error(predicted, ids[~fitted])


def _classifier(ids: Codes, seed: int) -> HistGradientBoostingClassifier | DecisionTreeClassifier:
    """Boosted trees, or a single one where each round would grow a tree for each of many classes."""
    classes = int(ids.max()) + 1
    if classes > MANY_CLASSES:
        return DecisionTreeClassifier(class_weight="balanced", min_samples_leaf=2, random_state=seed)
    return HistGradientBoostingClassifier(
        max_iter=max(10, ROUNDS // max(1, classes // 2)), early_stopping=False, random_state=seed,
        class_weight="balanced", min_samples_leaf=min(20, max(3, len(ids) // 50)),
    )


def _balanced_error(predicted: Codes, true: Codes) -> float:
    return float(np.mean([(predicted[true == each] != each).mean() for each in np.unique(true)]))


def _unexplained(predicted: Values, true: Values) -> float:
    return float(((true - predicted) ** 2).mean() / max(float(true.var()), 1e-12))


def _counts_rows(values: Values, rows: Codes) -> bool:
    known = np.isfinite(values)
    return abs(_rank_correlation(values[known], rows[known].astype(np.float64))) > 1 - NEARLY


def _rank_correlation(first: Values, second: Values) -> float:
    """Spearman's."""
    return float((_ranks(first) * _ranks(second)).mean())


def _ranks(values: Values) -> Values:
    """Ranks, the mean one for equal values, of mean 0 and deviation 1."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts + 1) / 2)[inverse]
    return np.asarray((ranks - ranks.mean()) / max(float(ranks.std()), 1e-12))


def _word(target: _Target, value: float) -> str:
    return target.words[int(value)] if 0 <= int(value) < len(target.words) else f"{value:g}"
