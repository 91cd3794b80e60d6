"""Telling of an error as soon as it is seen, while the program still runs.

Only rules that judge a single call of a loss are asked: what they find can't be undone by what comes later. They are
asked at steps that are four times further apart each time.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from torch.optim.optimizer import register_optimizer_step_post_hook

from assay.probe import Faults
from assay.rule import Finding, judge
from assay.rules import catalogue
from assay.watching.session import Recording

AT_ONCE = ("loss-broadcast", "loss-not-finite", "loss-on-logits", "loss-on-probabilities")
"""Rules on single calls of a loss."""

FIRST = 2
"""Steps before the first look, so that the first of them has been recorded."""

APART = 4
"""Times further apart is each look than the one before."""


class Alarm:
    """Tells of each error once."""

    name = "alarm"

    def __init__(self, seen: Recording, faults: Faults, tell: Callable[[Finding], None]) -> None:
        self._seen = seen
        self._tell = tell
        self._rules = [each for each in catalogue() if each.name in AT_ONCE]
        self._look = faults.contained(self.name, self._ask)
        self._told: set[tuple[str, object]] = set()
        self._hook: Any = None
        self._steps = 0
        self._next = FIRST
        self._process = os.getpid()

    def attach(self) -> None:
        """Hook the steps of all optimizers."""
        self._hook = register_optimizer_step_post_hook(self._stepped)

    def detach(self) -> None:
        """Take the hook away."""
        if self._hook is not None:
            self._hook.remove()
            self._hook = None

    def _stepped(self, _optimizer: Any, _arguments: Any, _named: Any) -> None:
        self._steps += 1
        if self._steps == self._next:
            self._next *= APART
            if os.getpid() == self._process:
                self._look()

    def _ask(self) -> None:
        kinds = {need.kind for each in self._rules for need in each.needs}
        judgement = judge(self._rules, self._seen.facts_of(kinds))
        for finding in judgement.errors:
            key = finding.rule, finding.where.place if finding.where else None
            if key not in self._told:
                self._told.add(key)
                self._tell(finding)
