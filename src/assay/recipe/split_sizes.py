"""How many rows each split gets: exact, from the recipe alone, before any row is seen.

Random splits round; stratified ones are proportional within every class. The splitting of rows follows these numbers,
so what `plan` says is what `run` does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from assay.recipe.schema import SplitPlan


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
    """Rows of each split of the whole table, stratified where classes are counted and the plan isn't random."""
    if plan.kind == "random" or class_counts is None:
        return random_sizes(plan, rows)
    parts = stratified_sizes(plan, class_counts)
    return Sizes(
        sum(part.train for part in parts), sum(part.validation for part in parts), sum(part.test for part in parts)
    )
