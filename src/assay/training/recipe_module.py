"""The LightningModule that a recipe becomes.

Lightning's bookkeeping around one batch takes about as long as a step of a small network. So what its loop calls a
batch is here a round: the examples of up to `logging.log_every_n_steps` optimizer steps, which are taken one by one by
manual optimisation. Scores are kept by the module itself: `self.log` costs more than computing them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import pytorch_lightning as pl
import torch
from torch import Tensor, nn
from torch.optim import Optimizer
from typing_extensions import override

from assay.facts.task import Sense
from assay.recipe.schema import Training
from assay.training.batches import batch_sizes
from assay.training.metrics import Scorer, Scores
from assay.training.objectives import LossFunction
from assay.training.optimizers import optimizer_for
from assay.training.precision import Arithmetic
from assay.training.recorder import Recorder, mean_loss
from assay.training.schedules import Schedule

Pair = tuple[Tensor, Tensor]
"""Inputs [n, columns] and targets [n]."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """What the network is trained for, and by which settings.

    lone_row    a batch of one example can be trained on (batch norm can't)
    """

    loss: LossFunction
    scorer: Scorer
    training: Training
    lone_row: bool


class RecipeModule(pl.LightningModule):
    """A network with the recipe's loss, optimizer, schedule and metrics."""

    def __init__(self, network: nn.Module, task: Task) -> None:
        super().__init__()
        self.automatic_optimization = False
        self.network = network
        self.task = task
        self.run: RecipeRun | None = None

    def __setattr__(self, name: str, value: Any) -> None:
        # Lightning notes the running hook's name in an attribute dozens of times a round, and torch's own __setattr__
        # first looks whether a text is a parameter, a buffer or a module
        if isinstance(value, str) or (value is None and name in self.__dict__):
            object.__setattr__(self, name, value)
        else:
            super().__setattr__(name, value)

    @override
    def forward(self, x: Tensor) -> Tensor:
        """Raw outputs [n, outputs]."""
        outputs: Tensor = self.network(x)
        return outputs

    def loss_of(self, batch: Pair) -> Tensor:
        """The mean loss of one batch, a scalar."""
        return self.task.loss(self.network(batch[0]), batch[1])

    @override
    def configure_optimizers(self) -> Optimizer:
        """The recipe's optimizer; Lightning calls this once the weights are on their device."""
        optimizer = optimizer_for(self, self.task.training)
        if self.run is not None:
            self.run.prepare(self, optimizer)
        return optimizer

    @override
    def training_step(self, batch: Pair, batch_idx: int) -> None:
        """Take the optimizer steps of one round."""
        assert self.run is not None
        self.run.take_steps(self, batch)

    @override
    def validation_step(self, batch: Pair, batch_idx: int) -> None:
        """Keep the outputs of one batch of the validation set."""
        assert self.run is not None
        self.run.outputs.append((self.network(batch[0]), batch[1]))


class RecipeRun:
    """The moving parts of one run: optimizer, schedule, precision, and what the current epoch has come to.

    steps_per_epoch     optimizer steps of an epoch that isn't cut short
    sense               of the monitored quantity
    saved               a checkpoint to go on from
    """

    def __init__(
        self, recorder: Recorder, *, steps_per_epoch: int, sense: Sense, saved: Mapping[str, Any] | None,
    ) -> None:
        self.recorder, self._steps_per_epoch, self._sense, self._saved = recorder, steps_per_epoch, sense, saved
        self.outputs: list[Pair] = []
        self._losses: list[float] = []
        self._sizes: list[int] = []
        self._rate = math.nan

    def prepare(self, module: RecipeModule, optimizer: Optimizer) -> None:
        """Make what steps need, as the checkpoint left it if there is one."""
        training = module.task.training
        self.optimizer = optimizer
        self.arithmetic = Arithmetic(training, module.device)
        self.schedule = Schedule(
            plan=training.scheduler, optimizer=optimizer, sense=self._sense,
            total_steps=training.max_epochs * self._steps_per_epoch,
        )
        if self._saved is not None:
            optimizer.load_state_dict(self._saved["optimizer"])
            self.schedule.load_state(self._saved["schedule"])
            self.arithmetic.load_state(self._saved["scaler"])

    def take_steps(self, module: RecipeModule, examples: Pair) -> None:
        """The steps of one round, up to the run's limit."""
        sizes = batch_sizes(
            len(examples[0]), batch_size=module.task.training.batch_size, lone_row=module.task.lone_row,
        )
        left = self.recorder.steps_left
        batches = list(zip(examples[0].split(sizes), examples[1].split(sizes), strict=True))
        taken = batches if left >= len(batches) else batches[: int(left)]
        losses = torch.stack([self._step(module, batch) for batch in taken]).tolist()
        self._losses += losses
        self._sizes += sizes[: len(losses)]
        self.recorder.stepped(losses, steps=len(losses), learning_rate=self._rate)

    def end_epoch(self, module: RecipeModule, *, monitor: str) -> None:
        """Tell schedule and recorder what the epoch has come to."""
        values, scores = self._evaluated(module)
        whole = len(self._losses) == self._steps_per_epoch
        self.outputs, self._losses, self._sizes = [], [], []
        self.schedule.after_epoch(values[monitor])
        self.recorder.epoch_ended(values, whole=whole, details=scores)
        self.recorder.save(lambda: self._state(module))

    def _evaluated(self, module: RecipeModule) -> tuple[dict[str, float], Scores]:
        """The epoch's row, from the losses of its steps and the outputs of the whole validation set."""
        outputs, targets = (torch.cat(parts) for parts in zip(*self.outputs, strict=True))
        scorer = module.task.scorer
        scores = scorer.score(scorer.predictions(outputs), targets)
        values = {
            "train_loss": mean_loss(self._losses, self._sizes), "val_loss": float(module.task.loss(outputs, targets)),
            **{f"val_{name}": value for name, value in scores.scalars.items()}, "learning_rate": self._rate,
        }
        return values, scores

    def _state(self, module: RecipeModule) -> dict[str, Any]:
        """What a checkpoint holds of the training loop."""
        return {
            "state_dict": module.state_dict(), "optimizer": self.optimizer.state_dict(),
            "schedule": self.schedule.state(), "scaler": self.arithmetic.state(),
        }

    def _step(self, module: RecipeModule, batch: Pair) -> Tensor:
        self.optimizer.zero_grad()
        with self.arithmetic.forward() if self.arithmetic.is_mixed else nullcontext():
            loss = module.loss_of(batch)
        self.arithmetic.step(loss, self.optimizer)
        self._rate = self.optimizer.param_groups[0]["lr"]
        self.schedule.after_step()
        return loss.detach()
