"""Facts about the labels' place: is a label told better by a neighbour's inputs than by its own row's?"""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place


@dataclass(frozen=True, kw_only=True)
class OffsetScores:
    """How well the inputs of row i tell the label of row i + offset, over a range of rows.

    first, last     rows of the file that the range spans
    rows            that were predicted, at the offset with the fewest
    scores          (offset, correlation of held-out predictions with the labels)
    """

    first: int
    last: int
    rows: int
    scores: tuple[tuple[int, float], ...]

    @property
    def own(self) -> float:
        """The score of a row's own label."""
        return dict(self.scores)[0]

    @property
    def best(self) -> tuple[int, float]:
        """The offset with the highest score, and that score."""
        return max(self.scores, key=lambda pair: pair[1])


@dataclass(frozen=True, kw_only=True)
class LabelShiftFacts(Fact):
    """Labels against the inputs of rows nearby, in the order of the file.

    whole           over all rows looked at
    ranges          the same over parts of the file, one after the other, for labels that slip from some row on
    label_memory    correlation of a label with the one before
    columns         that don't follow from the row before; the others belong to a series and were left out, since a
                    series' past may be meant to tell its future
    left_out        how many columns were
    place           of a watched program, the line that made the labels, else None
    in_time         the rows stand in the order of a stated time or of a date among the columns, so that what a row
                    tells of earlier labels may be their history
    """

    whole: OffsetScores
    ranges: tuple[OffsetScores, ...]
    label_memory: float
    columns: int
    left_out: int
    in_time: bool = False
    place: Place | None = None
