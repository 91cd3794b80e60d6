"""Linear layers back to back: of the graphs of the first losses, every nn.Linear that is given another's output."""

from __future__ import annotations

import os
import sys
import weakref
from collections import Counter
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import torch
from torch import nn

from assay.autograd_graph import OPAQUE, below, hides, operation, walk
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.graphs import LinearPair, LinearPairs
from assay.parameter_book import ParameterBook, ParameterNote
from assay.probe import Clock, Faults, Patches, after, is_library, place_of_making, user_place
from assay.tensors import tensors_in
from assay.traffic import Backward, Inner, Pass, Traffic
from assay.weak_identity import IdentityDict

KEEPING = frozenset({"Alias", "Clone", "Reshape", "ReshapeAlias", "UnsafeView", "View"})
"""Operations that may stand between: the values, in order, are the same; a transposed axis would be another one."""

PRODUCTS = {"Addmm": 1, "Mm": 0}
"""What a linear layer is in the graph, and which of the node's edges leads to its input; its weight's is the next."""

LOOKS = 4
"""Backward passes that are looked at: a model's layers follow on each other in the same way at every step."""

LARGEST = 5_000
"""Nodes of a graph that is looked at; a larger one is left, with the reason."""

SHOWN = "assay: shown"
"""The key of our sign, in a graph node's metadata, that a whole model put this out for its caller to use."""

Pair = tuple[ParameterNote, ParameterNote, tuple[int, int, int], Place | None]


class Pairs:
    """Listens to linear layers and to the first backward passes, then leaves."""

    name = "linear layers"
    kinds: tuple[type[Fact], ...] = (LinearPairs,)

    def __init__(self, clock: Clock, faults: Faults, book: ParameterBook, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._book = book
        self._traffic = traffic
        self._looks = {
            event: faults.contained(self.name, look)
            for event, look in (("passed", self._passed), ("inner", self._seen), ("began", self._began))
        }
        self._patches = Patches()
        self._layers: dict[int, weakref.ref[torch.Tensor]] = {}
        self._made: IdentityDict[nn.Module, Place | None] = IdentityDict()
        self._places: dict[int, Place | None] = {}
        self._pairs: dict[tuple[int, int], Pair] = {}
        self._left = LOOKS
        self._hidden: str | None = None

    def attach(self) -> None:
        """Listen, and wrap the making of sequences of layers, whose line shows what stands between them."""
        self._patches.replace(nn.Sequential, "__init__", partial(after, self._faults.contained(self.name, self._note)))
        for event, look in self._looks.items():
            getattr(self._traffic, event).append(look)

    def detach(self) -> None:
        """Put the original back."""
        self._patches.restore()

    def facts(self) -> FactSet:
        """The pairs so far."""
        if not self._layers:
            return FactSet(absent={LinearPairs: Absent("no nn.Linear ran on a sampled step", applicable=False)})
        if self._left == LOOKS:
            return FactSet(absent={LinearPairs: Absent("no backward pass ran", applicable=False)})
        return FactSet.of(LinearPairs(
            pairs=tuple(_named(*pair) for pair in self._pairs.values()), layers=len(self._layers), hidden=self._hidden,
        ))

    def _seen(self, call: Inner | Pass) -> None:
        module = call.module
        if type(module) is nn.Linear:  # a subclass, as within attention, belongs to the layer that holds it
            self._layers[id(module.weight)] = weakref.ref(module.weight)
            self._places.setdefault(id(module.weight), _calling())
        elif isinstance(module, nn.Sequential):
            layers = [layer for layer in module.children() if type(layer) is nn.Linear]
            self._places.update((id(layer.weight), self._made.get(module)) for layer in layers)

    def _note(self, sequence: nn.Module) -> None:
        self._made[sequence] = place_of_making(sequence)

    def _passed(self, passed: Pass) -> None:
        if self._clock.looks:
            self._seen(passed)
            nodes: list[Any] = [tensor.grad_fn for tensor in tensors_in(passed.output)]
            for node in filter(None, nodes):
                node.metadata[SHOWN] = True

    def _began(self, backward: Backward) -> None:
        if not self._clock.looks or backward.function != "backward" or not isinstance(backward.roots, torch.Tensor):
            return
        root = backward.roots.grad_fn
        if root is None or not self._layers:
            return
        self._look_at(root)
        self._left -= 1
        if not self._left:
            for event, look in self._looks.items():
                getattr(self._traffic, event).remove(look)

    def _look_at(self, root: Any) -> None:
        given: Counter[Any] = Counter()
        products = []
        for count, node in enumerate(walk([root])):
            name = operation(node)
            if name in OPAQUE or count > LARGEST:
                self._hidden = hides(name) if name in OPAQUE else "the graph is too large to be searched"
                return
            given.update(below(node))
            if name in PRODUCTS:
                products.append(node)
        for second in products:
            first = _one_below(second, given)
            lower, upper = (self._weight(node) if first is not None else None for node in (first, second))
            if lower is None or upper is None or lower is upper or lower.shape[0] != upper.shape[1]:
                continue
            widths = lower.shape[1], lower.shape[0], upper.shape[0]
            notes = self._book.note(lower), self._book.note(upper)
            self._pairs[id(lower), id(upper)] = *notes, widths, self._places.get(id(upper))

    def _weight(self, product: Any) -> torch.Tensor | None:
        """The weight of the nn.Linear that this product is, if it is one's."""
        turned = product.next_functions[PRODUCTS[operation(product)] + 1][0]
        held = below(turned) if turned is not None and operation(turned) == "T" else []
        variable = held[0].variable if held and operation(held[0]) == "AccumulateGrad" else None
        known = self._layers.get(id(variable))
        return variable if known is not None and known() is variable else None


def _one_below(product: Any, given: Counter[Any]) -> Any:
    """The product whose output is this one's input, and nothing else's."""
    node = product.next_functions[PRODUCTS[operation(product)]][0]
    while node is not None and given[node] == 1 and SHOWN not in node.metadata:
        name = operation(node)
        if name in PRODUCTS:
            return node
        following = below(node)
        scaled = name == "Mul" and len(following) == 1  # dropout, or a constant: linear as well
        if name not in KEEPING and not scaled:
            return None
        node = following[0] if len(following) == 1 else None
    return None


def _named(lower: ParameterNote, upper: ParameterNote, widths: tuple[int, int, int], place: Place | None) -> LinearPair:
    """The pair by the names that the user gave, which are known once an optimizer has stepped."""
    first, second = (note.name.removesuffix("weight").removesuffix(".") for note in (lower, upper))
    return LinearPair(first=first, second=second, widths=widths, place=place)


def _calling() -> Place | None:
    """The user's line that calls the layer, unless a module of a library, such as a sequence, calls it."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001  # the documented way to the caller's frame
    while frame is not None and frame.f_code.co_filename.startswith(OWN):
        frame = frame.f_back
    return user_place(frame) if frame is not None and not is_library(frame.f_code.co_filename) else None


OWN = str(Path(__file__).parent.parent) + os.sep
