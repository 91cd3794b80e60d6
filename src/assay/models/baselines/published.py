"""A published model as a baseline: any class with scikit-learn's `fit(X, y)` and `predict(X)`, named in the recipe."""

from __future__ import annotations

import difflib
import importlib
import inspect
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from assay.dataset import Examples
from assay.errors import RecipeError, UserCodeError
from assay.facts.task import TaskKind
from assay.recipe.schema import Baseline


def fit_predict(
    train: Examples, inputs: NDArray[np.float32], *, task: TaskKind, seed: int, baseline: Baseline,
) -> NDArray[np.int64] | NDArray[np.float64]:
    """Class ids, or values in the unit of `train.y`.

    `random_state` is set to the seed where the class takes one and the recipe doesn't set it.

    Raises RecipeError where the class can't be found or made, UserCodeError where it fails to fit or predict.
    """
    model = _made(baseline, seed)
    labels = train.y if task == "regression" else train.y.astype(np.int64)
    try:
        with threadpool_limits(limits=1):
            predicted = np.asarray(model.fit(train.x, labels).predict(inputs))
    except Exception as fault:  # whatever a published class raises is the user's to know
        raise UserCodeError(
            f"The baseline {baseline.class_path} failed on {len(train)} training rows with "
            f"{type(fault).__name__}: {fault}. Check its init_args against the data."
        ) from fault
    if predicted.shape != (len(inputs),):
        raise UserCodeError(
            f"The baseline {baseline.class_path} predicted an array of shape {predicted.shape} where ({len(inputs)},) "
            "is needed: one class id or value for each row."
        )
    return predicted.astype(np.float64) if task == "regression" else predicted.astype(np.int64)


def _made(baseline: Baseline, seed: int) -> Any:
    module_name, _, name = baseline.class_path.rpartition(".")
    try:
        module = importlib.import_module(module_name)
    except ImportError as fault:
        raise RecipeError(
            [f"The baseline {baseline.class_path} can't be imported ({fault}): install it or correct class_path."]
        ) from fault
    kind = getattr(module, name, None)
    if not inspect.isclass(kind) or not callable(getattr(kind, "fit", None)) or not hasattr(kind, "predict"):
        near = difflib.get_close_matches(name, dir(module), n=1)
        hint = f"did you mean {module_name}.{near[0]}?" if near and near[0] != name else "it needs fit and predict."
        raise RecipeError(
            [f"The baseline {baseline.class_path} is no class with scikit-learn's fit and predict: {hint}"]
        )
    arguments = dict(baseline.init_args)
    if "random_state" in inspect.signature(kind).parameters:
        arguments.setdefault("random_state", seed)
    try:
        return kind(**arguments)
    except (TypeError, ValueError) as fault:
        raise RecipeError([f"The baseline {baseline.class_path} can't be made with its init_args: {fault}."]) from fault
