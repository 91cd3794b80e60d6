"""Tables for the tests of measurements."""

from __future__ import annotations

import numpy as np

from assay.dataset import Dataset, Split


def table(x: object, y: object = None, *, classes: tuple[str, ...] = ("no", "yes"), task: str = "binary") -> Dataset:
    """A data set of these inputs; labels are all zero unless given."""
    inputs = np.asarray(x, dtype=np.float64)
    labels = np.zeros(len(inputs), dtype=np.int64) if y is None else np.asarray(y)
    columns = tuple(f"c{number}" for number in range(inputs.shape[1]))
    return Dataset(name="table", task=task, x=inputs, y=labels, columns=columns, classes=classes)  # type: ignore[arg-type]


def parts(train: object, validation: object, test: object = ()) -> Split:
    """A split of these row numbers."""
    return Split(**{
        name: np.asarray(rows, dtype=np.int64)
        for name, rows in (("train", train), ("validation", validation), ("test", test))
    })
