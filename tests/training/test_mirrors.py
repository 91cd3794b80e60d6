from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assay.training.assembling import assemble
from assay.training.loop import TrainedRun, train
from tests.training.digits import digits, recipe


def run(logger: str, folder: Path) -> TrainedRun:
    plan = recipe(logging={"logger": logger}, training={"max_epochs": 2})
    return train(assemble(plan, digits()), recipe=plan, seed=0, folder=folder)


def test_tensorboard_gets_every_row(tmp_path: Path) -> None:
    accumulator: Any = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    done = run("tensorboard", tmp_path)
    assert done.logger == "tensorboard"
    events = accumulator.EventAccumulator(str(tmp_path / "tensorboard"))
    events.Reload()
    assert [event.step for event in events.Scalars("val_loss")] == [17, 34]
    shown = [event.value for event in events.Scalars("val_loss")]
    assert shown == pytest.approx([row["val_loss"] for row in done.history])


def test_mlflow_gets_every_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mlflow: Any = pytest.importorskip("mlflow")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", (tmp_path / "store").as_uri())
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    done = run("csv_or_mlflow", tmp_path / "single/seed-0")
    assert done.logger == "mlflow"
    client = mlflow.MlflowClient()
    logged = client.search_runs([client.get_experiment_by_name("assay").experiment_id])
    assert [each.info.status for each in logged] == ["FINISHED"]
    history = client.get_metric_history(logged[0].info.run_id, "val_loss")
    assert [(point.step, point.value) for point in history] == [(row["step"], row["val_loss"]) for row in done.history]
