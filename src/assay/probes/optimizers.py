"""Optimizers: what they hold, what their steps do, and whether gradients are cleared between steps.

Their steps are told by `steps`; the constructor tells the line that made each.
"""

from __future__ import annotations

import math
import weakref
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from torch.optim import Optimizer

from assay.facts.fact import Absent, Fact, Place, Unknown
from assay.facts.fact_set import FactSet
from assay.facts.model import ParameterKind
from assay.facts.optimizer import GroupRecord, OptimizerFacts, OptimizerRecord
from assay.parameter_book import ParameterBook, ParameterNote
from assay.probe import Clock, Faults, Patches, after, place_of_making, user_place
from assay.traffic import Backward, Traffic

FOLLOWED = 3
"""Parameters of each optimizer whose gradients are followed from step to step."""

NORMS = 16
"""Gradient norms that are kept of each optimizer."""

ENOUGH = 64
"""Steps over which gradients are followed from each to the next; where they were always cleared, then now and then."""

AWAITED = 64
"""Parameters without a gradient so far that are looked at on every step; more are looked at on sampled steps."""

COMPARED = 1 << 22
"""Numbers of one optimizer whose values are compared over a sampled step; larger models are compared in part."""

NAMED = 5

LAYERS = 64
"""Weight matrices of one optimizer whose gradients are compared along the depth."""


@dataclass(eq=False)
class Followed:
    """A parameter whose gradient is followed: the gradient and its version when last seen, whether anybody has cleared
    or changed it since the optimizer's last step, and whether a backward pass has added to it.

    wary    it was found untouched before: from then on its sum is compared too, since `.data` is written to uncounted
    """

    parameter: torch.Tensor
    gradient: torch.Tensor | None = None
    version: int = -1
    touched: bool = True
    filled: bool = False
    wary: bool = False
    total: float | None = None

    def mark(self) -> None:
        """Remember the gradient as it is now."""
        self.gradient = self.parameter.grad
        self.version = -1 if self.gradient is None else self.gradient._version  # noqa: SLF001  # counts writes
        self.total = _total(self.gradient) if self.wary and self.gradient is not None else None

    def fill(self) -> None:
        """Note whether the backward pass that has ended added to the gradient, and remember it as it is now."""
        now = self.parameter.grad
        self.filled |= now is not None and (now is not self.gradient or now._version != self.version)  # noqa: SLF001
        self.mark()

    def compare(self) -> None:
        """Note whether the gradient differs from the one remembered; values written past the count are looked at."""
        now = self.parameter.grad
        same = now is not None and now is self.gradient and now._version == self.version  # noqa: SLF001
        if now is None or not same or not bool(now.any()):
            self.touched = True
        else:
            self.touched = self.total is not None and self.total != _total(now)
        self.wary |= not self.touched


