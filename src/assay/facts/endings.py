"""Facts about how a program's training ends."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact


@dataclass(frozen=True, kw_only=True)
class EndingFacts(Fact):
    """How training ends.

    steps       optimizer steps of the whole run
    may_stop    the text of the file that trains has something that can end a loop early: a break, a return or a raise
                within one, a loop with a condition, a name that speaks of stopping or of patience
    goes_on     a model was evaluated after the last step, so that the program came to its own end
    """

    steps: int
    may_stop: bool
    goes_on: bool
