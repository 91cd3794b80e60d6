"""The facts known about one program: at most one of each kind, and the reasons for those that are missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from assay.facts.fact import Absent, Fact


@dataclass(frozen=True)
class FactSet:
    """An immutable collection of facts, looked up by their type."""

    records: Mapping[type[Fact], Fact] = field(default_factory=dict)
    absent: Mapping[type[Fact], Absent] = field(default_factory=dict)

    @classmethod
    def of(cls, *facts: Fact, absent: Mapping[type[Fact], Absent] = MappingProxyType({})) -> FactSet:
        """The set of these facts; `absent` gives the reasons for kinds that are missing."""
        return cls({type(fact): fact for fact in facts}, dict(absent))

    def find(self, kind: type[Fact]) -> Fact | Absent:
        """The fact of this kind, or why there is none."""
        record = self.records.get(kind)
        if record is not None:
            return record
        return self.absent.get(kind, Absent("nothing was recorded that would show it"))

    def joined(self, other: FactSet) -> FactSet:
        """Both sets; where both know a kind, `other` (the later look) holds."""
        records = {**self.records, **other.records}
        absent = {kind: why for kind, why in {**self.absent, **other.absent}.items() if kind not in records}
        return FactSet(records, absent)

    def __iter__(self) -> Iterator[Fact]:
        return iter(self.records.values())


def join(sets: Iterable[FactSet]) -> FactSet:
    """All sets in one, later ones over earlier ones."""
    joined = FactSet()
    for facts in sets:
        joined = joined.joined(facts)
    return joined