@dataclass(eq=False)
class Seen:
    """What is known of one optimizer."""

    reference: weakref.ref[Optimizer]
    kind: str
    place: Place | None = None
    step_place: Place | None = None
    backward_place: Place | None = None
    groups: tuple[GroupRecord, ...] = ()
    precision: tuple[str, ...] = ()
    notes: list[ParameterNote] = field(default_factory=list)
    followed: list[Followed] = field(default_factory=list)
    awaited: list[tuple[torch.Tensor, ParameterNote]] = field(default_factory=list)
    fed: bool = False
    steps: int = 0
    compared: int = 0
    not_cleared: int = 0
    partly: int = 0
    norms: list[float] = field(default_factory=list)
    before: list[tuple[torch.Tensor, torch.Tensor]] = field(default_factory=list)
    updates_compared: int = 0
    updates_lost: int = 0
    ratios: list[float] = field(default_factory=list)
    weights: tuple[str, ...] = ()
    profiles: list[tuple[float, ...]] = field(default_factory=list)

    def compare_gradients(self) -> None:
        """A backward pass begins: which gradients has anybody touched since the last look?"""
        self.fed = True
        for followed in self.followed:
            if not followed.touched:
                followed.compare()

    def mark_gradients(self) -> None:
        """A backward pass has ended: what it added is no clearing."""
        for followed in self.followed:
            if not followed.touched:
                followed.fill()

    def count_clearing(self, optimizer: Optimizer, *, follow: bool) -> None:
        """A step has ended: count it, and begin to follow its gradients to the next one."""
        if self.followed and self.fed:
            self.compared += 1
            touched = any(followed.touched for followed in self.followed)
            # a backward pass on a copy, whose gradients are then handed over, adds to none of these
            carried = any(followed.filled and not followed.touched for followed in self.followed)
            self.not_cleared += carried and not touched
            self.partly += carried and touched
        if follow or (not self.followed and self.compared < ENOUGH):
            self.followed = _to_follow(optimizer)
        elif self.compared >= ENOUGH and not self.not_cleared:
            self.followed = []  # until the next sampled step
        self.fed = False
        for followed in self.followed:
            followed.mark()
            followed.touched, followed.filled = followed.gradient is None, False

    def look_at_step(self, optimizer: Optimizer, book: ParameterBook) -> None:
        """A sampled step has ended: its gradients are still there, and its weights can be compared."""
        norm = _gradient_norm(optimizer)
        if len(self.norms) < NORMS:
            self.norms.append(norm)
            self.ratios += _ratio(self.before)
            self._look_along_the_depth(optimizer, book)
        changed = [(parameter, not torch.equal(_part(parameter), before)) for parameter, before in self.before]
        self.before = []
        for parameter, differs in changed:
            note = book.note(parameter)
            note.moved = bool(note.moved) or differs
        if changed and norm > 0 and all(float(group.get("lr", 1.0)) for group in optimizer.param_groups):
            self.updates_compared += 1
            self.updates_lost += not any(differs for _, differs in changed)

    def _look_along_the_depth(self, optimizer: Optimizer, book: ParameterBook) -> None:
        matrices = [each for each in _parameters(optimizer) if each.dim() > 1 and each.requires_grad][:LAYERS]
        matrices = [each for each in matrices if book.note(each).kind == "weight"]
        names = tuple(book.note(each).name for each in matrices)
        if names != self.weights:  # other layers are trained from here on
            self.weights, self.profiles = names, []
        self.profiles.append(tuple(map(_root_mean_square, matrices)))

    def refresh(self, optimizer: Optimizer, book: ParameterBook) -> None:
        """Look at the groups: what it holds, by kind, and which of these still await a gradient."""
        parameters = _parameters(optimizer)
        self.notes = [book.note(parameter) for parameter in parameters]
        for note in self.notes:
            note.optimised = True
        pairs = zip(parameters, self.notes, strict=True)
        awaited = [(parameter, note) for parameter, note in pairs if not note.reached and parameter.requires_grad]
        self.awaited = awaited[:AWAITED]
        self.groups = tuple(_group(group, book) for group in optimizer.param_groups)
        self.precision = tuple(sorted({str(parameter.dtype).removeprefix("torch.") for parameter in parameters}))


class Optimizers:
    """Records every optimizer of the program."""

    name = "optimizers"
    kinds: tuple[type[Fact], ...] = (OptimizerFacts,)

    def __init__(self, clock: Clock, faults: Faults, book: ParameterBook, traffic: Traffic) -> None:
        self._clock = clock
        self._traffic = traffic
        self._faults = faults
        self._book = book
        self._patches = Patches()
        self._seen: dict[int, Seen] = {}
        self._gone: list[Seen] = []
        self._backward_place: Place | None = None

    def attach(self) -> None:
        """Wrap the making of optimizers; listen to backward passes and steps."""
        made = self._faults.contained(self.name, self._made)
        self._patches.replace(Optimizer, "__init__", partial(after, made))
        for listeners, look in (
            (self._traffic.began, self._backward_began), (self._traffic.ended, self._backward_ended),
            (self._traffic.stepping, self._step_began), (self._traffic.stepped, self._step_ended),
        ):
            listeners.append(self._faults.contained(self.name, look))

    def detach(self) -> None:
        """Take the wrapper away, and let go of the program's tensors."""
        self._patches.restore()
        for seen in self._seen.values():
            optimizer = seen.reference()
            if optimizer is not None:
                seen.refresh(optimizer, self._book)
            seen.followed, seen.before, seen.awaited = [], [], []

    def facts(self) -> FactSet:
        """The optimizers in the order of their making."""
        all_seen = [*self._gone, *self._seen.values()]
        if not all_seen:
            return FactSet(absent={OptimizerFacts: Absent("no optimizer was made", applicable=False)})
        return FactSet.of(OptimizerFacts(
            optimizers=tuple(map(_record, all_seen)), schedule=self._clock.schedule,
        ))

    def _made(self, optimizer: Optimizer) -> None:
        self._find(optimizer).place = place_of_making(optimizer)
        self._clock.restart()

    def _find(self, optimizer: Optimizer) -> Seen:
        seen = self._seen.get(id(optimizer))
        if seen is not None and seen.reference() is optimizer:
            return seen
        if seen is not None:  # another optimizer lived at this address before
            self._gone.append(self._seen.pop(id(optimizer)))
        seen = self._seen[id(optimizer)] = Seen(weakref.ref(optimizer), type(optimizer).__name__)
        for parameter in _parameters(optimizer):
            self._book.note(parameter).optimised = True
        return seen

    def _backward_began(self, backward: Backward) -> None:
        if backward.nested or backward.function != "backward":
            return
        if self._clock.looks:
            self._backward_place = user_place()
        for seen in self._seen.values():
            seen.compare_gradients()

    def _backward_ended(self, backward: Backward) -> None:
        if backward.function != "backward":
            return
        for seen in self._seen.values():
            seen.mark_gradients()

    def _step_began(self, optimizer: Optimizer) -> None:
        if not self._clock.looks:
            return
        seen = self._find(optimizer)
        seen.step_place = user_place()
        seen.refresh(optimizer, self._book)
        seen.before = _copies(optimizer)

    def _step_ended(self, optimizer: Optimizer) -> None:
        seen = self._find(optimizer)
        looks = self._clock.looks
        if looks:
            seen.backward_place = self._backward_place
            seen.look_at_step(optimizer, self._book)
        seen.count_clearing(optimizer, follow=looks)
        for parameter, note in seen.awaited:
            if parameter.grad is not None:
                note.reached = True
        self._book.stepped(seen.notes)
        seen.steps += 1


