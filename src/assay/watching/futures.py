"""Whether a model that predicts what comes next sees it.

A model is one of those where its targets are its inputs, one position later. The end of a copy's inputs is replaced by
that of another sequence; outputs before it should stay. The inputs' own layout, (example, step) or (step, example), is
the one in which the targets lie ahead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import torch
from torch import Tensor, nn

from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet
from assay.facts.interventions import FutureMixing
from assay.probe import Faults
from assay.tensors import first_tensor, tensors_in
from assay.traffic import Pass, Scored, Traffic
from assay.watching.copies import copied, unnoticed
from assay.watching.mixing import Arguments
from assay.watching.operations import culprit
from assay.weak_identity import IdentityDict

MODELS = 16
PASSES = 4
"""Passes of each model that are looked at, beginning with its second."""

LARGEST = 1 << 17
"""Numbers in the inputs of a pass that is tried."""

SHORTEST = 4
"""Steps of a sequence that is tried."""

AHEAD = 0.99
"""Share of valid targets that are the next input; at most this share may be equal to the input beside them as well, or
the sequences stand still and nothing lies ahead."""
STILL = 0.9

MOVED = 1e-3
"""Of the outputs' spread: the least movement that counts."""


@dataclass(frozen=True)
class Tried:
    """One pass: its number, its inputs (a copy of ours), and by axis of time what moved before the change."""

    number: int
    inputs: Tensor
    by_axis: dict[int, FutureMixing]


class Futures:
    """Tries models on changed futures."""

    name = "futures"
    kinds: tuple[type[Fact], ...] = (FutureMixing,)

    def __init__(self, faults: Faults, traffic: Traffic) -> None:
        self._faults = faults
        self._traffic = traffic
        self._counts: IdentityDict[nn.Module, int] = IdentityDict()
        self._tried: Tried | None = None
        self._found: list[FutureMixing] = []
        self._why: str | None = None

    def attach(self) -> None:
        """Listen to passes and losses."""
        self._traffic.sampled.passed.append(self._faults.contained(self.name, self._passed))
        self._traffic.sampled.scored.append(self._faults.contained(self.name, self._scored))

    def detach(self) -> None:
        """Let go of the copied inputs."""
        self._tried = None

    def facts(self) -> FactSet:
        """What was seen of the models that predict what comes next."""
        if self._found:
            return FactSet.of(max(self._found, key=lambda each: each.moved))
        why = self._why or "no model was seen to predict its own next inputs"
        return FactSet(absent={FutureMixing: Absent(why, applicable=self._why is not None)})

    def _passed(self, passed: Pass) -> None:
        self._tried = None
        count = self._counts.get(passed.module, 0)
        if count > PASSES or not passed.entry or not passed.recorded or len(self._counts) > MODELS:
            return
        self._counts[passed.module] = count + 1
        inputs = first_tensor((passed.arguments, passed.named))
        if not count or inputs is None or inputs.dim() not in (2, 3) or inputs.numel() > LARGEST:
            return
        if inputs.dim() == 2 and inputs.is_floating_point():
            return
        arguments = Arguments(passed.arguments, passed.named, len(inputs))
        with unnoticed(self._traffic):
            copy = copied(passed.module)
            if isinstance(copy, Absent):
                self._why = copy.why
                return
            tried = {axis: _changed(copy, arguments, inputs, axis) for axis in (1, 0)}
        self._why = next((each.why for each in tried.values() if isinstance(each, Absent)), self._why)
        by_axis = {axis: found for axis, found in tried.items() if isinstance(found, FutureMixing)}
        if by_axis:
            self._tried = Tried(passed.number, inputs.detach().clone(), by_axis)

    def _scored(self, scored: Scored) -> None:
        tried, targets = self._tried, scored.arguments.get("target")
        if tried is None or scored.latest != tried.number or not isinstance(targets, Tensor):
            return
        for axis, found in tried.by_axis.items():
            if _ahead(tried.inputs, targets, axis, scored.arguments.get("ignore_index")):
                self._found.append(found)
        self._tried = None


def _changed(copy: nn.Module, arguments: Arguments, inputs: Tensor, axis: int) -> FutureMixing | Absent | None:
    """What moves before the change, where the steps lie along this axis; None where it can't be told, and why not where
    the model can't be tried.
    """
    steps, others = inputs.shape[axis], inputs.shape[1 - axis]
    half = steps // 2
    if steps < SHORTEST or others < 2:
        return None
    end = torch.arange(half, steps, device=inputs.device)
    changed_inputs = inputs.clone().index_copy_(axis, end, inputs.roll(1, 1 - axis).index_select(axis, end))
    changed = _with(arguments, inputs, changed_inputs)
    try:
        first, again, after = (_by_step(copy, each, inputs, axis) for each in (arguments, arguments, changed))
    except Exception as fault:  # noqa: BLE001  # whatever a model makes of being tried
        return Absent(f"the model can't be tried: {type(fault).__name__}: {fault}")
    if first is None or again is None or after is None or not torch.equal(first, again):
        return None
    moved = (after - first).abs().flatten(1).amax(1)[:half] > MOVED * float(first.std())
    looked_for = bool(moved.any())
    operation, place = culprit(copy, arguments, changed, partial(_after, steps, half)) if looked_for else (None, None)
    return FutureMixing(
        model=type(copy).__name__, steps=steps, changed_from=half, moved=int(moved.sum()),
        largest=float((after - first)[:half].abs().max()), spread=float(first.std()), operation=operation, place=place,
    )


def _with(arguments: Arguments, inputs: Tensor, changed: Tensor) -> Arguments:
    """The same arguments with another first tensor, at the top level."""
    positional = tuple(changed if each is inputs else each for each in arguments.positional)
    named = {key: changed if value is inputs else value for key, value in arguments.named.items()}
    return replace(arguments, positional=positional, named=named)


def _by_step(module: nn.Module, given: Arguments, inputs: Tensor, axis: int) -> Tensor | None:
    """The outputs with the steps as their first axis, [steps, ...]."""
    layout = inputs.shape[:2]
    for output in tensors_in(module(*given.positional, **given.named)):
        if not output.is_floating_point() or not output.dim():
            continue
        if output.shape[:2] == layout:
            return output.float().movedim(axis, 0).reshape(layout[axis], -1)
        if len(output) == layout.numel():
            return output.float().reshape(*layout, -1).movedim(axis, 0).reshape(layout[axis], -1)
    return None


def _after(steps: int, half: int, differs: Tensor) -> bool:
    """Whether nothing differs before the change, along whichever axis the steps lie."""
    where = torch.nonzero(differs)
    for axis, length in enumerate(differs.shape):
        if length % steps == 0:
            indices, block = where[:, axis], length // steps
            if bool((indices // block >= half).all()) or bool((indices % steps >= half).all()):
                return True
    return False


def _ahead(inputs: Tensor, targets: Tensor, axis: int, ignored: object) -> bool:
    """Whether the targets are the inputs one step later."""
    if targets.numel() != inputs.numel() or targets.is_floating_point() != inputs.is_floating_point():
        return False
    laid_out = targets.detach().reshape(inputs.shape)
    steps = inputs.shape[axis]
    here, following = inputs.narrow(axis, 0, steps - 1), inputs.narrow(axis, 1, steps - 1)
    beside = laid_out.narrow(axis, 0, steps - 1)
    valid = beside != ignored if isinstance(ignored, int) else torch.ones_like(beside, dtype=torch.bool)
    if not bool(valid.any()):
        return False
    equal, still = (float((beside == other)[valid].float().mean()) for other in (following, here))
    return equal >= AHEAD and still <= STILL
