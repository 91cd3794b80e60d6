"""Running a copy of a program's model so that the program can't notice.

The copy is made deep and runs in evaluation mode, without gradients, its output captured, every random stream put back.
What might reach the program in spite of that isn't run: hooks of its own, and forward functions that use the program's
global containers, generators or objects.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import dis
import io
import random
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from assay.facts.fact import Absent
from assay.probe import is_library
from assay.traffic import Traffic

PARAMETERS = 50_000_000
"""Numbers in the largest model that is copied: 200 MB in single precision."""

DEPTH = 3
"""Calls of the user's own functions that are followed from forward."""

HARMLESS = (
    bool, int, float, complex, str, bytes, tuple, frozenset, type(None), type, types.ModuleType, types.FunctionType,
    types.BuiltinFunctionType, types.SimpleNamespace, argparse.Namespace, torch.dtype, torch.device, torch.Size,
)
"""What a forward function may read of its module's names: what can't be changed, or hardly is."""


def copied(module: nn.Module) -> nn.Module | Absent:
    """A deep copy in evaluation mode, or why there is none."""
    if sum(parameter.numel() for parameter in module.parameters()) > PARAMETERS:
        return Absent(f"the model holds more than {PARAMETERS:,} numbers, too many to copy in passing")
    reaches_out = next(filter(None, map(_reaches_out, module.modules())), None)
    if reaches_out is not None:
        return Absent(f"running a copy of the model might reach the program: {reaches_out}")
    try:
        return copy.deepcopy(module).eval()
    except Exception as fault:  # noqa: BLE001  # whatever a class makes of being copied
        return Absent(f"the model can't be copied: {type(fault).__name__}: {fault}")


@contextlib.contextmanager
def unnoticed(traffic: Traffic) -> Iterator[None]:
    """Nothing that runs within is told to probes, printed, warned of, or draws from the program's streams."""
    python, numpy = random.getstate(), np.random.get_state()
    try:
        with (
            traffic.silence(), torch.random.fork_rng(devices=range(torch.cuda.device_count())), torch.no_grad(),
            warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)


def mapped(value: Any, change: Callable[[Tensor], Tensor]) -> Any:
    """The same arguments with every tensor changed. Raises TypeError at what may hold tensors that it can't reach."""
    if isinstance(value, Tensor):
        return change(value)
    if value is None or isinstance(value, bool | int | float | str | torch.dtype | torch.device):
        return value
    if type(value) is dict:
        return {key: mapped(part, change) for key, part in value.items()}
    if type(value) in (list, tuple):
        return type(value)(mapped(part, change) for part in value)
    raise TypeError(f"an argument is of the class {type(value).__name__}")


def _reaches_out(part: nn.Module) -> str | None:
    """What of this module could reach the program if its copy ran."""
    for hooks in (part._forward_hooks, part._forward_pre_hooks):  # noqa: SLF001  # there is no other way to list them
        if any(not type(hook).__module__.startswith("torch.") and _own(hook) for hook in hooks.values()):
            return f"{type(part).__name__} has a hook"
    if "forward" in vars(part):
        return f"the forward of one {type(part).__name__} was replaced"
    for made in type(part).__mro__:
        for name, method in vars(made).items():
            if isinstance(method, types.FunctionType) and name != "__init__" and _own(method):
                found = touches(method)
                if found is not None:
                    return f"{made.__name__}.{name} uses {found}"
    return None


def _own(function: Any) -> bool:
    code = getattr(function, "__code__", None)
    return code is None or not is_library(code.co_filename)


def touches(function: types.FunctionType, depth: int = DEPTH) -> str | None:
    """The name of a global or enclosed value that this function, or one that it calls, could change."""
    names = _names(function.__code__)
    values = {name: function.__globals__[name] for name in names if name in function.__globals__}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=False):
        with contextlib.suppress(ValueError):  # an empty cell
            if name != "__class__":
                values[name] = cell.cell_contents
    for name, value in values.items():
        if isinstance(value, types.FunctionType) and _own(value):
            found = touches(value, depth - 1) if depth else name
            if found is not None:
                return found
        elif not isinstance(value, (*HARMLESS, Tensor, np.ndarray)) and not _of_torch(value):
            return name
    return None


def _of_torch(value: Any) -> bool:
    """Whether this is an object of PyTorch's that isn't a random stream, such as a loss or a function."""
    return type(value).__module__.startswith("torch") and not isinstance(value, torch.Generator)


def _names(code: types.CodeType) -> set[str]:
    """The global names that a function and those within it use."""
    names = {each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_GLOBAL", "STORE_GLOBAL")}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _names(constant)
    return names
