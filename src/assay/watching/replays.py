"""What an evaluation in training mode costs: the same batch again in evaluation mode, on a copy.

Where the loss is known that scored the batch, it is taken of both outputs; the share of predictions that are others
needs no labels.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor, nn

from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.modes import Replay, ReplayFacts
from assay.probe import Faults, user_place
from assay.tensors import first_tensor
from assay.traffic import Pass, Scored, Traffic
from assay.watching.copies import copied, unnoticed
from assay.watching.mixing import Arguments
from assay.weak_identity import IdentitySet

REPLAYED = 4
"""Lines of one program whose passes are run again, one pass each."""

LARGEST = 1 << 20
"""Numbers in the inputs of a pass that is run again."""

KEPT = 1 << 18
"""Numbers in the output that is kept until the next pass, to be scored."""


@dataclass(eq=False)
class Waiting:
    """A pass that was run again: its output, and ours in evaluation mode, until the next pass."""

    number: int
    place: Place | None
    output: weakref.ref[Tensor]
    ours: Tensor


@dataclass(eq=False)
class Replays:
    """Runs passes again in evaluation mode that were made in training mode and recorded by nobody."""

    faults: Faults
    traffic: Traffic
    name: str = "replays"
    kinds: tuple[type[Fact], ...] = (ReplayFacts,)
    _trained: IdentitySet[nn.Module] = field(default_factory=IdentitySet)
    _replays: dict[Place | None, Replay] = field(default_factory=dict)
    _waiting: Waiting | None = None

    def attach(self) -> None:
        """Listen to passes and losses, on sampled steps and in evaluation."""
        self.traffic.sampled.passed.append(self.faults.contained(self.name, self._passed))
        self.traffic.sampled.scored.append(self.faults.contained(self.name, self._scored))

    def detach(self) -> None:
        """Let go of the output that was kept."""
        self._waiting = None

    def facts(self) -> FactSet:
        """The lines whose pass was run again."""
        if not self._replays:
            why = "no model was called in training mode that autograd didn't record"
            return FactSet(absent={ReplayFacts: Absent(why, applicable=False)})
        return FactSet.of(ReplayFacts(replays=tuple(self._replays.values())))

    def _passed(self, passed: Pass) -> None:
        self._waiting = None
        if passed.recorded:
            self._trained.add(passed.module)
            return
        if not passed.training or len(self._replays) >= REPLAYED or passed.module not in self._trained:
            return
        place, output = user_place(), first_tensor([passed.output])
        if place in self._replays or output is None or not output.is_floating_point() or output.numel() > KEPT:
            return
        arguments = Arguments(passed.arguments, passed.named, len(output))
        if sum(each.numel() for each in arguments.tensors()) > LARGEST:
            return
        ours = self._again(passed.module, arguments)
        if ours is None or ours.shape != output.shape or torch.equal(ours, output):
            return
        self._replays[place] = Replay(place=place, rows=len(output), others=_other_decisions(output, ours))
        self._waiting = Waiting(passed.number, place, weakref.ref(output), ours)

    def _again(self, module: nn.Module, arguments: Arguments) -> Tensor | None:
        with unnoticed(self.traffic):
            copy = copied(module)
            if isinstance(copy, Absent):
                return None
            try:
                return first_tensor([copy(*arguments.positional, **arguments.named)])
            except Exception:  # noqa: BLE001  # whatever a model makes of being tried
                return None

    def _scored(self, scored: Scored) -> None:
        waiting = self._waiting
        given = scored.arguments["input"]
        if waiting is None or scored.latest != waiting.number or not isinstance(given, Tensor):
            return
        self._waiting = None
        output = waiting.output()
        if output is None or given.data_ptr() != output.data_ptr() or given.numel() != output.numel():
            return
        value, again = _number(scored.value), self._loss(scored, waiting.ours.reshape(given.shape))
        if value is not None and again is not None:
            self._replays[waiting.place] = replace(
                self._replays[waiting.place], loss=value, evaluated=again, function=scored.name,
            )

    def _loss(self, scored: Scored, ours: Tensor) -> float | None:
        with unnoticed(self.traffic):
            if scored.positional:
                return _number(scored.function(ours, *scored.positional[1:], **scored.keywords))
            return _number(scored.function(**{**scored.keywords, "input": ours}))


def _other_decisions(output: Tensor, ours: Tensor) -> int | None:
    """Rows of scores, [n, classes], whose largest is another one."""
    if output.dim() != 2 or output.shape[1] < 2:  # a score alone says nothing of where it is cut
        return None
    return int((output.argmax(1) != ours.argmax(1)).sum())


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, Tensor) and value.numel() == 1 else None
