"""Rows that a graph program chooses by `tensor[index]`: the nodes of a mask, the ends of edges, the scores of labels.

Indexing is watched from the first graph on, so other programs don't pay for it.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

import numpy as np
import torch
from torch import Tensor

from assay.facts.fact import Fact
from assay.facts.fact_set import FactSet
from assay.graph_book import GraphBook
from assay.probe import Faults, Patches
from assay.tensors import readable


class RowChoices:
    """Tells of chosen rows; it records nothing itself."""

    name = "row choices"
    kinds: tuple[type[Fact], ...] = ()

    def __init__(self, faults: Faults, book: GraphBook) -> None:
        self._faults = faults
        self._book = book
        self._patches = Patches()
        self._telling = False

    def attach(self) -> None:
        """Wait for a graph."""
        self._book.found.append(self._faults.contained(self.name, self._begin))

    def detach(self) -> None:
        """Put the original back."""
        self._patches.restore()
        self._book.rows = -1

    def facts(self) -> FactSet:
        """None: it only tells."""
        return FactSet()

    def _begin(self) -> None:
        self._patches.replace(Tensor, "__getitem__", self._watched)

    def _watched(self, original: Any) -> Any:
        book, tell = self._book, self._faults.contained(self.name, self._tell)
        is_compiling = torch.compiler.is_compiling
        arrays = (np.ndarray, list)

        @wraps(original)
        def __getitem__(tensor: Any, index: Any) -> Any:  # noqa: N807  # as it is named in tracebacks
            result = original(tensor, index)
            if book.rows < 0 or is_compiling():
                return result
            kind = index.__class__
            if kind is Tensor:
                if index.dim() and tensor.dim() and tensor.size(0) == book.rows:
                    tell(tensor, index, result)
            elif kind is tuple:
                if len(index) == 2 and index[1].__class__ is Tensor and tensor.requires_grad:
                    tell(tensor, index, result)
            elif kind in arrays and len(index) > 2 and tensor.dim() and tensor.size(0) == book.rows:
                tell(tensor, index, result)
            return result

        return __getitem__

    def _tell(self, tensor: Tensor, index: Any, result: Tensor) -> None:
        if self._telling or not readable(tensor) or not readable(result):
            return
        self._telling = True  # what the looks themselves choose is nothing of the program's
        try:
            for look in tuple(self._book.chose):
                look(tensor, index, result)
        finally:
            self._telling = False
