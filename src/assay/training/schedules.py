"""Learning-rate schedules, each at its own cadence: the training loop tells of every step and every epoch.

The rate is always the optimizer's first one times a factor, so nothing accumulates and warm-up goes with all of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from torch.optim import Optimizer

from assay.facts.task import Sense
from assay.recipe.schema import Scheduler

# OneCycleLR's defaults in torch: 30 % of the steps rising from 1/25, then falling to 1/25/10,000 of the rate.
_RISING, _START, _END = 0.3, 1 / 25, 1 / 25 / 1e4
# ReduceLROnPlateau's default in torch: an improvement counts from 0.01 % of the best value.
_THRESHOLD = 1e-4


@dataclass(kw_only=True)
class Schedule:
    """The rates of one run.

    plan            the recipe's scheduler
    total_steps     optimizer steps of the whole planned run, warm-up included
    sense           of the value that `after_epoch` is given; plateau needs it
    """

    plan: Scheduler
    optimizer: Optimizer
    total_steps: int
    sense: Sense = "min"
    _rates: list[float] = field(init=False)
    _step: int = 0
    _epoch: int = 0
    _reduced: float = 1.0
    _best: float | None = None
    _waited: int = 0

    def __post_init__(self) -> None:
        self._rates = [group["lr"] for group in self.optimizer.param_groups]
        self._constant = self.plan.name == "none" and self.plan.warmup_steps == 0
        self._set_rates()

    def after_step(self) -> None:
        """An optimizer step was taken: set the rate of the next."""
        self._step += 1
        if not self._constant:
            self._set_rates()

    def after_epoch(self, monitored: float) -> None:
        """An epoch was trained and validated with this result: set the rate of the next."""
        self._epoch += 1
        if self.plan.name == "plateau":
            self._watch(monitored)
        if not self._constant:
            self._set_rates()

    def state(self) -> dict[str, Any]:
        """Where it stands; plain numbers."""
        return {
            "step": self._step, "epoch": self._epoch, "reduced": self._reduced, "best": self._best,
            "waited": self._waited,
        }

    def load_state(self, state: dict[str, Any]) -> None:
        """Go on from where another stood."""
        self._step, self._epoch = state["step"], state["epoch"]
        self._reduced, self._best, self._waited = state["reduced"], state["best"], state["waited"]
        self._set_rates()

    def _set_rates(self) -> None:
        factor = self._warmup() * self._factor()
        for group, rate in zip(self.optimizer.param_groups, self._rates, strict=True):
            group["lr"] = rate * factor

    def _warmup(self) -> float:
        steps = self.plan.warmup_steps
        return min(1.0, (self._step + 1) / steps) if steps else 1.0

    def _factor(self) -> float:
        length = max(1, self.total_steps - self.plan.warmup_steps)
        step = min(max(0, self._step - self.plan.warmup_steps), length)
        match self.plan.name:
            case "none":
                return 1.0
            case "cosine":
                return _between(1.0, 0.0, step / length)
            case "onecycle":
                return _one_cycle(min(step, length - 1), length)
            case "step":
                return self.plan.gamma ** (self._epoch // self.plan.step_size)
            case "plateau":
                return self._reduced

    def _watch(self, value: float) -> None:
        value = -value if self.sense == "max" else value
        if self._best is None or value < self._best - abs(self._best) * _THRESHOLD:
            self._best, self._waited = value, 0
            return
        self._waited += 1
        if self._waited > self.plan.patience:
            self._reduced, self._waited = self._reduced * self.plan.factor, 0


def _between(start: float, end: float, share: float) -> float:
    """Half a cosine from `start` to `end`."""
    return end + (start - end) * (1 + math.cos(math.pi * share)) / 2


def _one_cycle(step: int, length: int) -> float:
    """Smith and Topin, Super-Convergence, 2018, in torch's two-phase cosine form; momentum stays as it is."""
    top, last = _RISING * length - 1, length - 1
    if step <= top:
        return _between(_START, 1.0, step / top)
    return _between(1.0, _END, (step - top) / (last - top)) if last > top else 1.0
