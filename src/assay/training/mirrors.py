"""Loggers that a recipe may name beside metrics.csv. Each is imported only when it is asked for."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.errors import MissingExtra
from assay.recipe.schema import Logging
from assay.training.recorder import Mirror


class NoMirror:
    """metrics.csv is enough."""

    def log(self, row: Mapping[str, float]) -> None:
        """Nothing."""

    def close(self, *, failed: bool) -> None:
        """Nothing."""


class MlflowMirror:
    """A run in MLflow, at the tracking server that MLflow's own settings name."""

    def __init__(self, name: str) -> None:
        import mlflow  # an extra, and slow to import

        self._client: Any = mlflow.MlflowClient()
        experiment = mlflow.set_experiment("assay")
        self._run: str = self._client.create_run(experiment.experiment_id, run_name=name).info.run_id

    def log(self, row: Mapping[str, float]) -> None:
        """Every finite value of the row, at its step."""
        for key, value in _shown(row).items():
            self._client.log_metric(self._run, key, value, step=int(row["step"]))

    def close(self, *, failed: bool) -> None:
        """Mark the run as finished or failed."""
        self._client.set_terminated(self._run, "FAILED" if failed else "FINISHED")


class TensorBoardMirror:
    """An event file in the run's folder."""

    def __init__(self, folder: Path) -> None:
        from torch.utils.tensorboard import SummaryWriter  # an extra, and slow to import

        self._writer = SummaryWriter(str(folder / "tensorboard"))

    def log(self, row: Mapping[str, float]) -> None:
        """Every finite value of the row, at its step."""
        for key, value in _shown(row).items():
            self._writer.add_scalar(key, value, int(row["step"]))

    def close(self, *, failed: bool) -> None:  # noqa: ARG002  # an event file can't say it
        """Flush what was written."""
        self._writer.close()


def logger_name(logging: Logging) -> str:
    """Which logger the recipe comes to here: `csv_or_mlflow` is MLflow where it is installed, else CSV.

    Raises MissingExtra where the one that it names isn't installed.
    """
    name = logging.logger
    if name == "csv_or_mlflow":
        return "mlflow" if importlib.util.find_spec("mlflow") else "csv"
    if name != "csv" and importlib.util.find_spec(name) is None:
        raise MissingExtra(feature=f"logging.logger: {name}", extra=name)
    return name


def mirror(name: str, folder: Path) -> Mirror:
    """The logger of this name for the run in `folder`; "csv" mirrors nothing."""
    match name:
        case "mlflow":
            return MlflowMirror("/".join(folder.parts[-3:]))
        case "tensorboard":
            return TensorBoardMirror(folder)
    return NoMirror()


def _shown(row: Mapping[str, float]) -> dict[str, float]:
    return {key: value for key, value in row.items() if key != "step" and math.isfinite(value)}
