"""How many rows each split gets, from the recipe alone, before any row is seen.

Random splits round; stratified ones are proportional within every class. The splitting of rows follows these numbers,
so what `plan` says is what `run` does. Where rows stay together (groups, equal inputs, equal times) the numbers are
what is aimed at, and the rows come as near as they can.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from assay.recipe.schema import DataBlock, SplitPlan, TableData

STRATIFIED = ("stratified", "stratified_grouped")
UNSTRATIFIED = ("random", "grouped", "time", "column")


@dataclass(frozen=True)
class Sizes:
    """Rows of each split, of the whole table or of one class."""

    train: int
    validation: int
    test: int


def random_sizes(plan: SplitPlan, rows: int) -> Sizes:
    """Validation and test are rounded to the nearest row (halves to even), training takes the rest."""
    validation = min(round(rows * plan.validation), rows)
    test = min(round(rows * plan.test), rows - validation)
    return Sizes(rows - validation - test, validation, test)


def stratified_sizes(plan: SplitPlan, class_counts: Sequence[int]) -> tuple[Sizes, ...]:
    """The sizes within each class, in the order of the classes.

    Each class gives its whole share to every split. What is left over goes first to a split that has no row of the
    class yet (training before validation before test), then to the split that is furthest behind its share of all
    classes so far. So a class of one row is trained on, and totals are as exact as rows allow.
    """
    shares = (plan.train, plan.validation, plan.test)
    owed = [0.0, 0.0, 0.0]
    sizes = []
    for count in class_counts:
        taken = [math.floor(count * share + 1e-9) for share in shares]  # 5 × 0.2 must be 1, not 0.99…
        owed = [debt + count * share - got for debt, share, got in zip(owed, shares, taken, strict=True)]
        for _ in range(count - sum(taken)):
            chosen = _next(taken, owed, shares)
            taken[chosen] += 1
            owed[chosen] -= 1
        sizes.append(Sizes(*taken))
    return tuple(sizes)


def _next(taken: list[int], owed: list[float], shares: tuple[float, ...]) -> int:
    open_splits = [index for index in range(3) if shares[index] > 0]
    without = [index for index in open_splits if taken[index] == 0]
    return without[0] if without else max(open_splits, key=lambda index: (owed[index], -index))


def split_sizes(plan: SplitPlan, *, rows: int, class_counts: Sequence[int] | None) -> Sizes:
    """Rows of each split of the whole table, stratified where classes are counted unless the plan says else."""
    if plan.kind in UNSTRATIFIED or class_counts is None:
        return random_sizes(plan, rows)
    parts = stratified_sizes(plan, class_counts)
    return Sizes(
        sum(part.train for part in parts), sum(part.validation for part in parts), sum(part.test for part in parts)
    )


def without_test(plan: SplitPlan) -> SplitPlan:
    """The plan for rows beside a given test part: training and validation in the same proportion, no test."""
    whole = plan.train + plan.validation
    return plan.model_copy(update={"train": plan.train / whole, "validation": plan.validation / whole, "test": 0.0})


def planned_sizes(data: DataBlock) -> Sizes | None:
    """Rows of each split of this data block; None where it doesn't tell.

    Rows that the data themselves give to a split (`data.given_rows`) are counted; the others are divided by the shares.
    """
    if data.rows is None:
        return None
    counts = None if is_multilabel(data) else data.class_counts
    if not gives_splits(data):
        return split_sizes(data.split, rows=data.rows, class_counts=counts)
    if data.given_rows is None:
        return None
    train, validation, test = data.given_rows
    if data.split.kind == "column" and validation:
        return Sizes(train, validation, test)
    rest = random_sizes(without_test(data.split), data.rows - test)
    return Sizes(rest.train, rest.validation, test)


def is_exact(data: DataBlock) -> bool:
    """Whether the planned sizes are what the rows will come to; where some stay together they come near."""
    if data.split.kind in ("grouped", "stratified_grouped", "time"):
        return False
    return not isinstance(data, TableData) or data.identical_rows == "apart"


def gives_splits(data: DataBlock) -> bool:
    """Whether the data themselves give rows to splits: by a column, or by a file of test rows."""
    return data.split.kind == "column" or (isinstance(data, TableData) and data.test_file is not None)


def is_multilabel(data: DataBlock) -> bool:
    """Whether an example carries several labels: `data.class_counts` then counts the examples of each."""
    return isinstance(data, TableData) and isinstance(data.target, tuple) and len(data.target) > 1


def is_stratified(data: DataBlock) -> bool:
    """Whether every split gets its share of every class: as the plan says, else where classes are counted."""
    if data.split.kind is None:
        return data.class_counts is not None and not is_multilabel(data)
    return data.split.kind in STRATIFIED
