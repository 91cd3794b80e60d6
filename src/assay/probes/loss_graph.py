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

from assay.autograd_graph import (
    OPAQUE,
    all_pairs,
    chain,
    handwritten_broadcast,
    hides,
    makes_logarithms,
    operation,
    squashed_twice,
    terms,
    upper_bound,
    walk,
)
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.loss import Broadcast, Clamped, LossCall, LossFacts, Shape
from assay.parameter_book import ParameterBook
from assay.probe import Clock, Faults, user_place
from assay.statements import Around, calls
from assay.tensors import readable
from assay.traffic import Backward, Scored, Traffic

OVER_CLASSES = frozenset({"cross_entropy", "multi_margin_loss", "nll_loss"})
APPLIED_INSIDE = {
    "cross_entropy": ("NllLoss", "LogSoftmax"),
    "binary_cross_entropy_with_logits": ("BinaryCrossEntropyWithLogits",),
    "multilabel_soft_margin_loss": ("MultilabelSoftMargin",),
    "binary_cross_entropy": ("BinaryCrossEntropy",), "ctc_loss": ("CtcLoss",), "kl_div": ("KlDiv",),
    "nll_loss": ("NllLoss",),
}
"""What a loss does to its input before anything else, whatever weights and smoothing make of its graph."""

CLASS_AXES = {"nll_loss": (1,), "kl_div": (1, -1), "ctc_loss": (-1,)}
"""Losses that take log-probabilities, and the axes along which these may lie."""


PER_STEP = 8
"""Calls and backward passes that are looked at within one sampled step; gradient accumulation makes many alike."""

COMPARING = OVER_CLASSES | {
    "binary_cross_entropy", "binary_cross_entropy_with_logits", "gaussian_nll_loss", "hinge_embedding_loss",
    "huber_loss", "kl_div", "l1_loss", "mse_loss", "multilabel_margin_loss", "multilabel_soft_margin_loss",
    "poisson_nll_loss", "smooth_l1_loss", "soft_margin_loss",
}
"""Losses that hold each entry of their input, or each row, against one of their target."""

KEY = "assay"
"""The key of our record in a graph node's metadata."""


