"""Facts about the task: what is predicted, and what an uninformed prediction would get."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from assay.facts.fact import Fact

TaskKind = Literal["binary", "multiclass", "multilabel", "regression"]
Sense = Literal["min", "max"]


@dataclass(frozen=True, kw_only=True)
class TaskFacts(Fact):
    """The task as the recipe states it.

    outputs             numbers that the model gives for one example: C logits, one logit, one a label, or one value
    label_entropy       entropy in nats of the training labels, the loss of the best constant prediction; the mean over
                        the labels where there are several
    target_variance     variance of the training targets as the loss sees them
    prior_bias          the head's bias starts at the log of the class frequencies
    selects             the metric that selects the model, and its sense
    """

    kind: TaskKind
    outputs: int
    classes: tuple[str, ...] = ()
    label_entropy: float | None = None
    target_variance: float | None = None
    prior_bias: bool = False
    selects: str
    sense: Sense

    @property
    def expected_first_loss(self) -> tuple[float, str] | None:
        """What an uninformed prediction gives and the formula, None where the task doesn't say.

        log C for equal logits over C classes; with the head's bias at the log of the class frequencies, the entropy
        of the labels; for regression the variance of the targets.
        """
        if self.kind == "regression":
            return None if self.target_variance is None else (self.target_variance, "the targets' variance")
        if self.prior_bias and self.label_entropy is not None:
            return self.label_entropy, "the labels' entropy"
        classes = self.outputs if self.kind == "multiclass" else 2
        return math.log(classes), f"log {classes}"
