"""Backward passes: every one that the program begins, told to the probes that listen."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial, wraps
from typing import Any, Literal

import torch

from assay.facts.fact import Fact
from assay.facts.fact_set import FactSet
from assay.probe import Clock, Faults, Patches
from assay.traffic import Backward, Traffic

ROOTS = {"backward": "tensors", "grad": "outputs"}
"""What each function calls that which it starts from."""


class Running(threading.local):
    """Whether this thread is within a backward pass: one within another is part of it."""

    inside = False


class BackwardPasses:
    """Tells of backward passes; it records nothing itself."""

    name = "backward passes"
    kinds: tuple[type[Fact], ...] = ()

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._patches = Patches()

    def attach(self) -> None:
        """Wrap both functions that begin a backward pass."""
        running = Running()
        self._patches.replace(torch.autograd, "backward", partial(self._watched, "backward", running))
        self._patches.replace(torch.autograd, "grad", partial(self._watched, "grad", running))

    def detach(self) -> None:
        """Put the originals back."""
        self._patches.restore()

    def facts(self) -> FactSet:
        """None: it only tells."""
        return FactSet()

    def _watched(self, name: Literal["backward", "grad"], running: Running, original: Any) -> Any:
        clock, traffic = self._clock, self._traffic
        began = _telling(clock, traffic, traffic.began, traffic.sampled.began)
        ended = _telling(clock, traffic, traffic.ended, traffic.sampled.ended)
        is_compiling = torch.compiler.is_compiling

        @wraps(original)
        def backward(*arguments: Any, **named: Any) -> Any:
            if is_compiling():  # a constant to the compiler: it traces the original and none of this
                return original(*arguments, **named)
            arguments = tuple(map(_to_read_twice, arguments))
            named = {key: _to_read_twice(value) for key, value in named.items()}
            roots = arguments[0] if arguments else named.get(ROOTS[name], ())
            event = Backward(function=name, roots=roots, nested=running.inside)
            began(event)
            if event.nested:
                return original(*arguments, **named)
            running.inside = True
            try:
                return original(*arguments, **named)
            finally:
                running.inside = False
                ended(event)

        return backward


Looks = list[Callable[[Backward], None]]


def _telling(clock: Clock, traffic: Traffic, always: Looks, sampled: Looks) -> Callable[[Backward], None]:
    def tell(event: Backward) -> None:
        for look in tuple(always):
            look(event)
        if clock.looks or traffic.attending:
            for look in tuple(sampled):
                look(event)

    return tell


def _to_read_twice(argument: Any) -> Any:
    """An argument that can be read only once, such as a generator, is read for both of us."""
    return tuple(argument) if isinstance(argument, Iterator) else argument
