"""The autograd graph of the loss: what the loss was given, how that was made, and which parameters it leads to.

The loss functions of torch.nn.functional are wrapped, so that a finding can point at their line; the loss modules call
them by name. A wrapped call hangs its record on the graph node of its result, so a record lives exactly as long as that
graph, and a backward pass that comes past finds the calls that took part in it. A loss that was written by hand, or
imported by name before the probe was attached, is seen through its graph alone.

Only the graph's structure and the shapes that it keeps are read, never its saved tensors: unpacking those may run the
user's hooks (checkpointing recomputes there).
"""

from __future__ import annotations

import inspect
import math
import types
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial, update_wrapper
from typing import Any

import torch
from torch.autograd.graph import GradientEdge
from torch.nn import functional

from assay.facts.fact import Absent, Fact, Unknown
from assay.facts.fact_set import FactSet
from assay.facts.loss import Broadcast, LossCall, LossFacts, Shape
from assay.parameter_book import ParameterBook
from assay.probe import Clock, Faults, Patches, around, ignore, user_place

LOSSES = (
    "binary_cross_entropy", "binary_cross_entropy_with_logits", "cross_entropy", "gaussian_nll_loss", "huber_loss",
    "kl_div", "l1_loss", "mse_loss", "multi_margin_loss", "nll_loss", "poisson_nll_loss", "smooth_l1_loss",
    "soft_margin_loss",
)
OVER_CLASSES = frozenset({"cross_entropy", "multi_margin_loss", "nll_loss"})
APPLIED_INSIDE = {
    "cross_entropy": ("NllLoss", "LogSoftmax"),
    "binary_cross_entropy_with_logits": ("BinaryCrossEntropyWithLogits",),
}
"""What a loss does to its input before anything else, whatever weights and smoothing make of its graph."""

LAYOUT = frozenset({
    "Alias", "Clone", "Permute", "Reshape", "ReshapeAlias", "Squeeze", "T", "ToCopy", "Transpose", "UnsafeView",
    "Unsqueeze", "View",
})
OPAQUE = ("CompiledFunction", "CheckpointFunction")
"""Nodes behind which the graph can't be seen: a region compiled ahead of time, a reentrant checkpoint."""

PER_STEP = 8
"""Calls and backward passes that are looked at within one sampled step; gradient accumulation makes many alike."""

LONGEST_CHAIN = 12
KEY = "assay"
"""The key of our record in a graph node's metadata."""


def operation(node: Any) -> str:
    """The name of a graph node without its suffix: "LogSoftmax" for LogSoftmaxBackward0."""
    name = str(node.name()).rpartition("::")[2]
    return name.partition("Backward")[0] if "Backward" in name else name


def below(node: Any) -> list[Any]:
    """The nodes that a node hands its gradients to."""
    return [following for following, _ in node.next_functions if following is not None]


def shape_of(node: Any, output: int = 0) -> Shape | None:
    """The shape of what the node's operation gave."""
    metadata = node._input_metadata  # noqa: SLF001  # the graph's only record of shapes, and stable since torch 2.1
    return tuple(metadata[output].shape) if output < len(metadata) else None


def chain(node: Any, start: tuple[str, ...] = ()) -> tuple[str, ...] | Unknown:
    """Operations from the node downwards as far as they form a single line, those on the layout left out."""
    names = list(start)
    while node is not None and len(names) < LONGEST_CHAIN:
        name = operation(node)
        if name in OPAQUE:
            return Unknown(hides(name))
        if name == "AccumulateGrad":
            break
        if name not in LAYOUT:
            names.append(name)
        following = below(node)
        node = following[0] if len(following) == 1 else None
    return tuple(names)


def hides(name: str) -> str:
    """Why an opaque node ends the walk."""
    what = "a compiled region" if name.startswith("Compiled") else "a reentrant checkpoint"
    return f"{what} hides the operations below the loss ({name}Backward)"


def walk(roots: list[Any]) -> Iterator[Any]:
    """Every node of the graph below the roots, once."""
    seen = set(roots)
    waiting = list(roots)
    while waiting:
        node = waiting.pop()
        yield node
        for following in below(node):
            if following not in seen:
                seen.add(following)
                waiting.append(following)


