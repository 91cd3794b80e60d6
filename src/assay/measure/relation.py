"""Measure whether the inputs say anything about the labels: a probe against its twin with permuted labels.

Test rows are left out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm
from sklearn.ensemble import HistGradientBoostingRegressor
from threadpoolctl import threadpool_limits

from assay.dataset import Dataset, Split
from assay.facts.fact import Absent
from assay.facts.label_quality import RelationFacts
from assay.linear_probe import BENT, correlation, held_out, standardised, widened
from assay.tree_inputs import tree_inputs

Values = NDArray[np.float64]

ROWS = 20_000  # that are predicted, drawn by the seed where there are more
FEWEST = 100  # rows, below which inputs that tell a tenth of the labels' variance may look like chance
CLASSES = 10  # commonest classes, each told apart from all others
PERMUTED = 20  # twins
ROUNDS, LEAVES = 60, 8  # of the trees
SURE = 4.0  # standard deviations; beyond, no further probe is asked


def measure_relation(dataset: Dataset, split: Split, *, seed: int = 0) -> RelationFacts | Absent:
    """Ask a linear probe on widened inputs, then each column by itself, then boosted trees, until one is sure.

    Absent where there are too few rows, or labels or inputs don't vary.
    """
    rows = np.sort(np.concatenate([split.train, split.validation]))
    rows = rows[np.isfinite(dataset.y[rows].reshape(len(rows), -1)).all(axis=1)]
    rng = np.random.default_rng(seed)
    if len(rows) > ROWS:
        rows = np.sort(rng.choice(rows, ROWS, replace=False))
    if len(rows) < FEWEST:
        return Absent(f"{len(rows)} rows are too few to tell weak relations from none")
    labels = _labels(dataset, rows)
    categorical = np.array([dataset.kind_of(column) == "category" for column in range(dataset.x.shape[1])], dtype=bool)
    features = widened(dataset.x[rows], categorical, seed=seed)
    if labels.shape[1] == 0 or features.shape[1] == 0:
        return Absent("the labels or the inputs don't vary")
    probes = {"linear": _linear(features, labels, rng=rng, seed=seed)}
    single = _single(features[:, :max(1, features.shape[1] - BENT)], labels)
    if max(probes["linear"][1], single[1]) < SURE:
        probes["trees"] = _trees(dataset.x[rows], labels, rng=rng)
    return RelationFacts(rows=len(rows), probes=probes, single=single)


def _labels(dataset: Dataset, rows: NDArray[np.int64]) -> Values:
    """Labels as numbers [rows, targets]: a column for each of the commonest classes, or the ranks of the target."""
    y = dataset.y[rows].astype(np.float64)
    if dataset.task == "regression":
        return standardised(np.argsort(np.argsort(y, kind="stable"), kind="stable")[:, None].astype(np.float64))
    if y.ndim == 2:
        return standardised(y[:, :CLASSES])
    values, counts = np.unique(y, return_counts=True)
    return standardised((y[:, None] == values[np.argsort(-counts, kind="stable")[:CLASSES]]).astype(np.float64))


def _linear(features: Values, labels: Values, *, rng: np.random.Generator, seed: int) -> tuple[float, float]:
    """The probe's correlation, and how far it lies above its twins'."""
    width = labels.shape[1]
    orders = [np.arange(len(labels)), *(rng.permutation(len(labels)) for _ in range(PERMUTED))]
    targets = np.hstack([labels[order] for order in orders])
    predicted = held_out(features, targets, seed=seed)
    scores = [correlation(predicted[:, at:at + width], targets[:, at:at + width])
              for at in range(0, targets.shape[1], width)]
    return scores[0], (scores[0] - float(np.mean(scores[1:]))) / max(float(np.std(scores[1:], ddof=1)), 1e-12)


def _single(features: Values, labels: Values) -> tuple[float, float]:
    """The largest correlation of one column with one label, and as how many standard deviations that counts.

    Of k correlations of noise the largest is as large with probability 1 - (1 - p)^k, where p is that of one (Šidák).
    """
    related = np.abs(features.T @ labels) / len(features)
    largest = float(related.max())
    one = 2 * norm.sf(largest * np.sqrt(len(features)))
    return largest, float(norm.isf(np.clip(-np.expm1(related.size * np.log1p(-min(one, 0.999999))), 1e-300, 1 - 1e-9)))


def _trees(x: Values, labels: Values, *, rng: np.random.Generator) -> tuple[float, float]:
    """Boosted trees for the label that varies the most, over two halves; permuted labels meet the same predictions."""
    label = labels[:, 0]
    first = rng.permutation(len(label)) < len(label) // 2
    predicted = np.empty_like(label)
    with threadpool_limits(limits=1):
        for fitted, out in ((first, ~first), (~first, first)):
            model = HistGradientBoostingRegressor(
                max_iter=ROUNDS, max_leaf_nodes=LEAVES, early_stopping=False, random_state=0,
            )
            inputs = tree_inputs(x, fitted)
            guessed = model.fit(inputs[fitted], label[fitted]).predict(inputs[out])
            predicted[out] = guessed - guessed.mean()
    score = correlation(predicted[:, None], label[:, None])
    return score, score * float(np.sqrt(len(label) / 2))  # the halves say the same twice
