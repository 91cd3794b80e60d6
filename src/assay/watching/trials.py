"""Trying things on copies of the program's own models, as it runs.

A model is tried once it is known that the rows of its inputs are examples, on the pass that showed it. Trials are few:
each model once, a handful of passes over a few rows.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator

import torch
from torch import Tensor, nn

from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet
from assay.facts.interventions import BatchMixing
from assay.probe import Faults
from assay.tensors import first_tensor, tensors_in
from assay.traffic import Pass, Traffic
from assay.watching.copies import copied, unnoticed
from assay.watching.mixing import Arguments, mix_pass
from assay.watching.regrouping import Regrouping

MODELS = 16
"""Models of one program that are tried."""

PASSES = 2048
"""Passes of one program whose rows are compared with those before."""

GRAPHS = ("torch_geometric", "dgl", "torch_sparse", "torch_scatter")
"""Packages whose modules take rows for the nodes of one graph."""


class Trials:
    """Tries the program's models on changed inputs."""

    name = "trials"
    kinds: tuple[type[Fact], ...] = (BatchMixing,)

    def __init__(self, faults: Faults, traffic: Traffic) -> None:
        self._traffic = traffic
        self._look = faults.contained(self.name, self._passed)
        self._books: weakref.WeakKeyDictionary[nn.Module, Regrouping | None] = weakref.WeakKeyDictionary()
        self._mixing: list[BatchMixing] = []
        self._why: str | None = None
        self._passes = 0

    def attach(self) -> None:
        """Listen to passes."""
        self._traffic.passed.append(self._look)

    def detach(self) -> None:
        """Let go of what was seen of the program's examples."""
        self._books.clear()

    def facts(self) -> FactSet:
        """Of the models that were tried, what was seen of the one that mixes most."""
        if self._mixing:
            return FactSet.of(max(self._mixing, key=lambda each: len(each.moved) / each.rows))
        if not self._passes:
            return FactSet(absent={BatchMixing: Absent("no module was called", applicable=False)})
        return FactSet(absent={BatchMixing: Absent(
            self._why or "no model was given the same rows in other company, which would show that they are examples",
        )})

    def _passed(self, passed: Pass) -> None:
        self._passes += 1
        if self._passes > PASSES:
            self._traffic.passed.remove(self._look)
            return
        module = passed.module
        if module not in self._books:
            self._books[module] = Regrouping() if passed.entry and len(self._books) < MODELS else None
        book, rows = self._books[module], first_tensor((passed.arguments, passed.named))
        if book is None or rows is None or not book.shows(rows):
            return
        self._books[module] = None
        found = _mixed(module, Arguments(passed.arguments, passed.named, len(rows)), self._traffic)
        if isinstance(found, Absent):
            self._why = found.why
        else:
            self._mixing.append(found)


def _mixed(module: nn.Module, arguments: Arguments, traffic: Traffic) -> BatchMixing | Absent:
    """What one trial shows, or why it couldn't be made."""
    graph = next(_graphs(module, arguments), None)
    if graph is not None:
        return Absent(f"rows may be nodes of one graph ({graph}), which depend on each other by design")
    with unnoticed(traffic):
        copy = copied(module)
        if isinstance(copy, Absent):
            return copy
        try:
            return mix_pass(copy, arguments)
        except Exception as fault:  # noqa: BLE001  # whatever a model makes of fewer rows
            return Absent(f"the model can't be run on a part of its batch: {type(fault).__name__}: {fault}")


def _graphs(module: nn.Module, arguments: Arguments) -> Iterator[str]:
    """What makes rows look like the nodes of a graph."""
    for part in module.modules():
        if type(part).__module__.partition(".")[0] in GRAPHS:
            yield f"a {type(part).__name__} is within"
        held = [*vars(part).values(), *part._buffers.values()]  # noqa: SLF001  # with those of no module's own names
        if any(_joins(value, arguments.rows) for value in held if isinstance(value, Tensor)):
            yield f"{type(part).__name__} holds what looks like its edges"
    for tensor in tensors_in((arguments.positional, arguments.named)):
        if _joins(tensor, arguments.rows):
            yield "an argument looks like its edges"


def _joins(tensor: Tensor, rows: int) -> bool:
    """Whether a tensor may list edges or hold an adjacency matrix."""
    if tensor.layout is not torch.strided:
        return True
    square = tensor.shape == (rows, rows)
    pairs = tensor.dim() == 2 and len(tensor) == 2 and not tensor.is_floating_point()
    return square or pairs
