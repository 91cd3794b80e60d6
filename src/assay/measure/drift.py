"""Measure whether evaluation rows can be told from training rows by their inputs.

Test rows' inputs and class counts are compared with the others; none of their labels enters.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.dataset import Dataset, Split, SplitName
from assay.facts.drift import ColumnDrift, Drift, DriftFacts
from assay.facts.fact import Absent
from assay.linear_probe import held_out, widened
from assay.row_hashes import Hashes, row_hashes

Values = NDArray[np.float64]
Rows = NDArray[np.int64]

FEWEST = 30  # rows of a split: with fewer, only splits that share nothing could be told apart
MOST = 4000  # rows of a split that are compared
PERMUTATIONS = 20
NAMED = 3  # columns that a comparison names
EVALUATION: tuple[SplitName, ...] = ("validation", "test")


def measure_drift(
    dataset: Dataset, split: Split, *, divided: str, given: bool = False, together: bool = False, seed: int = 0,
) -> DriftFacts | Absent:
    """Train a classifier to tell each evaluation split from training, and say where they differ most.

    divided     the kind of the split; `given`: the test rows are a given part
    together    identical inputs stay in one split: they count once, since they were drawn as one

    Training rows are drawn so that classes come as often as in the evaluation split, since how often they come is
    often chosen (rebalanced training, a test set of equal classes) and would show in every column. Absent where no
    evaluation split has 30 rows.
    """
    drifts = []
    hashes = row_hashes(dataset.x) if together else None
    for name in EVALUATION:
        rng = np.random.Generator(np.random.PCG64([seed, len(name)]))
        once = None if given and name == "test" else hashes
        train, evaluation = _distinct(split.train, once), _distinct(split.rows(name), once)
        evaluated = _at_most(evaluation, rng)
        trained = _like(dataset, train, evaluation, rng)
        if min(len(evaluated), len(trained)) >= FEWEST:
            drifts.append(_drift(dataset, trained, evaluated, name, rng=rng))
    if not drifts:
        return Absent(f"no evaluation split has {FEWEST} rows to compare with training")
    return DriftFacts(drifts=tuple(drifts), divided=divided, given=given)


def _distinct(rows: Rows, hashes: Hashes | None) -> Rows:
    return rows if hashes is None else np.sort(rows[np.unique(hashes[rows], return_index=True)[1]])


def _at_most(rows: Rows, rng: np.random.Generator) -> Rows:
    return rows if len(rows) <= MOST else np.sort(rng.choice(rows, MOST, replace=False))


def _like(dataset: Dataset, train: Rows, evaluated: Rows, rng: np.random.Generator) -> Rows:
    """As many training rows as there are with the evaluation split's shares of the classes."""
    if dataset.task == "regression" or dataset.y.ndim == 2 or len(evaluated) == 0:
        return _at_most(train, rng)
    classes = len(dataset.classes)
    ours = np.bincount(dataset.y[train].astype(np.int64), minlength=classes)
    theirs = np.bincount(dataset.y[evaluated].astype(np.int64), minlength=classes)
    common = (ours > 0) & (theirs > 0)
    if not common.any():
        return _at_most(train, rng)
    scale = float((ours[common] / theirs[common]).min())
    if scale * theirs.sum() < FEWEST:  # a class is too rare in training to be matched
        return _at_most(train, rng)
    chosen = [
        rng.choice(train[dataset.y[train] == label], min(round(scale * theirs[label]), ours[label]), replace=False)
        for label in np.flatnonzero(common)
    ]
    return _at_most(np.sort(np.concatenate(chosen)), rng)


def _drift(dataset: Dataset, first: Rows, second: Rows, name: str, *, rng: np.random.Generator) -> Drift:
    rows = np.concatenate([first, second])
    member = np.repeat([0.0, 1.0], [len(first), len(second)])
    categorical = np.array([dataset.kind_of(each) == "category" for each in range(len(dataset.columns))], dtype=bool)
    memberships = np.column_stack([member, *(rng.permutation(member) for _ in range(PERMUTATIONS))])
    predicted = held_out(widened(dataset.x[rows], categorical), memberships)
    areas = [_area(predicted[:, each], memberships[:, each]) for each in range(1 + PERMUTATIONS)]
    columns = sorted(
        (_column(dataset, each, first, second) for each in range(len(dataset.columns))),
        key=lambda column: -column.distance,
    )
    return Drift(
        first="train", second=name, auc=areas[0], chance=(float(np.mean(areas[1:])), float(np.std(areas[1:], ddof=1))),
        compared=(len(first), len(second)), columns=tuple(columns[:NAMED]),
    )


def _area(scores: Values, member: Values) -> float:
    """The area under the ROC curve, ties counting half."""
    values, place, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    positive = member == 1
    ones, zeros = int(positive.sum()), int((~positive).sum())
    return float((ranks[positive].sum() - ones * (ones + 1) / 2) / (ones * zeros)) if len(values) else 0.5


def _column(dataset: Dataset, column: int, first: Rows, second: Rows) -> ColumnDrift:
    name, ours, theirs = dataset.columns[column], dataset.x[first, column], dataset.x[second, column]
    if dataset.kind_of(column) == "category":
        names = dataset.categories.get(name, ())
        return ColumnDrift(column=name, distance=_share_distance(ours, theirs), first=_commonest(ours, names),
                           second=_commonest(theirs, names))
    return ColumnDrift(column=name, distance=_rank_distance(ours, theirs), first=_quartiles(ours),
                       second=_quartiles(theirs))


def _share_distance(ours: Values, theirs: Values) -> float:
    codes = [np.nan_to_num(side, nan=-1.0).astype(np.int64) + 1 for side in (ours, theirs)]
    size = max(int(side.max()) for side in codes) + 1
    counts = [np.bincount(side, minlength=size) for side in codes]
    return float(np.abs(counts[0] / len(ours) - counts[1] / len(theirs)).max())


def _rank_distance(ours: Values, theirs: Values) -> float:
    known = [np.sort(side[np.isfinite(side)]) for side in (ours, theirs)]
    missing = abs(len(known[0]) / len(ours) - len(known[1]) / len(theirs))
    if not len(known[0]) or not len(known[1]):
        return missing
    grid = np.concatenate(known)
    functions = [np.searchsorted(side, grid, side="right") / len(side) for side in known]
    return max(missing, float(np.abs(functions[0] - functions[1]).max()))


def _commonest(codes: Values, names: tuple[str, ...]) -> str:
    known = codes[np.isfinite(codes)].astype(np.int64)
    if not len(known):
        return "all missing"
    counts = np.bincount(np.maximum(known, 0))
    code = int(counts.argmax())
    return f"{names[code] if code < len(names) else code} in {counts[code] / len(codes):.0%}"


def _quartiles(values: Values) -> str:
    known = values[np.isfinite(values)]
    if not len(known):
        return "all missing"
    missing = 1 - len(known) / len(values)
    low, middle, high = np.quantile(known, (0.25, 0.5, 0.75))
    return f"{middle:.4g} ({low:.4g} to {high:.4g})" + (f", {missing:.0%} missing" if missing else "")
