"""scikit-learn's digits as the training tests use them: 1,078 rows to train on, 719 to validate on, pixels / 16."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from assay.dataset import Examples, Prepared
from assay.recipe.schema import Recipe


@cache
def digits() -> Prepared:
    x, y = load_digits(return_X_y=True)
    parts = train_test_split(np.arange(len(y)), test_size=0.4, random_state=0, stratify=y)
    train, validation = (
        Examples(x=(x[rows] / 16).astype(np.float32), y=y[rows].astype(np.int64), rows=rows) for rows in parts
    )
    return Prepared(train=train, validation=validation)


def recipe(*, model: dict[str, Any] | None = None, **sections: Any) -> Recipe:
    """A recipe on digits; `training` and others are laid over small defaults."""
    training = {
        "max_epochs": 3, "batch_size": 64, "optimizer": "Adam", "learning_rate": 3e-3, "device": "cpu",
        **sections.pop("training", {}),
    }
    return Recipe.model_validate({
        "task": "multiclass", "data": {"source": "sklearn", "name": "digits"},
        "model": {"name": "mlp", "hidden": [16], **(model or {})}, "training": training, **sections,
    })
