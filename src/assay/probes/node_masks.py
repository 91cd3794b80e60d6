"""Masks of PyTorch Geometric's Data objects: which nodes are for training, validation and test, and where that is set.

Data objects are met among the names of the program's own code when its model is called.
"""

from __future__ import annotations

import sys
import weakref
from functools import partial, wraps
from typing import Any

import numpy as np
import torch
from torch import Tensor

from assay.announcing import when_imported
from assay.at_hand import at_hand, stored
from assay.edge_lists import bits
from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet
from assay.facts.graph import MaskFacts, Masks, NodeSet
from assay.graph_book import GraphBook
from assay.probe import Faults, Patches, user_frames, user_place

LOOKS = 4
"""Passes at which Data objects are looked for: masks are made before the first."""

OBJECTS = 16
"""Data objects whose masks are read."""


class NodeMasks:
    """Records the masks of the Data objects, and notes where masks are written."""

    name = "node masks"
    kinds: tuple[type[Fact], ...] = (MaskFacts,)

    def __init__(self, faults: Faults, book: GraphBook) -> None:
        self._book = book
        self._patches = Patches()
        self._seen: list[weakref.ref[Any]] = []
        self._masks: list[Masks] = []
        self._looks = 0
        self._look = faults.contained(self.name, self._passed)
        self._imported = faults.contained(self.name, self._begin)
        self._wrote = faults.contained(self.name, lambda mask: book.wrote(mask, user_place()))

    def attach(self) -> None:
        """Wait for PyTorch Geometric."""
        self._cancel = when_imported("torch_geometric.data.data", self._imported)

    def detach(self) -> None:
        """Put the originals back."""
        self._cancel()
        self._patches.restore()
        self._book.written.clear()

    def facts(self) -> FactSet:
        """The masks of each object once."""
        if not self._masks:
            return FactSet(absent={MaskFacts: Absent("no Data object with masks was met", applicable=False)})
        return FactSet.of(MaskFacts(masks=tuple(dict.fromkeys(self._masks))))

    def _begin(self) -> None:
        data = sys.modules["torch_geometric.data.data"]
        self._patches.replace(Tensor, "__setitem__", partial(_written, self._wrote))
        self._patches.replace(data.Data, "__setattr__", partial(_set, self._wrote))
        self._book.passed.append(self._look)

    def _passed(self) -> None:
        self._looks += 1
        if self._looks > LOOKS:
            self._book.passed.remove(self._look)
            return
        for name, value in at_hand(user_frames()):
            held = dict(stored(value))
            known = any(reference() is value for reference in self._seen)
            if any(key.endswith("_mask") for key in held) and not known and len(self._seen) < OBJECTS:
                self._seen.append(weakref.ref(value))
                self._read(name, held)

    def _read(self, name: str, held: dict[str, Any]) -> None:
        """Masks [N], or [N, splits], of which each column is a split of its own."""
        masks = [held.get(key) for key in ("train_mask", "val_mask", "test_mask")]
        widths = {mask.shape[1] for mask in masks if isinstance(mask, Tensor) and mask.dim() == 2}
        for column in range(min(widths, default=1)):
            parts = [
                self._set(f"{name}.{key}", mask, column)
                for key, mask in zip(("train_mask", "val_mask", "test_mask"), masks, strict=True)
            ]
            self._masks.append(Masks(train=parts[0], validation=parts[1], test=parts[2]))

    def _set(self, name: str, mask: Any, column: int) -> NodeSet | None:
        if not isinstance(mask, Tensor) or mask.dim() not in (1, 2) or mask.dtype not in (torch.bool, torch.uint8):
            return None
        flags = (mask if mask.dim() == 1 else mask[:, column]).detach().cpu().numpy().astype(np.bool_)
        return NodeSet(bits=bits(flags), of=len(flags), name=name, place=self._book.place_of(mask))


def _written(wrote: Any, original: Any) -> Any:
    is_compiling = torch.compiler.is_compiling

    @wraps(original)
    def __setitem__(tensor: Any, index: Any, value: Any) -> None:  # noqa: N807  # as it is named in tracebacks
        original(tensor, index, value)
        if not is_compiling() and tensor.dtype is torch.bool and tensor.dim() == 1:
            wrote(tensor)

    return __setitem__


def _set(wrote: Any, original: Any) -> Any:
    @wraps(original)
    def __setattr__(data: Any, key: str, value: Any) -> None:  # noqa: N807  # as it is named in tracebacks
        original(data, key, value)
        if key.endswith("_mask") and isinstance(value, Tensor):
            wrote(value)

    return __setattr__
