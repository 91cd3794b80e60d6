"""What the probes of a program know of each parameter, gathered in one book that they are all handed.

One probe sees that a loss reaches a parameter, another that an optimizer holds it, a third what the user calls it. The
book keeps what they note, and keeps no parameter alive.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from assay.facts.model import ParameterKind


@dataclass(eq=False)
class ParameterNote:
    """What is known of one living parameter.

    reached     the graph of a loss that was stepped on led to it, or a gradient arrived
    optimised   an optimizer holds it
    moved       whether it changed; None where no step was compared
    version     how often it had been written to when a loss first led to it
    """

    reference: weakref.ref[Any]
    kind: ParameterKind = "weight"
    name: str = ""
    reached: bool = False
    optimised: bool = False
    moved: bool | None = None
    loaded: bool = False
    version: int | None = None


@dataclass
class ParameterBook:
    """Notes by parameter.

    hidden      why some parameters may have been reached unseen: what stopped the walk over a loss's graph
    walked      how many backward passes were walked
    """

    hidden: str | None = None
    walked: int = 0
    _notes: dict[int, ParameterNote] = field(default_factory=dict)
    _pending: dict[int, ParameterNote] = field(default_factory=dict)

    def note(self, parameter: Any) -> ParameterNote:
        """The note of this parameter, a new one at first."""
        found = self._notes.get(id(parameter))
        if found is None or found.reference() is not parameter:
            found = ParameterNote(weakref.ref(parameter))
            self._notes[id(parameter)] = found
        return found

    def reaches(self, parameters: Iterable[Any]) -> None:
        """The loss of a backward pass led to these; they count as reached once a step follows."""
        self.walked += 1
        for parameter in parameters:
            note = self._pending[id(parameter)] = self.note(parameter)
            written = int(parameter._version)  # noqa: SLF001  # counts writes in place, by an optimizer or by hand
            if note.version is None:
                note.version = written
            elif note.version != written:
                note.moved = True

    def stepped(self, held: Iterable[ParameterNote]) -> None:
        """An optimizer that holds these took a step: what its loss led to was reached in earnest."""
        if self._pending and any(id(note.reference()) in self._pending for note in held):
            for note in self._pending.values():
                note.reached = True
            self._pending.clear()
