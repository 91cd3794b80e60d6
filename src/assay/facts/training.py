"""Facts about training runs: curves, scores, resuming, and on what was evaluated."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact
from assay.facts.overfit import Floor
from assay.facts.task import Sense


@dataclass(frozen=True, kw_only=True)
class Curve:
    """One series of one run: `name` as in metrics.csv, `steps` optimizer steps, rising."""

    run: str
    name: str
    steps: tuple[int, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class CurveFacts(Fact):
    """The curves of one or more runs, and the levels at which their loss is known to stall."""

    curves: tuple[Curve, ...]
    floors: tuple[Floor, ...]


@dataclass(frozen=True, kw_only=True)
class BaselineScore:
    """A baseline's scores on the validation set by the recipe's own metrics."""

    name: str
    scores: dict[str, float]


@dataclass(frozen=True, kw_only=True)
class SeedScore:
    """One seed's best validation score by the selecting metric; `failure` is why it has none."""

    seed: int
    score: float | None
    epoch: int | None
    failure: str | None = None


@dataclass(frozen=True, kw_only=True)
class ScoreFacts(Fact):
    """Baselines and seeds, all by `metric` on the same validation rows."""

    metric: str
    sense: Sense
    validation_rows: int
    baselines: tuple[BaselineScore, ...]
    seeds: tuple[SeedScore, ...]


@dataclass(frozen=True, kw_only=True)
class ResumeFacts(Fact):
    """A run that was saved, loaded and continued, against one that went straight on.

    compared    names of what was compared bit for bit: weights, optimizer state, logged values
    differing   those that differ, with the largest difference
    """

    compared: int
    differing: tuple[tuple[str, float], ...]
    epochs: int


@dataclass(frozen=True, kw_only=True)
class EvaluationFacts(Fact):
    """What passed through the validation loop, by hashes of the examples as the model saw them.

    seen_in_training    validation examples that are also training examples beyond what the split's own
                        duplicates explain
    expected            examples that the validation split holds; None for people's own data modules
    """

    examples: int
    seen_in_training: int
    expected: int | None
