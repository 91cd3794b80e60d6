"""Baselines of tables with several labels and with categories that enter the network as codes."""

from __future__ import annotations

import numpy as np
import pytest

from assay.category_codes import one_hot_codes
from assay.dataset import Examples
from assay.facts.task import TaskKind
from assay.recipe.schema import Recipe
from assay.training.baselines import baseline_scores
from assay.training.metrics import Scorer


def scores(task: TaskKind, train: Examples, scored: Examples, scorer: Scorer) -> dict[str, dict[str, float]]:
    told: list[str] = []
    made = baseline_scores(Recipe(task=task), train=train, scored=scored, scorer=scorer,
                           report=lambda _done, _total, name: told.append(name))
    found = {each.name: dict(each.scores) for each in made}
    assert told == list(found)
    return found


def test_each_label_has_a_model_of_its_own() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 4)).astype(np.float32)
    y = (x[:, :3] > [0, 0.5, -0.5]).astype(np.float32)
    halves = [Examples(x=x[part], y=y[part], rows=np.arange(150)) for part in (slice(0, 150), slice(150, 300))]
    found = scores("multilabel", *halves, Scorer(task="multilabel", metrics=("subset_accuracy",), classes=3))
    assert found["linear"]["subset_accuracy"] > 0.85 > found["constant"]["subset_accuracy"]
    assert found["boosted trees"]["subset_accuracy"] > 0.8


def test_codes_are_categories_to_a_linear_model_too() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(1, 40, 2000)
    y = (codes % 2).astype(np.float32)  # no line over the codes tells odd from even
    parts = [
        Examples(x=codes[part, None].astype(np.float32), y=y[part], rows=np.arange(1000), embedded=(40,))
        for part in (slice(0, 1000), slice(1000, 2000))
    ]
    found = scores("binary", *parts, Scorer(task="binary", metrics=("accuracy",), classes=2))
    assert found["linear"]["accuracy"] == pytest.approx(1.0)


def test_codes_become_columns_and_code_zero_none() -> None:
    x = np.array([[5, 0, 1], [6, 2, 0], [7, 1, 2]], dtype=np.float32)
    assert one_hot_codes(x, (3, 3)).tolist() == [[5, 0, 0, 1, 0], [6, 0, 1, 0, 0], [7, 1, 0, 0, 1]]
    assert one_hot_codes(x, ()) is x
    assert one_hot_codes(x, (1000,)).shape == (3, 2 + 255)
