"""Measure which labels are contradicted by models that were fitted without them. Test rows are left out.

This is confident learning (Northcutt, Jiang and Chuang, JAIR 70, 2021) with its question turned round. Labels that
overlap by nature are contradicted where a model is in doubt; labels that were mixed up are contradicted as often where
it is sure. So the rows are ranked by how sure the prediction is, and errors are counted in the surer half.
"""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from assay.dataset import Dataset, Split
from assay.facts.fact import Absent
from assay.facts.label_quality import SuspectFacts, SuspectLabel
from assay.linear_probe import widened
from assay.tree_inputs import tree_inputs

Values = NDArray[np.float64]
Labels = NDArray[np.int64]

ROWS = 6000  # that are predicted, drawn by the seed where there are more
FEWEST = 100  # rows, below which the surer half holds too few errors to count
MOST_CLASSES = 30
FOLDS = 5
ROUNDS, LEAVES, IN_LEAF = 60, 8, 20  # of the trees: few and small, so that they don't learn single labels by heart
PENALTY = 0.1  # of the logistic regression, as scikit-learn's C
NAMED = 20


def measure_suspects(dataset: Dataset, split: Split, *, seed: int = 0) -> SuspectFacts | Absent:
    """Predict each row by a logistic regression and by boosted trees, fitted on four fifths of the others, and average.

    Absent for tasks without classes that exclude each other, and where rows are too few for the classes.
    """
    if dataset.task not in ("binary", "multiclass"):
        return Absent("only classes that exclude each other are contradicted by predictions", applicable=False)
    rows = _drawn(dataset, split, seed)
    present = np.unique(dataset.y[rows])
    labels = np.searchsorted(present, dataset.y[rows]).astype(np.int64)
    counts = np.bincount(labels)
    if len(rows) < FEWEST or len(present) > MOST_CLASSES or len(present) < 2:
        return Absent(f"{len(rows)} rows of {len(present)} classes are too few to predict labels from the others")
    chances = _held_out(dataset, rows, labels, seed=seed)
    own, predicted = chances[np.arange(len(rows)), labels], chances.argmax(axis=1)
    surer = np.argsort(-chances.max(axis=1), kind="stable")[: len(rows) // 2]
    wrong = surer[predicted[surer] != labels[surer]]
    worst = wrong[np.argsort(own[wrong], kind="stable")][:NAMED]
    surest = surer[: len(rows) // 4]
    return SuspectFacts(
        rows=len(rows), errors=int((predicted != labels).sum()), sure=len(surer), sure_errors=len(wrong),
        surest=len(surest), surest_errors=int((predicted[surest] != labels[surest]).sum()),
        constant=1 - float(counts.max()) / len(rows),
        suspects=tuple(
            SuspectLabel(row=int(rows[at]), label=dataset.label_of(int(rows[at])), probability=float(own[at]),
                         predicted=_name(dataset, int(present[predicted[at]])))
            for at in worst
        ),
    )


def _drawn(dataset: Dataset, split: Split, seed: int) -> Labels:
    """Training and validation rows with a class that has enough of them for every fold to hold some."""
    rows = np.sort(np.concatenate([split.train, split.validation]))
    rows = rows[np.isfinite(dataset.y[rows])]
    if len(rows) > ROWS:
        rows = np.sort(np.random.default_rng(seed).choice(rows, ROWS, replace=False))
    values, counts = np.unique(dataset.y[rows], return_counts=True)
    return rows[np.isin(dataset.y[rows], values[counts >= 2 * FOLDS])]


def _held_out(dataset: Dataset, rows: Labels, labels: Labels, *, seed: int) -> Values:
    """Probabilities [rows, classes], each from models that were fitted without the row."""
    x = np.where(np.isfinite(dataset.x[rows]), dataset.x[rows], np.nan)
    categorical = np.array([dataset.kind_of(column) == "category" for column in range(x.shape[1])], dtype=bool)
    features = widened(x, categorical, seed=seed)
    chances = np.zeros((len(rows), int(labels.max()) + 1))
    folds = _folds(labels, seed)
    trees = HistGradientBoostingClassifier(
        max_iter=max(10, ROUNDS // max(1, chances.shape[1] // 2)), max_leaf_nodes=LEAVES, early_stopping=False,
        min_samples_leaf=min(IN_LEAF, max(5, len(rows) // 50)), random_state=seed,
    )
    with threadpool_limits(limits=1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for fold in range(FOLDS):
            fitted, out = folds != fold, folds == fold
            for model, inputs in ((LogisticRegression(C=PENALTY, max_iter=100), features), (trees, x)):
                if inputs.shape[1]:
                    taken = tree_inputs(inputs, fitted) if model is trees else inputs
                    known = model.fit(taken[fitted], labels[fitted]).classes_
                    chances[np.ix_(out, known)] += model.predict_proba(taken[out]) / 2
    return chances


def _folds(labels: Labels, seed: int) -> Labels:
    """A fold for each row, so that the rows of each class are dealt out evenly."""
    drawn = np.random.default_rng(seed).permutation(len(labels))
    folds = np.empty(len(labels), dtype=np.int64)
    folds[drawn[np.argsort(labels[drawn], kind="stable")]] = np.arange(len(labels)) % FOLDS
    return folds


def _name(dataset: Dataset, label: int) -> str:
    return dataset.classes[label] if 0 <= label < len(dataset.classes) else str(label)