class Ends:
    """Where backward passes begin, and whether they end anywhere that is trained."""

    def __init__(self) -> None:
        self.walked = self.unreaching = self.made_anew = 0
        self.first_unreaching: Place | None = None
        self.first_made_anew: Place | None = None
        self.clamped: list[Clamped] = []

    def look_at(self, roots: list[torch.Tensor], step: int) -> None:
        """See what the roots of a backward pass are, before its records are taken from the graph."""
        for root in roots:
            if root.grad_fn is None and root.requires_grad and not isinstance(root, torch.nn.Parameter):
                self.made_anew += 1
                self.first_made_anew = self.first_made_anew or user_place()
            cut = upper_bound(root.grad_fn) if root.grad_fn is not None and root.dim() == 0 else None
            if cut is not None:
                bound, whole, node = cut
                call = node.metadata.get(KEY)
                self.clamped.append(Clamped(
                    place=user_place(), step=step, bound=bound, whole=whole, value=float(root.detach().abs()),
                    uncut=call.value if isinstance(call, LossCall) else None,
                ))

    def reached(self, trained: bool) -> None:
        """A backward pass was walked to its ends; `trained`: one of them is a parameter that an optimizer holds."""
        self.walked += 1
        self.unreaching += not trained
        if not trained:
            self.first_unreaching = self.first_unreaching or user_place()


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
        self._ends = Ends()

    def attach(self) -> None:
        """Listen to the loss functions and to the backward passes."""
        self._traffic.sampled.scored.append(self._faults.contained(self.name, self._called))
        self._traffic.began.append(self._faults.contained(self.name, self._began))

    def detach(self) -> None:
        """It has nothing in the program to take away."""

    def facts(self) -> FactSet:
        """The calls so far, in the order of their backward passes."""
        if not self._backwards:
            return FactSet(absent={LossFacts: Absent("no backward pass ran", applicable=False)})
        return FactSet.of(LossFacts(
            calls=_where_computed(self._calls), schedule=self._clock.schedule, backwards=self._backwards,
            values=self._values,
            not_finite=self._not_finite, first_not_finite=self._first_not_finite, walked=self._ends.walked,
            unreaching=self._ends.unreaching, first_unreaching=self._ends.first_unreaching,
            made_anew=self._ends.made_anew, first_made_anew=_where_made(self._ends.first_made_anew),
            clamped=tuple(map(_where_cut, self._ends.clamped)),
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
            self._ends.look_at(roots, self._clock.steps)
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
        hidden = False
        for node in walk(starts):
            name = operation(node)
            if name == "AccumulateGrad":
                reached.append(node.variable)
                continue
            if name in OPAQUE:
                self._book.hidden, hidden = hides(name), True
            call = node.metadata.pop(KEY, None)
            if call is not None:
                calls.append(call)
        self._book.reaches(reached)
        if not hidden:
            self._ends.reached(any(self._book.note(parameter).optimised for parameter in reached))
        return calls[::-1]


CUTTING = frozenset({"clamp", "clamp_", "clamp_max", "clamp_max_", "clip", "clip_"})


def _where_cut(clamped: Clamped) -> Clamped:
    """The same with the line that cuts the loss, where the source shows it above the backward pass."""
    if clamped.place is None:
        return clamped
    around = Around(clamped.place)
    name = around.root()
    cut = around.last_before(name, lambda statement: calls(statement, CUTTING)) if name else None
    return replace(clamped, place=cut or clamped.place)


def _where_computed(calls: list[LossCall]) -> tuple[LossCall, ...]:
    """The same with the lines that compute losses written by hand, where the source shows them."""
    lines: dict[Place | None, Place | None] = {}
    for call in calls:
        if call.name == "backward" and call.place is not None and call.place not in lines:
            around = Around(call.place)
            name = around.root()
            lines[call.place] = around.last_before(name) if name else around.handed_over()
    return tuple(
        replace(call, place=lines.get(call.place) or call.place) if call.name == "backward" else call for call in calls
    )


def _where_made(place: Place | None) -> Place | None:
    """The line that makes the tensor from which a backward pass begins."""
    around = Around(place) if place is not None else None
    name = around.root() if around is not None else None
    return (around.last_before(name) if around is not None and name else None) or place


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
    if met is not None and all_pairs(root.grad_fn):  # the one sample against itself, beside it against another
        met = None
    known = any(isinstance(call.chain, tuple) and call.chain[1:3] == ("LogSoftmax", "Softmax") for call in calls)
    twice = None if known else squashed_twice(root.grad_fn)
    if calls and met is None and twice is None:
        return []
    seen = replace(_seen_by_graph(root, step), broadcast=met)
    return [replace(seen, chain=twice) if twice is not None else seen]


def _seen_by_graph(root: torch.Tensor, step: int) -> LossCall:
    known = root.grad_fn is not None
    return LossCall(
        name="backward", place=user_place(), step=step, weighted=True, value=float(root.detach().double().mean()),
        chain=chain(root.grad_fn) if known else (),
    )


def describe(name: str, arguments: dict[str, Any], value: torch.Tensor) -> LossCall:
    """What a loss function was given; its place and step are the caller's to fill in."""
    prediction, target = arguments["input"], arguments.get("target")
    if not isinstance(prediction, torch.Tensor):
        return LossCall(name=name, place=None, step=0, value=float(value.double().mean()), chain=(), weighted=True)
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
    if name in CLASS_AXES:
        call = _with_sums(call, prediction, target, bool(arguments.get("log_target")))
    if isinstance(target, torch.Tensor) and name in COMPARING:
        call = _with_target(call, target, arguments.get("ignore_index"))
        if call.broadcast is not None and _meant(prediction, target, call.reduction):
            call = replace(call, broadcast=None)
    return call


def _with_sums(call: LossCall, prediction: torch.Tensor, target: Any, log_target: bool) -> LossCall:
    """The sums of what is, or should be, log-probabilities, and of the target that they are held against."""
    axes = tuple(axis if prediction.dim() > 1 else 0 for axis in CLASS_AXES[call.name])
    log_sums = _closest([prediction.float().logsumexp(axis) for axis in axes], 0.0)
    logged = prediction.grad_fn is None or makes_logarithms(prediction.grad_fn)
    call = replace(call, log_sums=log_sums, logged=logged, log_target=log_target)
    if call.name == "kl_div" and isinstance(target, torch.Tensor) and target.dim():
        targets = target.float().exp() if log_target else target.float()
        call = replace(
            call, row_sums=_closest([prediction.float().sum(axis) for axis in axes], 1.0),
            target_sums=_closest([targets.sum(axis) for axis in axes if target.dim() > 1 or axis <= 0], 1.0),
        )
    return call


def _closest(sums: list[torch.Tensor], to: float) -> tuple[float, float] | None:
    """The range of those sums that lie closest to a value."""
    ranges = [found for found in map(_range, sums) if found is not None]
    return min(ranges, key=lambda ends: max(abs(ends[0] - to), abs(ends[1] - to)), default=None)


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
