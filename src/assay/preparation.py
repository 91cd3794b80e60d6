"""From a table to what the network sees: the rows of each split, and their values after preprocessing.

Statistics are fitted on training rows alone. Test rows are set aside by `split` and touched by nothing here after
that.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from assay.dataset import Dataset, Examples, Prepared, Split
from assay.errors import DataError
from assay.recipe.schema import DataBlock, SplitPlan
from assay.recipe.split_sizes import Sizes, random_sizes, stratified_sizes

ROUNDING = 1e-9
"""A column that varies by less than this share of its largest value is constant: the mean of n float64 values is off
by at most n × 2e-16 of it, 2e-10 for a million rows."""

FURTHEST = 10.0
"""Standardised inputs are held within ± this many deviations: a pixel that is set in one training row of a thousand has
a deviation so small that it may stand at 186 in validation. The bound is that of Stable-Baselines3's VecNormalize."""


def split(dataset: Dataset, plan: SplitPlan) -> Split:
    """Divide the rows; the same plan and number of rows (and labels, if stratified) always give the same division.

    A plan without a kind is stratified for classes and random for regression. The order of rows comes from the raw
    64-bit output of PCG64, which NumPy keeps the same in all versions and on all platforms (NEP 19).

    Raises DataError where the rows don't suffice for training and validation, or regression targets are to be
    stratified.
    """
    if plan.kind == "stratified" and dataset.task == "regression":
        raise DataError("data.split.kind: a regression target has no classes to stratify by; use random.")
    draws = np.random.PCG64(plan.seed).random_raw(dataset.rows)
    order = np.argsort(draws, kind="stable").astype(np.int64)
    if plan.kind == "random" or dataset.task == "regression":
        parts = [_cut(order, random_sizes(plan, dataset.rows))]
    else:
        counts = np.bincount(dataset.y.astype(np.int64), minlength=len(dataset.classes))
        sizes = stratified_sizes(plan, [int(count) for count in counts])
        parts = [_cut(order[dataset.y[order] == label], size) for label, size in enumerate(sizes)]
    train, validation, test = (np.sort(np.concatenate(rows)) for rows in zip(*parts, strict=True))
    if len(train) == 0 or len(validation) == 0:
        raise DataError(
            f"{dataset.name} has {dataset.rows} rows, too few to train on {plan.train:.0%} and validate on "
            f"{plan.validation:.0%} of them; give more rows or larger shares in data.split."
        )
    return Split(train=train, validation=validation, test=test)


def _cut(order: NDArray[np.int64], sizes: Sizes) -> tuple[NDArray[np.int64], ...]:
    return tuple(np.split(order, [sizes.train, sizes.train + sizes.validation]))


def prepare(dataset: Dataset, parts: Split, data: DataBlock) -> Prepared:
    """Training and validation examples as the network sees them.

    scale: standardise    (x - mean) / standard deviation of the training rows. A column that is constant there enters
                          as 0 everywhere: nothing can be learned from it, and whatever stood in validation would be
                          divided by zero or by rounding noise. Values beyond ten deviations enter as ten
    scale: none           inputs enter as they are

    Binary labels become 0.0 and 1.0; regression targets are standardised by the training rows' mean and deviation.
    """
    inputs = _standardised(dataset.x, parts.train) if data.scale == "standardise" else (lambda rows: dataset.x[rows])
    target_mean, target_scale = _target_moments(dataset, parts)

    def examples(rows: NDArray[np.int64]) -> Examples:
        y = _targets(dataset, rows, target_mean, scale=target_scale)
        return Examples(x=inputs(rows).astype(np.float32), y=y, rows=rows)

    return Prepared(
        train=examples(parts.train), validation=examples(parts.validation),
        target_mean=target_mean, target_scale=target_scale,
    )


def describe(dataset: Dataset, *, source: str, plan: SplitPlan) -> DataBlock:
    """The `data:` block of this table: what `init` writes, and what `run` compares with.

    Labels are counted over all rows; the variance of regression targets is that of the training rows.
    """
    classes = dataset.classes or None
    counts = np.bincount(dataset.y.astype(np.int64), minlength=len(dataset.classes)) if classes else None
    variance = None if classes else float(dataset.y[split(dataset, plan).train].var())
    return DataBlock.model_validate({
        "source": source, "name": dataset.name, "rows": dataset.rows, "columns": dataset.x.shape[1],
        "classes": classes, "class_counts": None if counts is None else tuple(int(count) for count in counts),
        "target_variance": variance, "fingerprint": dataset.fingerprint(), "split": plan,
    })


def _standardised(
    x: NDArray[np.float64], training: NDArray[np.int64]
) -> Callable[[NDArray[np.int64]], NDArray[np.float64]]:
    with np.errstate(invalid="ignore"):  # what isn't finite stays so, for the data rules to name
        mean, deviation = x[training].mean(axis=0), x[training].std(axis=0)
    constant = deviation <= ROUNDING * np.abs(x[training]).max(axis=0)

    def inputs(rows: NDArray[np.int64]) -> NDArray[np.float64]:
        with np.errstate(invalid="ignore", divide="ignore"):
            scaled = (x[rows] - mean) / deviation
        held = np.where(np.isfinite(x[rows]), np.clip(scaled, -FURTHEST, FURTHEST), x[rows])
        return np.where(constant & np.isfinite(x[rows]), 0.0, held)

    return inputs


def _target_moments(dataset: Dataset, parts: Split) -> tuple[float, float]:
    if dataset.task != "regression":
        return 0.0, 1.0
    training = dataset.y[parts.train]
    return float(training.mean()), float(training.std()) or 1.0


def _targets(
    dataset: Dataset, rows: NDArray[np.int64], mean: float, *, scale: float
) -> NDArray[np.int64] | NDArray[np.float32]:
    labels = dataset.y[rows]
    if dataset.task == "multiclass":
        return labels.astype(np.int64)
    return ((labels - mean) / scale).astype(np.float32)
