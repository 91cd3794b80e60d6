"""Scales of terms: how much one element of each term of a loss weighs, read off the graph and its first derivative.

A term is a scalar that was added to others. What it is multiplied by on the way to the loss is the loss's derivative
by it; what it was made of, and how many elements were summed or averaged, stands in the graph below.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from torch import Tensor
from torch.autograd import grad as gradients  # bound before any watch begins: ours is not to be told
from torch.autograd.graph import GradientEdge

from assay.autograd_graph import ELEMENTWISE, LAYOUT, OPAQUE, below, operation, shape_of, terms, walk
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.loss_scales import LossScales, UnevenTerms
from assay.probe import Clock, Faults, user_place
from assay.program_text import scope_around, tree_of
from assay.traffic import Backward, Scored, Traffic

KEY = "assay scales"
"""The key of our place in a graph node's metadata."""

ENOUGH = 5
"""Steps that are looked at: what a loss is made of is the same at each."""

LARGEST = 4000
"""Nodes of a graph that are walked."""

MEAN, SUM = 1, 2
"""What a loss's graph node keeps of its reduction."""

PLAIN = (0.5, 1.0, 2.0)
"""Factors that formulas have; others are weights that somebody chose."""

LOSSES = frozenset({
    "BinaryCrossEntropy", "BinaryCrossEntropyWithLogits", "Huber", "HuberLoss", "L1Loss", "MseLoss", "SmoothL1Loss",
})
THROUGH = ELEMENTWISE | LAYOUT | {"Exp", "Expm1", "Log1p", "Softplus", "Sub", "Sum", "Square"}
"""Operations between a penalty and the values that it is a penalty on."""


@dataclass(eq=False)
class ScaledTerm:
    """One term: its node, whether it is summed or averaged over `elements` of a batch of `rows`, and its factor."""

    node: Any
    way: int
    elements: int
    rows: int
    factor: float


class TermScales:
    """Listens to losses and backward passes for a few steps, then leaves."""

    name = "scales of terms"
    kinds: tuple[type[Fact], ...] = (LossScales,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._traffic = traffic
        self._marking = faults.contained(self.name, self._scored)
        self._beginning = faults.contained(self.name, self._began)
        self._walked = 0
        self._found: dict[Place | None, UnevenTerms] = {}

    def attach(self) -> None:
        """Listen."""
        self._traffic.sampled.scored.append(self._marking)
        self._traffic.sampled.began.append(self._beginning)

    def detach(self) -> None:
        """It has nothing in the program to take away."""

    def facts(self) -> FactSet:
        """Uneven pairs of terms; absent where no loss had several."""
        if not self._walked:
            return FactSet(absent={LossScales: Absent("no loss is a sum of several terms", applicable=False)})
        return FactSet.of(LossScales(walked=self._walked, uneven=tuple(self._found.values())))

    def _scored(self, scored: Scored) -> None:
        if scored.recorded:
            scored.value.grad_fn.metadata[KEY] = user_place()

    def _began(self, backward: Backward) -> None:
        if self._clock.steps >= ENOUGH:
            self._traffic.sampled.scored.remove(self._marking)
            self._traffic.sampled.began.remove(self._beginning)
            return
        root = backward.roots
        if backward.nested or not isinstance(root, Tensor) or root.grad_fn is None or root.numel() != 1:
            return
        nodes = list(terms(root.grad_fn))
        if len(nodes) < 2:
            return
        self._walked += 1
        scaled = [term for node in nodes if (term := _scaled(root, node)) is not None]
        for summed in (each for each in scaled if each.way == SUM):
            for averaged in (each for each in scaled if each.way == MEAN and each.rows == summed.rows):
                if _plain(summed, averaged) and (_penalises(summed, averaged) or _penalises(averaged, summed)):
                    self._note(summed, averaged)

    def _note(self, summed: ScaledTerm, averaged: ScaledTerm) -> None:
        marked = next((place for each in (summed, averaged) if (place := each.node.metadata.get(KEY))), None)
        place = _summing(marked) if operation(summed.node) == "Sum" and marked is not None else marked
        place = place or marked or user_place()
        found = UnevenTerms(
            summed=operation(summed.node), averaged=operation(averaged.node), summed_over=summed.elements,
            averaged_over=averaged.elements, place=place, steps=1,
        )
        former = self._found.get(place)
        self._found[place] = found if former is None else replace(found, steps=former.steps + 1)


def _scaled(root: Tensor, node: Any) -> ScaledTerm | None:
    """How a term is reduced over all its elements; None for other terms."""
    name = operation(node)
    if name in LOSSES:
        way, inner = node._saved_reduction, node  # noqa: SLF001  # a number, no saved tensor
    elif name in ("Sum", "Mean"):
        way, inner = (SUM if name == "Sum" else MEAN), node
        while (following := below(inner)) and len(following) == 1 and operation(following[0]) == name == "Sum":
            inner = following[0]
    else:
        return None
    shape = shape_of(*next(((each, output) for each, output in inner.next_functions if each is not None), (node, 0)))
    if way not in (MEAN, SUM) or not shape:
        return None
    (factor,) = gradients(root, [GradientEdge(node, 0)], retain_graph=True, allow_unused=True)
    return None if factor is None else ScaledTerm(node, way, _product(shape), shape[0], abs(float(factor)))


def _plain(summed: ScaledTerm, averaged: ScaledTerm) -> bool:
    """Whether neither bears a weight that somebody chose."""
    return averaged.factor > 0 and any(abs(summed.factor / averaged.factor - plain) < 1e-4 for plain in PLAIN)


def _penalises(penalty: ScaledTerm, fit: ScaledTerm) -> bool:
    """Whether one term is a penalty on values from which the other is made."""
    values = list(_penalised(penalty.node))
    fitted = set()
    for count, node in enumerate(walk([fit.node])):
        if operation(node) in OPAQUE or count > LARGEST:
            return False
        fitted.add(node)
    own = set(_elementwise(fit.node))
    return bool(values) and all(node in fitted and node not in own for node in values)


def _elementwise(node: Any) -> Iterator[Any]:
    """The nodes from a term down to the values that it is made of, these included."""
    seen, waiting = {node}, below(node)
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        yield current
        if operation(current) in THROUGH:
            waiting += below(current)


def _penalised(node: Any) -> Iterator[Any]:
    """The values that a term is a penalty on."""
    return (each for each in _elementwise(node) if operation(each) not in THROUGH | {"AccumulateGrad"})


def _summing(place: Place) -> Place | None:
    """The one line of the same function that sums over everything, where it isn't this line itself."""
    tree = tree_of(place.file)
    if tree is None:
        return None
    calls = (node for node in ast.walk(scope_around(tree, place.line)) if isinstance(node, ast.Call))
    lines = {call.lineno for call in calls if _sums(call)}
    return Place(place.file, lines.pop()) if len(lines) == 1 else None


def _sums(node: ast.Call) -> bool:
    """`x.sum()` or `torch.sum(x)`, with no axis."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr != "sum":
        return False
    function = isinstance(node.func.value, ast.Name) and node.func.value.id == "torch"
    return len(node.args) == function and not node.keywords


def _product(shape: tuple[int, ...]) -> int:
    product = 1
    for size in shape:
        product *= size
    return product
