"""Measure the scale of the numbers that enter the network."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.dataset import Dataset, Prepared
from assay.facts.fact import Absent
from assay.facts.scaling import InputColumn, InputScaleFacts

ROWS = 50_000  # training rows that are looked at, the first


def measure_input_scale(dataset: Dataset, prepared: Prepared | None, scale: str) -> InputScaleFacts | Absent:
    """The columns of the largest and the smallest root mean square.

    Columns of at most two different values (flags, one-hot) and codes of embeddings are left out. Absent where nothing
    else enters, or the recipe didn't prepare the examples.
    """
    if prepared is None:
        return Absent("the training examples were not prepared by the recipe")
    x = prepared.train.x[:ROWS].reshape(min(len(prepared.train), ROWS), -1)
    names = prepared.names or dataset.columns
    columns = [_column(name, x[:, at].astype(np.float64))
               for at, name in enumerate(names[:x.shape[1] - len(prepared.embedded)])]
    varied = [column for column in columns if column is not None]
    if not varied:
        return Absent("no numbers enter that vary by more than a flag", applicable=False)
    return InputScaleFacts(
        scale=scale, columns=len(varied), largest=max(varied, key=lambda column: column.root_mean_square),
        smallest=min(varied, key=lambda column: column.root_mean_square),
    )


def _column(name: str, values: NDArray[np.float64]) -> InputColumn | None:
    known = values[np.isfinite(values)]
    if len(known) == 0 or ((known == known.min()) | (known == known.max())).all():
        return None
    return InputColumn(
        name=name, root_mean_square=float(np.sqrt((known**2).mean())), deviation=float(known.std()),
        smallest=float(known.min()), largest=float(known.max()),
    )
