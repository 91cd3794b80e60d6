"""What scikit-learn's transformers were fitted on, if a program uses them: scalers, projections, imputers, selectors.

Rows are known by fingerprints in single precision, as they enter a model. Whatever comes out for a row that a
transformer was fitted on, from it or from one behind it, is marked with that fit, so that an evaluated example tells
its past.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import numpy as np
import torch

from assay.announcing import when_imported
from assay.example_book import Fit
from assay.facts.fact import Fact
from assay.facts.fact_set import FactSet
from assay.probe import Faults, Patches, user_place
from assay.tensors import Fingerprints
from assay.weak_identity import IdentityDict

CLASSES = {
    "sklearn.preprocessing": (
        "MaxAbsScaler", "MinMaxScaler", "PowerTransformer", "QuantileTransformer", "RobustScaler", "StandardScaler",
    ),
    "sklearn.decomposition": ("PCA", "TruncatedSVD"),
    "sklearn.impute": ("KNNImputer", "SimpleImputer"),
    "sklearn.feature_selection": ("SelectFromModel", "SelectKBest", "SelectPercentile", "VarianceThreshold"),
}
METHODS = ("fit", "transform", "fit_transform")
NUMBERS = 2**22  # numbers of fitted and transformed rows that are looked at in a program
FITS = 32


class Within(threading.local):
    """Whether this thread is within a call of a transformer: calls within it are its own business."""

    inside = False


class Transformers:
    """Wraps the transformers once the program has imported them, and keeps their fits."""

    name = "transformers"
    kinds: tuple[type[Fact], ...] = ()

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._patches = Patches()
        self._cancel: list[Callable[[], None]] = []
        self._fingerprints = Fingerprints()
        self._latest: IdentityDict[Any, Fit] = IdentityDict()
        self._left = NUMBERS
        self.fits: list[Fit] = []

    def attach(self) -> None:
        """Wait for scikit-learn."""
        for module in CLASSES:
            wrap = self._faults.contained(self.name, partial(self._wrap, module))
            self._cancel.append(when_imported(module, wrap))

    def detach(self) -> None:
        """Put the originals back."""
        while self._cancel:
            self._cancel.pop()()
        self._patches.restore()

    def facts(self) -> FactSet:
        """None by itself: fits are compared with the evaluated examples when the program has ended."""
        return FactSet()

    def _wrap(self, module: str) -> None:
        within, look = Within(), self._faults.contained(self.name, self._called)
        for name in CLASSES[module]:
            transformer = getattr(sys.modules[module], name)
            for method in METHODS:
                self._patches.replace(transformer, method, partial(_watched, within, look, method))

    def _called(self, method: str, transformer: Any, given: Any, result: Any) -> None:
        rows = self._rows(given)
        if rows is None:
            return
        if method != "transform":
            if len(self.fits) >= FITS:
                return
            fit = Fit(name=type(transformer).__name__, place=user_place(), rows=len(rows), given=frozenset(rows))
            self._latest[transformer] = fit
            self.fits.append(fit)
        if method != "fit":
            came = self._rows(result)
            if came is not None and len(came) == len(rows):
                self._mark(self._latest.get(transformer), rows, came, width=np.shape(result)[1])

    def _mark(self, own: Fit | None, rows: list[int], came: list[int], *, width: int) -> None:
        for fit in self.fits:
            before = fit.given if fit is own else fit.all_came
            marked = {after for row, after in zip(rows, came, strict=True) if row in before}
            if marked:
                fit.came.setdefault(width, set()).update(marked)

    def _rows(self, given: Any) -> list[int] | None:
        """One fingerprint a row, None of what isn't a table of numbers or is beyond the budget."""
        if len(np.shape(given)) != 2:
            return None
        try:
            values = np.ascontiguousarray(given, dtype=np.float32)
        except (TypeError, ValueError):
            return None
        self._left -= values.size
        if self._left < 0 or values.ndim != 2:
            return None
        numbers: list[int] = self._fingerprints.of(torch.from_numpy(values)).tolist()
        return numbers


def _watched(within: Within, look: Callable[..., None], method: str, original: Any) -> Any:
    @wraps(original)
    def watched(self: Any, X: Any, *arguments: Any, **named: Any) -> Any:  # noqa: N803  # scikit-learn's own name
        if within.inside:
            return original(self, X, *arguments, **named)
        within.inside = True
        try:
            result = original(self, X, *arguments, **named)
        finally:
            within.inside = False
        look(method, self, X, result)
        return result

    return watched
