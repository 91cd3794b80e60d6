from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits

from assay.dataset import Examples
from assay.errors import RecipeError, UserCodeError
from assay.facts.task import TaskKind
from assay.models.baselines import boosted_trees, constant, linear, published
from assay.recipe.schema import Baseline

LOADERS = {"multiclass": load_digits, "binary": load_breast_cancer, "regression": load_diabetes}


def halves(task: TaskKind) -> tuple[Examples, np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    x, y = LOADERS[task](return_X_y=True)
    x = ((x - x.mean(0)) / (x.std(0) + 1e-9)).astype(np.float32)
    y = y.astype(np.int64) if task == "multiclass" else y.astype(np.float32)
    y = (y - y.mean()) / y.std() if task == "regression" else y
    order = np.random.default_rng(0).permutation(len(x))[:600]
    first, second = order[: len(order) // 2], order[len(order) // 2 :]
    return Examples(x=x[first], y=y[first], rows=first), x[second], y[second]


@pytest.mark.parametrize("task", ["multiclass", "binary", "regression"])
@pytest.mark.parametrize("baseline", [linear, boosted_trees])
def test_each_beats_the_constant_and_repeats_itself(task: TaskKind, baseline: Any) -> None:
    train, inputs, truth = halves(task)
    predicted = baseline.fit_predict(train, inputs, task=task, seed=0)
    nothing = constant.fit_predict(train, inputs, task=task, seed=0)
    if task == "regression":
        assert ((predicted - truth) ** 2).mean() < 0.9 * ((nothing - truth) ** 2).mean()
    else:
        assert predicted.dtype == nothing.dtype == np.int64
        assert (predicted == truth).mean() > (nothing == truth).mean() + 0.2
    assert np.array_equal(predicted, baseline.fit_predict(train, inputs, task=task, seed=0))


@pytest.mark.parametrize("baseline", [constant, linear, boosted_trees])
def test_one_class_is_no_failure(baseline: Any) -> None:
    train = Examples(x=np.eye(4, dtype=np.float32), y=np.full(4, 2), rows=np.arange(4))
    assert baseline.fit_predict(train, train.x[:2], task="multiclass", seed=0).tolist() == [2, 2]


def test_the_constant_is_the_most_frequent_class_or_the_mean() -> None:
    x = np.zeros((4, 1), np.float32)
    labels = Examples(x=x, y=np.array([1, 1, 0, 2]), rows=np.arange(4))
    assert constant.fit_predict(labels, x[:2], task="multiclass", seed=0).tolist() == [1, 1]
    values = Examples(x=x, y=np.array([1, 2, 3, 6], np.float32), rows=np.arange(4))
    assert constant.fit_predict(values, x[:1], task="regression", seed=0).tolist() == [3.0]


def of_class(path: str, **arguments: Any) -> Any:
    train, inputs, truth = halves("binary")
    plan = Baseline(class_path=path, init_args=arguments, source="a paper")
    predicted = published.fit_predict(train, inputs, task="binary", seed=0, baseline=plan)
    return (predicted == truth).mean()


def test_a_published_model_is_made_by_its_path_and_seeded() -> None:
    path = "sklearn.ensemble.RandomForestClassifier"
    assert of_class(path, n_estimators=10) == of_class(path, n_estimators=10) > 0.85


@pytest.mark.parametrize(("path", "arguments", "said"), [
    ("sklearn.ensemble.RandomForestClasifier", {}, "did you mean sklearn.ensemble.RandomForestClassifier"),
    ("no_such_package.Model", {}, "can't be imported"),
    ("sklearn.preprocessing.StandardScaler", {}, "fit and predict"),
    ("sklearn.ensemble.RandomForestClassifier", {"trees": 3}, "can't be made with its init_args"),
])
def test_a_published_model_that_can_not_be_made_is_said(path: str, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(RecipeError, match=said):
        of_class(path, **arguments)


def test_a_published_model_that_fails_is_said() -> None:
    with pytest.raises(UserCodeError, match="failed on 284 training rows"):
        of_class("sklearn.ensemble.RandomForestClassifier", n_estimators=-1)
