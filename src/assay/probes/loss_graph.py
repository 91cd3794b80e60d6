"""The autograd graph of the loss: what the loss was given, how that was made, and which parameters it leads to.

The call of a loss function hangs its record on the graph node of its result, so a record lives exactly as long as that
graph, and a backward pass that comes past finds the calls that took part in it. A loss that was written by hand, or
imported by name before the program was watched, is seen through its graph alone.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import torch
from torch.autograd.graph import GradientEdge

from assay.autograd_graph import OPAQUE, chain, handwritten_broadcast, hides, operation, terms, walk
from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet
from assay.facts.loss import Broadcast, LossCall, LossFacts, Shape
from assay.parameter_book import ParameterBook
from assay.probe import Clock, Faults, user_place
from assay.tensors import readable
from assay.traffic import Backward, Scored, Traffic

OVER_CLASSES = frozenset({"cross_entropy", "multi_margin_loss", "nll_loss"})
APPLIED_INSIDE = {
    "cross_entropy": ("NllLoss", "LogSoftmax"),
    "binary_cross_entropy_with_logits": ("BinaryCrossEntropyWithLogits",),
}
"""What a loss does to its input before anything else, whatever weights and smoothing make of its graph."""


PER_STEP = 8
"""Calls and backward passes that are looked at within one sampled step; gradient accumulation makes many alike."""

KEY = "assay"
"""The key of our record in a graph node's metadata."""


class LossGraph:
    """Records the losses that reach a backward pass, on the steps that the clock looks at."""

    name = "loss graph"
    kinds: tuple[type[Fact], ...] = (LossFacts,)

    def __init__(self, clock: Clock, faults: Faults, book: ParameterBook, traffic: Traffic) -> None:
        self._clock = clock
        self._traffic = traffic
        self._faults = faults
        self._book = book
        self._calls: list[LossCall] = []
        self._step = -1
        self._taken = 0
        self._backwards = 0
        self._values = 0
        self._not_finite = 0
        self._first_not_finite: LossCall | None = None

    def attach(self) -> None:
        """Listen to the loss functions and to the backward passes."""
        self._traffic.scored.append(self._faults.contained(self.name, self._called))
        self._traffic.began.append(self._faults.contained(self.name, self._began))

    def detach(self) -> None:
        """It has nothing in the program to take away."""

    def facts(self) -> FactSet:
        """The calls so far, in the order of their backward passes."""
        if not self._backwards:
            return FactSet(absent={LossFacts: Absent("no backward pass ran", applicable=False)})
        return FactSet.of(LossFacts(
            calls=tuple(self._calls), schedule=self._clock.schedule, backwards=self._backwards, values=self._values,
            not_finite=self._not_finite, first_not_finite=self._first_not_finite,
        ))

    def _called(self, scored: Scored) -> None:
        if not scored.recorded or not self._clock.looks or not self._has_room():
            return
        with torch.no_grad():
            call = describe(scored.name, scored.arguments, scored.value)
        scored.value.grad_fn.metadata[KEY] = replace(call, place=user_place(), step=scored.step)

    def _has_room(self) -> bool:
        if self._step != self._clock.steps:
            self._step, self._taken = self._clock.steps, 0
        self._taken += 1
        return self._taken <= 2 * PER_STEP  # a call and a backward pass each count

    def _began(self, backward: Backward) -> None:
        tensors = backward.roots
        if backward.function != "backward":
            return
        if backward.nested:
            if self._clock.looks:  # a reentrant checkpoint's own pass shows the parameters that the outer one hides
                self._reach(_starts(tensors))
            return
        roots = _roots(tensors)
        self._backwards += 1
        looks = self._clock.looks
        if looks and not all(map(readable, roots)):
            return
        root = roots[0] if len(roots) == 1 else None
        if type(root) is torch.Tensor and root.dim() == 0 and (looks or root.device.type == "cpu"):
            self._value(root)
        if looks and self._has_room():
            calls = self._reach(_starts(tensors))
            for root in roots:
                calls += _handwritten(root, calls, self._clock.steps)
            self._calls += calls

    def _value(self, root: torch.Tensor) -> None:  # on every step, so it does next to nothing
        self._values += 1
        value = root.item()
        if isinstance(value, complex) or math.isfinite(value):
            return
        self._not_finite += 1
        if self._first_not_finite is None:
            self._first_not_finite = _seen_by_graph(root, self._clock.steps)

    def _reach(self, starts: list[Any]) -> list[LossCall]:
        """Note the parameters that these nodes lead to; returns the wrapped calls met on the way."""
        calls: list[LossCall] = []
        reached: list[torch.Tensor] = []
        for node in walk(starts):
            name = operation(node)
            if name == "AccumulateGrad":
                reached.append(node.variable)
                continue
            if name in OPAQUE:
                self._book.hidden = hides(name)
            call = node.metadata.pop(KEY, None)
            if call is not None:
                calls.append(call)
        self._book.reaches(reached)
        return calls[::-1]


