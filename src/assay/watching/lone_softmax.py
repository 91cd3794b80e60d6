"""Weights of attention that are normalised along an axis of size one, found in the graph below a model's output.

The graph tells that there is such a softmax, by shapes alone; a copy of the model then tells on which line.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from assay.autograd_graph import LAYOUT, below, operation, shape_of, through_layout, walk
from assay.facts.attention import LoneSoftmax, LoneSoftmaxFacts
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.probe import Faults, user_place
from assay.tensors import tensors_in
from assay.traffic import Pass, Traffic
from assay.watching.copies import copied, unnoticed
from assay.weak_identity import IdentitySet

MODELS = 8
NODES = 2000
"""Nodes of one graph that are looked through."""

LARGEST = 1 << 20
"""Numbers in the inputs of a pass that is run again."""

SOFTMAX = (torch.softmax, Tensor.softmax, functional.softmax)

OF_SCORES = LAYOUT | {"Div", "LeakyRelu", "MaskedFill", "Mul", "Tanh"}
"""What stands between a layer's scores and the softmax, and leaves their axes as they are."""

PRODUCTS = ("Addmm", "Mm")


class LoneSoftmaxes:
    """Looks once through the graph of each model that trains."""

    name = "lone softmaxes"
    kinds: tuple[type[Fact], ...] = (LoneSoftmaxFacts,)

    def __init__(self, faults: Faults, traffic: Traffic) -> None:
        self._traffic = traffic
        self._look = faults.contained(self.name, self._passed)
        self._known: IdentitySet[nn.Module] = IdentitySet()
        self._looked = 0
        self._found: list[LoneSoftmax] = []
        self._why: str | None = None

    def attach(self) -> None:
        """Listen to passes on sampled steps."""
        self._traffic.sampled.passed.append(self._look)

    def detach(self) -> None:
        """It has nothing in the program to take away."""

    def facts(self) -> FactSet:
        """What was found; absent where no model trained."""
        if not self._looked:
            absent = Absent("no model's output had a graph", applicable=False)
            return FactSet(absent={LoneSoftmaxFacts: absent})
        if self._why is not None and not self._found:
            return FactSet(absent={LoneSoftmaxFacts: Absent(self._why)})
        return FactSet.of(LoneSoftmaxFacts(looked=self._looked, found=tuple(self._found)))

    def _passed(self, passed: Pass) -> None:
        if not passed.recorded or self._looked >= MODELS or passed.module in self._known:
            return
        roots = [each.grad_fn for each in tensors_in(passed.output) if each.grad_fn is not None]
        if not roots:
            return
        self._known.add(passed.module)
        self._looked += 1
        shapes = lone(roots)
        given = tensors_in((passed.arguments, passed.named))
        if shapes and sum(each.numel() for each in given) > LARGEST:
            self._why = "the batch in which a softmax runs along an axis of size one is too large to be tried"
        elif shapes:
            self._found += self._placed(passed, shapes)

    def _placed(self, passed: Pass, shapes: dict[tuple[tuple[int, ...], int], bool]) -> list[LoneSoftmax]:
        with unnoticed(self._traffic):
            copy = copied(passed.module)
            if isinstance(copy, Absent):
                self._why = copy.why
                return []
            places = Places(shapes)
            try:
                with places:
                    copy(*passed.arguments, **passed.named)
            except Exception as fault:  # noqa: BLE001  # whatever a model makes of being tried
                self._why = f"the model can't be tried: {type(fault).__name__}: {fault}"
                return []
        return [LoneSoftmax(
            model=type(passed.module).__name__, place=place, shape=shape, axis=axis, axes=_wide(shape),
        ) for (shape, axis), place in places.found.items()]


def lone(roots: list[Any]) -> dict[tuple[tuple[int, ...], int], bool]:
    """The shapes and axes of softmaxes along an axis of size one whose scores one output of a layer gave, and which
    weigh values: they are spread over more of them in a product, or multiplied as a matrix of one row an example.

    An axis beside the first must be longer, the one that was meant. A single component of a mixture or expert has its
    own axis in what it weighs too, of size one, so that nothing is spread.
    """
    found = {}
    for count, node in enumerate(walk(roots)):
        if count > NODES:
            break
        for weights in map(through_layout, below(node)):
            if weights is None or operation(weights) != "Softmax":
                continue
            shape, axis = shape_of(weights), _axis(weights)
            if shape is None or len(shape) < 3 or shape[axis] != 1 or not _wide(shape):
                continue
            if _weighs(node, shape, axis) and _of_one_output(weights):
                found[shape, axis % len(shape)] = True
    return found


def _axis(node: Any) -> int:
    axis = int(node._saved_dim)  # noqa: SLF001  # a number, no saved tensor
    return axis - (1 << 64 if axis >= 1 << 63 else 0)  # the graph keeps -1 unsigned


def _wide(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(axis for axis, size in enumerate(shape) if axis and size > 1)


def _weighs(node: Any, shape: tuple[int, ...], axis: int) -> bool:
    result = shape_of(node)
    if result is None or len(result) != len(shape):
        return False
    if operation(node) == "Mul":
        return result[axis] > 1
    return operation(node) == "Bmm" and result[0] == shape[0] and result[1] == 1 < result[2]


def _of_one_output(weights: Any) -> bool:
    """Whether the scores are a layer's only output: a product with a parameter, of one column."""
    node = weights
    while True:
        following = below(node)
        if operation(node) in PRODUCTS:
            parameters = (through_layout(each) for each in following)
            columns = (shape_of(node) or (0,))[-1]
            return columns == 1 and any(
                each is not None and operation(each) == "AccumulateGrad" for each in parameters
            )
        if (node is not weights and operation(node) not in OF_SCORES) or len(following) != 1:
            return False
        node = following[0]


@dataclass
class Places(TorchFunctionMode):
    """Runs a model's operations and takes down the user's lines that call a softmax of these shapes and axes."""

    wanted: dict[tuple[tuple[int, ...], int], bool]
    found: dict[tuple[tuple[int, ...], int], Place | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__()

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run one operation."""
        named = kwargs or {}
        if func in SOFTMAX:
            scores = args[0] if args else named["input"]
            axis = args[1] if len(args) > 1 else named.get("dim")
            if isinstance(axis, int) and scores.dim():
                key = tuple(scores.shape), axis % scores.dim()
                if key in self.wanted:
                    self.found.setdefault(key, user_place())
        return func(*args, **named)