def _parameters(optimizer: Optimizer) -> list[torch.Tensor]:
    return [parameter for group in optimizer.param_groups for parameter in group["params"]]


def _to_follow(optimizer: Optimizer) -> list[Followed]:
    """The smallest parameters that have a gradient: keeping one of theirs alive for a moment costs nothing."""
    fed = [parameter for parameter in _parameters(optimizer) if parameter.grad is not None]
    return [Followed(parameter) for parameter in sorted(fed, key=torch.Tensor.numel)[:FOLLOWED]]


def _group(group: dict[str, Any], book: ParameterBook) -> GroupRecord:
    kinds: Counter[ParameterKind] = Counter()
    named: list[str] = []
    for parameter in group["params"]:
        note = book.note(parameter)
        if parameter.requires_grad:
            kinds[note.kind] += 1
            if note.kind in ("norm", "bias") and len(named) < NAMED and note.name:
                named.append(note.name)
    return GroupRecord(
        learning_rate=float(group.get("lr", 0.0)), weight_decay=float(group.get("weight_decay", 0.0)),
        kinds=dict(kinds), named=tuple(named), size=len(group["params"]),
    )


def _total(gradient: torch.Tensor) -> float:
    total = float(gradient.detach().double().sum())
    return total if math.isfinite(total) else 0.0  # one that isn't finite equals itself


def _part(parameter: torch.Tensor) -> torch.Tensor:
    return parameter.detach().flatten()[:COMPARED]


def _copies(optimizer: Optimizer) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Copies of the values of parameters, smallest first, as many as may be compared."""
    copies = []
    room = COMPARED
    for parameter in sorted(_parameters(optimizer), key=torch.Tensor.numel):
        if parameter.is_sparse or parameter.is_meta or not parameter.requires_grad:
            continue
        if parameter.numel() > room:
            break
        room -= parameter.numel()
        copies.append((parameter, _part(parameter).clone()))
    return copies


def _ratio(before: list[tuple[torch.Tensor, torch.Tensor]]) -> list[float]:
    """By how much of their size the copied parameters changed: one number, none where they are all zero."""
    held = math.hypot(*(float(copy.float().norm()) for _, copy in before))
    moved = math.hypot(*(float((_part(parameter) - copy).float().norm()) for parameter, copy in before))
    return [moved / held] if held > 0 else []


def _root_mean_square(parameter: torch.Tensor) -> float:
    gradient = parameter.grad
    if gradient is None or not parameter.numel():
        return 0.0
    return float(gradient.detach().float().norm()) / math.sqrt(parameter.numel())


def _gradient_norm(optimizer: Optimizer) -> float:
    gradients: Sequence[torch.Tensor] = [p.grad for p in _parameters(optimizer) if p.grad is not None]
    return math.hypot(*(float(gradient.detach().float().norm()) for gradient in gradients))


def _record(seen: Seen) -> OptimizerRecord:
    return OptimizerRecord(
        kind=seen.kind, place=seen.place, step_place=seen.step_place, backward_place=seen.backward_place,
        groups=seen.groups, steps=seen.steps,
        compared=seen.compared if seen.compared else Unknown("no two steps with a backward pass between them"),
        not_cleared=seen.not_cleared, partly_cleared=seen.partly, gradient_norms=tuple(seen.norms),
        updates_compared=seen.updates_compared,
        updates_lost=seen.updates_lost, precision=seen.precision, update_ratios=tuple(seen.ratios),
        weight_gradients=tuple(seen.profiles), weights=seen.weights,
    )
