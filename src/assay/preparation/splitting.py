"""From a table to the rows of each split. Test rows are set aside here, and touched by nothing after that."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.dataset import Dataset, Split
from assay.errors import DataError
from assay.preparation.dividing import Aims, Rows, divide, in_time, joined_groups, units_of
from assay.recipe.schema import SplitPlan
from assay.recipe.split_sizes import STRATIFIED, Sizes, random_sizes, stratified_sizes, without_test
from assay.row_hashes import row_hashes

Identical = Literal["together", "apart"]
GROUPED = ("grouped", "stratified_grouped")
NAMED = 5  # rows that an error names


def split(dataset: Dataset, plan: SplitPlan, *, identical_rows: Identical = "apart") -> Split:
    """Divide the rows; the same plan and table always give the same division.

    A plan without a kind goes by the table's own column of splits, its times or its groups, where it has them; else it
    is stratified for classes and random for regression and for several labels. The order of rows comes from the raw
    64-bit output of PCG64, which NumPy keeps the same in all versions and on all platforms (NEP 19).

    Rows that the table gives to the test part stay there, and the plan divides the others. A column that names no
    validation rows has its training rows divided.

    identical_rows  together: rows with equal inputs count as one group, unless times or a column say where rows go

    Raises DataError where the table lacks what the plan goes by, or can't be divided so.
    """
    kind = plan.kind or _kind(dataset)
    _refuse(dataset, kind)
    fixed, free = _given(dataset, kind)
    if any(len(rows) for rows in fixed):
        plan = without_test(plan)
    if not len(free):
        divided = (free, free, free)
    elif kind == "time":
        divided = _by_time(dataset, free, plan)
    else:
        divided = _drawn(dataset, free, plan.model_copy(update={"kind": kind}), identical_rows)
    train, validation, test = (np.sort(np.concatenate(parts)) for parts in zip(fixed, divided, strict=True))
    if len(train) == 0 or len(validation) == 0:
        raise DataError(_too_few(dataset, plan, kind))
    return Split(train=train, validation=validation, test=test)


def _kind(dataset: Dataset) -> str:
    labelled = dataset.task in ("binary", "multiclass")
    if dataset.given is not None and (dataset.given == "train").any():
        return "column"
    if dataset.times is not None:
        return "time"
    if dataset.groups is not None:
        return "stratified_grouped" if labelled else "grouped"
    return "stratified" if labelled else "random"


def _refuse(dataset: Dataset, kind: str) -> None:
    if kind in STRATIFIED and dataset.task in ("regression", "multilabel"):
        what = "a regression target has no classes" if dataset.task == "regression" else (
            "examples with several labels have no single class")
        raise DataError(f"data.split.kind: {what} to stratify by; use {'random' if kind == 'stratified' else 'grouped'}"
                        ".")
    needed = {"grouped": dataset.groups, "stratified_grouped": dataset.groups, "time": dataset.times,
              "column": dataset.given}
    key = {"time": "data.time", "column": "data.split_column"}.get(kind, "data.group")
    if kind in needed and needed[kind] is None:
        raise DataError(f"data.split.kind is {kind}, but {dataset.name} has no column for it; name it as {key}.")


def _given(dataset: Dataset, kind: str) -> tuple[tuple[Rows, Rows, Rows], Rows]:
    """The rows that the table itself puts in each split, and those that are to be divided."""
    rows, none = np.arange(dataset.rows), np.array([], dtype=np.int64)
    if dataset.given is None:
        return (none, none, none), rows
    train, validation, test = (rows[dataset.given == name] for name in ("train", "validation", "test"))
    if kind != "column":
        return (none, none, test), rows[dataset.given != "test"]
    stateless = rows[~np.isin(dataset.given, ("train", "validation", "test"))]
    if len(stateless):
        named = ", ".join(str(row) for row in stateless[:NAMED]) + (", …" if len(stateless) > NAMED else "")
        raise DataError(f"data.split_column: {_rows(len(stateless))} of {dataset.name} (row {named}) without a split; "
                        "write train, validation or test there.")
    return ((train, validation, test), none) if len(validation) else ((none, none, test), train)


def _by_time(dataset: Dataset, free: Rows, plan: SplitPlan) -> tuple[Rows, Rows, Rows]:
    assert dataset.times is not None
    unknown = free[~np.isfinite(dataset.times[free])]
    if len(unknown):
        raise DataError(f"data.time: {_rows(len(unknown))} of {dataset.name} without a time (the first is "
                        f"row {unknown[0]}); give every row one, or divide by another data.split.kind.")
    if len(np.unique(dataset.times[free])) < 2:
        raise DataError(f"data.time: all rows of {dataset.name} have the same time, so it can't tell training from "
                        "validation; name another column, or divide by another data.split.kind.")
    return in_time(dataset.times, free, sizes=random_sizes(plan, len(free)), gap=plan.gap)


def _drawn(dataset: Dataset, free: Rows, plan: SplitPlan, identical: Identical) -> tuple[Rows, Rows, Rows]:
    draws = np.random.PCG64(plan.seed).random_raw(dataset.rows)
    order = np.argsort(draws, kind="stable").astype(np.int64)
    order = order[_mask(free, dataset.rows)[order]]
    groups = _groups(dataset, plan, identical)
    shares = (plan.train, plan.validation, plan.test)
    wanted, units = sum(share > 0 for share in shares), units_of(free, groups)
    if groups is not None and units < min(wanted, len(free)):
        raise DataError(_tied(dataset, plan, units, wanted))
    classes, sizes = _classes(dataset, free, plan)
    return divide(order, classes=classes, groups=groups, aims=Aims(sizes, shares))


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"


def _mask(rows: Rows, length: int) -> NDArray[np.bool_]:
    mask = np.zeros(length, dtype=bool)
    mask[rows] = True
    return mask


def _groups(dataset: Dataset, plan: SplitPlan, identical: Identical) -> Rows | None:
    """What must stay together, None where every row stands alone."""
    parts = []
    if plan.kind in GROUPED and dataset.groups is not None:
        parts.append(dataset.groups)
    if identical == "together":
        parts.append(row_hashes(dataset.x).view(np.int64))
    return joined_groups(parts) if parts else None


def _classes(dataset: Dataset, free: Rows, plan: SplitPlan) -> tuple[Rows, tuple[Sizes, ...]]:
    """The classes to keep even, of all rows, and the size of each in every split; one class where none are kept."""
    by_column = plan.kind == "column" and dataset.task in ("binary", "multiclass")
    if plan.kind not in STRATIFIED and not by_column:
        return np.zeros(dataset.rows, dtype=np.int64), (random_sizes(plan, len(free)),)
    labels = dataset.y.astype(np.int64)
    counts = np.bincount(labels[free], minlength=len(dataset.classes))
    return labels, stratified_sizes(plan, [int(count) for count in counts])


def _tied(dataset: Dataset, plan: SplitPlan, units: int, wanted: int) -> str:
    if plan.kind not in GROUPED:
        return (f"{dataset.name} has only {units} different rows, too few for {wanted} splits that share none; look at "
                "its columns, or let equal rows fall as they come with data.identical_rows: apart.")
    return (f"{dataset.name} has {units} groups that share no rows, too few for {wanted} splits; name another "
            "data.group, give fewer splits a share, or (where equal rows tie groups together) set "
            "data.identical_rows: apart.")


def _too_few(dataset: Dataset, plan: SplitPlan, kind: str) -> str:
    if kind == "time" and plan.gap:
        return (f"data.split.gap: a gap of {plan.gap:g} in {dataset.name} leaves no rows to train or validate on; make "
                "it smaller, or the shares larger.")
    if kind == "column":
        return f"data.split_column: {dataset.name} has no rows for training; write train in some."
    return (f"{dataset.name} has {dataset.rows} rows, too few to train on {plan.train:.0%} and validate on "
            f"{plan.validation:.0%} of them; give more rows or larger shares in data.split.")
