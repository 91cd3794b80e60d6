"""Scalers: whether losses in half precision are scaled, and whether the steps are taken by the scaler that did it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial, wraps
from typing import Any

import torch
from torch import Tensor
from torch.amp import GradScaler
from torch.optim import Optimizer

from assay.autograd_graph import below, operation
from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet
from assay.facts.precision import PrecisionFacts
from assay.probe import Clock, Faults, Patches, after, user_place
from assay.tensors import tensors_in
from assay.traffic import Backward, Pass, Traffic

KEY = "assay scaled"
"""Marks the graph node of a loss that a scaler has scaled."""

HEAD = 8
"""Nodes below the root among which a scaled loss is looked for: a sum of several."""


class Scalers:
    """Records how losses in half precision are scaled."""

    name = "scalers"
    kinds: tuple[type[Fact], ...] = (PrecisionFacts,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._patches = Patches()
        self._seen = PrecisionFacts(scalers=0, scaler_steps=0)
        self._used = False
        self._within = False
        self._scaled = False
        self._halved = False

    def attach(self) -> None:
        """Wrap what a scaler does; listen to passes, backward passes and steps."""
        contained = partial(self._faults.contained, self.name)
        self._patches.replace(GradScaler, "scale", partial(_result, contained(self._scaling)))
        self._patches.replace(GradScaler, "unscale_", partial(after, contained(self._unscaling)))
        self._patches.replace(GradScaler, "step", self._stepping_scaler)
        self._traffic.sampled.passed.append(contained(self._passed))
        self._traffic.sampled.began.append(contained(self._began))
        self._traffic.sampled.stepped.append(contained(self._stepped))

    def detach(self) -> None:
        """Put the originals back."""
        self._patches.restore()

    def facts(self) -> FactSet:
        """What was seen, if anything was in half precision."""
        if not self._seen.scalers and not self._seen.halved:
            return FactSet(absent={PrecisionFacts: Absent("nothing is trained in float16", applicable=False)})
        return FactSet.of(self._seen)

    def _scaling(self, scaler: GradScaler, scaled: Any) -> None:
        if scaler.is_enabled():
            self._used = True
            self._seen = replace(self._seen, scalers=1)
            for tensor in tensors_in(scaled):
                if tensor.grad_fn is not None:
                    node: Any = tensor.grad_fn  # whose stubs take its metadata for a method
                    node.metadata[KEY] = True

    def _unscaling(self, _: GradScaler) -> None:
        self._scaled = False

    def _stepping_scaler(self, original: Any) -> Any:
        @wraps(original)
        def step(scaler: Any, *arguments: Any, **named: Any) -> Any:
            if not scaler.is_enabled():
                return original(scaler, *arguments, **named)
            self._used = self._within = True
            self._seen = replace(self._seen, scalers=1, scaler_steps=self._seen.scaler_steps + 1)
            try:
                return original(scaler, *arguments, **named)
            finally:
                self._within = False

        return step

    def _passed(self, passed: Pass) -> None:
        if self._clock.looks and passed.recorded and passed.training:
            kinds = ("cuda", "cpu") if torch.cuda.is_available() else ("cpu",)
            self._halved = any(torch.is_autocast_enabled(kind) and torch.get_autocast_dtype(kind) is torch.float16
                               for kind in kinds)

    def _began(self, backward: Backward) -> None:
        if backward.nested or backward.function != "backward" or not self._clock.looks:
            return
        if not self._used and not self._halved:
            return
        roots = [root for root in tensors_in(backward.roots) if root.grad_fn is not None]
        self._scaled = any(map(_is_scaled, roots))
        if self._used:
            unscaled = not self._scaled
            self._seen = replace(
                self._seen, backwards=self._seen.backwards + 1, unscaled=self._seen.unscaled + unscaled,
                unscaled_place=user_place() if unscaled else self._seen.unscaled_place,
            )
        elif not any(operation(root.grad_fn) == "Mul" for root in roots):
            self._seen = replace(
                self._seen, halved=self._seen.halved + 1, halved_place=self._seen.halved_place or user_place(),
            )
        self._halved = False

    def _stepped(self, _: Optimizer) -> None:
        if self._scaled and self._clock.looks:
            direct = not self._within
            self._seen = replace(
                self._seen, steps=self._seen.steps + 1, direct=self._seen.direct + direct,
                direct_place=user_place() if direct else self._seen.direct_place,
            )
        self._scaled = False


def _result(look: Any, original: Any) -> Any:
    """A method that then shows its object and what it gave."""

    @wraps(original)
    def method(this: Any, *arguments: Any, **named: Any) -> Any:
        result = original(this, *arguments, **named)
        look(this, result)
        return result

    return method


def _is_scaled(root: Tensor) -> bool:
    waiting, seen = [root.grad_fn], 0
    while waiting and seen < HEAD:
        node: Any = waiting.pop(0)
        if KEY in node.metadata:
            return True
        waiting += below(node)
        seen += 1
    return False
