"""What becomes of a model's output: is it scored, by comparing what is made of it with other values?

While an output is followed, some methods of tensors are replaced; at all other times they are as PyTorch made them.
"""

from __future__ import annotations

import sys
import types
import weakref
from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

DECIDES = ("argmax", "ge", "__ge__", "gt", "__gt__", "le", "__le__", "lt", "__lt__", "max", "round", "sort", "topk")
"""Methods that turn scores into predictions."""

LEADS_ON = (
    "bool", "cat", "clone", "contiguous", "cpu", "detach", "exp", "flatten", "float", "double", "__getitem__",
    "log_softmax", "long", "int", "reshape", "sigmoid", "softmax", "squeeze", "tanh", "to", "transpose", "t", "type",
    "view", "view_as",
)
COMPARES = ("eq", "__eq__", "ne", "__ne__")
SUBTRACTS = ("sub", "__sub__", "__rsub__", "subtract")
MEASURES = ("abs", "__abs__", "pow", "__pow__", "square", "mean", "sum", "sqrt", "mul", "__mul__")
READS = ("item", "tolist", "__float__", "numpy")

TELLS = "_tells_assay"

OURS = str(Path(__file__).parent)

class Following:
    """One output, what is made of it, and whether that is `compared` with other values.

    sampled     whether the pass repeats the one before, whose output wasn't scored
    """

    def __init__(self, output: Tensor, *, sampled: bool) -> None:
        self.compared = False
        self._sampled = sampled
        self._output = weakref.ref(output)
        # Of `torch.argmax(model(x), 1)` Python has looked up the function before the pass, so that what it makes is
        # known by its shape alone.
        self._one_each = output.shape[:1] + output.shape[2:]
        self._made: dict[int, weakref.ref[Tensor]] = {}
        self._decisions: dict[int, weakref.ref[Tensor]] = {}
        self._differences: dict[int, weakref.ref[Tensor]] = {}

    def holds(self, value: Any) -> bool:
        """Whether this is the output, its `.data` (another tensor of the same memory), or was made of it."""
        if not isinstance(value, Tensor):
            return False
        output = self._output()
        same = output is not None and value.shape == output.shape and value.data_ptr() == output.data_ptr()
        return same or _among(value, self._made)

    def lead_on(self, operands: tuple[Any, ...], result: Any) -> None:
        """What is made of the output, element by element or by laying it out anew."""
        given = operands[0] if isinstance(operands[0], list | tuple) else operands[:1]
        if any(map(self.holds, given)):
            _keep(result, self._made)
            if any(_among(each, self._decisions) for each in given):
                _keep(result, self._decisions)

    def decide(self, operands: tuple[Any, ...], result: Any) -> None:
        """Scores become predictions."""
        if self.holds(operands[0]):
            _keep(result, self._made)
            _keep(result, self._decisions)

    def compare(self, operands: tuple[Any, ...], _: Any) -> None:
        """Predictions meet labels."""
        if self._meets_others(operands) or all(map(self._predicts, operands[:2])):
            self.compared = True

    def subtract(self, operands: tuple[Any, ...], result: Any) -> None:
        """Predictions meet targets."""
        if self._meets_others(operands):
            _keep(result, self._differences)

    def measure(self, operands: tuple[Any, ...], result: Any) -> None:
        """An error is made of a difference."""
        if _among(operands[0], self._differences):
            _keep(result, self._differences)

    def read(self, operands: tuple[Any, ...], _: Any) -> None:
        """An error is read, or predictions leave for a library that scores them."""
        read = operands[0]
        error = bool(self._differences) and read.dim() == 0 and read.is_floating_point()
        predictions = _among(read, self._decisions) or (self._predicts(read) and not read.is_floating_point())
        if error or (predictions and read.numel() > 1):
            self.compared = True

    def _predicts(self, value: Any) -> bool:
        """Whether this has the shape of one prediction for each example."""
        alike = isinstance(value, Tensor) and value.shape == self._one_each and value.numel() > 1
        return alike and not self._sampled  # of an average over samples, the shape says nothing

    def _meets_others(self, operands: tuple[Any, ...]) -> bool:
        """Whether predictions meet as many other values: labels or targets, and not a threshold."""
        held = [each for each in operands[:2] if self.holds(each)]
        others = [each for each in operands[:2] if isinstance(each, Tensor) and not self.holds(each)]
        return bool(held and others) and others[0].numel() >= held[0].numel()


def _among(value: Any, kept: dict[int, weakref.ref[Tensor]]) -> bool:
    return isinstance(value, Tensor) and id(value) in kept and kept[id(value)]() is value


def _keep(result: Any, kept: dict[int, weakref.ref[Tensor]]) -> None:
    for part in result if isinstance(result, tuple) else (result,):
        if isinstance(part, Tensor):
            kept[id(part)] = weakref.ref(part)


class Methods:
    """Methods of tensors that are replaced for a while, and then gone again without a trace."""

    def __init__(self) -> None:
        self._put: list[tuple[Any, str, Any]] = []

    def put(self, owner: Any, name: str, made: Callable[[Any], Any]) -> None:
        """Replace one, if there is such a method."""
        original = getattr(owner, name, None)
        if original is not None:
            self._put.append((owner, name, vars(owner).get(name)))
            setattr(owner, name, made(original))

    def away(self) -> None:
        """Put everything back as it was."""
        while self._put:
            owner, name, own = self._put.pop()
            if own is None:
                delattr(owner, name)
            else:
                setattr(owner, name, own)


def replace_methods(following: Following, methods: Methods, contained: Callable[[Any], Any]) -> bool:
    """Let an output be followed, its looks contained; False where another recording already follows one."""
    if hasattr(Tensor.argmax, TELLS):
        return False
    for names, look in (
        (DECIDES, following.decide), (LEADS_ON, following.lead_on), (COMPARES, following.compare),
        (SUBTRACTS, following.subtract), (MEASURES, following.measure), (READS, following.read),
    ):
        made = partial(_telling, contained(look))
        for name in names:
            methods.put(Tensor, name, made)
            if isinstance(vars(torch).get(name), types.BuiltinFunctionType):  # torch.long is no function
                methods.put(torch, name, made)
    return True


def _telling(look: Callable[..., None], original: Any) -> Any:
    """A method that tells what it was given and what it made."""
    is_compiling = torch.compiler.is_compiling

    @wraps(original)
    def method(*arguments: Any, **named: Any) -> Any:
        result = original(*arguments, **named)
        if arguments and not is_compiling() and not _asked_by_assay():
            look(arguments, result)
        return result

    setattr(method, TELLS, True)
    return method


def _asked_by_assay() -> bool:
    """Whether another probe's look makes the call that is seen."""
    frame = sys._getframe(2)  # noqa: SLF001  # the documented way to the caller's frame
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("torch."):
        frame = frame.f_back
    return frame.f_code.co_filename.startswith(OURS)
