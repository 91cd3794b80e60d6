"""What a function may do, read from its code and from that of the functions and objects that it names. Nothing is run.

A name in the code stands for what it means where the code lives: a global, a variable that it closes over, or an
attribute of the object whose method it is. Whatever is found is followed as far as it is a function, a method, a
`functools.partial`, a class's or an object's own call; libraries are followed too, within a budget. So more may be
found than is ever executed, and code in C, or made at run time, hides what it does.
"""

from __future__ import annotations

import dis
import functools
import random
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

MOST = 200
"""Functions and objects that are followed; a data set with its transforms has a dozen."""

PYTHON_DRAWS = frozenset({
    "betavariate", "choice", "choices", "expovariate", "gauss", "getrandbits", "normalvariate", "randint", "random",
    "randrange", "sample", "shuffle", "triangular", "uniform",
})
NUMPY_DRAWS = frozenset({
    "beta", "binomial", "choice", "exponential", "gamma", "integers", "laplace", "multivariate_normal", "normal",
    "permutation", "permuted", "poisson", "rand", "randint", "randn", "random", "random_sample", "shuffle",
    "standard_normal", "uniform",
})
TORCH_DRAWS = frozenset({
    "bernoulli", "bernoulli_", "exponential_", "multinomial", "normal", "normal_", "poisson", "rand", "rand_like",
    "randint", "randint_like", "randn", "randn_like", "random_", "randperm", "uniform_",
})
DRAWS = {"python": PYTHON_DRAWS, "numpy": NUMPY_DRAWS, "torch": TORCH_DRAWS}
ALL_DRAWS = PYTHON_DRAWS | NUMPY_DRAWS | TORCH_DRAWS
MODULES = {"numpy": "numpy", "numpy.random": "numpy", "random": "python", "torch": "torch"}
"""The global stream behind the functions of each module."""

IN_PLACE = frozenset(name for name in TORCH_DRAWS if name.endswith("_"))
SEEDING = frozenset({
    "Generator", "Random", "RandomState", "SeedSequence", "default_rng", "fork_rng", "manual_seed", "seed", "set_state",
    "set_rng_state", "setstate",
})
OWN_PROCESS = frozenset({"current_process", "get_worker_info", "getpid", "initial_seed", "urandom"})
"""Names by which code learns in which worker it runs."""


@dataclass(eq=False)
class Reach:
    """What some code reaches.

    names       every name that it mentions
    stored      attributes that it assigns
    generators  living random generators that it mentions, by name
    streams     global random streams that it draws from: "python", "numpy", "torch"
    seeded      global random streams that it seeds
    complete    whether all of it could be followed
    """

    names: set[str] = field(default_factory=set)
    stored: set[str] = field(default_factory=set)
    generators: dict[str, Any] = field(default_factory=dict)
    streams: set[str] = field(default_factory=set)
    seeded: set[str] = field(default_factory=set)
    complete: bool = True

    @property
    def draws(self) -> bool:
        """Whether it draws random numbers, from whatever."""
        return bool(self.streams or (self.generators and self.names & ALL_DRAWS))


def reach(*starts: tuple[Any, Any]) -> Reach:
    """Everything that these functions reach, each given with the object whose method it is (or None)."""
    found = Reach()
    waiting = list(starts)
    seen: set[int] = set()
    while waiting:
        value, owner = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if len(seen) > MOST:
            found.complete = False
            break
        for function, holder in _functions(value, owner):
            waiting += _follow(function, holder, found)
    return found


def _functions(value: Any, owner: Any) -> Iterator[tuple[types.FunctionType, Any]]:
    """The Python functions that calling `value` runs, each with its `self`."""
    if isinstance(value, types.MethodType):
        yield from _functions(value.__func__, value.__self__)
    elif isinstance(value, types.FunctionType):
        yield value, owner
    elif isinstance(value, functools.partial):
        for part in (value.func, *value.args, *value.keywords.values()):
            yield from _functions(part, None)
    elif isinstance(wrapped := getattr(value, "__wrapped__", None), types.FunctionType):  # such as an lru_cache
        yield wrapped, owner
    elif isinstance(value, list | tuple):
        for part in value[:MOST]:
            yield from _functions(part, None)
    elif isinstance(value, dict):
        for part in list(value.values())[:MOST]:
            yield from _functions(part, None)
    elif not isinstance(value, type | types.ModuleType):
        for name in ("__call__", "forward"):
            method = getattr(type(value), name, None)
            if isinstance(method, types.FunctionType):
                yield method, value


