"""What every experiment offers to the stages, whether it came from a recipe or from people's own classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from torch import Tensor, nn

from assay.dataset import Prepared
from assay.facts.overfit import Floor
from assay.facts.task import Sense, TaskFacts
from assay.recipe.schema import Recipe
from assay.training.metrics import Scorer
from assay.training.recorder import Recorder
from assay.training.trained_run import Limits

Batch = Any
"""(inputs, targets) of tensors for recipes; whatever the user's loader yields for people's own data modules."""


@dataclass(frozen=True, kw_only=True)
class Start:
    """Where one run starts from and how far it may go; `saved` is a checkpoint to go on from."""

    recipe: Recipe
    seed: int
    limits: Limits
    saved: Mapping[str, Any] | None


class Fitting(Protocol):
    """How an experiment is trained: what `assay.training.loop.train` asks of it.

    monitor, sense      the logged quantity that chooses the best epoch, and in which sense it improves
    columns             of metrics.csv, as far as they are known before training
    """

    @property
    def monitor(self) -> str: ...  # noqa: D102

    @property
    def sense(self) -> Sense: ...  # noqa: D102

    @property
    def columns(self) -> Sequence[str]: ...  # noqa: D102

    def steps_per_epoch(self, rows: int | None) -> int | None:
        """Optimizer steps of one epoch over the first `rows` examples; None where only people's own data know."""

    def fit(self, start: Start, recorder: Recorder) -> None:
        """Train one run under Lightning's Trainer and tell the recorder of it; raises UserCodeError."""


class Assembly(Protocol):
    """One experiment, ready to be trained any number of times; nothing here keeps state between calls."""

    @property
    def task(self) -> TaskFacts | None:
        """The task, None where people's own classes don't tell."""

    @property
    def prepared(self) -> Prepared | None:
        """The examples in memory, None for people's own data modules."""

    @property
    def batch_size(self) -> int:
        """Examples in one training batch."""

    @property
    def learning_rate(self) -> float:
        """The rate that training starts from (after warm-up)."""

    @property
    def floors(self) -> tuple[Floor, ...]:
        """Levels at which the training loss is known to stall; empty where the task isn't known."""

    @property
    def scorer(self) -> Scorer | None:
        """Scores predictions by the recipe's own metrics; None where people's own classes don't tell the task."""

    @property
    def fitting(self) -> Fitting:
        """How it is trained."""

    def module(self, seed: int) -> Any:
        """A new LightningModule, initialised from a generator of its own seeded with `seed`."""

    def training_batches(self, seed: int, *, rows: int | None = None) -> Iterable[Batch]:
        """One epoch's training batches, in the order that `seed` gives; the first `rows` examples only if given."""

    def validation_batches(self, *, rows: int | None = None) -> Iterable[Batch]:
        """The validation batches in a fixed order."""

    def outputs(self, module: Any, batch: Batch) -> Tensor:
        """The model's raw outputs (logits, values) for one batch; raises UserCodeError where the module can't."""

    def loss(self, module: Any, batch: Batch) -> Tensor:
        """The training loss of one batch as the module computes it, logging nothing."""

    def optimizer(self, module: Any, *, learning_rate: float | None = None, weight_decay: float | None = None) -> Any:
        """The optimizer that training uses, with these settings put in place of the experiment's."""

    def without_regularisation(self, module: nn.Module) -> None:
        """Switch dropout off in place (augmentation and decay aren't the module's): for the overfit test."""
