"""Trains people's own LightningModule under the Trainer of the package that it builds on.

What the module logs by `self.log` is taken from the Trainer at the end of each epoch. Runs are resumed at the end of
an epoch, by Lightning's own checkpoint with every random state added.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import torch
from torch import Tensor

from assay.errors import RecipeError
from assay.facts.task import Sense
from assay.recipe.nearest import did_you_mean
from assay.training.assembly import Start
from assay.training.random_streams import restore_streams
from assay.training.recorder import Recorder, mean_loss
from assay.training.trainer import fitted, trainer_settings
from assay.training.user_code import failures_told, sentence
from assay.training.user_data import UserData

_LEFT_OUT = ("hyper_parameters", "datamodule_hyper_parameters", "hparams_name", "hparams_type")
"""Of Lightning's checkpoints: arguments may be objects that weights_only refuses, and the recipe holds them."""


@dataclass(frozen=True, kw_only=True)
class UserFitting:
    """How people's own module is trained.

    package         `lightning.pytorch` or `pytorch_lightning`
    initialise      a new module and the state of torch's stream after its initialisation, from a seed
    """

    package: ModuleType
    initialise: Callable[[int], tuple[Any, Tensor]]
    data: UserData
    monitor: str
    sense: Sense
    columns: Sequence[str] = ("epoch", "step", "train_loss_step", "train_loss", "learning_rate")

    def steps_per_epoch(self, rows: int | None) -> int | None:
        """Training batches of one epoch; None where only people's own data know."""
        return self.data.batches_per_epoch(rows)

    def fit(self, start: Start, recorder: Recorder) -> None:
        """Train one run; raises UserCodeError where module or data raise, RecipeError where nothing is monitored."""
        module, stream = self.initialise(start.seed)
        training, limits = start.recipe.training, start.limits
        kept = self._class(_Captured, self.package.plugins.io.CheckpointIO)(start.saved)
        hooks = self._class(_Hooks, self.package.callbacks.Checkpoint)(
            recorder, kept, every=start.recipe.logging.log_every_n_steps,
        )
        settings = {
            **trainer_settings(training, max_epochs=limits.max_epochs or training.max_epochs),
            "precision": training.precision, "callbacks": [hooks], "plugins": [kept],
        }
        if module.automatic_optimization:  # Lightning refuses to clip where the module takes its own steps
            settings["gradient_clip_val"] = training.gradient_clip_val
        if limits.rows is not None:
            settings["limit_train_batches"] = math.ceil(limits.rows / self.data.batch_size)
        data = self.data.for_trainer(start, epoch=recorder.progress.epochs)
        torch.set_rng_state(stream)
        with failures_told(f"{type(module).__name__} in training"):
            fitted(self.package, settings, module, data=data, resume=start.saved is not None)

    @staticmethod
    def _class(own: type, theirs: type) -> type:
        return type(own.__name__.strip("_"), (own, theirs), {})


class _Captured:
    """Lightning's way to files, led to memory: what it would save is kept here, and what it loads was put here."""

    def __init__(self, saved: Mapping[str, Any] | None) -> None:
        self.saved = saved
        self.captured: dict[str, Any] = {}

    def save_checkpoint(self, checkpoint: dict[str, Any], path: Any, storage_options: Any = None) -> None:  # noqa: ARG002
        self.captured = checkpoint

    def load_checkpoint(self, path: Any, map_location: Any = None, weights_only: Any = None) -> Any:  # noqa: ARG002
        return dict(self.saved or {})

    def remove_checkpoint(self, path: Any) -> None:
        """Nothing was written."""


class _Hooks:
    """Tells the recorder of batches and epochs.

    The state is taken in two parts. Lightning's counters are those of the end of an epoch; the rest is taken when the
    next one begins, because only then has ReduceLROnPlateau been stepped.
    """

    def __init__(self, recorder: Recorder, kept: _Captured, *, every: int) -> None:
        self._recorder, self._kept, self._every = recorder, kept, every
        self._since: list[Tensor] = []
        self._losses: list[float] = []
        self._steps = self._batches = 0
        self._counters: Any = None

    def on_fit_start(self, trainer: Any, pl_module: Any) -> None:  # noqa: ARG002
        if self._kept.saved is not None:
            restore_streams(dict(self._kept.saved["random"]))

    def on_train_epoch_start(self, trainer: Any, pl_module: Any) -> None:  # noqa: ARG002
        self._save(trainer)
        self._recorder.epoch_began()
        self._since, self._losses, self._steps, self._batches = [], [], 0, 0

    def on_train_batch_end(self, trainer: Any, pl_module: Any, outputs: Any, batch: Any, batch_idx: int) -> None:  # noqa: ARG002
        loss = outputs.get("loss") if isinstance(outputs, Mapping) else outputs
        if isinstance(loss, Tensor):  # a module that takes its own steps needn't return one
            self._since.append(loss.detach().float().reshape(()))
        self._steps += 1
        if self._steps >= min(self._every, self._recorder.steps_left):
            self._tell(trainer)
        trainer.should_stop = trainer.should_stop or self._recorder.should_stop

    def on_train_epoch_end(self, trainer: Any, pl_module: Any) -> None:  # noqa: ARG002
        self._tell(trainer)
        trained = {"train_loss": mean_loss(self._losses)} if self._losses else {}
        values = {**trained, **_logged(trainer.callback_metrics), "learning_rate": _rate(trainer)}
        monitor = self._recorder.choice.monitor
        if monitor not in values:
            hint = did_you_mean(monitor, values)
            raise RecipeError([sentence(f"checkpointing.monitor: the module logs no {monitor}{hint}")])
        self._recorder.epoch_ended(values, whole=self._batches >= trainer.num_training_batches)
        if trainer.should_stop and not self._recorder.should_stop:  # a callback of the module's own
            self._recorder.progress.stopped = "early stopping"
        self._counters = self._state(trainer)["loops"]
        trainer.should_stop = trainer.should_stop or self._recorder.should_stop

    def on_train_end(self, trainer: Any, pl_module: Any) -> None:  # noqa: ARG002
        self._save(trainer)

    def _tell(self, trainer: Any) -> None:
        if self._steps:
            losses = torch.stack(self._since).tolist() if self._since else []
            self._losses += losses
            self._recorder.stepped(losses, steps=self._steps, learning_rate=_rate(trainer))
            self._batches += self._steps
            self._since, self._steps = [], 0

    def _save(self, trainer: Any) -> None:
        if self._counters is not None:
            counters, self._counters = self._counters, None
            self._recorder.save(lambda: {**self._state(trainer), "loops": counters})

    def _state(self, trainer: Any) -> dict[str, Any]:
        trainer.save_checkpoint("captured")
        return {key: value for key, value in self._kept.captured.items() if key not in _LEFT_OUT}


def _rate(trainer: Any) -> float:
    return next((float(group["lr"]) for optimizer in trainer.optimizers for group in optimizer.param_groups), math.nan)


def _logged(metrics: Mapping[str, Any]) -> dict[str, float]:
    """Every single number that the module logged; values of single steps stand in the Trainer's logs only."""
    return dict(_numbers(metrics))


def _numbers(metrics: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    for name, value in metrics.items():
        if isinstance(value, Tensor) and value.numel() == 1 and not name.endswith("_step"):
            yield name, float(value)
