"""Parameters that belong to no module: in a plain list, a tensor with requires_grad, a variable of the program."""

from __future__ import annotations

import ast
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from assay.at_hand import name_of, names_in
from assay.autograd_graph import operation, walk
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.structure import LooseParameter, LooseParameters
from assay.parameter_book import ParameterBook, ParameterNote
from assay.probe import Clock, Faults, place_in, user_frames
from assay.program_text import dotted, tree_of
from assay.tensors import readable
from assay.traffic import Backward, Pass, Traffic
from assay.weak_identity import IdentitySet

WALKS = 8
"""Backward passes that are walked; what is used is used in each of them."""

LARGEST = 5_000
"""Nodes of a graph that are walked."""

KEPT = 32
"""Loose parameters that are kept."""

SUMMED = 1 << 20
"""Numbers of one parameter that are compared to see whether they change."""


@dataclass(eq=False)
class Seen:
    """What is known of one loose parameter."""

    reference: weakref.ref[Tensor]
    note: ParameterNote
    name: str
    of_model: bool
    registers: bool
    place: Place | None
    shape: tuple[int, ...]
    before: Tensor
    looks: int = 1
    changed: bool = False

    def compare(self) -> None:
        """Note whether its values have changed since it was first seen."""
        now = self.reference()
        if now is not None and not self.changed:
            self.changed = not torch.equal(_part(now), self.before)


class Loose:
    """Walks the graphs of the first losses once the models' parameters are known by name, then leaves."""

    name = "loose parameters"
    kinds: tuple[type[Fact], ...] = (LooseParameters,)

    def __init__(self, clock: Clock, faults: Faults, book: ParameterBook, traffic: Traffic) -> None:
        self._clock = clock
        self._book = book
        self._traffic = traffic
        self._looks = {
            event: faults.contained(self.name, look)
            for event, look in (("passed", self._passed), ("began", self._began), ("stepped", self._stepped))
        }
        self._models: IdentitySet[nn.Module] = IdentitySet()
        self._all: list[Seen] = []
        self._nameless: list[weakref.ref[Tensor]] = []
        self._anew = 0
        self._anew_place: Place | None = None
        self._walked = 0
        self._differentiated = False

    def attach(self) -> None:
        """Listen."""
        for event, look in self._looks.items():
            self._traffic.listeners(event).append(look)

    def detach(self) -> None:
        """It lets go of what it copied."""
        for seen in self._all:
            seen.compare()
            seen.before = torch.empty(0)

    def facts(self) -> FactSet:
        """Every loose parameter so far."""
        if not self._walked:
            return FactSet(absent={LooseParameters: Absent(
                "no backward pass ran after a first step", applicable=False,
            )})
        return FactSet.of(LooseParameters(
            loose=tuple(map(_record, self._all)), differentiated=self._differentiated, walked=self._walked,
            anew=self._anew, anew_place=self._anew_place,
        ))

    def _passed(self, passed: Pass) -> None:
        if self._clock.looks and passed.recorded:
            self._models.add(passed.module)

    def _began(self, backward: Backward) -> None:
        self._differentiated |= backward.function == "grad"
        if not self._clock.looks or not self._clock.steps or backward.nested or backward.function == "grad":
            return  # a first step tells the names of what belongs to modules
        root = backward.roots
        if self._walked >= WALKS or not isinstance(root, Tensor) or root.grad_fn is None or not readable(root):
            return
        self._walked += 1
        before, self._nameless = self._nameless, []
        for count, node in enumerate(walk([root.grad_fn])):
            if count > LARGEST:
                return
            if operation(node) == "AccumulateGrad":
                self._reached(node.variable)
        if self._nameless and before and all(each() is None for each in before):
            self._anew += 1
            self._anew_place = self._anew_place or next(filter(None, map(_makes, self._models)), None)

    def _reached(self, leaf: Tensor) -> None:
        known = next((seen for seen in self._all if seen.reference() is leaf), None)
        if known is not None:
            known.looks += 1
            return
        note = self._book.note(leaf)
        if note.name or note.optimised or len(self._all) >= KEPT or leaf.is_sparse:
            return
        holder = next(filter(None, (_attribute(model, leaf) for model in self._owners())), None)
        name, place = holder or _variable(leaf)
        if not name and isinstance(leaf, nn.Parameter):
            self._nameless.append(weakref.ref(leaf))
        if name:
            self._all.append(Seen(
                weakref.ref(leaf), note, name, holder is not None, isinstance(leaf, nn.Parameter), place,
                tuple(leaf.shape), _part(leaf).clone(),
            ))

    def _owners(self) -> Iterator[nn.Module]:
        yield from self._models
        for frame in user_frames():
            code = frame.f_code
            owner = names_in(frame).get(code.co_varnames[0]) if code.co_argcount else None
            if isinstance(owner, nn.Module):
                yield owner

    def _stepped(self, _: Any) -> None:
        if self._clock.looks:
            for seen in self._all:
                seen.compare()


