"""Inputs and labels in the order in which the program holds them, so that a shift between them can be measured.

A batch says which examples belong to which labels, and not which stood side by side. The arrays that batches were taken
from do: they are looked for once among what the program's own code holds by name, and in the data sets it made.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import DataLoader, Dataset, Subset, TensorDataset

from assay.at_hand import at_hand
from assay.example_book import Ordered
from assay.facts.fact import Fact, Place
from assay.facts.fact_set import FactSet
from assay.probe import Faults, place_in, user_frames, user_place
from assay.tensors import first_tensor
from assay.traffic import Pass, Scored, Traffic

Values = NDArray[np.float32]

FEWEST, MOST_ROWS = 60, 12_000  # rows, as of the measurement
WIDEST = 128  # numbers of an example: rows of a table or of readings, not pictures
NUMBERS = 2**21  # of one array
ASKED = 16  # examples of the batch that must be found
TRIES = 3  # batches that are looked for
PASSES = 64  # among which they must be
BATCH = 4  # examples, below which a batch says nothing


class LabelPlaces:
    """Looks for the arrays behind the first batches that are trained on."""

    name = "label places"
    kinds: tuple[type[Fact], ...] = ()

    def __init__(self, faults: Faults, traffic: Traffic) -> None:
        self._traffic = traffic
        self._passed, self._scored = faults.contained(self.name, self._given), faults.contained(self.name, self._called)
        self._rows = 0
        self._batch: Values | None = None
        self._tries, self._passes = TRIES, PASSES
        self.ordered: Ordered | None = None

    def attach(self) -> None:
        """Listen."""
        self._traffic.passed.append(self._passed)
        self._traffic.scored.append(self._scored)

    def detach(self) -> None:
        """Listen no more."""
        if self._passed in self._traffic.passed:
            self._traffic.passed.remove(self._passed)
            self._traffic.scored.remove(self._scored)

    def facts(self) -> FactSet:
        """None by itself: a shift is measured when the program has ended."""
        return FactSet()

    def _given(self, passed: Pass) -> None:
        self._passes -= 1
        if self._passes < 0:
            self.detach()
        elif passed.entry:
            first = first_tensor((*passed.arguments, *passed.named.values()))
            self._rows, self._batch = 0, None
            if first is not None and first.dim() > 1 and first.is_floating_point() and len(first) >= BATCH:
                self._rows = len(first)
                self._batch = _flat(first[:ASKED]) if first.numel() <= len(first) * WIDEST else None

    def _called(self, scored: Scored) -> None:
        labels = scored.arguments.get("target")
        if not scored.recorded or self._batch is None or not isinstance(labels, Tensor) or labels.numel() != self._rows:
            return
        self._tries -= 1
        self.ordered = _found(self._batch, _flat(labels.reshape(self._rows, 1)[:ASKED])[:, 0])
        if self.ordered is not None or self._tries <= 0:
            self.detach()


def _flat(tensor: Tensor) -> Values:
    return tensor.detach().reshape(len(tensor), -1).cpu().float().numpy().copy()


def _found(batch: Values, labels: Values) -> Ordered | None:
    """The longest inputs that hold every example of the batch, beside labels that agree with the batch's."""
    held = list(_arrays())
    best: Ordered | None = None
    for name, inputs in held:
        length = len(inputs)
        if inputs[0].size != batch.shape[1] or (best is not None and length <= len(best.inputs)):
            continue
        places = _places(inputs, batch)
        if places is None:
            continue
        for label_name, array in held:
            if len(array) == length and array.size == length and _agree(array.reshape(-1)[places], labels):
                best = Ordered(
                    inputs=inputs[:MOST_ROWS].reshape(min(length, MOST_ROWS), -1).astype(np.float32),
                    labels=array.reshape(-1)[:MOST_ROWS].astype(np.float64), whole_numbers=array.dtype.kind in "iub",
                    names=(name, label_name), place=_made(label_name) or user_place(),
                )
                break
    return best


def _agree(held: NDArray[Any], labels: Values) -> bool:
    """Whether these are the batch's labels, which may have been cast to single precision on their way."""
    return bool((held.astype(np.float32) == labels).all())


def _places(inputs: NDArray[Any], batch: Values) -> NDArray[np.int64] | None:
    """The row of each example of the batch; None where one isn't there, or is there more than once."""
    flat = inputs.reshape(len(inputs), -1)
    near = np.flatnonzero(np.isin(flat[:, 0].astype(np.float32), batch[:, 0]))
    if len(near) < len(batch):
        return None
    same = (flat[near].astype(np.float32)[:, None, :] == batch[None, :, :]).all(axis=2)
    if (same.sum(axis=0) != 1).any():
        return None
    return np.asarray(near[same.argmax(axis=0)])


def _arrays() -> Iterator[tuple[str, NDArray[Any]]]:
    """Arrays of numbers at hand, by name; those within data sets have none of their own."""
    seen: set[int] = set()
    nested: list[Any] = []
    for name, value in at_hand(user_frames()):
        if id(value) not in seen:
            seen.add(id(value))
            array = _array(value)
            if array is not None:
                yield name, array
            elif isinstance(value, DataLoader | Dataset):
                nested.append(value)
    for value in nested:
        for part in _within(value):
            array = _array(part)
            if array is not None and id(part) not in seen:
                seen.add(id(part))
                yield "", array


def _within(value: Any) -> Iterator[Any]:
    """What a data set is made of, as its attributes hold it; nothing is read from it."""
    while isinstance(value, DataLoader | Subset):
        value = value.dataset
    if isinstance(value, TensorDataset):
        yield from value.tensors
    elif isinstance(value, Dataset):
        yield from list(vars(value).values())


def _array(value: Any) -> NDArray[Any] | None:
    """An array or tensor of enough rows of numbers as an array, sharing its memory."""
    if isinstance(value, Tensor):
        if value.layout is not torch.strided or value.device.type != "cpu" or value.requires_grad or value.is_quantized:
            return None
        if value.dtype in (torch.bfloat16, torch.complex64, torch.complex128):
            return None
        value = value.detach().numpy()
    if not isinstance(value, np.ndarray) or value.ndim < 1 or value.dtype.kind not in "fiub":
        return None
    return value if len(value) >= FEWEST and 0 < value.size <= NUMBERS else None


def _made(name: str) -> Place | None:
    """The line of the user's code that last gave a plain name its value, in the innermost file that does."""
    if name.isidentifier():
        for frame in user_frames():
            lines = _assigned(frame.f_code.co_filename, name)
            if lines:
                return place_in(frame.f_code.co_filename, max(lines))
    return None


def _assigned(file: str, name: str) -> list[int]:
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return []
    return [
        node.lineno for node in ast.walk(tree) if isinstance(node, ast.Assign)
        for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name) and part.id == name
    ]
