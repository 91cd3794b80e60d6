"""Divide rows among the three splits so that those which belong together stay together and every class gets its share.

Larger groups are placed first, in a drawn order among those of about the same size: each goes to the split that is
filled least by it, as a share of what that split aims at. That is the LPT rule for machines of different speed
(Gonzalez, Ibarra and Sahni, 1977), with one machine a split and one kind of work a class. Rows that belong to no other
then fill what is left, exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay.recipe.split_sizes import Sizes

Rows = NDArray[np.int64]
SPLITS = 3


@dataclass(frozen=True)
class Aims:
    """What each split aims at.

    sizes   rows of each class, in the order of the classes
    shares  of all rows, which a class of few rows is measured by where its size in a split is rounded to nothing
    """

    sizes: Sequence[Sizes]
    shares: tuple[float, float, float]


@dataclass
class _Filling:
    """The rows that each split holds so far, and how many of each class, [classes, splits]."""

    counts: NDArray[np.int64]
    rows: tuple[list[Rows], ...] = field(default_factory=lambda: ([], [], []))

    def add(self, split: int, rows: Rows, classes: Rows) -> None:
        self.rows[split].append(rows)
        np.add.at(self.counts[:, split], classes, 1)

    def without_rows(self, shares: Sequence[float]) -> list[int]:
        return [each for each in range(SPLITS) if shares[each] > 0 and not self.rows[each]]


def divide(order: Rows, *, classes: Rows, groups: Rows | None, aims: Aims) -> tuple[Rows, Rows, Rows]:
    """Training, validation and test rows, each in no particular order.

    order       the rows to divide, in the order that was drawn
    classes     of all rows of the table: ids that `aims.sizes` counts
    groups      of all rows: those with equal numbers stay together; None where each stands alone
    """
    filling = _Filling(np.zeros((len(aims.sizes), SPLITS), dtype=np.int64))
    together, alone = _units(order, groups)
    units = len(together) + len(alone)
    for number, rows in enumerate(together):
        empty = filling.without_rows(aims.shares)
        allowed = empty if units - number <= len(empty) else [s for s in range(SPLITS) if aims.shares[s] > 0]
        filling.add(_least_filled(filling, classes[rows], allowed, aims), rows, classes[rows])
    for label, size in enumerate(aims.sizes):
        rows = alone[classes[alone] == label]
        wanted = np.maximum(np.array([size.train, size.validation, size.test]) - filling.counts[label], 0)
        for split, part in enumerate(np.split(rows, np.cumsum(_apportioned(len(rows), wanted))[:-1])):
            filling.rows[split].append(part)
    train, validation, test = (np.concatenate(parts) for parts in filling.rows)
    return train, validation, test


def units_of(rows: Rows, groups: Rows | None) -> int:
    """How many parts these rows can be divided into."""
    return len(rows) if groups is None else len(np.unique(groups[rows]))


def _units(order: Rows, groups: Rows | None) -> tuple[list[Rows], Rows]:
    """The groups of two rows or more, large ones first, and the rows that stand alone, all as drawn."""
    if groups is None:
        return [], order
    inverse, counts = np.unique(groups[order], return_inverse=True, return_counts=True)[1:]
    alone = order[counts[inverse] == 1]
    members = np.argsort(inverse, kind="stable")  # by group, and in the drawn order within each
    parts = [part for part in np.split(members, np.cumsum(counts)[:-1]) if len(part) > 1]
    parts.sort(key=lambda part: (-len(part).bit_length(), part[0]))
    return [order[part] for part in parts], alone


def _least_filled(filling: _Filling, classes: Rows, allowed: Sequence[int], aims: Aims) -> int:
    present, counts = np.unique(classes, return_counts=True)
    totals = np.array([aims.sizes[label].train + aims.sizes[label].validation + aims.sizes[label].test
                       for label in present])
    cost = {
        split: float((counts * (filling.counts[present, split] + counts) / (aims.shares[split] * totals)).sum())
        for split in allowed
    }
    return min(cost, key=lambda split: (cost[split], split))


def _apportioned(rows: int, wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows in proportion to what is wanted, by the largest remainder; as wanted where that is all of them."""
    total = int(wanted.sum())
    if total == rows:
        return wanted
    exact = rows * wanted / max(total, 1)
    given = np.floor(exact).astype(np.int64)
    for split in np.argsort(given - exact, kind="stable")[: rows - int(given.sum())]:
        given[split] += 1
    return given


def joined_groups(groups: Sequence[Rows]) -> Rows:
    """Groups that keep together what any of these keeps together: the connected components, int64 [rows]."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    first, *others = (np.unique(each, return_inverse=True)[1] for each in groups)
    for other in others:
        width = int(first.max(initial=-1)) + 1
        nodes = width + int(other.max(initial=-1)) + 1
        links = coo_array((np.ones(len(first)), (first, width + other)), shape=(nodes, nodes))
        first = connected_components(links, directed=False)[1][first]
    return np.asarray(first, dtype=np.int64)


def in_time(times: NDArray[np.float64], rows: Rows, *, sizes: Sizes, gap: float) -> tuple[Rows, Rows, Rows]:
    """Training before validation before test; equal times stay in one split, and rows up to `gap` after a cut are out.

    times   of all rows, finite and not all equal
    """
    order = rows[np.argsort(times[rows], kind="stable")]
    sorted_times = times[order]
    first, second = _cuts(sorted_times, sizes)
    later = np.arange(len(order))
    validation = (later >= first) & (later < second) & (sorted_times > sorted_times[first - 1] + gap)
    test = (later >= second) & (sorted_times > sorted_times[second - 1] + gap)
    return order[:first], order[validation], order[test]


def _cuts(times: NDArray[np.float64], sizes: Sizes) -> Iterator[int]:
    """Where validation and test begin: at the changes of time that are nearest to what is wanted."""
    changes = np.flatnonzero(np.diff(times) > 0) + 1
    spare = changes[:-1] if sizes.test and len(changes) > 1 else changes  # a change is left to cut off the test rows
    first = int(spare[np.abs(spare - sizes.train).argmin()])
    yield first
    after = changes[changes > first]
    if not sizes.test or not len(after):
        yield len(times)
    else:
        yield int(after[np.abs(after - sizes.train - sizes.validation).argmin()])
