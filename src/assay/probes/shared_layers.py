"""Containers that hold the same layer several times, and what the calls of that layer have to do with each other."""

from __future__ import annotations

import linecache
import re
import weakref
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor, nn

from assay.autograd_graph import walk
from assay.facts.fact import Absent, Fact, Place
from assay.facts.fact_set import FactSet
from assay.facts.structure import Relation, SharedLayer, SharedLayers
from assay.probe import Clock, Faults
from assay.program_text import around, tree_of
from assay.traffic import Inner, Made, Pass, Traffic
from assay.weak_identity import IdentityDict, IdentitySet

CONTAINERS = (nn.ModuleDict, nn.ModuleList, nn.Sequential)

KEY = "assay: shared layer"
"""The key, in a graph node's metadata, of the layer that put its value out."""

WALKED = 400
"""Nodes from a layer's input downwards among which an earlier output of the same layer is searched."""

SHARING = re.compile(
    r"shar(e|ing)|\btie[ds]?\b|tying|recurren|unroll|universal|albert|siamese|same (weights|parameters)", re.IGNORECASE,
)
"""Words by which people say that one layer is meant to stand in several places."""


@dataclass(eq=False)
class Shared:
    """One layer in several places of a container."""

    model: str
    container: str
    kind: str
    places: int
    place: Place | None
    given: list[weakref.ref[Tensor]] = field(default_factory=list)
    relation: Relation = "apart"


class SharedPlaces:
    """Looks at the containers of the models that are called, and at the calls of what they share."""

    name = "shared layers"
    kinds: tuple[type[Fact], ...] = (SharedLayers,)

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._made_at: IdentityDict[nn.Module, Place | None] = IdentityDict()
        self._searched: IdentitySet[nn.Module] = IdentitySet()
        self._layers: IdentityDict[nn.Module, Shared] = IdentityDict()
        self._all: list[Shared] = []
        self._models = self._containers = 0

    def attach(self) -> None:
        """Listen to the making of containers and to calls."""
        for event, look in (("made", self._made), ("inner", self._inner), ("passed", self._passed)):
            self._traffic.listeners(event).append(self._faults.contained(self.name, look))

    def detach(self) -> None:
        """It holds nothing of the program but weak references."""

    def facts(self) -> FactSet:
        """Every container that holds a layer several times."""
        if not self._models:
            return FactSet(absent={SharedLayers: Absent("no model was called on a sampled step", applicable=False)})
        return FactSet.of(SharedLayers(shared=tuple(map(_record, self._all)), containers=self._containers))

    def _made(self, made: Made) -> None:
        if isinstance(made.module, CONTAINERS):
            self._made_at[made.module] = made.place

    def _passed(self, passed: Pass) -> None:
        if not self._clock.looks:
            return
        if passed.module not in self._searched:
            self._searched.add(passed.module)
            self._models += 1
            self._search(passed.module)
        for shared in self._all:
            shared.given.clear()

    def _search(self, model: nn.Module) -> None:
        for path, container in model.named_modules():
            if not isinstance(container, CONTAINERS):
                continue
            self._containers += 1
            for entries in _alike(container):
                layer = next(each for each in entries[0].modules() if each._parameters)  # noqa: SLF001  # its own
                if layer not in self._layers:
                    shared = Shared(
                        type(model).__name__, path, type(entries[0]).__name__, len(entries),
                        self._made_at.get(container),
                    )
                    self._layers[layer] = shared
                    self._all.append(shared)

    def _inner(self, call: Inner) -> None:
        shared = self._layers.get(call.module)
        given = next((each for each in call.arguments if isinstance(each, Tensor)), None)
        if shared is None or given is None or not call.recorded or not isinstance(call.output, Tensor):
            return
        if any(each() is given for each in shared.given):
            shared.relation = "same input"
        elif shared.relation == "apart" and given.grad_fn is not None and _came_through(given.grad_fn, id(shared)):
            shared.relation = "in a row"
        shared.given.append(weakref.ref(given))
        node: Any = call.output.grad_fn
        if node is not None:
            node.metadata[KEY] = id(shared)


def _alike(container: nn.Module) -> Iterator[list[nn.Module]]:
    """Entries of one class that consist of just the same parameters, two or more at a time."""
    found: dict[tuple[type, frozenset[int]], list[nn.Module]] = defaultdict(list)
    for entry in container._modules.values():  # noqa: SLF001  # children() names each module once
        if entry is not None:
            found[type(entry), frozenset(map(id, entry.parameters()))].append(entry)
    yield from (entries for (_, held), entries in found.items() if held and len(entries) > 1)


def _came_through(node: Any, mark: int) -> bool:
    for count, each in enumerate(walk([node])):
        if count > WALKED:
            return False
        if each.metadata.get(KEY) == mark:
            return True
    return False


def _record(shared: Shared) -> SharedLayer:
    return SharedLayer(
        model=shared.model, container=shared.container, kind=shared.kind, places=shared.places, place=shared.place,
        relation=shared.relation, declared=shared.place is not None and _declared(shared.place),
    )


def _declared(place: Place) -> bool:
    """Whether the class or function that makes the container, or the line above it, says that it shares."""
    tree = tree_of(place.file)
    if tree is None:
        return False
    holding = list(around(tree, place.line))
    lines = linecache.getlines(place.file)
    first = holding[0].lineno if holding else place.line  # type: ignore[attr-defined]  # statements have lines
    last = holding[0].end_lineno if holding else place.line  # type: ignore[attr-defined]
    return SHARING.search("".join(lines[max(first - 3, 0):last])) is not None
