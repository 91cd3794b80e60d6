"""The baselines of an experiment: assay's own and those that the recipe names, fitted on the training rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from assay.category_codes import one_hot_codes
from assay.dataset import Examples
from assay.facts.task import TaskKind
from assay.facts.training import BaselineScore
from assay.models.baselines import boosted_trees, constant, linear, published
from assay.recipe.schema import Baseline, Recipe
from assay.training.metrics import Scorer

FitPredict = Callable[..., Any]
"""Called with the training examples and the inputs to predict for, `task` and `seed`."""

OWN: dict[str, FitPredict] = {
    "constant": constant.fit_predict, "linear": linear.fit_predict, "boosted trees": boosted_trees.fit_predict,
}


def baseline_scores(
    recipe: Recipe, *, train: Examples, scored: Examples, scorer: Scorer, report: Callable[[int, int, str], None],
) -> Iterator[BaselineScore]:
    """Fit every baseline on `train`, seeded with the recipe's first seed, and score it on `scored`.

    report      told of progress: (baselines done, baselines in all, the name of the next)

    Raises RecipeError and UserCodeError for a baseline of the recipe's that can't be made or fails.
    """
    named = [*OWN.items(), *_published(recipe.baselines)]
    for number, (name, fit_predict) in enumerate(named):
        report(number, len(named), name)
        predicted = _predicted(fit_predict, train, scored.x, task=scorer.task, seed=recipe.seeds[0])
        truth = torch.from_numpy(scored.y)
        yield BaselineScore(name=name, scores=scorer.score(torch.from_numpy(predicted), truth).scalars)


def _predicted(
    fit_predict: FitPredict, train: Examples, x: NDArray[np.float32], *, task: TaskKind, seed: int,
) -> NDArray[Any]:
    """Predictions [n] for inputs in which codes of categories are columns of their own; [n, labels], label by label."""
    inputs = one_hot_codes(x, train.embedded)
    shown = replace(train, x=one_hot_codes(train.x, train.embedded), embedded=())
    if task != "multilabel":
        return np.asarray(fit_predict(shown, inputs, task=task, seed=seed))
    labels = [replace(shown, y=np.ascontiguousarray(column)) for column in train.y.T]
    return np.stack([fit_predict(label, inputs, task="binary", seed=seed) for label in labels], axis=1)


def _published(copied: Sequence[Baseline]) -> Iterator[tuple[str, FitPredict]]:
    """Each by its class's name; the second of one class with other arguments by its number too."""
    counts = Counter[str]()
    for each in copied:
        name = each.class_path.rpartition(".")[2]
        counts[name] += 1
        numbered = name if counts[name] == 1 else f"{name} {counts[name]}"
        yield numbered, partial(published.fit_predict, baseline=each)
