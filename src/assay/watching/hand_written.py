"""Autograd functions that a program writes by hand: their backward against the slope of their forward.

Each is tried once, at its first call that autograd records, on copies of its inputs in double precision. Slopes are
central differences along single entries, of the outputs summed with fixed random weights.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from functools import wraps
from types import FunctionType
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.gradients import WrittenBackward, WrittenBackwards
from assay.probe import Faults, is_library, place_in
from assay.tensors import readable, tensors_in
from assay.traffic import Traffic
from assay.watching.copies import mapped, touches, unnoticed

FUNCTIONS = 16
LARGEST = 1 << 18
"""Numbers in the inputs of a function that is tried."""

ENTRIES = 12
"""Entries of each input that are moved, spread over it."""

MOVE = 1e-6
"""The error of a central difference in double precision is then some 1e-10 of the values."""

RELATIVE, ABSOLUTE = 1e-3, 1e-5
"""What torch.autograd.gradcheck allows."""

WEIGHTS_SEED = 0x5EED


class HandWritten:
    """Tries the program's own autograd functions."""

    name = "hand-written backwards"
    kinds: tuple[type[Fact], ...] = (WrittenBackwards,)

    def __init__(self, faults: Faults, traffic: Traffic) -> None:
        self._traffic = traffic
        self._look = faults.contained(self.name, self._called)
        self._known: set[type] = set()
        self._found: list[WrittenBackward] = []
        self._original: Any = None

    def attach(self) -> None:
        """Wrap the call of autograd functions."""
        self._original = vars(Function)["apply"]
        setattr(Function, "apply", classmethod(self._watched(self._original)))  # noqa: B010  # a class's own method

    def detach(self) -> None:
        """Put the original back, and let go of the program's classes."""
        if self._original is not None:
            setattr(Function, "apply", self._original)  # noqa: B010
            self._original = None
        self._known.clear()

    def facts(self) -> FactSet:
        """The functions in the order of their first calls."""
        if not self._found:
            why = "the program calls no autograd function of its own"
            return FactSet(absent={WrittenBackwards: Absent(why, applicable=False)})
        return FactSet.of(WrittenBackwards(functions=tuple(self._found)))

    def _watched(self, original: Any) -> Any:
        known, call, is_compiling = self._known, original.__func__, torch.compiler.is_compiling

        @wraps(call)
        def apply(function: Any, *arguments: Any, **named: Any) -> Any:
            if function not in known and not is_compiling():
                self._look(function, arguments, named)
            return call(function, *arguments, **named)

        return apply

    def _called(self, function: type[Function], arguments: tuple[Any, ...], named: dict[str, Any]) -> None:
        given = list(tensors_in(arguments))
        if self._traffic.silent or not torch.is_grad_enabled() or not any(each.requires_grad for each in given):
            return
        self._known.add(function)
        place = _place(function)
        if place is None or len(self._found) >= FUNCTIONS or not all(map(readable, given)):
            return
        why = _reason(function, given, named)
        if why is not None:
            self._found.append(WrittenBackward(name=function.__name__, place=place, why=why))
            return
        with unnoticed(self._traffic), torch.enable_grad():
            try:
                found = _compared(function, place, _doubled(arguments))
            except Exception as fault:  # noqa: BLE001  # whatever a function makes of being tried
                why = f"it can't be called in double precision: {type(fault).__name__}: {fault}"
                found = WrittenBackward(name=function.__name__, place=place, why=why)
        self._found.append(found)


def _place(function: type[Function]) -> Place | None:
    """The line that defines its backward; None where a library does."""
    method = getattr(function, "backward", None)
    code = getattr(inspect.unwrap(method), "__code__", None) if method is not None else None
    if code is None or is_library(code.co_filename):
        return None
    return place_in(code.co_filename, code.co_firstlineno)


