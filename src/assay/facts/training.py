"""Facts about training runs: curves, scores, resuming, and on what was evaluated."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass

from assay.facts.fact import Fact, Unknown
from assay.facts.overfit import Floor
from assay.facts.task import Sense


@dataclass(frozen=True, kw_only=True)
class Curve:
    """One series of one run: `name` as in metrics.csv, `steps` optimizer steps, rising."""

    run: str
    name: str
    steps: tuple[int, ...]
    values: tuple[float, ...]

    @property
    def not_finite_at(self) -> int | None:
        """The step of the first value that is NaN or infinite."""
        points = zip(self.steps, self.values, strict=True)
        return next((step for step, value in points if not math.isfinite(value)), None)


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

    @property
    def scores(self) -> tuple[float, ...]:
        """The scores of the seeds that have one."""
        return tuple(seed.score for seed in self.seeds if seed.score is not None and math.isfinite(seed.score))

    @property
    def mean(self) -> float | None:
        """Mean over the seeds that have a score, None where none has."""
        return statistics.fmean(self.scores) if self.scores else None

    def gain(self, score: float, over: float) -> float:
        """By how much `score` is better than `over` in the metric's own sense; negative where it is worse."""
        return score - over if self.sense == "max" else over - score

    def baseline(self, name: str) -> float | None:
        """The selecting metric's value of this baseline, None where it has none."""
        return next((each.scores.get(self.metric) for each in self.baselines if each.name == name), None)

    def standard_error(self, score: float) -> float | Unknown:
        """How far chance alone, in the choice of the validation rows, moves such a score: one standard error.

        Proportions (accuracy, subset accuracy; F1 is taken for one): binomial, at the estimate of Agresti and Coull
        (1998), which doesn't vanish at a perfect score. Errors of a regression, for normal residuals: relative to the
        score, 1 / sqrt(2n) for RMSE and sqrt(pi / 2 - 1) / sqrt(n) for MAE; (1 - R²) sqrt(2 / n) for R².
        Unknown for any other metric.
        """
        rows = self.validation_rows
        if rows < 1:
            return Unknown("the validation set is empty")
        match self.metric.removeprefix("val_"):
            case "accuracy" | "subset_accuracy" | "macro_f1" | "weighted_f1":
                share = (rows * score + 2) / (rows + 4)
                return math.sqrt(max(share * (1 - share), 0.0) / (rows + 4))
            case "rmse":
                return abs(score) / math.sqrt(2 * rows)
            case "mae":
                return abs(score) * math.sqrt((math.pi / 2 - 1) / rows)
            case "r2":
                return (1 - score) * math.sqrt(2 / rows)
        return Unknown(f"the standard error of {self.metric} has no known formula")


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