def _record(seen: Seen) -> LooseParameter:
    return LooseParameter(
        name=seen.name, registers=seen.registers, of_model=seen.of_model, place=seen.place, shape=seen.shape,
        looks=seen.looks, trained=seen.changed or seen.note.optimised,
    )


def _part(leaf: Tensor) -> Tensor:
    return leaf.detach().flatten()[:SUMMED]


def _attribute(model: nn.Module, leaf: Tensor) -> tuple[str, Place | None] | None:
    """The attribute of the model, or of one of its parts, that holds the tensor, and the line that assigns it."""
    for module in model.modules():
        for name, value in vars(module).items():
            if name not in HOUSEKEEPING and any(each is leaf for each in _tensors(value)):
                return f"{type(module).__name__}.{name}", _assigned(type(module), name)
    return None


HOUSEKEEPING = frozenset(name for name, value in vars(nn.Module()).items() if isinstance(value, dict))
"""The dictionaries that every module has: what lies there belongs to it."""


def _tensors(value: Any, depth: int = 0) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, dict | list | tuple) and depth < 3:
        for each in value.values() if isinstance(value, dict) else value:
            yield from _tensors(each, depth + 1)


def _assigned(owner: type, name: str) -> Place | None:
    """The line of the class, or of one that it builds on, that first gives the attribute a value."""
    for each in owner.__mro__:
        for method in vars(each).values():
            code = getattr(method, "__code__", None)
            if code is None or name not in code.co_names or place_in(code.co_filename, 1) is None:
                continue
            tree = tree_of(code.co_filename)
            lines = sorted(
                node.lineno for node in (ast.walk(tree) if tree else ())
                if isinstance(node, ast.Assign | ast.AnnAssign) and _sets(node, name)
                and code.co_firstlineno <= node.lineno <= max(line for _, _, line in code.co_lines() if line)
            )
            if lines:
                return place_in(code.co_filename, lines[0])
    return None


def _makes(model: nn.Module) -> Place | None:
    """The line of a method of the model, or of one of its parts, but for `__init__`, that makes a parameter."""
    for owner in dict.fromkeys(type(each) for each in model.modules()):
        for name, method in vars(owner).items():
            code = getattr(method, "__code__", None)
            if code is None or name == "__init__" or "Parameter" not in code.co_names:
                continue
            tree, last = tree_of(code.co_filename), max(line for _, _, line in code.co_lines() if line)
            for node in ast.walk(tree) if tree else ():
                called = dotted(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
                if called == "Parameter" and code.co_firstlineno <= node.lineno <= last:  # type: ignore[attr-defined]
                    return place_in(code.co_filename, node.lineno)  # type: ignore[attr-defined]  # a call has a line
    return None


def _sets(node: ast.Assign | ast.AnnAssign, name: str) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(each, ast.Attribute) and each.attr == name for each in targets)


def _variable(leaf: Tensor) -> tuple[str, Place | None]:
    """What the running functions call the tensor, and the line that gave the name its value."""
    frames = list(user_frames())
    name = name_of(leaf, frames)
    if not name.isidentifier():
        return name, None
    for frame in frames:
        tree = tree_of(frame.f_code.co_filename)
        lines = [
            node.lineno for node in (ast.walk(tree) if tree else ()) if isinstance(node, ast.Assign)
            and any(isinstance(each, ast.Name) and each.id == name for each in node.targets)
        ]
        if lines:
            return name, place_in(frame.f_code.co_filename, min(lines))
    return name, None
