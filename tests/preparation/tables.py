"""Small tables for the tests of splitting and preprocessing."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.dataset import Dataset


def table(x: Any, y: Any = None, *, classes: int = 0, **more: Any) -> Dataset:
    """A table of these inputs; without targets it is a regression on row numbers."""
    inputs = np.asarray(x, dtype=np.float64)
    task = "regression" if not classes else "binary" if classes == 2 else "multiclass"
    targets = np.arange(len(inputs), dtype=np.float64) if y is None else np.asarray(y)
    settings: dict[str, Any] = {
        "name": "x", "task": task, "columns": tuple(f"c{at}" for at in range(inputs.shape[1])),
        "classes": tuple(str(at) for at in range(classes)), **more,
    }
    return Dataset(x=inputs, y=targets, **settings)
