"""From a table to what the network sees: the rows of each split, and their values after preprocessing.

Statistics are fitted on training rows alone. Test rows are set aside by `split` and touched by nothing here after
that.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.dataset import Dataset, Examples, Prepared, Split
from assay.preparation.preprocessing import Preprocessing, fit_preprocessing
from assay.preparation.splitting import Identical, split
from assay.recipe.schema import DataBlock, SplitPlan, TableData

__all__ = ["Preprocessing", "describe", "fit_preprocessing", "identical_rows_of", "prepare", "prepared_with", "split"]


def prepare(dataset: Dataset, parts: Split, data: DataBlock) -> Prepared:
    """Training and validation examples as the network sees them; `Preprocessing` says how each column enters."""
    return prepared_with(fit_preprocessing(dataset, parts, data), dataset, parts)


def prepared_with(preprocessing: Preprocessing, dataset: Dataset, parts: Split) -> Prepared:
    """The same with preprocessing that was fitted before."""

    def examples(rows: NDArray[np.int64]) -> Examples:
        return Examples(
            x=preprocessing.inputs(dataset.x[rows]), y=preprocessing.targets(dataset.y[rows]), rows=rows,
            embedded=preprocessing.embedded,
        )

    return Prepared(
        train=examples(parts.train), validation=examples(parts.validation), names=preprocessing.names,
        target_mean=preprocessing.target_mean, target_scale=preprocessing.target_scale,
    )


def identical_rows_of(data: DataBlock) -> Identical:
    """Whether this block wants rows with equal inputs in one split."""
    return data.identical_rows if isinstance(data, TableData) else "apart"


def describe(dataset: Dataset, *, source: str, plan: SplitPlan, identical_rows: Identical = "apart") -> DataBlock:
    """The `data:` block of this table: what `init` writes, and what `run` compares with.

    Labels are counted over all rows; the variance of regression targets, and what the columns become, are those of the
    training rows.
    """
    parts = split(dataset, plan, identical_rows=identical_rows)
    stated = {"source": source, "name": dataset.name, "split": plan}
    fitted = fit_preprocessing(dataset, parts, DataBlock.model_validate(stated))
    plain = len(fitted.names) == len(dataset.columns) and not fitted.embedded
    return DataBlock.model_validate({
        **stated, "rows": dataset.rows, "columns": dataset.x.shape[1], "classes": dataset.classes or None,
        "class_counts": dataset.class_counts() or None, "fingerprint": dataset.fingerprint(),
        "target_variance": float(dataset.y[parts.train].var()) if dataset.task == "regression" else None,
        "network_inputs": None if plain else len(fitted.names), "embedded": fitted.embedded or None,
        "given_rows": _given_rows(dataset),
    })


def _given_rows(dataset: Dataset) -> tuple[int, ...] | None:
    if dataset.given is None:
        return None
    return tuple(int((dataset.given == name).sum()) for name in ("train", "validation", "test"))
