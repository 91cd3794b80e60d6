"""Models that were to be copied and are only called by another name: `target = net`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FrameType
from typing import Any

from torch import nn

from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet
from assay.facts.structure import AliasedModel, AliasedModels
from assay.metric_sense import words_of
from assay.probe import Clock, Faults, place_in, user_frames
from assay.program_text import dotted, tree_of
from assay.traffic import Traffic

COPIES = frozenset({
    "average", "averaged", "avg", "clone", "copied", "copy", "ema", "lagged", "momentum", "old", "ref", "reference",
    "slow", "swa", "target", "teacher",
})
"""Words for a model that stays behind while another one is trained."""

FRAMES = 4
"""Running functions of the user's, innermost first, whose names are looked at."""

NAMES = 200
"""Objects of one scope among whose attributes a name is searched."""


class Aliases:
    """Looks at the assignments of the running program's text when an optimizer steps, on sampled steps."""

    name = "aliases"
    kinds: tuple[type[Fact], ...] = (AliasedModels,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._assignments: dict[str, list[tuple[str, str, int]]] = {}
        self._found: dict[tuple[str, str], AliasedModel] = {}
        self._steps = 0

    def attach(self) -> None:
        """Listen to steps."""
        self._traffic.listeners("stepping").append(self._faults.contained(self.name, self._stepping))

    def detach(self) -> None:
        """It holds nothing of the program."""

    def facts(self) -> FactSet:
        """The aliases that were met."""
        if not self._steps:
            return FactSet(absent={AliasedModels: Absent("no optimizer stepped", applicable=False)})
        return FactSet.of(AliasedModels(aliases=tuple(self._found.values())))

    def _stepping(self, optimizer: Any) -> None:
        if not self._clock.looks:
            return
        self._steps += 1
        frames = [frame for _, frame in zip(range(FRAMES), user_frames(), strict=False)]
        for frame in frames:
            file = frame.f_code.co_filename
            if file not in self._assignments:
                self._assignments[file] = list(_assignments(file))
            for name, of, line in self._assignments[file]:
                held = _same(name, of, frame)
                if held is not None and (name, of) not in self._found and _steps(optimizer, held):
                    self._found[name, of] = AliasedModel(
                        name=name, of=of, kind=type(held).__name__, place=place_in(file, line),
                    )


def _assignments(file: str) -> Iterator[tuple[str, str, int]]:
    """Statements such as `target = net` or `self.old = self.policy`: both names, and the line."""
    tree = tree_of(file)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            name, of = dotted(node.targets[0]), dotted(node.value)
            if name and of and words_of(name.rpartition(".")[2]) & COPIES and not words_of(of) & COPIES:
                yield name, of, node.lineno


def _same(name: str, of: str, frame: FrameType) -> nn.Module | None:
    """The module that both names stand for in the frame, if it is the same."""
    for owner in _owners(name, of, frame):
        held, other = (_resolved(each, owner, frame) for each in (name, of))
        if isinstance(held, nn.Module) and held is other:
            return held
    return None


def _owners(name: str, of: str, frame: FrameType) -> Iterator[Any]:
    """What `self` may be: the frame's own, and the objects at hand of which both names are attributes."""
    if not name.startswith("self.") or not of.startswith("self."):
        yield frame.f_locals.get("self")
        return
    attributes = name.removeprefix("self."), of.removeprefix("self.")
    for _, value in zip(range(NAMES), list({**frame.f_globals, **frame.f_locals}.values())[::-1], strict=False):
        if all(_attribute(value, each) is not None for each in attributes):
            yield value


def _resolved(name: str, this: Any, frame: FrameType) -> Any:
    first, *rest = name.split(".")
    value = this if first == "self" else frame.f_locals.get(first, frame.f_globals.get(first))
    for each in rest:
        value = _attribute(value, each)
    return value


def _attribute(value: Any, name: str) -> Any:
    """An attribute that the object holds itself; nothing of the program's is called."""
    try:
        held = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return None
    found = held.get(name) if isinstance(held, dict) else None
    return found if found is not None or not isinstance(value, nn.Module) else value._modules.get(name)  # noqa: SLF001


def _steps(optimizer: Any, module: nn.Module) -> bool:
    held = {id(parameter) for group in optimizer.param_groups for parameter in group["params"]}
    return any(id(parameter) in held for parameter in module.parameters())
