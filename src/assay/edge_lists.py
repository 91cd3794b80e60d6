"""Lists of edges as sorted whole numbers, so that overlaps and reverses are found fast."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Edges:
    """Distinct edges among so many nodes; `keys` are source · nodes + target, ascending.

    given           how many there were with repeats
    often           share of the distinct ones that were given three times or more, which adding reverses doesn't do
    out_of_range    ends outside the nodes, left out
    """

    nodes: int
    keys: Integers
    given: int
    out_of_range: int = 0
    often: float = 0.0

    @classmethod
    def of(cls, pairs: Integers, nodes: int) -> Edges:
        """From sources and targets, shape [2, E]."""
        inside = ((pairs >= 0) & (pairs < nodes)).all(0)
        keys, counts = np.unique(pairs[0, inside] * nodes + pairs[1, inside], return_counts=True)
        often = float((counts > 2).mean()) if len(counts) else 0.0
        return cls(nodes, keys, pairs.shape[1], int(pairs.shape[1] - inside.sum()), often)

    def equals(self, other: Edges) -> bool:
        """Whether both hold the same edges."""
        return (self.nodes, self.given) == (other.nodes, other.given) and np.array_equal(self.keys, other.keys)

    @cached_property
    def sources(self) -> Integers:
        """Of every distinct edge."""
        return self.keys // self.nodes

    @cached_property
    def targets(self) -> Integers:
        """Of every distinct edge."""
        return self.keys % self.nodes

    @cached_property
    def reversed_keys(self) -> Integers:
        """The keys of the reverses, in the order of the edges."""
        return self.targets * self.nodes + self.sources

    @cached_property
    def linked(self) -> Flags:
        """Whether each node has an edge to another, shape [nodes]."""
        apart = self.sources != self.targets
        linked = np.zeros(self.nodes, dtype=bool)
        linked[self.sources[apart]] = True
        linked[self.targets[apart]] = True
        return linked

    @cached_property
    def one_way(self) -> Flags:
        """Of every distinct edge, whether it joins two nodes and its reverse is missing."""
        alone: Flags = (self.sources != self.targets) & ~within(self.reversed_keys, self.keys)
        return alone

    def decline(self) -> float:
        """The weaker of two correlations with a node's number: of its edges up, and of those down, negated."""
        up = self.sources < self.targets
        rising = np.bincount(self.sources[up], minlength=self.nodes)
        falling = np.bincount(self.targets[up], minlength=self.nodes)
        return max(_correlation(rising), -_correlation(falling))


def _correlation(counts: Integers) -> float:
    """Of counts with their positions; 0 where they are all alike."""
    if len(counts) < 3 or (counts == counts[0]).all():
        return 0.0
    return float(np.corrcoef(np.arange(len(counts)), counts)[0, 1])


def within(keys: Integers, others: Integers) -> Flags:
    """Of every key, whether it stands among the others, which are sorted."""
    if not len(others):
        return np.zeros(len(keys), dtype=bool)
    at = np.minimum(np.searchsorted(others, keys), len(others) - 1)
    found: Flags = others[at] == keys
    return found


def bits(flags: Flags) -> int:
    """A whole number whose bit i is flag i."""
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def surveyed(edges: Edges, blank: Flags) -> dict[str, Any]:
    """What a graph record tells of the list itself.

    blank   of every node, whether its features are all zero
    """
    lone = ~edges.linked
    tail = _leading(blank[::-1])
    head = edges.nodes - tail
    distinct, one_way = len(edges.keys), edges.one_way
    return {
        "nodes": edges.nodes, "edges": edges.given, "out_of_range": edges.out_of_range,
        "lowest": int(min(edges.sources.min(), edges.targets.min())) if distinct else 0,
        "loops": int((edges.sources == edges.targets).sum()),
        "repeats": edges.given - edges.out_of_range - distinct, "one_way": int(one_way.sum()),
        "ascending": int((one_way & (edges.sources < edges.targets)).sum()), "decline": edges.decline(),
        "isolated": int(lone.sum()), "lone_head": _leading(lone & ~blank), "blank_tail": tail,
        "linked_tail": int((~lone[head:]).sum()), "blank_elsewhere": int(blank[:head].sum()),
        "lone_before": int(lone[:head].sum()),
    }


def _leading(flags: Flags) -> int:
    return int(np.argmin(flags)) if not flags.all() else len(flags)
