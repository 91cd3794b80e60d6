"""Lightning's Trainer as every run here uses it: quiet, on one device, and with an interruption that stays one."""

from __future__ import annotations

import logging
import signal
import threading
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import torch

from assay.errors import RecipeError
from assay.recipe.schema import Training


def trainer_settings(training: Training, *, max_epochs: int) -> dict[str, Any]:
    """What every Trainer is told: one device, no output, no trial validation before training.

    Raises RecipeError where the machine has no such device.
    """
    there = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if not there.get(training.device, True):
        raise RecipeError([f"training.device: this machine has no {training.device} device; use auto or cpu."])
    return {
        "max_epochs": max_epochs, "accelerator": training.device, "devices": 1, "logger": False,
        "enable_progress_bar": False, "enable_model_summary": False, "num_sanity_val_steps": 0,
        "use_distributed_sampler": False,
    }


def fitted(
    package: ModuleType, settings: Mapping[str, Any], module: Any, *, data: Mapping[str, Any], resume: bool = False,
) -> None:
    """Run Trainer.fit.

    Lightning turns Ctrl-C into the end of the process; here it is a KeyboardInterrupt again, and the handler of the
    signal is put back.
    """
    handler = signal.getsignal(signal.SIGINT) if threading.current_thread() is threading.main_thread() else None
    with _quiet():
        trainer = package.Trainer(**settings)
        try:
            trainer.fit(module, **data, ckpt_path="captured" if resume else None)
        except SystemExit as end:
            if isinstance(end.__context__, KeyboardInterrupt):  # else it is the module's own
                raise KeyboardInterrupt from None
            raise
        finally:
            if handler is not None:
                signal.signal(signal.SIGINT, handler)


@contextmanager
def _quiet() -> Iterator[None]:
    """Lightning's notices on devices, loaders and its own services say nothing about the experiment."""
    loggers = [logging.getLogger(name) for name in ("pytorch_lightning", "lightning.pytorch", "lightning.fabric")]
    levels = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.ERROR)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module=r"(pytorch_lightning|lightning|lightning_fabric)\.")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
