"""Schedulers and rates: what rate each optimizer steps with, and when its schedulers are stepped.

A scheduler's own steps while it is being made don't count. How many rounds the program makes over its data is counted
by its DataLoaders' beginnings, or by its evaluations, after steps were taken.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from types import FrameType
from typing import Any

from torch.amp import GradScaler
from torch.optim import Optimizer, lr_scheduler
from torch.utils.data import DataLoader

from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.schedule import RateRecord, ScheduleFacts, SchedulerRecord
from assay.probe import Clock, Faults, Patches, after, is_library, place_of_making, user_place
from assay.traffic import Pass, Traffic

Scheduler = lr_scheduler.LRScheduler

MAKERS = (
    Scheduler, lr_scheduler.ReduceLROnPlateau, lr_scheduler.SequentialLR, lr_scheduler.ChainedScheduler,
)
"""Classes that don't call the constructor of another of them."""

HORIZONS = {
    lr_scheduler.StepLR: "step_size", lr_scheduler.CosineAnnealingLR: "T_max", lr_scheduler.OneCycleLR: "total_steps",
    lr_scheduler.PolynomialLR: "total_iters", lr_scheduler.LinearLR: "total_iters",
    lr_scheduler.ConstantLR: "total_iters",
}
"""The attribute that says how many steps each was made for."""

PLACED = 3
"""Steps of a scheduler whose line is looked up; they agree, or nothing is made of it."""


@dataclass(eq=False)
class Rates:
    """The rate of one optimizer so far; the fields are RateRecord's."""

    reference: weakref.ref[Optimizer]
    kind: str
    place: Place | None = None
    step_place: Place | None = None
    steps: int = 0
    start: float = 0.0
    last: float = 0.0
    peak: float = 0.0
    zero: int = 0
    negative: int = 0
    lively: int = 0
    alive: int = 0

    def note(self, rate: float) -> None:
        """A step was taken with this rate."""
        self.steps += 1
        self.last = rate
        if rate > self.peak:
            self.peak = rate
        if rate > 0.1 * self.peak:
            self.lively = self.alive = self.steps
        elif rate > 1e-3 * self.peak:
            self.alive = self.steps
        if rate <= 0:
            self.zero += 1
            self.negative += rate < 0
        if self.steps == 1:
            self.start = rate


@dataclass(eq=False)
class Known:
    """One scheduler: how often it was stepped, and how many steps its optimizer had taken then."""

    reference: weakref.ref[Any]
    kind: str
    base: str
    place: Place | None
    rates: Rates
    made_at: int
    horizon: int | None
    target: float
    part: bool = False
    steps: int = 0
    every: int = 0
    before: int = 0
    early: bool = False
    step_place: Place | None = None

    def note(self, frame: FrameType | None) -> None:
        """It was stepped from this frame."""
        taken = self.rates.steps
        self.every += self.steps > 0 and taken - self.before == 1
        if self.steps < PLACED:
            place = _line(frame)
            if self.steps == 0:
                self.step_place, self.early = place, taken == self.made_at
            else:
                self.early &= place == self.step_place and taken > self.before
                self.step_place = place or self.step_place
        self.steps += 1
        self.before = taken


