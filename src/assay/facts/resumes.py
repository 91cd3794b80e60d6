"""Facts about training that goes on from a checkpoint."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class ResumeRecord:
    """The weights of a checkpoint were loaded whole, and an optimizer trained them on that has no state, or its own.

    place           the line that loaded the weights
    optimizer       the fresh optimizer's class
    entries         the checkpoint's entries
    held            the checkpoint held an optimizer's state, which nobody loaded
    held_steps      steps that this state had seen, where it says so
    continues       the fresh optimizer has the groups and settings of the one that was saved
    restored        the optimizer's state was loaded
    scheduler_at    how far the saved scheduler had come, where nobody loaded its state and a new one begins at 0
    rate            the learning rate of the first step
    counts_on       the program's text begins its loop where the checkpoint's epoch or step says
    """

    place: Place | None
    optimizer: str
    entries: tuple[str, ...]
    held: bool
    held_steps: int | None
    continues: bool
    restored: bool
    scheduler_at: int | None
    rate: float
    counts_on: bool


@dataclass(frozen=True, kw_only=True)
class ReloadFacts(Fact):
    """Every checkpoint that training went on from.

    read    checkpoints that were read
    """

    read: int
    resumes: tuple[ResumeRecord, ...]
