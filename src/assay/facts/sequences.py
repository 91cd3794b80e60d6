"""Facts about losses over sequences: what stands behind their ends, and how far targets lie ahead of the inputs."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place, Schedule


@dataclass(frozen=True, kw_only=True)
class Padding:
    """Positions behind the ends of sequences that the loss counts.

    positions       how many, of `of` in all
    rows            sequences that have some
    lengths         how many different numbers of such positions the sequences have
    width           positions that each sequence of the batch was given
    target          the value that all these positions have for a target
    filler          the value that fills the inputs there (0 for vectors of zeros), None where no input was seen
    known_by        how the program itself treats them as padding; empty where their form alone speaks
    """

    positions: int
    of: int
    rows: int
    lengths: int
    width: int
    target: float
    filler: float | None
    known_by: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SequenceCall:
    """One call of a loss, at a sampled step, whose targets are sequences.

    name            torch.nn.functional's name
    full            whether the longest sequence fills the batch's width, so that the width is that of the longest
    equal           for targets that are ids, by offset k: the share of valid targets that equal the input k positions
                    later; None where no input ids were seen
    ahead           how far the targets lie ahead of the last input that the scores beside them hang on: 1 for a model
                    that predicts what comes next, 0 for one that may copy; tried only where `equal` gives reason to,
                    None where it wasn't, or where the scores hang on all inputs or can't be followed
    """

    name: str
    place: Place | None
    step: int
    padding: Padding | None = None
    full: bool = False
    equal: dict[int, float] | None = None
    ahead: int | None = None


@dataclass(frozen=True, kw_only=True)
class SequenceFacts(Fact):
    """The sampled calls of losses over sequences."""

    calls: tuple[SequenceCall, ...]
    schedule: Schedule
