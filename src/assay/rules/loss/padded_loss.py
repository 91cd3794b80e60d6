"""Positions behind the ends of sequences are averaged into the loss.

## Why it hurts
A batch of sequences of unequal lengths is filled up to the longest. Unless the loss leaves these positions out, the
model is paid for predicting the filler: the loss looks good, real positions count the less the shorter their sequence,
and a score that is taken over all positions is flattered as well.

## What is looked at
At sampled steps, the inputs that belong to the targets position by position. Positions count as padding where one value
fills the ends of at least three sequences, in different numbers, at least eight in all (fewer may end alike by chance),
stands nowhere else, and the targets there are all the same. The loss must count them: no ignore_index or class weight
of zero for that target, no mask or weights between an unreduced loss and its mean. And the program itself must treat
them as padding: the value is the padding_idx of an embedding or what pad_sequence fills with; the model is given the
lengths or a mask that tell these positions; or batches differ in width, each as wide as its longest sequence, so that
how much is filled is an accident of the batch. Where none of these holds it is a note.

## Remedy
Pass ignore_index with the padding's target, or mask the unreduced loss and divide by the number of real positions.

## When it is wrong to worry
Class 0 may be a true class, sequences may all be as long, and texts of a fixed width may end in blanks that the model
is to write: their filler stands between other values too, or nothing in the program calls it padding. A loss on masked,
packed or selected positions, and one label a sequence, are silent.

## References
PyTorch documentation, torch.nn.CrossEntropyLoss, ignore_index, and torch.nn.utils.rnn.pad_sequence.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from assay.facts.fact import Place
from assay.facts.sequences import Padding, SequenceCall, SequenceFacts
from assay.rule import ERROR, NOTE, Finding, Verdict, Where, rule

VARYING = "batches as wide as their longest sequence"


@rule(severity=ERROR)
def padded_loss(sequences: SequenceFacts) -> Iterator[Verdict]:
    """Take each line that calls a loss, and the padding that it counts."""
    calls = sorted(sequences.calls, key=_line)
    for _, group in groupby(calls, key=_line):
        here = list(group)
        padded = [(call, call.padding) for call in here if call.padding is not None]
        if padded:
            yield _counted(here, *max(padded, key=lambda each: each[1].positions))


def _line(call: SequenceCall) -> tuple[str, int, str]:
    place = call.place or Place("", 0)
    return place.file, place.line, call.name


def _counted(here: list[SequenceCall], call: SequenceCall, padding: Padding) -> Finding:
    known = [*padding.known_by, *([VARYING] if _varying(here) else [])]
    share = padding.positions / padding.of
    return Finding(
        summary=f"{call.name} counts padding: {share:.0%} of the positions stand behind the ends of their sequences",
        where=Where(place=call.place, step=call.step), severity=ERROR if known else NOTE,
        evidence={"padded_positions": padding.positions, "of": padding.of, "sequences_padded": padding.rows,
                  "target_there": padding.target, "input_there": padding.filler, "known_by": known},
        impact="the model learns to predict the filler, and the loss looks better than it is",
        fix=f"leave these positions out: ignore_index={padding.target:.0f}, or a mask over the unreduced loss",
    )


def _varying(here: list[SequenceCall]) -> bool:
    padded = [call for call in here if call.padding is not None]
    widths = {call.padding.width for call in padded if call.padding is not None}
    return len(widths) > 1 and all(call.full for call in padded)
