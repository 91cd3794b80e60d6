"""Trying things on copies of the program's own models, as it runs.

Two evaluations of one batch are compared early on. Examples are exchanged once it is known that the rows of a model's
inputs are examples, on the pass that showed it. Trials are few: a handful of passes of each model, over a few rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

import torch
from torch import Tensor, nn

from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet
from assay.facts.interventions import BatchMixing, EvaluateTwice
from assay.probe import Faults
from assay.tensors import first_tensor, tensors_in
from assay.traffic import Pass, Traffic
from assay.watching.copies import copied, unnoticed
from assay.watching.mixing import Arguments, evaluate_pass_twice, mix_pass
from assay.watching.regrouping import Regrouping
from assay.weak_identity import IdentityDict

Found = TypeVar("Found", BatchMixing | Absent, EvaluateTwice | Absent)

MODELS = 16
"""Models of one program that are tried."""

TWICE_AT = 2
"""The pass of a model that is tried twice, from 0: what is made at the first one is there."""

LARGEST = 1 << 20
"""Numbers in the inputs of a pass that is tried as it is."""

PASSES = 2048
"""Passes of one program whose rows are compared with those before."""

GRAPHS = ("torch_geometric", "dgl", "torch_sparse", "torch_scatter")
"""Packages whose modules take rows for the nodes of one graph."""


class Trials:
    """Tries the program's models on changed inputs."""

    name = "trials"
    kinds: tuple[type[Fact], ...] = (BatchMixing, EvaluateTwice)

    def __init__(self, faults: Faults, traffic: Traffic) -> None:
        self._traffic = traffic
        self._look = faults.contained(self.name, self._passed)
        self._books: IdentityDict[nn.Module, Regrouping | None] = IdentityDict()
        self._counts: IdentityDict[nn.Module, int] = IdentityDict()
        self._mixing: list[BatchMixing] = []
        self._twice: list[EvaluateTwice] = []
        self._why: dict[type[Fact], str] = {}
        self._passes = 0

    def attach(self) -> None:
        """Listen to passes."""
        self._traffic.sampled.passed.append(self._look)

    def detach(self) -> None:
        """Let go of what was seen of the program's examples."""
        self._books.clear()

    def facts(self) -> FactSet:
        """Of the models that were tried, what was seen of the one that mixes, or differs, most."""
        if not self._passes:
            return FactSet(absent=dict.fromkeys(self.kinds, Absent("no module was called", applicable=False)))
        reasons: dict[type[Fact], str] = {
            BatchMixing: "no model was given the same rows in other company, which would show that they are examples",
            EvaluateTwice: "no model was called often enough to be tried",
        } | self._why
        found = FactSet(absent={kind: Absent(why) for kind, why in reasons.items()})
        if self._mixing:
            found = found.joined(FactSet.of(max(self._mixing, key=lambda each: len(each.moved) / each.rows)))
        if self._twice:
            found = found.joined(FactSet.of(max(self._twice, key=lambda each: each.largest_difference)))
        return found

    def _passed(self, passed: Pass) -> None:
        self._passes += 1
        if self._passes > PASSES:
            self._traffic.sampled.passed.remove(self._look)
            return
        module = passed.module
        if module not in self._books:
            self._books[module] = Regrouping() if passed.entry and len(self._books) < MODELS else None
        book = self._books[module]
        if book is None:
            return
        rows = first_tensor((passed.arguments, passed.named))
        if rows is None or (book.spent and self._counts.get(module, 0) > TWICE_AT):
            self._books[module] = None if rows is not None else book
            return
        arguments = Arguments(passed.arguments, passed.named, len(rows))
        number = self._counts[module] = self._counts.get(module, -1) + 1
        if number == TWICE_AT and sum(tensor.numel() for tensor in arguments.tensors()) <= LARGEST:
            self._keep(self._tried(module, partial(evaluate_pass_twice, arguments=arguments)), EvaluateTwice)
        if book.shows(rows):
            self._books[module] = None
            graph = next(_graphs(module, arguments), None)
            self._keep(
                self._tried(module, partial(mix_pass, arguments=arguments)) if graph is None else
                Absent(f"rows may be nodes of one graph ({graph}), which depend on each other by design"), BatchMixing,
            )

    def _keep(self, found: BatchMixing | EvaluateTwice | Absent, kind: type[Fact]) -> None:
        if isinstance(found, BatchMixing):
            self._mixing.append(found)
        elif isinstance(found, EvaluateTwice):
            self._twice.append(found)
        else:
            self._why[kind] = found.why

    def _tried(self, module: nn.Module, trial: Callable[[nn.Module], Found]) -> Found | Absent:
        """What one trial shows, or why it couldn't be made."""
        with unnoticed(self._traffic):
            copy = copied(module)
            if isinstance(copy, Absent):
                return copy
            try:
                return trial(copy)
            except Exception as fault:  # noqa: BLE001  # whatever a model makes of being tried
                return Absent(f"the model can't be tried: {type(fault).__name__}: {fault}")


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
