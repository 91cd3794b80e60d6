"""The small real data sets that scikit-learn ships.

## What one example is
digits: an 8 × 8 image of a handwritten digit, 64 counts from 0 to 16. wine: the chemical analysis of one wine.
breast_cancer: 30 measurements of cell nuclei in one biopsy. iris: four lengths of one flower. diabetes: ten values of
one patient, with the progression of the disease a year later as the target.

## Where it is read from
Files inside the installed scikit-learn; nothing is downloaded.

## What can repeat
digits were written by 43 people, whom the data do not name. iris holds one flower twice (rows 101 and 142).

## Licence
The UCI sets (digits, wine, breast_cancer, iris) are CC BY 4.0; diabetes is from Efron et al., Least Angle Regression
(2004).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn import datasets

from assay.dataset import Dataset
from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.facts.table import TableFacts
from assay.facts.task import TaskKind

_LOADERS: dict[str, Callable[..., Any]] = {
    "breast_cancer": datasets.load_breast_cancer,
    "diabetes": datasets.load_diabetes,
    "digits": datasets.load_digits,
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
}
_REGRESSION = ("diabetes",)

READY = FactSet(absent={TableFacts: Absent("the table comes as numbers: nothing had to be read", applicable=False)})
_IMAGES = {"digits": (8, 8)}


def names() -> tuple[str, ...]:
    """The data sets that it holds, by name."""
    return tuple(_LOADERS)


def read(name: str) -> Dataset:
    """One of them, as scikit-learn gives it: no row left out, no value changed."""
    bunch = _LOADERS[name]()
    regression = name in _REGRESSION
    classes = () if regression else tuple(str(label) for label in bunch.target_names)
    return Dataset(
        name=name, task=_task(classes), x=np.ascontiguousarray(bunch.data, dtype=np.float64),
        y=bunch.target.astype(np.float64 if regression else np.int64),
        columns=tuple(str(column) for column in bunch.feature_names), classes=classes, image=_IMAGES.get(name),
        known=READY,
    )


def _task(classes: tuple[str, ...]) -> TaskKind:
    if not classes:
        return "regression"
    return "binary" if len(classes) == 2 else "multiclass"