def _follow(function: types.FunctionType, owner: Any, found: Reach) -> list[tuple[Any, Any]]:
    """Note what one function mentions; returns what is to be followed further."""
    followed: list[tuple[Any, Any]] = []
    attributes = _attributes(owner)
    for code in _codes(function.__code__):
        names = {name for name in code.co_names if isinstance(name, str)}
        found.names |= names
        found.stored |= {each.argval for each in dis.get_instructions(code) if each.opname == "STORE_ATTR"}
        meant = dict(_meant(function, code, names))
        _note_streams(meant, names, found)
        for name, value in [*meant.items(), *((name, attributes[name]) for name in names if name in attributes)]:
            if is_generator(value):
                found.generators[name] = value
            elif _leads_on(value):
                followed.append((value, owner if hasattr(type(owner), name) else None))
    return followed


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """A function's code and that of the functions, lambdas and comprehensions within."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def _attributes(owner: Any) -> dict[str, Any]:
    """An object's attributes and its classes' functions, properties among them, read without running anything."""
    if owner is None:
        return {}
    held: dict[str, Any] = {}
    for each in reversed(type(owner).__mro__):
        held.update({name: value.fget if isinstance(value, property) else value for name, value in vars(each).items()})
    held.update(getattr(owner, "__dict__", {}))
    return held


def _meant(function: types.FunctionType, code: types.CodeType, names: set[str]) -> Iterator[tuple[str, Any]]:
    """What the names stand for that are not the code's own variables."""
    for name in names:
        if name in function.__globals__:
            yield name, function.__globals__[name]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=False):
        if name in code.co_freevars:
            try:
                yield name, cell.cell_contents
            except ValueError:  # not filled yet
                continue


def _note_streams(meant: dict[str, Any], names: set[str], found: Reach) -> None:
    """Which global streams it draws from and seeds, by the modules and bound functions that it names."""
    if names & IN_PLACE and "generator" not in names:
        found.streams.add("torch")
    for value in meant.values():
        stream, named = _stream(value, names)
        if stream is not None and named & DRAWS[stream]:
            found.streams.add(stream)
        if stream is not None and named & {"manual_seed", "seed"}:
            found.seeded.add(stream)


def _stream(value: Any, names: set[str]) -> tuple[str | None, set[str]]:
    """The global stream that a module or one of its functions stands for, and the names that may be its functions."""
    if isinstance(value, types.ModuleType):
        stream = MODULES.get(value.__name__)
        return (None if value.__name__ == "numpy" and "random" not in names else stream), names
    bound, own = getattr(value, "__self__", None), {getattr(value, "__name__", "")}
    if is_generator(bound):
        return ("python" if isinstance(bound, random.Random) else "numpy"), own
    if isinstance(value, types.BuiltinFunctionType) and bound is None:  # `from torch import randn`
        return "torch", own
    return None, set()


def is_generator(value: Any) -> bool:
    """Whether it is a random generator whose state a copy would share."""
    if isinstance(value, random.Random):
        return not isinstance(value, random.SystemRandom)
    kind = type(value)
    whole = f"{kind.__module__}.{kind.__name__}"
    return whole in ("torch._C.Generator", "numpy.random._generator.Generator", "numpy.random.mtrand.RandomState")


def _leads_on(value: Any) -> bool:
    """Whether following it may show more: functions, and objects of classes written in Python."""
    if isinstance(value, types.FunctionType | types.MethodType | functools.partial | list | tuple | dict):
        return True
    if isinstance(value, type | types.ModuleType) or type(value).__module__ in ("builtins", "numpy", "torch"):
        return isinstance(getattr(value, "__wrapped__", None), types.FunctionType)
    return not isinstance(value, str | bytes | int | float)
