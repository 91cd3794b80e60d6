"""People's own modules: trained by their own package, logged by self.log, resumed, and their failures put in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from assay.errors import RecipeError, UserCodeError
from assay.recipe.schema import Recipe
from assay.training.assembling import assemble
from assay.training.assembly import Assembly
from assay.training.checkpoints import read_checkpoint
from assay.training.loop import Limits, TrainedRun, train
from tests.training.digits import digits

OWN = "tests.training.own_classes"


def recipe(name: str = "Net", *, data: bool = True, monitor: str | None = "val_acc", **arguments: Any) -> Recipe:
    own = {"class_path": f"{OWN}.Digits"} if data else {"source": "sklearn", "name": "digits"}
    return Recipe.model_validate({
        "model": {"class_path": f"{OWN}.{name}", "init_args": arguments}, "data": own,
        "training": {"max_epochs": 4, "device": "cpu", "gradient_clip_val": 1.0},
        "checkpointing": {"monitor": monitor, "mode": "max" if monitor == "val_acc" else None},
    })


def assembled(plan: Recipe) -> Assembly:
    return assemble(plan, None if "class_path" in plan.model_dump()["data"] else digits())


def run(plan: Recipe, folder: Path, limits: Limits | None = None) -> TrainedRun:
    return train(assembled(plan), recipe=plan, seed=0, folder=folder, limits=limits or Limits())


@pytest.mark.parametrize("data", [True, False])
def test_a_module_of_ones_own_trains_and_what_it_logs_is_collected(tmp_path: Path, data: bool) -> None:
    done = run(recipe(data=data), tmp_path)
    assert (done.epochs, done.steps, done.stopped) == (4, 68, "completed")
    assert set(done.history[0]) == {"epoch", "step", "train_loss", "learning_rate", "val_loss", "val_acc"}
    assert done.best_score == max(row["val_acc"] for row in done.history) > 0.8
    assert [row["learning_rate"] for row in done.history] == [0.005, 0.0025, 0.00125, 0.000625]


def test_a_module_that_returns_no_loss_trains_too(tmp_path: Path) -> None:
    plan = recipe("ByHand")
    plan = plan.model_copy(update={"training": plan.training.model_copy(update={"gradient_clip_val": None})})
    done = run(plan, tmp_path)
    assert done.best_score is not None
    assert done.best_score > 0.8
    assert "train_loss" not in done.history[0]


def test_the_trainer_comes_from_the_modules_own_package(tmp_path: Path) -> None:
    done = run(recipe("OtherNet", data=False), tmp_path, Limits(max_epochs=1))
    assert done.epochs == 1
    with pytest.raises(RecipeError, match=r"builds on lightning.pytorch, the model on pytorch_lightning"):
        assembled(recipe("OtherNet"))


@pytest.mark.parametrize("data", [True, False])
@pytest.mark.parametrize("schedule", ["step", "plateau"])
def test_a_resumed_run_has_the_bits_of_one_that_went_straight_on(tmp_path: Path, schedule: str, data: bool) -> None:
    plan = recipe(schedule=schedule, data=data)
    straight = run(plan, tmp_path / "straight")
    run(plan, tmp_path / "resumed", Limits(max_epochs=2))
    resumed = run(plan, tmp_path / "resumed")
    assert resumed.history == straight.history
    assert (tmp_path / "straight/metrics.csv").read_bytes() == (tmp_path / "resumed/metrics.csv").read_bytes()
    first, second = (read_checkpoint(each.checkpoints["last"]) for each in (straight, resumed))
    assert all(torch.equal(first["state_dict"][name], second["state_dict"][name]) for name in first["state_dict"])
    assert first["lr_schedulers"] == second["lr_schedulers"]
    assert torch.equal(first["random"]["torch"], second["random"]["torch"])


def test_limits_hold(tmp_path: Path) -> None:
    steps = run(recipe(), tmp_path / "steps", Limits(max_steps=5))
    assert (steps.steps, steps.epochs) == (5, 0)
    rows = run(recipe(), tmp_path / "rows", Limits(max_epochs=1, rows=100))
    assert (rows.steps, rows.epochs) == (2, 1)


def test_what_stages_ask_of_an_experiment() -> None:
    assembly = assembled(recipe())
    assert (assembly.task, assembly.prepared, assembly.scorer, assembly.floors) == (None, None, None, ())
    assert (assembly.batch_size, assembly.learning_rate) == (64, 1e-2)
    first = next(iter(assembly.training_batches(0)))
    torch.rand(5)
    again, other = next(iter(assembly.training_batches(0))), next(iter(assembly.training_batches(1)))
    assert torch.equal(first[0], again[0])
    assert not torch.equal(first[0], other[0])
    module = assembly.module(0)
    assert assembly.outputs(module, first).shape == (64, 10)
    assert assembly.loss(module, first).requires_grad
    optimizer = assembly.optimizer(module, learning_rate=0.5, weight_decay=0.0)
    assert (optimizer.param_groups[0]["lr"], optimizer.param_groups[0]["weight_decay"]) == (0.5, 0.0)
    assembly.without_regularisation(module)
    assert torch.equal(assembly.outputs(module.train(), first), assembly.outputs(module.eval(), first))
    assert len(list(assembly.training_batches(0, rows=100))) == 2
    assert sum(len(batch[0]) for batch in assembly.validation_batches()) == len(digits().validation)


def test_a_failure_in_the_users_code_names_its_line(tmp_path: Path) -> None:
    source = (Path(__file__).parent / "own_classes.py").read_text().splitlines()
    line = next(number for number, text in enumerate(source, start=1) if "the failing line" in text)
    with pytest.raises(UserCodeError, match=rf"raised ValueError at .*own_classes\.py:{line}: no such class\.$"):
        run(recipe(failing="training_step"), tmp_path)


@pytest.mark.parametrize("code", ["0", "'enough'"])
def test_code_that_would_end_the_program_is_a_failure_of_that_code(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / f"ends_{len(code)}.py").write_text(f"import sys\nsys.exit({code})\n")
    monkeypatch.syspath_prepend(tmp_path)
    plan = Recipe.model_validate({
        "model": {"class_path": f"ends_{len(code)}.Net"}, "data": {"class_path": f"{OWN}.Digits"},
    })
    with pytest.raises(UserCodeError, match=r"Importing ends_\d raised SystemExit at .*ends_\d\.py:2: "):
        assemble(plan, None)


def test_a_step_that_ends_the_program_is_no_interruption(tmp_path: Path) -> None:
    with pytest.raises(UserCodeError, match=r"in training raised SystemExit at .*own_classes\.py:\d+: 7\.$"):
        run(recipe(failing="exit"), tmp_path)


def test_a_monitor_that_the_module_does_not_log_is_said_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"the module logs no val_accu; did you mean val_acc\?"):
        run(recipe(monitor="val_accu"), tmp_path)


@pytest.mark.parametrize(("path", "said"), [
    (f"{OWN}.Nett", r"has no Nett; did you mean Net\?"),
    (f"{OWN}.NoModule", "is no LightningModule"),
    ("no_such_package.Net", "there is no module no_such_package"),
])
def test_a_class_that_can_not_be_used_is_said(path: str, said: str) -> None:
    plan = Recipe.model_validate({"model": {"class_path": path}, "data": {"class_path": f"{OWN}.Digits"}})
    with pytest.raises(RecipeError, match=said):
        assemble(plan, None)


def test_arguments_that_do_not_fit_are_said_with_the_nearest() -> None:
    with pytest.raises(RecipeError, match=r"Net takes no hiden; did you mean hidden\?"):
        assembled(recipe(hiden=3)).module(0)


def test_a_data_module_needs_a_model_of_ones_own() -> None:
    plan = Recipe.model_validate({"model": {"name": "mlp"}, "data": {"class_path": f"{OWN}.Digits"}})
    with pytest.raises(RecipeError, match="give model a class_path too"):
        assemble(plan, None)
