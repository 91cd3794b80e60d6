"""The terms of a loss that take no part in training: computed at every step, and met by no backward pass.

That alone is no fault, since terms are computed for the log too. So a term is recorded only where the program's own
lines show that its value is lost: overwritten or never read, or added to the loss without a gradient although a model
had just put out what it was computed from.
"""

from __future__ import annotations

import weakref
from collections import defaultdict
from dataclasses import dataclass, field

import torch

from assay.autograd_graph import walk
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.loss_terms import DroppedTerm, How, LossTerms
from assay.probe import Clock, Faults, user_place
from assay.statements import Term
from assay.tensors import tensors_in
from assay.traffic import Backward, Pass, Scored, Traffic

KEY = "assay: term"
"""The key, in a graph node's metadata, of the place where a term was computed."""

ENOUGH = 5
"""Steps that are looked at: what a loop computes it computes at each of them."""

TWICE = 2
"""Steps at which a term must have been computed, so that it belongs to the loop and not to a trial before it."""

REMEMBERED = 16
"""Outputs of models that are remembered, to know what was cut off from them."""

LARGEST = 20_000
"""Nodes of a graph that are walked; the terms of a loss stand near its head."""


@dataclass(eq=False)
class Computed:
    """What was seen of the terms that are computed at one place."""

    name: str
    steps: set[int] = field(default_factory=set)
    met: bool = False
    cut_off: int = 0
    graphs: int = 0


class Terms:
    """Listens to models, loss functions and backward passes for a few steps, then leaves."""

    name = "terms of losses"
    kinds: tuple[type[Fact], ...] = (LossTerms,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._traffic = traffic
        self._looks = {
            event: faults.contained(self.name, look)
            for event, look in (("passed", self._passed), ("scored", self._scored), ("began", self._began))
        }
        self._computed: dict[Place, Computed] = defaultdict(lambda: Computed(""))
        self._outputs: list[tuple[weakref.ref[torch.Tensor], int]] = []
        self._walked = 0

    def attach(self) -> None:
        """Listen."""
        for event, look in self._looks.items():
            getattr(self._traffic, event).append(look)

    def detach(self) -> None:
        """It has nothing in the program to take away."""
        self._outputs.clear()

    def facts(self) -> FactSet:
        """The terms whose value the source shows to be lost."""
        if not self._computed or not self._walked:
            return FactSet(absent={LossTerms: Absent("no loss function was called while training", applicable=False)})
        lost = [_lost(place, computed) for place, computed in self._computed.items()]
        return FactSet.of(LossTerms(dropped=tuple(filter(None, lost)), computed=len(self._computed)))

    def _passed(self, passed: Pass) -> None:
        if not self._clock.looks or not passed.recorded:
            return
        shown = [(weakref.ref(each), each.untyped_storage().data_ptr())
                 for each in tensors_in(passed.output) if each.requires_grad]
        self._outputs = [*self._outputs, *shown][-REMEMBERED:]

    def _scored(self, scored: Scored) -> None:
        if not self._clock.looks or not torch.is_grad_enabled():
            return
        place = user_place()
        if place is None:
            return
        computed = self._computed[place]
        computed.name = scored.name
        computed.steps.add(scored.step)
        if scored.recorded:
            computed.graphs += 1
            scored.value.grad_fn.metadata[KEY] = place
        else:
            computed.cut_off += self._cut_off(scored)

    def _cut_off(self, scored: Scored) -> bool:
        """Whether one of its arguments shares its memory with an output that has a graph, and has none itself."""
        alive = {pointer for reference, pointer in self._outputs if reference() is not None}
        given = tensors_in([*scored.positional, *scored.keywords.values()])
        return any(not each.requires_grad and each.untyped_storage().data_ptr() in alive for each in given)

    def _began(self, backward: Backward) -> None:
        if not self._clock.looks or backward.nested:
            return
        if self._clock.steps >= ENOUGH:
            for event, look in self._looks.items():
                getattr(self._traffic, event).remove(look)
            return
        self._walked += 1
        roots = [each.grad_fn for each in tensors_in(backward.roots) if each.grad_fn is not None]
        for count, node in enumerate(walk(roots)):
            place = node.metadata.pop(KEY, None)
            if place is not None:
                self._computed[place].met = True
            if count > LARGEST:
                break


def _lost(place: Place, computed: Computed) -> DroppedTerm | None:
    """The term, if the lines around it show that its value is lost."""
    if computed.met or len(computed.steps) < TWICE:
        return None
    term = Term(place)
    variable = term.variable()
    if variable is None:
        return None
    how, line = _fate(term, variable, computed)
    if how is None or line is None:
        return None
    return DroppedTerm(
        name=computed.name, variable=variable, steps=len(computed.steps), how=how, place=place, line=line,
    )


def _fate(term: Term, variable: str, computed: Computed) -> tuple[How | None, Place | None]:
    """How the value is lost, and where."""
    if not computed.graphs:
        return "constant", term.added(variable) if computed.cut_off else None
    over = term.overwritten(variable)
    if over is not None:
        return "overwritten", over
    return ("unread", term.place) if term.unread(variable) else (None, None)
