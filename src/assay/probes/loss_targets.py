"""What losses over classes and probabilities are given: targets, weights, and the axis that holds the classes."""

from __future__ import annotations

import weakref
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from assay.autograd_graph import below, operation, shape_of
from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet
from assay.facts.loss_targets import AxisFault, LossTarget, LossTargetFacts
from assay.probe import Clock, Faults, user_place
from assay.tensors import tensors_in
from assay.traffic import Pass, Scored, Traffic

OVER_CLASSES = frozenset({"cross_entropy", "nll_loss"})
OVER_PROBABILITIES = frozenset({"binary_cross_entropy", "binary_cross_entropy_with_logits"})

CALLS, PER_STEP = 96, 4
"""Calls that are looked at in a run, and at one step."""

NUMBERS = 1 << 18
"""Larger targets are left alone."""

COUNTED = 1024
"""Classes beyond which counts of a few batches say nothing."""

SHORTEST = 3
"""Positions that make a sequence."""

MOST = 0.5
"""The share of rows that stands for most of them."""

LAID = frozenset({"View", "UnsafeView", "Reshape", "ReshapeAlias"})


class LossTargets:
    """Records what losses are given, on the steps that the clock looks at."""

    name = "loss targets"
    kinds: tuple[type[Fact], ...] = (LossTargetFacts,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._outputs: list[weakref.ref[Tensor]] = []
        self._calls: list[LossTarget] = []
        self._step = -1
        self._taken = 0

    def attach(self) -> None:
        """Listen to passes and losses."""
        self._traffic.sampled.passed.append(self._faults.contained(self.name, self._passed))
        self._traffic.sampled.scored.append(self._faults.contained(self.name, self._scored))

    def detach(self) -> None:
        """It has nothing in the program to take away."""
        self._outputs = []

    def facts(self) -> FactSet:
        """The calls so far."""
        if not self._calls:
            why = "no loss over classes or probabilities was called"
            return FactSet(absent={LossTargetFacts: Absent(why, applicable=False)})
        return FactSet.of(LossTargetFacts(calls=tuple(self._calls), schedule=self._clock.schedule))

    def _passed(self, passed: Pass) -> None:
        if self._clock.looks and passed.recorded:
            self._outputs = [weakref.ref(each) for each in tensors_in(passed.output)]

    def _scored(self, scored: Scored) -> None:
        if not scored.recorded or not self._clock.looks or len(self._calls) >= CALLS or not _known(scored):
            return
        if self._step != self._clock.steps:
            self._step, self._taken = self._clock.steps, 0
        self._taken += 1
        if self._taken > PER_STEP:
            return
        with torch.no_grad():
            call = self._read(scored)
        self._calls.append(replace(call, place=user_place()))

    def _read(self, scored: Scored) -> LossTarget:
        arguments = scored.arguments
        value = float(scored.value) if scored.value.numel() == 1 else None
        call = LossTarget(name=scored.name, place=None, step=scored.step, value=value)
        if scored.name == "ctc_loss":
            return replace(call, blanks=_blanks(arguments))
        scores, targets = arguments["input"], arguments["target"]
        above = scores.grad_fn
        call = replace(
            call, shape=tuple(scores.shape), swapped=_swapped(scores, targets),
            squashed_alone=above is not None and operation(above) in ("Softmax", "LogSoftmax")
            and _size(above) == 1,
        )
        if scored.name in OVER_PROBABILITIES:
            return _over_probabilities(call, targets, arguments.get("pos_weight"))
        single = scores.dim() == 2 and any(scores is output() for output in self._outputs)
        call = replace(
            call, classes=scores.shape[1 if scores.dim() > 1 else 0], single=single,
            axis=_axis(scored.name, scores, targets), weights=_numbers(arguments.get("weight")),
        )
        call = _over_classes(call, targets, arguments.get("ignore_index", -100))
        if call.ignored_share is None or call.single:
            return call
        rows = self._rows(scores, targets)
        return replace(call, scattered=rows is not None and _scattered(rows == arguments["ignore_index"]))

    def _rows(self, scores: Tensor, targets: Tensor) -> Tensor | None:
        """Labels of several positions an example, [n, positions], flattened by the program or not."""
        if targets.dim() > 1:
            return targets.detach().flatten(1)
        outputs = (output() for output in self._outputs)
        wide = next((each for each in outputs if each is not None and each.numel() == scores.numel()), None)
        if wide is None or wide.dim() < 3 or len(targets) % len(wide):
            return None
        return targets.detach().reshape(len(wide), -1)


def _known(scored: Scored) -> bool:
    if scored.name not in OVER_CLASSES | OVER_PROBABILITIES | {"ctc_loss"}:
        return False
    arguments = scored.arguments
    targets = arguments.get("target", arguments.get("targets"))
    return isinstance(targets, Tensor) and 0 < targets.numel() <= NUMBERS


def _over_classes(call: LossTarget, targets: Tensor, ignored: int) -> LossTarget:
    classes = call.classes or 0
    if targets.is_floating_point():
        whole = bool(((targets == 0) | (targets == 1)).all())
        rows = targets.sum(1 if targets.dim() > 1 else 0)
        return replace(call, several=float((rows > 1).double().mean()) if whole else None)
    labels = targets.detach().flatten().cpu()
    valid = labels[labels != ignored]
    inside = valid[(valid >= 0) & (valid < classes)]
    counts = tuple(torch.bincount(inside, minlength=classes).tolist()) if classes <= COUNTED else None
    return replace(
        call, labels=len(labels), ignored=len(labels) - len(valid), ignore_index=ignored, counts=counts,
        ignored_share=1 - len(valid) / len(labels) if 0 <= ignored < classes else None,
    )


def _scattered(ignored: Tensor) -> bool:
    """Whether ignored positions, [n, positions], lie among the others and not at ends, whichever axis is the steps."""
    return all(_among(rows) for rows in (ignored, ignored.T))


def _among(rows: Tensor) -> bool:
    """Whether most rows with positions that are marked have some of them before, and some behind, others."""
    with_any = rows[rows.any(1) & ~rows.all(1)]
    if not len(with_any) or with_any.shape[1] < SHORTEST:
        return False
    steps = torch.arange(rows.shape[1], device=rows.device)
    first, last = _ends(with_any, steps)
    other_first, other_last = _ends(~with_any, steps)
    return float(((first < other_last) & (last > other_first)).double().mean()) > MOST


def _ends(marked: Tensor, steps: Tensor) -> tuple[Tensor, Tensor]:
    """The first and the last marked position of each row."""
    return torch.where(marked, steps, len(steps)).amin(1), torch.where(marked, steps, -1).amax(1)


def _over_probabilities(call: LossTarget, targets: Tensor, pos_weight: Tensor | None) -> LossTarget:
    low, high = float(targets.min()), float(targets.max())
    outside = (low, high) if (low < 0 or high > 1) and bool((targets == targets.round()).all()) else None
    return replace(
        call, whole_outside=outside, weights=_numbers(pos_weight), labels=targets.numel(),
        positives=float((targets == 1).double().mean()) if bool(((targets == 0) | (targets == 1)).all()) else None,
    )


def _numbers(weights: Tensor | None) -> tuple[float, ...] | None:
    return None if weights is None or weights.numel() > COUNTED else tuple(weights.detach().flatten().tolist())


def _swapped(scores: Tensor, targets: Tensor) -> bool:
    """Whether the input is as a target should be, zeros and ones that no parameter made, while the target was made."""
    if scores.requires_grad or not targets.requires_grad:
        return False
    return bool(((scores == 0) | (scores == 1)).all())


def _size(node: Any) -> int | None:
    """The size of the axis that a softmax runs along."""
    shape = shape_of(node)
    axis = _axis_of(node)
    return None if shape is None or axis is None or not shape else shape[axis % len(shape)]


def _axis_of(node: Any) -> int | None:
    axis = getattr(node, "_saved_dim", None)
    return None if axis is None else int(axis) - (1 << 64 if axis >= 1 << 63 else 0)  # the graph keeps -1 unsigned


def _axis(name: str, scores: Tensor, targets: Tensor) -> AxisFault | None:
    """Whether the graph directly below the loss says that its input's classes lie along another axis."""
    node, shape = scores.grad_fn, tuple(scores.shape)
    if node is None or targets.is_floating_point():
        return None
    if name == "nll_loss" and len(shape) == 2 and operation(node) == "LogSoftmax" and shape[0] > 1:
        return "batch" if (_axis_of(node) or 0) % 2 == 0 else None
    if len(shape) == 2 and operation(node) in LAID:
        return "mixed" if _mixed(shape_of(below(node)[0]) if below(node) else None, shape) else None
    if len(shape) == 3 and shape[1] == shape[2] and _from_linear(node):
        return "last"
    if len(shape) > 2 and operation(node) in LAID and _columns(node) == shape[1]:
        return "viewed" if _viewed(shape_of(below(node)[0]) if below(node) else None, shape) else None
    return None


def _viewed(before: tuple[int, ...] | None, shape: tuple[int, ...]) -> bool:
    """Whether [n, ..., C], as a linear layer lays it, was laid out as [n, C, ...] without a transposition."""
    if before is None or len(before) < 3 or (before[0], before[-1]) != shape[:2] or before == shape:
        return False
    return _product(before[1:-1]) == _product(shape[2:]) > 1


def _mixed(before: tuple[int, ...] | None, shape: tuple[int, ...]) -> bool:
    """Whether [n, C, ...] was laid out as [n * ..., C]: rows then hold one class at several positions."""
    if before is None or len(before) < 3 or before[1] != shape[1] or before[-1] == shape[1]:
        return False
    return before[0] * _product(before[2:]) == shape[0] and before[-1] % shape[1] != 0


def _product(sizes: tuple[int, ...]) -> int:
    product = 1
    for size in sizes:
        product *= size
    return product


def _from_linear(node: Any) -> bool:
    """Whether scores [n, t, C] are a linear layer's own, as it lays them: its outputs lie along the last axis."""
    return _columns(node) is not None


def _columns(node: Any) -> int | None:
    """How many outputs the linear layer has whose result this is, laid out anew or not; None where none made it."""
    while node is not None and operation(node) in LAID | {"Add"}:  # the bias, where the layer isn't one operation
        node = below(node)[0] if below(node) else None
    shape = shape_of(node) if node is not None and operation(node) in ("Addmm", "Mm") else None
    return shape[-1] if shape else None


def _blanks(arguments: dict[str, Any]) -> int:
    """Targets that are the blank, padding behind each text left out."""
    targets, blank = arguments["targets"].cpu(), arguments.get("blank", 0)
    lengths = torch.as_tensor(arguments["target_lengths"]).cpu()
    if targets.dim() == 2:
        inside = torch.arange(targets.shape[1])[None] < lengths[:, None]
        return int((targets[inside] == blank).sum())
    return int((targets[: int(lengths.sum())] == blank).sum())