def handwritten_broadcast(node: Any) -> Broadcast | None:
    """Find mean or sum over a power, an absolute value or a square of a difference whose operands met in N × N.

    A loss `((p - t) ** 2).mean()` with p of (N, 1) and t of (N,), or the reverse. Only one operand may carry a gradient
    (distances between all pairs have two), and it must not have been given its extra axis on purpose (unsqueeze).
    """
    if operation(node) not in ("Mean", "Sum"):
        return None
    node = next(iter(below(node)), None)
    while node is not None and operation(node) in ("Pow", "Abs", "Mul", "Sqrt"):
        following = set(below(node))
        node = following.pop() if len(following) == 1 else None
    if node is None or operation(node) != "Sub":
        return None
    operands = [(operand, output) for operand, output in node.next_functions if operand is not None]
    result = shape_of(node)
    if len(operands) != 1 or result is None or len(result) != 2 or result[0] != result[1]:
        return None
    given = shape_of(*operands[0])
    rows = result[0]
    if rows < 2 or given not in ((rows,), (rows, 1)) or operation(operands[0][0]) == "Unsqueeze":
        return None
    return Broadcast(prediction=given, target=None, result=result)


def terms(node: Any) -> Iterator[Any]:
    """The summands of a scalar loss: what stands below its sums, differences and scalings."""
    waiting = [node]
    seen = set(waiting)
    while waiting:
        current = waiting.pop()
        if operation(current) in ("Add", "Sub", "Mul", "Div", "Neg") and shape_of(current) == ():
            following = [each for each in below(current) if each not in seen]
            seen.update(following)
            waiting += following
        else:
            yield current


def _watched(clock: Clock, look: Callable[..., None], original: Any) -> Any:
    """A loss function that shows what it was given and what it made, on the steps that the clock looks at."""
    is_compiling = torch.compiler.is_compiling

    def loss(*arguments: Any, **named: Any) -> Any:
        if is_compiling():  # a constant to the compiler: it traces the original and none of this
            return original(*arguments, **named)
        value = original(*arguments, **named)
        if clock.looks:
            look(original, arguments, named, value)
        return value

    # TorchScript reads the wrapped source but looks names up where the function lives: it must live there too.
    watched = types.FunctionType(loss.__code__, original.__globals__, original.__name__, None, loss.__closure__)
    return update_wrapper(watched, original)


class LossGraph:
    """Records the losses that reach a backward pass, on the steps that the clock looks at."""

    name = "loss graph"
    kinds: tuple[type[Fact], ...] = (LossFacts,)

    def __init__(self, clock: Clock, faults: Faults, book: ParameterBook) -> None:
        self._clock = clock
        self._faults = faults
        self._book = book
        self._patches = Patches()
        self._calls: list[LossCall] = []
        self._step = -1
        self._taken = 0
        self._backwards = 0
        self._values = 0
        self._not_finite = 0
        self._first_not_finite: LossCall | None = None

    def attach(self) -> None:
        """Wrap the loss functions and the start of every backward pass."""
        for loss in LOSSES:
            look = self._faults.contained(self.name, self._called)
            self._patches.replace(functional, loss, partial(_watched, self._clock, look))
        began = self._faults.contained(self.name, self._began)
        nested = self._faults.contained(self.name, self._nested)
        self._patches.replace(torch.autograd, "backward", partial(around, began=began, ended=ignore, nested=nested))

    def detach(self) -> None:
        """Put the original functions back."""
        self._patches.restore()

    def facts(self) -> FactSet:
        """The calls so far, in the order of their backward passes."""
        if not self._backwards:
            return FactSet(absent={LossFacts: Absent("no backward pass ran", applicable=False)})
        return FactSet.of(LossFacts(
            calls=tuple(self._calls), schedule=self._clock.schedule, backwards=self._backwards, values=self._values,
            not_finite=self._not_finite, first_not_finite=self._first_not_finite,
        ))

    def _called(self, original: Any, arguments: Any, named: Any, value: Any) -> None:
        if not isinstance(value, torch.Tensor) or value.grad_fn is None or not readable(value) or not self._has_room():
            return
        bound = inspect.signature(original).bind(*arguments, **named)
        bound.apply_defaults()
        with torch.no_grad():
            call = describe(original.__name__, bound.arguments, value)
        node: Any = value.grad_fn
        node.metadata[KEY] = replace(call, place=user_place(), step=self._clock.steps)

    def _has_room(self) -> bool:
        if self._step != self._clock.steps:
            self._step, self._taken = self._clock.steps, 0
        self._taken += 1
        return self._taken <= 2 * PER_STEP  # a call and a backward pass each count

    def _nested(self, tensors: Any, *_: Any, **__: Any) -> None:
        if self._clock.looks:  # a reentrant checkpoint's own pass shows the parameters that the outer one hides
            self._reach(_starts(tensors))

    def _began(self, tensors: Any, *_: Any, **__: Any) -> None:
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


def readable(value: torch.Tensor) -> bool:
    """Whether its numbers may be looked at: not while it is traced, transformed, captured or only a shape."""
    return not (
        value.is_meta
        or torch.jit.is_tracing()  # type: ignore[attr-defined, no-untyped-call]
        or torch._C._functorch.is_functorch_wrapped_tensor(value)  # noqa: SLF001
        or (value.is_cuda and torch.cuda.is_current_stream_capturing())
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
