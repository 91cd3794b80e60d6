"""Optimizer steps: every one, told to the probes that listen, and to the clock, which counts them.

PyTorch's global step hooks see every optimizer, whoever made it.
"""

from __future__ import annotations

from typing import Any

from torch.optim import Optimizer
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

from assay.facts.fact import Fact
from assay.facts.fact_set import FactSet
from assay.probe import Clock
from assay.traffic import Traffic


class Steps:
    """Tells of optimizer steps; it records nothing itself."""

    name = "steps"
    kinds: tuple[type[Fact], ...] = ()

    def __init__(self, clock: Clock, traffic: Traffic) -> None:
        self._clock = clock
        self._traffic = traffic
        self._hooks: list[Any] = []

    def attach(self) -> None:
        """Hook the steps of all optimizers."""
        self._hooks = [
            register_optimizer_step_pre_hook(self._stepping), register_optimizer_step_post_hook(self._stepped),
        ]

    def detach(self) -> None:
        """Take the hooks away."""
        while self._hooks:
            self._hooks.pop().remove()

    def facts(self) -> FactSet:
        """None: it only tells."""
        return FactSet()

    def _stepping(self, optimizer: Optimizer, _arguments: Any, _named: Any) -> None:
        for look in tuple(self._traffic.stepping):
            look(optimizer)
        if self._clock.looks or self._traffic.attending:
            for look in tuple(self._traffic.sampled.stepping):
                look(optimizer)

    def _stepped(self, optimizer: Optimizer, _arguments: Any, _named: Any) -> None:
        for look in tuple(self._traffic.stepped):
            look(optimizer)
        if self._clock.looks or self._traffic.attending:
            for look in tuple(self._traffic.sampled.stepped):
                look(optimizer)
        self._clock.tick()
        self._traffic.attending = False
