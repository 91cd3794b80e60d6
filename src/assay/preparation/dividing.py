"""Divide rows among the three splits so that those which belong together stay together and every class gets its share.

Larger groups are placed first, in a drawn order among those of about the same size: each goes to the split that is
filled least by it, as a share of what that split aims at. That is the LPT rule for machines of different speed
(Gonzalez, Ibarra and Sahni, 1977), with one machine a split and one kind of work a class. Rows that belong to no other
then fill what is left, exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

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


def divide(order: Rows, *, classes: Rows, groups: Rows | None, aims: Aims) -> tuple[Rows, Rows, Rows]:
    """Training, validation and test rows, each in no particular order.

    order       the rows to divide, in the order that was drawn
    classes     of all rows of the table: ids that `aims.sizes` counts
    groups      of all rows: those with equal numbers stay together; None where each stands alone
    """
    together, alone = _units(order, groups)
    filled, placed = _placed(together, classes, aims, alone=len(alone))
    parts = [[rows for rows, split in zip(together, placed, strict=True) if split == each] for each in range(SPLITS)]
    wanted = np.array([[size.train, size.validation, size.test] for size in aims.sizes]) - filled
    for split in (each for each in range(SPLITS) if together and aims.shares[each] > 0 and not parts[each]):
        at = int(np.argmax(wanted[classes[alone], split] > 0))  # of a class that is wanted there, else the first
        parts[split].append(alone[at : at + 1])
        wanted[classes[alone[at]], split] -= 1
        alone = np.delete(alone, at)
    for label, room in enumerate(np.maximum(wanted, 0)):
        rows = alone[classes[alone] == label]
        for split, part in enumerate(np.split(rows, np.cumsum(_apportioned(len(rows), room))[:-1])):
            parts[split].append(part)
    train, validation, test = (np.concatenate(rows) for rows in parts)
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


def _placed(together: list[Rows], classes: Rows, aims: Aims, *, alone: int) -> tuple[list[list[int]], list[int]]:
    """Place each group; gives the rows of each class in each split, [classes][splits], and the split of each group.

    alone   rows that are placed after all groups, so that a split may wait for them

    Plain numbers are quicker here than arrays of two or three.
    """
    filled = [[0] * SPLITS for _ in aims.sizes]
    totals = [size.train + size.validation + size.test for size in aims.sizes]
    wanted = [[share * total for share in aims.shares] for total in totals]
    open_splits = [split for split in range(SPLITS) if aims.shares[split] > 0]
    empty, placed = list(open_splits), list[int]()
    for number, rows in enumerate(together):
        counts = Counter(classes[rows].tolist())
        left = len(together) + alone - number
        chosen = _least_filled(empty if left <= len(empty) else open_splits, counts, filled, wanted)
        for label, count in counts.items():
            filled[label][chosen] += count
        placed.append(chosen)
        if chosen in empty:
            empty.remove(chosen)
    return filled, placed


def _least_filled(
    splits: Sequence[int], counts: Mapping[int, int], filled: list[list[int]], wanted: list[list[float]],
) -> int:
    """The split that the group fills least, as a share of what is wanted: the mean over the group's rows."""
    costs = [
        sum(count * (filled[label][split] + count) / wanted[label][split] for label, count in counts.items())
        for split in splits
    ]
    return splits[costs.index(min(costs))]


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