def _reason(function: type[Function], given: list[Tensor], named: dict[str, Any]) -> str | None:
    """Why it isn't tried."""
    if named or sum(each.numel() for each in given) > LARGEST:
        return f"its inputs hold more than {LARGEST} numbers" if not named else "it is called with named arguments"
    if any(each.is_complex() or each.layout is not torch.strided for each in given):
        return "its inputs are complex or sparse"
    for name in ("forward", "backward", "setup_context"):
        method = vars(function).get(name)
        written = getattr(method, "__func__", None)
        used = touches(written) if isinstance(written, FunctionType) else None
        if used is not None:
            return f"running it once more might reach the program: its {name} uses {used}"
    return None


def _doubled(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Copies in double precision, that ask for a gradient where the originals do."""

    def change(tensor: Tensor) -> Tensor:
        copy = tensor.detach().clone()
        return copy.double().requires_grad_(tensor.requires_grad) if tensor.is_floating_point() else copy

    return tuple(mapped(each, change) for each in arguments)


def _compared(function: type[Function], place: Place, arguments: tuple[Any, ...]) -> WrittenBackward:
    inputs = [each for each in tensors_in(arguments) if each.requires_grad]
    outputs = _outputs(function, arguments)
    weights = _weights(outputs)
    if not outputs or any(each.dtype is not torch.float64 for each in outputs):
        return WrittenBackward(name=function.__name__, place=place, why="it doesn't keep double precision")
    identity = any(torch.equal(output, each) for output in outputs for each in inputs if output.shape == each.shape)
    if not torch.equal(_sum(outputs, weights), _sum(_outputs(function, arguments), weights)):
        return WrittenBackward(name=function.__name__, place=place, why="two equal calls of it differ")
    gradients = torch.autograd.grad(_sum(outputs, weights), inputs, allow_unused=True)
    slopes = [
        pair for each, gradient in zip(inputs, gradients, strict=True)
        for pair in _slopes(function, arguments, weights, each, gradient)
    ]
    sloping = [(written, measured) for written, measured in slopes if measured != 0]
    differing = [pair for pair in sloping if not _agree(*pair)]
    worst = max(differing, key=lambda pair: abs(pair[0] - pair[1]), default=(0.0, 0.0))
    return WrittenBackward(
        name=function.__name__, place=place, entries=len(slopes), flat=len(slopes) - len(sloping),
        differing=len(differing), written=worst[0], measured=worst[1], identity=identity,
    )


def _slopes(
    function: type[Function], arguments: tuple[Any, ...], weights: list[Tensor], moved: Tensor, gradient: Tensor | None,
) -> Iterator[tuple[float, float]]:
    """Pairs of slopes, as written and as measured; entries with a kink are left out."""
    flat = moved.detach().view(-1)
    here = float(_sum(_outputs(function, arguments), weights).detach())
    for entry in sorted({round(i * (flat.numel() - 1) / (ENTRIES - 1)) for i in range(ENTRIES)}):
        kept, values = float(flat[entry]), []
        for step in (MOVE, -MOVE):
            flat[entry] = kept + step
            values.append(float(_sum(_outputs(function, arguments), weights).detach()))
        flat[entry] = kept
        up, down = (values[0] - here) / MOVE, (here - values[1]) / MOVE
        if _agree(up, down):
            yield 0.0 if gradient is None else float(gradient.reshape(-1)[entry]), (up + down) / 2


def _outputs(function: type[Function], arguments: tuple[Any, ...]) -> list[Tensor]:
    return [each for each in tensors_in(function.apply(*arguments)) if each.is_floating_point() and each.requires_grad]


def _sum(outputs: list[Tensor], weights: list[Tensor]) -> Tensor:
    return torch.stack([(output * weight).sum() for output, weight in zip(outputs, weights, strict=True)]).sum()


def _weights(outputs: list[Tensor]) -> list[Tensor]:
    generator = torch.Generator().manual_seed(WEIGHTS_SEED)
    return [
        torch.rand(each.shape, generator=generator, dtype=torch.float64).to(each.device) + 0.5 for each in outputs
    ]


def _agree(one: float, other: float) -> bool:
    return abs(one - other) <= ABSOLUTE + RELATIVE * abs(other)
