"""Values by identity: for what has no hash, or equals others, and only while it lives."""

from __future__ import annotations

import gc
from dataclasses import dataclass

from assay.weak_identity import IdentityDict, IdentitySet


@dataclass
class Unhashable:
    """Equal to every other of the same number, and without a hash."""

    number: int


def test_equal_objects_have_their_own_values() -> None:
    first, second = Unhashable(1), Unhashable(1)
    known: IdentityDict[Unhashable, str] = IdentityDict()
    known[first] = "first"
    assert second not in known
    known[second] = "second"
    assert (known[first], known.get(second), len(known)) == ("first", "second", 2)
    assert known.setdefault(first, "other") == "first"
    assert known.pop(first) == "first"
    assert known.get(first) is None


def test_nothing_is_kept_alive() -> None:
    known: IdentityDict[Unhashable, int] = IdentityDict()
    seen: IdentitySet[Unhashable] = IdentitySet()
    kept, brief = Unhashable(1), Unhashable(2)
    for each in (kept, brief):
        known[each] = 1
        known[each] = 2
        seen.add(each)
    del each, brief
    gc.collect()
    assert list(known) == list(seen) == [kept]
    assert list(known.values()) == [2]


def test_a_set_forgets_what_is_discarded() -> None:
    one = Unhashable(1)
    seen: IdentitySet[Unhashable] = IdentitySet()
    seen.discard(one)
    seen.add(one)
    assert one in seen
    seen.discard(one)
    assert one not in seen