def _given(tensors: Any) -> list[torch.Tensor | GradientEdge]:
    """What a backward pass starts from; an edge of a graph, which may stand for its tensor, is itself a tuple."""
    return [tensors] if isinstance(tensors, torch.Tensor | GradientEdge) else list(tensors)


def _roots(tensors: Any) -> list[torch.Tensor]:
    return [each for each in _given(tensors) if isinstance(each, torch.Tensor)]


def _starts(tensors: Any) -> list[Any]:
    """The nodes that a backward pass starts from."""
    nodes = [each.node if isinstance(each, GradientEdge) else each.grad_fn for each in _given(tensors)]
    return [node for node in nodes if node is not None]


def _handwritten(root: torch.Tensor, calls: list[LossCall], step: int) -> list[LossCall]:
    """The root's own record, where no loss function was met below it or shapes broadcast in one written by hand."""
    if root.grad_fn is None:
        return []
    met = next(filter(None, map(handwritten_broadcast, terms(root.grad_fn))), None)
    if calls and met is None:
        return []
    return [replace(_seen_by_graph(root, step), broadcast=met)]


def _seen_by_graph(root: torch.Tensor, step: int) -> LossCall:
    known = root.grad_fn is not None
    return LossCall(
        name="backward", place=user_place(), step=step, weighted=True, value=float(root.detach().double().mean()),
        chain=chain(root.grad_fn) if known else (),
    )


def describe(name: str, arguments: dict[str, Any], value: torch.Tensor) -> LossCall:
    """What a loss function was given; its place and step are the caller's to fill in."""
    prediction, target = arguments["input"], arguments.get("target")
    above = APPLIED_INSIDE.get(name)
    made = chain(prediction.grad_fn, above) if above else chain(value.grad_fn)
    call = LossCall(
        name=name, place=None, step=0, value=float(value.double().mean()), chain=made,
        input_shape=tuple(prediction.shape), input_range=_range(prediction),
        reduction=str(arguments.get("reduction", "none")), weighted=_weighted(arguments),
    )
    if name in OVER_CLASSES and prediction.dim() > 0:
        axis = 1 if prediction.dim() > 1 else 0
        sums = prediction.sum(axis, dtype=torch.float32) if prediction.numel() else None
        call = replace(call, classes=prediction.shape[axis], row_sums=None if sums is None else _range(sums))
    if isinstance(target, torch.Tensor):
        call = _with_target(call, target, arguments.get("ignore_index"))
        if call.broadcast is not None and _meant(prediction, target, call.reduction):
            call = replace(call, broadcast=None)
    return call


def _meant(prediction: torch.Tensor, target: torch.Tensor, reduction: str) -> bool:
    """Whether they broadcast on purpose: two samples meet, or all pairs, of which a program then chooses."""
    spread = prediction.grad_fn is not None and operation(prediction.grad_fn) == "Unsqueeze"
    return target.requires_grad or (spread and reduction == "none")


def _weighted(arguments: dict[str, Any]) -> bool:
    return (
        any(arguments.get(name) is not None for name in ("weight", "pos_weight", "size_average", "reduce"))
        or bool(arguments.get("label_smoothing"))
        or arguments.get("reduction", "mean") != "mean"
    )


def _range(values: torch.Tensor) -> tuple[float, float] | None:
    if not values.numel() or values.is_complex() or values.is_sparse:
        return None
    return float(values.min()), float(values.max())


def _with_target(call: LossCall, target: torch.Tensor, ignored: int | None) -> LossCall:
    ids = call.name in OVER_CLASSES and not target.is_floating_point()
    valid = target[target != ignored] if ids and ignored is not None else target
    call = replace(
        call, target_shape=tuple(target.shape), target_kind=str(target.dtype).removeprefix("torch."),
        target_range=_range(valid), broadcast=None if ids else _broadcast(call.input_shape, tuple(target.shape)),
    )
    if ids and valid.numel():
        counts = torch.unique(valid.cpu(), return_counts=True)[1].double()
        shares = counts / counts.sum()
        return replace(call, label_entropy=float(-(shares * shares.log()).sum()))
    if call.name not in OVER_CLASSES and valid.numel() > 1 and not valid.is_complex():
        return replace(call, target_variance=float(valid.double().var()))
    return call


def _broadcast(prediction: Shape | None, target: Shape) -> Broadcast | None:
    """Shapes that differ and met in one larger than both: an outer product, hardly ever what a loss is for."""
    if prediction is None or prediction == target:
        return None
    try:
        result = tuple(torch.broadcast_shapes(prediction, target))
    except RuntimeError:
        return None
    if math.prod(result) > max(math.prod(prediction), math.prod(target)):
        return Broadcast(prediction=prediction, target=target, result=result)
    return None
