"""Measure whether near-copies of rows stand in two splits, by distances and by hashes.

Of the test rows only inputs are compared. Exact copies are left to the hashes of whole rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assay.coarseness import natural_share
from assay.dataset import Dataset, Split, SplitName
from assay.facts.fact import Absent, Unknown
from assay.facts.leakage import NearCopies, NearOverlapFacts
from assay.row_hashes import Hashes, column_hashes, row_hashes

Values = NDArray[np.float64]
Rows = NDArray[np.int64]

ASKED = 500  # rows of each split whose neighbours are looked for
COMPARED = 3 * 10**10  # products of a row asked, a row of training and a column; fewer training rows beyond
CHUNK = 50_000  # training rows at a time
SAMPLE = 5000  # training rows that say how numbers are scaled and which values are common
FURTHEST = 10.0  # deviations
DISTINCT = 8  # values, from which differences of a number say how near rows are
NEIGHBOURS, CANDIDATES = 10, 16
CHANCE = 1e-4  # of a nearest neighbour so near by accident
NEAREST = 0.3  # of the distance to the tenth, beyond which nothing is near
ALIKE = 0.8  # of the columns that give no distance, which must agree
HASHED = 10_000  # rows of each split that are looked for among training rows less one column
VALUES = 10**8  # hashed for that; fewer columns, drawn by the seed, where a table holds more
FEWEST_COLUMNS, FEWEST_ROWS = 4, 50
RARE, TELLING = 0.05, 3  # share of the rows with the same value; columns
EXAMPLES = 5
COARSE = 0.5  # of the training rows, beyond which rows that are equal but for one column are no surprise
ENDS: tuple[SplitName, ...] = ("validation", "test")


@dataclass(frozen=True)
class _Space:
    """Where distances are taken: `fine` numbers, standardised by a sample of training rows; the others give none."""

    x: Values
    hashes: Hashes
    fine: NDArray[np.bool_]
    sample: Values
    mean: Values
    deviation: Values

    def near(self, rows: Rows) -> Values:
        """Standardised numbers within ten deviations, 0 where one is missing or never varies."""
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            scaled = (self.x[rows][:, self.fine] - self.mean) / self.deviation
        return np.clip(np.where(np.isnan(scaled), 0.0, scaled), -FURTHEST, FURTHEST)

    def other(self, rows: Rows) -> Values:
        """The columns that give no distance."""
        values = self.x[rows][:, ~self.fine]
        return np.where(np.isnan(values), np.inf, values)

    def telling(self, rows: Rows) -> NDArray[np.bool_]:
        """Rows with three numbers or more that few others have.

        The rest lie on lines or planes, as rows of many zeros do, on which neighbours are nearer than elsewhere.
        """
        found = np.zeros(len(rows), dtype=np.int64)
        for at, column in enumerate(np.flatnonzero(self.fine)):
            values, counts = np.unique(self.sample[:, at], return_counts=True)
            asked = self.x[rows, column]
            place = np.minimum(np.searchsorted(values, asked), len(values) - 1)
            common = (values[place] == asked) & (counts[place] > RARE * len(self.sample))
            found += np.isfinite(asked) & ~common
        return found >= TELLING


def measure_near_overlap(dataset: Dataset, split: Split, *, seed: int = 0) -> NearOverlapFacts | Absent:
    """Look for rows of validation and test that nearly stand in training.

    Distances to the first, fifth and tenth neighbour say how many dimensions the data seem to have around a row. In m
    of them, the nearest of ten neighbours is nearer than r times the tenth with probability 1 - (1 - r^m)^9: what
    chance brings once in 10,000 rows counts as near. Absent for fewer than 50 training rows.
    """
    if len(split.train) < FEWEST_ROWS:
        return Absent("too few training rows to say what is near")
    rng = np.random.default_rng(seed)
    hashes = row_hashes(dataset.x)
    copies = list(_but_one_column(dataset, split, hashes, rng))
    space = _space(dataset, split, hashes, rng)
    if space is None:
        why = Unknown("fewer than three columns hold numbers of eight different values or more")
        return NearOverlapFacts(copies=tuple(copies), within=why, dimension=why)
    asked = _drawn(split.train, ASKED, rng)
    reference = rng.permutation(_drawn(split.train, COMPARED // (ASKED * int(space.fine.sum())), rng))
    own = _distances(space, asked, reference)
    dimension = _dimension(own[1])
    if not math.isfinite(dimension):
        why = Unknown("distances to neighbours don't grow: too many rows are equal")
        return NearOverlapFacts(copies=tuple(copies), within=why, dimension=why)
    ratio = min((CHANCE / (NEIGHBOURS - 1)) ** (1 / dimension), NEAREST)
    for name in ENDS:
        rows = _drawn(split.rows(name), ASKED, rng)
        if len(rows):
            copies.append(replace(_near(space, name, rows, reference, ratio), total=len(split.rows(name))))
    within = float(_is_near(space, asked, own, ratio).mean())
    return NearOverlapFacts(copies=tuple(copies), within=within, dimension=dimension)


def _drawn(rows: Rows, most: int, rng: np.random.Generator) -> Rows:
    return np.sort(rng.choice(rows, most, replace=False)) if len(rows) > most else rows


def _space(dataset: Dataset, split: Split, hashes: Hashes, rng: np.random.Generator) -> _Space | None:
    sample = dataset.x[_drawn(split.train, SAMPLE, rng)]
    finite = np.where(np.isfinite(sample), sample, np.nan)
    fine = np.array([
        dataset.kind_of(at) != "category" and len(np.unique(finite[~np.isnan(finite[:, at]), at])) >= DISTINCT
        for at in range(dataset.x.shape[1])
    ], dtype=bool)
    if fine.sum() < TELLING:
        return None
    finite = finite[:, fine]
    size = np.nanmax(np.abs(finite), axis=0)  # squares of 1e200 would overflow
    return _Space(
        x=dataset.x, hashes=hashes, fine=fine, sample=finite, mean=np.nanmean(finite / size, axis=0) * size,
        deviation=np.nanstd(finite / size, axis=0) * size,
    )


def _distances(space: _Space, asked: Rows, reference: Rows) -> tuple[Rows, Values]:
    """Neighbours of each row asked [asked, 10] and their distances, rising; equal rows and the row itself left out.

    After the first training rows, only those nearer than the candidates found so far are looked at.
    """
    targets = space.near(asked)
    own = space.hashes[asked]
    bound = np.full(len(asked), np.inf, dtype=np.float32)
    pairs: list[tuple[Rows, Rows]] = []
    for start in range(0, len(reference), CHUNK):
        rows = reference[start:start + CHUNK]
        chunk = space.near(rows).astype(np.float32)
        squares = (chunk**2).sum(axis=1) - 2 * targets.astype(np.float32) @ chunk.T
        if start == 0:
            squares[own[:, None] == space.hashes[rows]] = np.inf
            if len(rows) > CANDIDATES:
                bound = np.partition(squares, CANDIDATES, axis=1)[:, CANDIDATES]
        found, at = np.nonzero(squares <= bound[:, None])
        different = own[found] != space.hashes[rows[at]]
        pairs.append((found[different], rows[at[different]]))
    found, at = (np.concatenate(each) for each in zip(*pairs, strict=True))
    exact = np.sqrt(((space.near(at) - targets[found]) ** 2).sum(axis=1))
    return _nearest(found, at, exact, len(asked))


def _nearest(found: Rows, at: Rows, exact: Values, asked: int) -> tuple[Rows, Values]:
    """The first ten of each row asked; infinitely far where there are fewer."""
    order = np.lexsort((exact, found))
    found, at, exact = found[order], at[order], exact[order]
    place = np.arange(len(found)) - np.searchsorted(found, found)
    kept = place < NEIGHBOURS
    neighbours = np.zeros((asked, NEIGHBOURS), dtype=np.int64)
    distances = np.full((asked, NEIGHBOURS), np.inf)
    neighbours[found[kept], place[kept]] = at[kept]
    distances[found[kept], place[kept]] = exact[kept]
    return neighbours, distances


def _dimension(distances: Values) -> float:
    """That of a ball in which the fifth of ten neighbours lies at the median ratio; infinite where it can't be said.

    (fifth / tenth)^m follows a Beta(5, 5) distribution, whose median is a half.
    """
    known = np.isfinite(distances[:, -1]) & (distances[:, -1] > 0)
    if known.sum() < FEWEST_ROWS // 2:
        return math.inf
    ratio = float(np.median(distances[known, 4] / distances[known, -1]))
    return math.log(0.5) / math.log(ratio) if 0 < ratio < 1 else math.inf


def _is_near(space: _Space, asked: Rows, found: tuple[Rows, Values], ratio: float) -> NDArray[np.bool_]:
    at, distances = found
    with np.errstate(invalid="ignore", divide="ignore"):
        near = np.isfinite(distances[:, -1]) & (distances[:, 0] < ratio * distances[:, -1])
    near &= space.telling(asked)
    if not space.fine.all():
        near &= (space.other(at[:, 0]) == space.other(asked)).mean(axis=1) >= ALIKE
    return np.asarray(near)


def _near(space: _Space, name: SplitName, rows: Rows, reference: Rows, ratio: float) -> NearCopies:
    found = _distances(space, rows, reference)
    near = np.flatnonzero(_is_near(space, rows, found, ratio))
    return NearCopies(
        first="train", second=name, how="near", asked=len(rows), total=len(rows),
        rows=len(near), expected=CHANCE * len(rows),
        examples=tuple((int(found[0][at, 0]), int(rows[at])) for at in near[:EXAMPLES]),
    )


def _but_one_column(
    dataset: Dataset, split: Split, hashes: Hashes, rng: np.random.Generator
) -> Iterator[NearCopies]:
    """Rows that stand in training but for one column, where that isn't natural."""
    if dataset.x.shape[1] < FEWEST_COLUMNS:
        return
    columns = _drawn(np.arange(dataset.x.shape[1]), max(1, VALUES // dataset.rows), rng)
    asked = {name: _drawn(split.rows(name), HASHED, rng) for name in ENDS}
    asked = {name: rows[~np.isin(hashes[rows], hashes[split.train])] for name, rows in asked.items()}
    best: dict[SplitName, tuple[int, NDArray[np.bool_]]] = {}
    for column in columns:
        without = hashes - column_hashes(dataset.x[:, column], int(column))
        every = np.isin(without[np.concatenate(list(asked.values()))], without[split.train])
        for name, met in zip(asked, np.split(every, [len(asked["validation"])]), strict=True):
            if met.sum() > (best[name][1].sum() if name in best else 0):
                best[name] = int(column), met
    for name, (column, met) in best.items():
        yield _copies(dataset, split, name, rows=asked[name], met=met, column=column)


def _copies(
    dataset: Dataset, split: Split, name: SplitName, *, rows: Rows, met: NDArray[np.bool_], column: int
) -> NearCopies:
    """What is met without this column, and how many of it nature explains.

    Copies come without near misses: where leaving out one more column brings half as many again, different rows are
    alike by nature, and so they are where most are equal without the column among the training rows themselves.
    """
    kept = np.delete(dataset.x, column, axis=1)
    hashes = row_hashes(kept)
    learned = hashes[split.train]
    alike = natural_share(kept, split.train, hashes)
    repeated = 1 - len(np.unique(learned)) / len(learned)
    natural = max(alike * len(rows), len(rows) * max(repeated - COARSE, 0.0) / COARSE)
    order = np.argsort(learned, kind="stable")
    examples = rows[met][:EXAMPLES]
    partners = split.train[order[np.searchsorted(learned[order], hashes[examples])]]
    return NearCopies(
        first="train", second=name, how="one column", asked=len(rows), total=len(split.rows(name)),
        rows=int(met.sum()), expected=natural,
        examples=tuple((int(one), int(other)) for one, other in zip(partners, examples, strict=True)),
        column=dataset.columns[column],
    )
