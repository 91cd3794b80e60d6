"""What layers put out while training: how it spreads along the depth, which units never rise above a ReLU's zero."""

from __future__ import annotations

import weakref
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.conv import _ConvNd

from assay.autograd_graph import operation, through_layout, walk
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.weights import ActivationFacts, Rectified, Spreads
from assay.probe import Clock, Faults, user_place
from assay.tensors import readable
from assay.traffic import Backward, Inner, Pass, Traffic
from assay.weak_identity import IdentityDict

KEY = "assay: layer"
"""The key, in a graph node's metadata, of the layer whose output it is."""

LARGEST = 5_000
"""Nodes of a graph that are walked."""

NUMBERS = 1 << 22
"""Numbers of an output that is looked at; larger ones are passed by."""

LAST = 3
"""Sampled steps, the last, over which a unit must have put out nothing to count as dead."""

LAYERS = 256
"""Layers that are kept."""


@dataclass(eq=False)
class Layer:
    """One layer: which units stayed at or below zero at the last steps at which a ReLU followed it."""

    model: str
    name: str
    axis: int
    place: Place | None = None
    resting: Tensor | None = None
    rows: int = 0
    last: list[tuple[Tensor, int]] = field(default_factory=list)


@dataclass(eq=False)
class Profile:
    """The spreads of one model's layers, in the order of their calls."""

    model: str
    place: Place | None = None
    names: list[str] = field(default_factory=list)
    spreads: list[float] = field(default_factory=list)


class Activations:
    """Looks at the layers of models on the steps that the clock looks at."""

    name = "activations"
    kinds: tuple[type[Fact], ...] = (ActivationFacts,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._layers: IdentityDict[nn.Module, Layer] = IdentityDict()
        self._all: list[Layer] = []
        self._profiles: IdentityDict[nn.Module, Profile] = IdentityDict()
        self._done: list[Profile] = []

    def attach(self) -> None:
        """Listen."""
        for event, look in (("inner", self._inner), ("passed", self._passed), ("began", self._began)):
            self._traffic.listeners(event).append(self._faults.contained(self.name, look))

    def detach(self) -> None:
        """It has nothing in the program to take away."""

    def facts(self) -> FactSet:
        """What is known of the layers."""
        if not self._all:
            return FactSet(absent={ActivationFacts: Absent("no model of several layers was trained", applicable=False)})
        return FactSet.of(ActivationFacts(
            rectified=tuple(_rectified(layer) for layer in self._all if layer.last),
            spreads=tuple(
                Spreads(model=each.model, place=each.place, names=tuple(each.names), spreads=tuple(each.spreads))
                for each in self._done
            ),
        ))

    def _inner(self, call: Inner) -> None:
        root, output = self._traffic.running, call.output
        axis = _axis(call.module, output) if isinstance(output, Tensor) and call.recorded else None
        if axis is None or root is None or not root.training or output.grad_fn is None or not readable(output):
            return
        if output.numel() > NUMBERS or not output.numel():
            return
        layer = self._layer(root, call.module, axis)
        if layer is None:
            return
        values = output.detach()
        units = values.movedim(axis, -1).reshape(-1, values.shape[axis])
        layer.resting, layer.rows = (units <= 0).all(0), len(units)
        output.grad_fn.metadata[KEY] = weakref.ref(layer)
        profile = self._profiles.get(root)
        if profile is None:
            profile = self._profiles[root] = Profile(type(root).__name__)
        if profile not in self._done and not isinstance(call.module, _BatchNorm):
            profile.names.append(layer.name)
            profile.spreads.append(float(values.float().std()) if values.numel() > 1 else 0.0)

    def _layer(self, root: nn.Module, module: nn.Module, axis: int) -> Layer | None:
        known: Layer | None = self._layers.get(module)
        if known is None and len(self._all) < LAYERS:
            name = next((path for path, each in root.named_modules() if each is module), "")
            known = self._layers[module] = Layer(type(root).__name__, name, axis)
            self._all.append(known)
        return known

    def _passed(self, passed: Pass) -> None:
        profile = self._profiles.get(passed.module)
        if profile is not None and profile not in self._done:
            profile.place = user_place()
            self._done.append(profile)

    def _began(self, backward: Backward) -> None:
        root = backward.roots
        if not self._clock.looks or backward.nested or not isinstance(root, Tensor) or root.grad_fn is None:
            return
        for count, node in enumerate(walk([root.grad_fn])):
            if count > LARGEST:
                return
            if operation(node) == "Relu":
                self._rectifies(node)

    def _rectifies(self, node: Any) -> None:
        for below, _ in node.next_functions:
            given = through_layout(below)
            reference = given.metadata.get(KEY) if given is not None else None
            layer = reference() if reference is not None else None
            if layer is not None and layer.resting is not None:
                layer.last = [*layer.last, (layer.resting, layer.rows)][-LAST:]
                layer.place, layer.resting = user_place(), None


def _axis(module: nn.Module, output: Tensor) -> int | None:
    """The axis of a layer's units in its output, None of what is no such layer."""
    if isinstance(module, nn.Linear):
        return output.dim() - 1 if output.dim() > 1 else None
    if isinstance(module, _ConvNd | _BatchNorm):
        return 1 if output.dim() > 1 else None
    return None


def _rectified(layer: Layer) -> Rectified:
    dead = torch.stack([resting.cpu() for resting, _ in layer.last]).all(0)
    return Rectified(
        model=layer.model, name=layer.name, units=len(dead), dead=int(dead.sum()), looks=len(layer.last),
        rows=sum(rows for _, rows in layer.last), place=layer.place,
    )
