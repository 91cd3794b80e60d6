"""Facts about labels: equal inputs that disagree, labels that predictions contradict, labels that inputs don't tell."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact


@dataclass(frozen=True, kw_only=True)
class ConflictFacts(Fact):
    """Equal inputs with different labels among the training and validation rows.

    For a regression two targets differ where they are more than half a standard deviation apart.

    rows            that were looked at
    repeated        rows whose input occurs again
    conflicting     of these, the rows whose label isn't the usual one (the median) of their input
    natural_share   share of rows for which an equal would be no surprise, so coarse are the columns; None where no
                    labels conflict, so that nobody asks
    examples        some pairs of rows with equal inputs, each with both labels in words
    """

    rows: int
    repeated: int
    conflicting: int
    natural_share: float | None
    examples: tuple[tuple[int, int, str, str], ...]

    @property
    def share(self) -> float:
        """Of the rows, those that conflict."""
        return self.conflicting / max(self.rows, 1)


@dataclass(frozen=True, kw_only=True)
class SuspectLabel:
    """A row whose label a prediction contradicts: what it is, what it would be, and the probability of the label."""

    row: int
    label: str
    predicted: str
    probability: float


@dataclass(frozen=True, kw_only=True)
class SuspectFacts(Fact):
    """Labels against the predictions of models that didn't see them.

    rows        training and validation rows that were predicted
    errors      of these, those whose label isn't the predicted one
    sure        rows of the half that is predicted with the most confidence, and `sure_errors` those among them
    surest      the same for the quarter
    constant    share of errors of always saying the commonest class
    suspects    the contradicted rows of the surer half, the least probable first; the first 20
    """

    rows: int
    errors: int
    sure: int
    sure_errors: int
    surest: int
    surest_errors: int
    constant: float
    suspects: tuple[SuspectLabel, ...]


@dataclass(frozen=True, kw_only=True)
class RelationFacts(Fact):
    """Whether the inputs say anything about the labels, as correlations of held-out predictions with them.

    rows        training and validation rows that were predicted
    probes      by name: the correlation, and how many standard deviations it lies above that with permuted labels
    single      the same for the single column that is related the most, allowing for the choice among so many
    """

    rows: int
    probes: dict[str, tuple[float, float]]
    single: tuple[float, float]