class Schedulers:
    """Records rates and schedulers."""

    name = "schedulers"
    kinds: tuple[type[Fact], ...] = (ScheduleFacts,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._patches = Patches()
        self._rates: dict[int, Rates] = {}
        self._known: dict[int, Known] = {}
        self._gone: list[Rates | Known] = []
        self._scaled = False
        self._loaded, self._evaluated = Rounds(), Rounds()

    def attach(self) -> None:
        """Wrap the making and stepping of schedulers, the making of optimizers, the beginning of loaders."""
        contained = partial(self._faults.contained, self.name)
        self._patches.replace(Optimizer, "__init__", partial(after, contained(self._optimizer_made)))
        for maker in MAKERS:
            self._patches.replace(maker, "__init__", partial(after, contained(self._scheduler_made)))
        stepped = partial(_shown, contained(self._scheduler_stepped))
        for kind in vars(lr_scheduler).values():
            if isinstance(kind, type) and issubclass(kind, Scheduler) and "step" in vars(kind):
                self._patches.replace(kind, "step", stepped)
        began = contained(lambda _: self._loaded.note(self._clock.steps))
        self._patches.replace(DataLoader, "__iter__", partial(after, began))
        self._patches.replace(GradScaler, "step", partial(after, contained(self._scaler_stepped)))
        self._traffic.sampled.passed.append(contained(self._evaluated.passed))
        self._traffic.stepped.append(contained(self._stepped))

    def detach(self) -> None:
        """Put the originals back."""
        self._patches.restore()

    def facts(self) -> FactSet:
        """Rates and schedulers so far."""
        everything = [*self._gone, *self._rates.values(), *self._known.values()]
        rates = {id(each): _rate(each) for each in everything if isinstance(each, Rates)}
        if not rates:
            return FactSet(absent={ScheduleFacts: Absent("no optimizer was made", applicable=False)})
        return FactSet.of(ScheduleFacts(
            rates=tuple(rates.values()),
            schedulers=tuple(_scheduler(each, rates) for each in everything if isinstance(each, Known)),
            rounds=self._loaded.count or self._evaluated.count or None, scaled=self._scaled,
        ))

    def _optimizer_made(self, optimizer: Optimizer) -> None:
        self._find(optimizer).place = place_of_making(optimizer)

    def _find(self, optimizer: Optimizer) -> Rates:
        rates = self._rates.get(id(optimizer))
        if rates is None or rates.reference() is not optimizer:
            if rates is not None:  # another optimizer lived at this address before
                self._gone.append(rates)
            rates = self._rates[id(optimizer)] = Rates(weakref.ref(optimizer), type(optimizer).__name__)
        return rates

    def _scheduler_made(self, scheduler: Any) -> None:
        former = self._known.pop(id(scheduler), None)
        if former is not None and former.reference() is not scheduler:
            self._gone.append(former)
        rates = self._find(scheduler.optimizer)
        for part in getattr(scheduler, "_schedulers", ()):
            if (known := self._known.get(id(part))) is not None:
                known.part = True
        self._known[id(scheduler)] = Known(
            weakref.ref(scheduler), type(scheduler).__name__, _base(scheduler), place_of_making(scheduler), rates,
            made_at=rates.steps, horizon=_horizon(scheduler), target=_target(scheduler.optimizer),
        )

    def _scheduler_stepped(self, scheduler: Any, frame: FrameType | None) -> None:
        known = self._known.get(id(scheduler))
        if known is not None and known.reference() is scheduler:
            known.note(frame)

    def _scaler_stepped(self, scaler: GradScaler) -> None:
        self._scaled |= scaler.is_enabled()

    def _stepped(self, optimizer: Optimizer) -> None:  # on every step, so it does next to nothing
        rates = self._rates.get(id(optimizer)) or self._find(optimizer)
        groups = optimizer.param_groups
        rate = groups[0].get("lr") if len(groups) == 1 else _largest(groups)
        if type(rate) is float or type(rate) is int:
            rates.note(rate)
        elif rate is not None:
            rates.note(float(rate) if rate.device.type == "cpu" else rates.last)
        if rates.steps <= PLACED:
            rates.step_place = user_place()


@dataclass(eq=False)
class Rounds:
    """How often something began after further steps had been taken."""

    count: int = 0
    latest: int = 0

    def note(self, steps: int) -> None:
        """It begins, at so many steps."""
        if steps != self.latest:
            self.count += 1
            self.latest = steps

    def passed(self, passed: Pass) -> None:
        """An evaluation begins it."""
        if not passed.recorded:
            self.note(passed.step)


def _shown(look: Callable[..., None], original: Any) -> Any:
    """`step` of a scheduler, which then shows the scheduler and the frame that called it."""

    @wraps(original)
    def step(scheduler: Any, *arguments: Any, **named: Any) -> Any:
        result = original(scheduler, *arguments, **named)
        look(scheduler, sys._getframe(1))  # noqa: SLF001  # the documented way to the caller's frame
        return result

    return step


def _line(frame: FrameType | None) -> Place | None:
    """The user's line that steps a scheduler: None where a library does; a class of one's own is passed."""
    while frame is not None and frame.f_code.co_name == "step" and not is_library(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None or is_library(frame.f_code.co_filename):
        return None
    return user_place(frame)


def _largest(groups: list[dict[str, Any]]) -> Any:
    rates = [group["lr"] for group in groups if "lr" in group]
    return max(map(float, rates)) if rates and None not in rates else None


def _target(optimizer: Optimizer) -> float:
    """The rate that a schedule varies: the one that the optimizer was made with."""
    rates = [group.get("initial_lr", group.get("lr")) for group in optimizer.param_groups]
    return max((float(rate) for rate in rates if rate is not None), default=0.0)


def _base(scheduler: Any) -> str:
    return next(kind.__name__ for kind in type(scheduler).__mro__ if kind.__module__ == lr_scheduler.__name__)


def _horizon(scheduler: Any) -> int | None:
    if isinstance(scheduler, lr_scheduler.SequentialLR):
        last = _horizon(scheduler._schedulers[-1])  # noqa: SLF001  # it has no public name
        return None if last is None else int(scheduler._milestones[-1]) + last  # noqa: SLF001
    if isinstance(scheduler, lr_scheduler.MultiStepLR):
        return max(scheduler.milestones, default=None)
    if isinstance(scheduler, lr_scheduler.LambdaLR):  # Hugging Face's schedules are partial functions with names
        planned = [getattr(each, "keywords", {}).get("num_training_steps") for each in scheduler.lr_lambdas]
        return int(planned[0]) if planned and planned[0] is not None else None
    named = next((name for kind, name in HORIZONS.items() if isinstance(scheduler, kind)), None)
    return None if named is None else int(getattr(scheduler, named))


def _rate(rates: Rates) -> RateRecord:
    return RateRecord(
        kind=rates.kind, place=rates.place, step_place=rates.step_place, steps=rates.steps, start=rates.start,
        last=rates.last, peak=rates.peak, zero=rates.zero, negative=rates.negative, lively=rates.lively,
        alive=rates.alive,
    )


def _scheduler(known: Known, rates: dict[int, RateRecord]) -> SchedulerRecord:
    rate = rates.get(id(known.rates))
    return SchedulerRecord(
        kind=known.kind, base=known.base, place=known.place, step_place=known.step_place,
        optimizer=rate if rate is not None and rate.steps else None, steps=known.steps, every=known.every,
        waited=known.rates.steps - known.made_at, early=known.early and known.steps >= PLACED,
        horizon=known.horizon, target=known.target, part=known.part,
    )
