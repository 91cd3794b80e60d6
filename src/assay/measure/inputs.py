"""Describe what the model sees: columns as read, examples as they enter the network, a regression's targets."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from assay.dataset import Dataset, Examples, Prepared
from assay.facts.inputs import ColumnSpread, InputFacts, InputSpread, ShownExample, TargetSpread

COLUMNS = 200
"""Columns, and numbers that enter, that are described; a person who looks at more looks at none."""

VALUES = 6000
"""Numbers kept of all shown examples together, so that a wide table keeps few of them."""

FEWEST, MOST, A_CLASS = 4, 40, 4
"""Examples that are shown: at least, at most, and of one class."""

BINS = 20
LEVELS = 8
"""Bins of a number's histogram, and categories that are named."""

DIGITS = 6


def measure_inputs(dataset: Dataset, prepared: Prepared) -> InputFacts:
    """Describe the training rows, before and after preprocessing; test rows are never looked at."""
    train = prepared.train
    x = train.x.reshape(len(train), -1)
    pixels = dataset.image if dataset.image and dataset.image[0] * dataset.image[1] == x.shape[1] else None
    targets, target_range = _targets(dataset, prepared)
    return InputFacts(
        rows=len(train), columns=len(dataset.columns), width=x.shape[1],
        table=tuple(_column(dataset, number, train.rows) for number in range(min(COLUMNS, len(dataset.columns)))),
        inputs=tuple(_inputs(_names(dataset, prepared), x)), examples=tuple(_examples(dataset, train, x)),
        image=pixels, targets=targets, target_range=target_range,
    )


def _names(dataset: Dataset, prepared: Prepared) -> tuple[str, ...]:
    width = prepared.train.x.shape[-1]
    known = next((names for names in (prepared.names, dataset.columns) if len(names) == width), None)
    return known or tuple(f"input {number}" for number in range(1, width + 1))


def _column(dataset: Dataset, number: int, rows: NDArray[np.int64]) -> ColumnSpread:
    name, kind, values = dataset.columns[number], dataset.kind_of(number), dataset.x[rows, number]
    seen = values[np.isfinite(values)]
    missing = 1.0 - len(seen) / len(values) if len(values) else 0.0
    if kind == "category":
        return _category(name, seen, missing, dataset.categories.get(name, ()))
    if not len(seen):
        return ColumnSpread(name=name, kind=kind, missing=missing, smallest=None, middle=None, largest=None, counts=(),
                            distinct=0)
    smallest, largest = float(seen.min()), float(seen.max())
    return ColumnSpread(
        name=name, kind=kind, missing=missing, smallest=smallest, middle=float(np.median(seen)), largest=largest,
        counts=_histogram(seen, smallest, largest), distinct=len(np.unique(seen)),
    )


def _category(name: str, codes: NDArray[np.float64], missing: float, names: tuple[str, ...]) -> ColumnSpread:
    found, counts = np.unique(codes.astype(np.int64), return_counts=True)
    order = np.argsort(-counts, kind="stable")[:LEVELS]
    levels = tuple(names[found[at]] if found[at] < len(names) else str(found[at]) for at in order)
    return ColumnSpread(
        name=name, kind="category", missing=missing, smallest=None, middle=None, largest=None,
        counts=tuple(int(counts[at]) for at in order), levels=levels, distinct=len(found),
    )


def _histogram(values: NDArray[np.float64], smallest: float, largest: float) -> tuple[int, ...]:
    """Rows in bins of equal width; one bin where all values are the same, or the range overflows."""
    if not smallest < largest or not np.isfinite(largest - smallest):
        return (len(values),)
    places = np.clip((values - smallest) / (largest - smallest) * BINS, 0, BINS - 1).astype(np.int64)
    return tuple(int(count) for count in np.bincount(places, minlength=BINS))


def _inputs(names: tuple[str, ...], x: NDArray[np.float32]) -> Iterator[InputSpread]:
    for number, name in enumerate(names[:COLUMNS]):
        values = x[:, number].astype(np.float64)
        if len(values):
            yield InputSpread(
                name=name, smallest=_short(values.min()), largest=_short(values.max()), mean=_short(values.mean()),
                deviation=_short(values.std()),
            )


def _examples(dataset: Dataset, train: Examples, x: NDArray[np.float32]) -> Iterator[ShownExample]:
    wanted = int(np.clip(VALUES // max(1, x.shape[1]), FEWEST, MOST))
    for position in _spread_over_classes(dataset, train, wanted):
        values = tuple(_short(value) for value in x[position, :COLUMNS if dataset.image is None else None])
        yield ShownExample(row=int(train.rows[position]), label=_label(dataset, train.rows[position]), values=values)


def _spread_over_classes(dataset: Dataset, train: Examples, wanted: int) -> list[int]:
    """Positions of the first examples of each class in turn; of a regression, from smallest to largest target."""
    y = dataset.y[train.rows]
    if y.ndim > 1:
        return list(range(min(wanted, len(y))))
    if dataset.task == "regression":
        order = np.argsort(y, kind="stable")
        return [int(order[at]) for at in np.unique(np.linspace(0, len(order) - 1, min(wanted, len(order))).astype(int))]
    first = [np.flatnonzero(y == label)[:A_CLASS] for label in range(len(dataset.classes))]
    turns = [int(places[turn]) for turn in range(A_CLASS) for places in first if turn < len(places)]
    return sorted(turns[:wanted], key=lambda position: (y[position], position))


def _label(dataset: Dataset, row: np.int64) -> str:
    target = dataset.y[row]
    if np.ndim(target):
        return ", ".join(name for name, set_ in zip(dataset.classes, target, strict=True) if set_) or "none"
    if dataset.classes and target in range(len(dataset.classes)):
        return dataset.classes[int(target)]
    return f"{float(target):.{DIGITS}g}"


def _targets(dataset: Dataset, prepared: Prepared) -> tuple[tuple[TargetSpread, ...], tuple[float, float] | None]:
    if dataset.task != "regression":
        return (), None
    parts = {"train": dataset.y[prepared.train.rows], "validation": dataset.y[prepared.validation.rows]}
    finite = {name: values[np.isfinite(values)].astype(np.float64) for name, values in parts.items()}
    every = np.concatenate(list(finite.values()))
    if not len(every):
        return (), None
    low, high = float(every.min()), float(every.max())
    spreads = (TargetSpread(split=name, counts=_histogram(values, low, high)) for name, values in finite.items())
    return tuple(spreads), (low, high)


def _short(value: float | np.floating) -> float:
    return float(f"{float(value):.{DIGITS}g}")
