"""Endings: whether a program's training can stop early, and whether the program went on after it."""

from __future__ import annotations

import ast
from typing import Any

from assay.facts.endings import EndingFacts
from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet
from assay.probe import Clock, Faults, user_place
from assay.program_text import tree_of
from assay.traffic import Pass, Traffic

LEAVES = (ast.Break, ast.Return, ast.Raise)
STOPS = ("stop", "patience", "budget", "time")


class Endings:
    """Notes the file that trains, and the last evaluation."""

    name = "endings"
    kinds: tuple[type[Fact], ...] = (EndingFacts,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._traffic = traffic
        self._noted = faults.contained(self.name, self._stepping)
        self._passes = faults.contained(self.name, self._passed)
        self._file: str | None = None
        self._evaluated = -1

    def attach(self) -> None:
        """Listen."""
        self._traffic.sampled.stepping.append(self._noted)
        self._traffic.sampled.passed.append(self._passes)

    def detach(self) -> None:
        """It has nothing in the program to take away."""

    def facts(self) -> FactSet:
        """How training ended; absent where nothing was trained by the user's own code."""
        if self._file is None:
            return FactSet(absent={EndingFacts: Absent("no optimizer was stepped", applicable=False)})
        tree = tree_of(self._file)
        return FactSet.of(EndingFacts(
            steps=self._clock.steps, may_stop=tree is None or may_stop(tree),
            goes_on=self._evaluated == self._clock.steps,
        ))

    def _stepping(self, _: Any) -> None:
        place = user_place()
        if place is not None:
            self._file = place.file
            self._traffic.sampled.stepping.remove(self._noted)

    def _passed(self, passed: Pass) -> None:
        if not passed.recorded:
            self._evaluated = passed.step


def may_stop(tree: ast.Module) -> bool:
    """Whether something in a program's text can end a loop before its time."""
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.For | ast.While)]
    if any(isinstance(loop, ast.While) or any(isinstance(node, LEAVES) for node in ast.walk(loop)) for loop in loops):
        return True
    names = [node.id if isinstance(node, ast.Name) else node.attr for node in ast.walk(tree)
             if isinstance(node, ast.Name | ast.Attribute)]
    return any(word in name.casefold() for name in names for word in STOPS)
