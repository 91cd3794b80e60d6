from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as reference

from assay.errors import RecipeError
from assay.recipe.metrics import metrics_for
from assay.training.metrics import Scorer

CLASSES = Scorer(task="multiclass", metrics=metrics_for("multiclass"), classes=4)
labels = st.integers(0, 3)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(labels, labels), min_size=1, max_size=60))
def test_scores_of_classes_are_those_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    predicted, true = (torch.tensor(part) for part in zip(*pairs, strict=True))
    scores = CLASSES.score(predicted, true)
    expected = {
        "macro_f1": reference.f1_score(true, predicted, average="macro", zero_division=0),
        "weighted_f1": reference.f1_score(true, predicted, average="weighted", zero_division=0),
        "accuracy": reference.accuracy_score(true, predicted),
    }
    assert scores.scalars == pytest.approx(expected, abs=1e-6)
    matrix = reference.confusion_matrix(true, predicted, labels=range(4))
    assert np.array_equal(scores.confusion_matrix or (), matrix)
    for label, recall in enumerate(scores.per_class_recall or ()):
        count = matrix[label].sum()
        assert math.isnan(recall) if count == 0 else recall == pytest.approx(matrix[label, label] / count)


def test_a_score_of_the_whole_is_no_mean_over_batches() -> None:
    predicted, true = torch.tensor([0, 0, 1, 1]), torch.tensor([0, 0, 0, 1])
    scorer = Scorer(task="binary", metrics=("macro_f1",), classes=2)
    whole = scorer.score(predicted, true).scalars["macro_f1"]
    halves = [scorer.score(predicted[i : i + 2], true[i : i + 2]).scalars["macro_f1"] for i in (0, 2)]
    assert whole == pytest.approx(reference.f1_score(true, predicted, average="macro"))
    assert whole != pytest.approx(sum(halves) / 2)


def test_errors_of_a_regression_are_in_the_targets_own_unit() -> None:
    scorer = Scorer(task="regression", metrics=("mae", "rmse", "r2"), target_mean=100.0, target_scale=10.0)
    predicted, true = torch.tensor([0.0, 1.0, -1.0]), torch.tensor([0.5, 1.0, 0.0])
    scores = scorer.score(predicted, true).scalars
    raw = 10 * true.numpy() + 100, 10 * predicted.numpy() + 100
    assert scores["mae"] == pytest.approx(reference.mean_absolute_error(*raw))
    assert scores["rmse"] == pytest.approx(reference.root_mean_squared_error(*raw))
    assert scores["r2"] == pytest.approx(reference.r2_score(*raw))


def test_one_example_has_no_r2_and_none_has_no_score() -> None:
    scorer = Scorer(task="regression", metrics=("mae", "r2"))
    scores = scorer.score(torch.zeros(1), torch.ones(1)).scalars
    assert scores["mae"] == 1.0
    assert math.isnan(scores["r2"])
    assert math.isnan(CLASSES.score(torch.zeros(0), torch.zeros(0)).scalars["accuracy"])


def test_ignored_labels_count_for_nothing() -> None:
    scorer = Scorer(task="multiclass", metrics=("accuracy",), classes=3, ignore_index=-1)
    assert scorer.score(torch.tensor([0, 1, 2]), torch.tensor([0, 1, -1])).scalars["accuracy"] == 1.0


def test_predictions_are_read_off_raw_outputs() -> None:
    assert CLASSES.predictions(torch.tensor([[0.0, 2.0, 1.0, 0.0]])).tolist() == [1]
    binary = Scorer(task="binary", metrics=("accuracy",), classes=2)
    assert binary.predictions(torch.tensor([[-0.1], [0.1]])).tolist() == [0, 1]


def test_a_metric_of_another_task_is_refused() -> None:
    with pytest.raises(RecipeError, match="mae is no metric of a binary task"):
        Scorer(task="binary", metrics=("mae",), classes=2)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 1)] * 6), min_size=2, max_size=40))
def test_scores_of_several_labels_are_those_of_scikit_learn(rows: list[tuple[int, ...]]) -> None:
    cells = np.array(rows)
    predicted, true = cells[:, :3], cells[:, 3:]
    scorer = Scorer(task="multilabel", metrics=metrics_for("multilabel"), classes=3)
    scores = scorer.score(torch.from_numpy(predicted), torch.from_numpy(true).float())
    assert scores.scalars == pytest.approx({
        "macro_f1": reference.f1_score(true, predicted, average="macro", zero_division=0),
        "weighted_f1": reference.f1_score(true, predicted, average="weighted", zero_division=0),
        "subset_accuracy": reference.accuracy_score(true, predicted),
    }, abs=1e-6)
    recall = reference.recall_score(true, predicted, average=None, zero_division=0)
    expected = np.where(true.sum(axis=0) > 0, recall, np.nan)
    np.testing.assert_allclose(np.array(scores.per_class_recall), expected, atol=1e-6)
    assert scores.confusion_matrix is None


def test_each_label_is_read_off_its_own_logit() -> None:
    scorer = Scorer(task="multilabel", metrics=("macro_f1",), classes=2)
    assert scorer.predictions(torch.tensor([[-1.0, 2.0], [0.1, 3.0]])).tolist() == [[0, 1], [1, 1]]
    assert math.isnan(scorer.score(torch.zeros(0, 2), torch.zeros(0, 2)).scalars["macro_f1"])
