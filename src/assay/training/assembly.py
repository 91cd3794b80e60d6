"""What every experiment offers to the stages, whether it came from a recipe or from people's own classes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from torch import Tensor, nn

from assay.dataset import Prepared
from assay.facts.task import TaskFacts

Batch = Any
"""(inputs, targets) of tensors for recipes; whatever the user's loader yields for people's own data modules."""


@dataclass(frozen=True, kw_only=True)
class OptimizerPlan:
    """The optimizers that a module asks for, made afresh, with the names of the parameters of each group."""

    optimizers: tuple[Any, ...]


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
