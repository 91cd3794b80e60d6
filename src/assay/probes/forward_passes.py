"""Forward passes: every call of a module by the program's own code, told to the probes that listen.

The one call that all modules share is wrapped, so that nothing is hung on the program's own modules: a copy, a pickle
or a state_dict of them stays what it was. Losses and other modules without parameters don't count, nor do calls within
a backward pass, where a checkpoint computes again what was already seen.
"""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import torch
from torch import Tensor, nn

from assay.facts.fact import Fact
from assay.facts.fact_set import FactSet
from assay.probe import Clock, Faults, Patches
from assay.tensors import readable, tensors_in
from assay.traffic import Backward, Inner, Pass, Traffic
from assay.weak_identity import IdentityDict

REMEMBERED = 8
"""Outputs that are remembered, to know whether a module is given data or what another has put out."""

CALLERS = 6
"""Callers by which the place of a pass is told: an evaluation and a training may share the innermost."""

TOLD, TOLD_UNRECORDED = 8, 256
"""Passes from one place that are told whatever the clock says; of evaluations more, since all of them are compared."""

SITES = 1024
"""Places that are told apart."""


class Within(threading.local):
    """Whether this thread is within a pass: calls within calls are parts of the outer one."""

    inside = False


class Sites:
    """Where passes come from: the lines of the callers, in which mode, and whether autograd records there."""

    def __init__(self) -> None:
        self._told: dict[int, int] = {}

    def unfamiliar(self, training: bool, recorded: bool) -> bool:
        """Whether a pass from here has not been told often enough yet."""
        frame = sys._getframe(2)  # noqa: SLF001  # the program's own, past the wrapper
        site = hash((training, recorded))
        for _ in range(CALLERS):
            site = hash((site, id(frame.f_code), frame.f_lasti))
            if frame.f_back is None:
                break
            frame = frame.f_back
        told = self._told.get(site, 0)
        if told >= (TOLD if recorded else TOLD_UNRECORDED) or (not told and len(self._told) >= SITES):
            return False
        self._told[site] = told + 1
        return True


class ForwardPasses:
    """Tells of forward passes; it records nothing itself."""

    name = "forward passes"
    kinds: tuple[type[Fact], ...] = ()

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._patches = Patches()
        self._backward = False
        self._outputs: list[weakref.ref[Tensor]] = []
        self._entries: IdentityDict[nn.Module, bool] = IdentityDict()

    def attach(self) -> None:
        """Wrap the call of modules."""
        ended = self._faults.contained(self.name, self._ended)
        inner = self._faults.contained(self.name, self._inner)
        self._patches.replace(nn.Module, "__call__", partial(self._watched, ended, inner))
        self._traffic.began.append(self._backward_began)
        self._traffic.ended.append(self._backward_ended)

    def detach(self) -> None:
        """Put the originals back."""
        self._patches.restore()
        self._outputs.clear()

    def facts(self) -> FactSet:
        """None: it only tells."""
        return FactSet()

    def _watched(self, ended: Callable[..., None], inner: Callable[..., None], original: Any) -> Any:
        within, traffic, clock, unfamiliar = Within(), self._traffic, self._clock, Sites().unfamiliar
        is_compiling = torch.compiler.is_compiling

        @wraps(original)
        def __call__(module: Any, *arguments: Any, **named: Any) -> Any:  # noqa: N807  # as it is named in tracebacks
            if is_compiling():  # a constant to the compiler: it traces the original and none of this
                return original(module, *arguments, **named)
            if within.inside:
                output = original(module, *arguments, **named)
                if clock.looks and traffic.inner:
                    inner(module, arguments, named, output)
                return output
            holds = module._parameters or module._modules  # noqa: SLF001  # cheaper than walking them
            if self._backward or traffic.silent or not holds:
                return original(module, *arguments, **named)
            within.inside, traffic.running, drops = True, module, traffic.drops
            try:
                output = original(module, *arguments, **named)
            finally:
                within.inside, traffic.running = False, None
            traffic.passes += 1
            traffic.attending = traffic.attending or unfamiliar(module.training, torch.is_grad_enabled())
            if traffic.attending or clock.looks or traffic.passed:
                ended(module, (arguments, named), output, traffic.drops - drops)
            return output

        return __call__

    def _backward_began(self, _: Backward) -> None:
        self._backward = True

    def _backward_ended(self, _: Backward) -> None:
        self._backward = False

    def _ended(self, module: Any, passed_in: tuple[Any, Any], output: Any, drops: int) -> None:
        arguments, named = passed_in
        given = list(tensors_in(passed_in))
        if not all(map(readable, given)):
            return
        recorded = torch.is_grad_enabled() and not torch.is_inference_mode_enabled()
        passed = Pass(
            module=module, arguments=arguments, named=named, output=output, recorded=recorded,
            training=module.training, entry=self._enters(module, given, recorded), step=self._clock.steps,
            number=self._traffic.passes - 1, drops=drops,
        )
        self._outputs = [*self._outputs, *map(weakref.ref, tensors_in(output))][-REMEMBERED:]
        for look in tuple(self._traffic.passed):
            look(passed)
        if self._clock.looks or self._traffic.attending:
            for look in tuple(self._traffic.sampled.passed):
                look(passed)

    def _enters(self, module: nn.Module, given: list[Tensor], recorded: bool) -> bool:
        """Whether a module is given data: known from recorded passes, where what others put out has a graph."""
        if not recorded and module in self._entries:
            return self._entries[module]
        produced = {id(output) for reference in self._outputs if (output := reference()) is not None}
        enters = not any(tensor.grad_fn is not None or id(tensor) in produced for tensor in given)
        if recorded:
            self._entries[module] = enters
        return enters

    def _inner(self, module: Any, arguments: Any, named: Any, output: Any) -> None:
        if self._backward:
            return
        recorded = torch.is_grad_enabled()
        call = Inner(module=module, arguments=arguments, named=named, output=output, recorded=recorded)
        for look in tuple(self._traffic.inner):
            look(call)
