"""Trains a recipe's own network under Lightning's Trainer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytorch_lightning as pl
import torch
from torch import Tensor
from typing_extensions import override

from assay.dataset import Prepared
from assay.facts.task import Sense
from assay.training.assembly import Start
from assay.training.batches import (
    EpochOrder,
    batch_sizes,
    rounds,
    tensors,
    training_batches,
    validation_batches,
)
from assay.training.random_streams import restore_streams
from assay.training.recipe_module import RecipeModule, RecipeRun
from assay.training.recorder import Recorder
from assay.training.trainer import fitted, trainer_settings


@dataclass(frozen=True, kw_only=True)
class RecipeFitting:
    """How a recipe's network is trained on examples in memory.

    initialise      a new module and the state of torch's stream after its initialisation, from a seed
    lone_row        a batch of one example can be trained on
    """

    prepared: Prepared
    initialise: Callable[[int], tuple[RecipeModule, Tensor]]
    batch_size: int
    lone_row: bool
    monitor: str
    sense: Sense
    columns: Sequence[str]

    def sizes(self, rows: int | None) -> list[int]:
        """The sizes of an epoch's batches over the first `rows` training examples."""
        count = len(self.prepared.train) if rows is None else min(rows, len(self.prepared.train))
        return batch_sizes(count, batch_size=self.batch_size, lone_row=self.lone_row)

    def steps_per_epoch(self, rows: int | None) -> int:
        """Optimizer steps of one epoch."""
        return len(self.sizes(rows))

    def fit(self, start: Start, recorder: Recorder) -> None:
        """Train one run; it ends in the recorder and its folder."""
        training, limits = start.recipe.training, start.limits
        module, stream = self.initialise(start.seed)
        if start.saved is not None:
            module.load_state_dict(start.saved["state_dict"])
        module.run = RecipeRun(
            recorder, steps_per_epoch=self.steps_per_epoch(limits.rows), sense=self.sense, saved=start.saved,
        )
        loader = self._loader(start, first_epoch=recorder.progress.epochs)
        epochs_left = (limits.max_epochs or training.max_epochs) - recorder.progress.epochs
        settings = {
            **trainer_settings(training, max_epochs=epochs_left), "callbacks": [_EpochHooks(self.monitor)],
            "enable_checkpointing": False,
        }
        data = {
            "train_dataloaders": loader, "val_dataloaders": validation_batches(*tensors(self.prepared.validation)),
        }
        torch.set_rng_state(stream)
        if start.saved is not None:
            restore_streams(dict(start.saved["random"]))
        fitted(pl, settings, module, data=data)

    def _loader(self, start: Start, *, first_epoch: int) -> Any:
        x, y = tensors(self.prepared.train, rows=start.limits.rows)
        sizes = rounds(self.sizes(start.limits.rows), steps=start.recipe.logging.log_every_n_steps)
        order = EpochOrder(len(x), sizes, seed=start.seed, first_epoch=first_epoch)
        return training_batches(x, y, order=order, num_workers=start.recipe.training.num_workers)


class _EpochHooks(pl.Callback):
    """Tells the recorder of every epoch, and Lightning when the run has ended."""

    def __init__(self, monitor: str) -> None:
        self._monitor = monitor

    @override
    def on_train_epoch_start(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        _run_of(pl_module).recorder.epoch_began()

    @override
    def on_train_batch_end(
        self, trainer: pl.Trainer, pl_module: pl.LightningModule, outputs: Any, batch: Any, batch_idx: int,
    ) -> None:
        trainer.should_stop = _run_of(pl_module).recorder.should_stop

    @override
    def on_train_epoch_end(self, trainer: pl.Trainer, pl_module: pl.LightningModule) -> None:
        assert isinstance(pl_module, RecipeModule)
        run = _run_of(pl_module)
        run.end_epoch(pl_module, monitor=self._monitor)
        trainer.should_stop = run.recorder.should_stop


def _run_of(module: pl.LightningModule) -> RecipeRun:
    assert isinstance(module, RecipeModule)
    assert module.run is not None
    return module.run
