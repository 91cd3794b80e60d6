"""Facts about weights and states that a program keeps, saves and loads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class AliasRecord:
    """A state dict that shares memory with the living weights, used after these had moved on.

    model           the module's class
    taken, used     the lines that called state_dict() and that used what it gave
    use             "restored": loaded into the very module that it shares memory with, which changes nothing;
                    "loaded": into another module; "saved": written to a file
    step, later     optimizer steps before it was taken, and before it was used
    """

    model: str
    taken: Place | None
    used: Place | None
    use: Literal["restored", "loaded", "saved"]
    step: int
    later: int


@dataclass(frozen=True, kw_only=True)
class LoadRecord:
    """One call of a module's load_state_dict.

    given           tensors in the dictionary that was handed over
    own             tensors that the module has
    matched         names that both have
    unmatched_given, unmatched_own   a few of those that only one of them has
    idle            nothing but the module's own weights was loaded, though a file had just been read for it
    """

    model: str
    place: Place | None
    given: int
    own: int
    matched: int
    unmatched_given: tuple[str, ...]
    unmatched_own: tuple[str, ...]
    idle: bool


@dataclass(frozen=True, kw_only=True)
class SavesFacts(Fact):
    """What became of the weights that the program kept, saved or loaded.

    taken, loaded, read     calls of state_dict(), of load_state_dict() and of torch.load
    """

    taken: int
    loaded: int
    read: int
    aliases: tuple[AliasRecord, ...]
    loads: tuple[LoadRecord, ...]
