"""Runs of recipes: what they log, when they stop, and that they repeat and resume bit for bit."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from assay.dataset import Examples, Prepared
from assay.errors import MissingExtra, RecipeError, RunFolderError
from assay.recipe.schema import Recipe
from assay.training.assembling import assemble
from assay.training.checkpoints import read_checkpoint
from assay.training.loop import Limits, TrainedRun, train
from tests.training.digits import digits, recipe

DROPOUT = {"dropout": 0.2, "batch_norm": True}
EVERYTHING = {
    "max_epochs": 4, "optimizer": "AdamW", "weight_decay": 0.1, "gradient_clip_val": 1.0,
    "scheduler": {"name": "cosine", "warmup_steps": 20}, "early_stopping": {"patience": 50},
}


def run(plan: Recipe, folder: Path, *, seed: int = 0, limits: Limits | None = None) -> TrainedRun:
    return train(assemble(plan, digits()), recipe=plan, seed=seed, folder=folder, limits=limits or Limits())


def differing(first: Any, second: Any, name: str = "") -> list[str]:
    """Where two checkpoints differ."""
    if isinstance(first, dict):
        assert first.keys() == second.keys()
        return [each for key in first for each in differing(first[key], second[key], f"{name}.{key}")]
    if isinstance(first, list | tuple):
        pairs = zip(first, second, strict=True)
        return [each for i, (a, b) in enumerate(pairs) for each in differing(a, b, f"{name}.{i}")]
    if isinstance(first, torch.Tensor):
        return [] if torch.equal(first, second) else [name]
    return [] if first == second or name.endswith(".seconds") else [name]


def same_run(first: Path, second: Path) -> None:
    assert (first / "metrics.csv").read_bytes() == (second / "metrics.csv").read_bytes()
    contents = [read_checkpoint(folder / "checkpoints/last.ckpt") for folder in (first, second)]
    assert differing(*contents) == []


def test_a_run_learns_and_logs_what_is_asked_for(tmp_path: Path) -> None:
    done = run(recipe(), tmp_path)
    assert done.stopped == "completed"
    assert (done.epochs, done.steps) == (3, 51)
    assert [row["epoch"] for row in done.history] == [0, 1, 2]
    assert set(done.history[0]) == {
        "epoch", "step", "train_loss", "val_loss", "val_macro_f1", "val_weighted_f1", "val_accuracy", "learning_rate",
    }
    assert done.monitor == "val_macro_f1"
    assert done.best_score == max(row["val_macro_f1"] for row in done.history) > 0.5
    assert done.confusion_matrix is not None
    assert sum(map(sum, done.confusion_matrix)) == len(digits().validation)
    assert done.history[0]["train_loss"] > done.history[-1]["train_loss"]
    points = next(curve for curve in done.curves if curve.name == "train_loss_step")
    assert points.steps == (10, 17, 27, 34, 44, 51)
    assert (tmp_path / "timings.csv").read_text().splitlines()[0] == "epoch,seconds"
    assert done.seconds > 0


def test_the_same_seed_gives_the_same_bits_and_another_seed_does_not(tmp_path: Path) -> None:
    plan = recipe(model=DROPOUT)
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        torch.manual_seed(hash(name) % 1000)
        random.seed(name)
        run(plan, tmp_path / name, seed=seed)
    same_run(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "a/metrics.csv").read_bytes() != (tmp_path / "c/metrics.csv").read_bytes()


def test_a_run_leaves_the_random_streams_as_it_found_them(tmp_path: Path) -> None:
    torch.manual_seed(5)
    np.random.seed(6)
    random.seed(7)
    before = torch.get_rng_state(), np.random.get_state()[1].tolist(), random.getstate()
    run(recipe(model=DROPOUT), tmp_path, limits=Limits(max_steps=5))
    assert torch.equal(before[0], torch.get_rng_state())
    assert before[1:] == (np.random.get_state()[1].tolist(), random.getstate())


def test_how_often_is_logged_and_how_many_workers_load_changes_no_bit(tmp_path: Path) -> None:
    runs = [
        run(recipe(model=DROPOUT, logging={"log_every_n_steps": every}, training={"num_workers": workers}),
            tmp_path / f"{every}-{workers}", limits=Limits(max_epochs=2))
        for every, workers in ((10, 0), (1, 0), (7, 2))
    ]
    states = [read_checkpoint(each.checkpoints["last"])["state_dict"] for each in runs]
    assert differing(states[0], states[1]) == differing(states[0], states[2]) == []
    assert runs[0].history == runs[1].history == runs[2].history


@pytest.mark.parametrize("scheduler", [
    {"name": "cosine", "warmup_steps": 20}, {"name": "plateau", "patience": 0, "factor": 0.5},
    {"name": "step", "step_size": 1},
])
def test_a_resumed_run_has_the_bits_of_one_that_went_straight_on(tmp_path: Path, scheduler: dict[str, Any]) -> None:
    plan = recipe(model=DROPOUT, training={**EVERYTHING, "scheduler": scheduler})
    run(plan, tmp_path / "straight")
    half = run(plan, tmp_path / "resumed", limits=Limits(max_epochs=2))
    assert (half.epochs, half.stopped) == (2, "completed")
    whole = run(plan, tmp_path / "resumed")
    assert whole.epochs == 4
    same_run(tmp_path / "straight", tmp_path / "resumed")


def test_a_run_that_was_killed_in_mid_epoch_goes_on_with_the_same_bits(tmp_path: Path) -> None:
    program = """
        import os, signal, sys
        from pathlib import Path
        from assay.training import loop
        from assay.training.assembling import assemble
        from tests.training.digits import digits, recipe
        from tests.training.test_recipe_run import DROPOUT, EVERYTHING

        def report(done, total, doing):
            if done >= 45:  # in the third epoch of 17 steps
                os.kill(os.getpid(), signal.SIGKILL)

        plan = recipe(model=DROPOUT, training=EVERYTHING)
        loop.train(assemble(plan, digits()), recipe=plan, seed=0, folder=Path(sys.argv[1]), report=report)
    """
    killed = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program), str(tmp_path / "killed")],
        cwd=Path(__file__).parents[2], env={**os.environ, "OMP_NUM_THREADS": str(torch.get_num_threads())}, check=False,
        capture_output=True,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    assert len((tmp_path / "killed/metrics.csv").read_text().splitlines()) > 7
    with (tmp_path / "killed/metrics.csv").open("a") as log:
        log.write("2,46,0.1")  # a torn last line
    plan = recipe(model=DROPOUT, training=EVERYTHING)
    run(plan, tmp_path / "killed")
    run(plan, tmp_path / "straight")
    same_run(tmp_path / "straight", tmp_path / "killed")


def test_where_the_last_checkpoint_is_damaged_the_previous_one_is_used_and_said(tmp_path: Path) -> None:
    plan = recipe(training={"max_epochs": 4})
    run(plan, tmp_path / "straight")
    half = run(plan, tmp_path / "damaged", limits=Limits(max_epochs=3))
    data = bytearray(half.checkpoints["last"].read_bytes())
    data[len(data) // 2] ^= 1
    half.checkpoints["last"].write_bytes(data)
    whole = run(plan, tmp_path / "damaged")
    assert whole.notes == ("last.ckpt is damaged; training goes on from previous.ckpt.",)
    same_run(tmp_path / "straight", tmp_path / "damaged")


def test_where_no_checkpoint_is_whole_the_run_says_so(tmp_path: Path) -> None:
    done = run(recipe(), tmp_path, limits=Limits(max_epochs=2))
    for name in ("last", "previous"):
        done.checkpoints[name].write_bytes(b"")
    with pytest.raises(RunFolderError, match=r"no checkpoint that is whole \(last.ckpt, previous.ckpt damaged\)"):
        run(recipe(), tmp_path)


def test_a_finished_run_is_read_back(tmp_path: Path) -> None:
    done = run(recipe(), tmp_path)
    written = done.checkpoints["last"].stat().st_mtime_ns
    again = run(recipe(), tmp_path)
    assert again == done
    assert done.checkpoints["last"].stat().st_mtime_ns == written


def test_a_limit_on_steps_cuts_an_epoch_short_and_a_longer_run_starts_that_epoch_anew(tmp_path: Path) -> None:
    short = run(recipe(), tmp_path / "short", limits=Limits(max_steps=25))
    assert (short.steps, short.epochs, short.stopped) == (25, 1, "completed")
    assert len(short.history) == 2
    run(recipe(), tmp_path / "short")
    run(recipe(), tmp_path / "straight")
    same_run(tmp_path / "straight", tmp_path / "short")


def test_a_limit_on_rows_trains_on_the_first_rows_and_validates_on_all(tmp_path: Path) -> None:
    few = run(recipe(), tmp_path, limits=Limits(max_epochs=1, rows=100))
    assert few.steps == 2
    assert few.confusion_matrix is not None
    assert sum(map(sum, few.confusion_matrix)) == len(digits().validation)


def test_early_stopping_waits_as_long_as_it_was_told(tmp_path: Path) -> None:
    plan = recipe(training={
        "max_epochs": 50, "learning_rate": 1e-12, "early_stopping": {"patience": 3, "min_delta": 0.1},
    })
    done = run(plan, tmp_path)
    assert (done.stopped, done.epochs) == ("early stopping", 4)
    assert run(plan, tmp_path) == done


def test_a_run_that_is_not_finite_stops_and_says_so(tmp_path: Path) -> None:
    plan = recipe(training={"max_epochs": 30, "optimizer": "SGD", "learning_rate": 1e12, "momentum": 0.0})
    done = run(plan, tmp_path)
    assert done.stopped == "not finite"
    assert done.steps <= 10
    assert done.best_score is None
    assert "best" not in done.checkpoints
    assert repr(run(plan, tmp_path)) == repr(done)  # NaN equals nothing


def test_an_interruption_stays_one_and_the_run_can_go_on(tmp_path: Path) -> None:
    def interrupting(done: int, total: int, doing: str) -> None:
        if done > 20:
            raise KeyboardInterrupt

    handler = signal.getsignal(signal.SIGINT)
    plan = recipe()
    with pytest.raises(KeyboardInterrupt):
        train(assemble(plan, digits()), recipe=plan, seed=0, folder=tmp_path / "cut", report=interrupting)
    assert signal.getsignal(signal.SIGINT) is handler
    run(plan, tmp_path / "cut")
    run(plan, tmp_path / "straight")
    same_run(tmp_path / "straight", tmp_path / "cut")


def test_the_best_checkpoint_holds_the_weights_of_the_best_epoch(tmp_path: Path) -> None:
    plan = recipe(training={"max_epochs": 6, "learning_rate": 0.05})
    done = run(plan, tmp_path)
    assembly = assemble(plan, digits())
    module = assembly.module(0)
    module.load_state_dict(read_checkpoint(done.checkpoints["best"])["state_dict"])
    module.eval()
    held = digits().validation
    outputs = assembly.outputs(module, (torch.from_numpy(held.x), None)).detach()
    assert assembly.scorer is not None
    scores = assembly.scorer.score(assembly.scorer.predictions(outputs), torch.from_numpy(held.y))
    assert scores.scalars["macro_f1"] == done.best_score
    assert scores.confusion_matrix == done.confusion_matrix


def test_what_the_recipe_does_not_keep_is_not_kept(tmp_path: Path) -> None:
    done = run(recipe(checkpointing={"save_last": False}), tmp_path)
    assert set(done.checkpoints) == {"best"}


def test_initialisation_has_a_stream_of_its_own() -> None:
    assembly = assemble(recipe(), digits())
    torch.manual_seed(9)
    expected = torch.rand(3)
    torch.manual_seed(9)
    first = assembly.module(0)
    assert torch.equal(torch.rand(3), expected)
    again, other = assembly.module(0), assembly.module(1)
    assert torch.equal(first.network.head.weight, again.network.head.weight)
    assert not torch.equal(first.network.head.weight, other.network.head.weight)


def test_a_prior_bias_makes_the_first_loss_the_entropy_of_the_labels() -> None:
    x = np.zeros((100, 4), np.float32)
    y = (np.arange(100) < 10).astype(np.int64)
    part = Examples(x=x, y=y, rows=np.arange(100))
    plan = Recipe.model_validate({
        "task": "multiclass", "data": {"source": "sklearn", "name": "digits"},
        "model": {"name": "mlp", "hidden": [], "prior_bias": True},
    })
    assembly = assemble(plan, Prepared(train=part, validation=part))
    loss = assembly.loss(assembly.module(0), (torch.from_numpy(x), torch.from_numpy(y)))
    assert assembly.task is not None
    assert float(loss.detach()) == pytest.approx(assembly.task.label_entropy, abs=1e-5)


@pytest.mark.parametrize("task", ["binary", "regression"])
def test_tasks_with_one_output_train_too(tmp_path: Path, task: str) -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 3)).astype(np.float32)
    score = x @ np.array([1.0, -2.0, 0.5], np.float32)
    y = (score > 0).astype(np.float32) if task == "binary" else score / score.std()
    parts = [Examples(x=x[rows], y=y[rows], rows=np.arange(200)[rows]) for rows in (slice(0, 150), slice(150, 200))]
    plan = recipe(task=task, training={"max_epochs": 30, "batch_size": 16, "learning_rate": 1e-2})
    prepared = Prepared(train=parts[0], validation=parts[1], target_mean=5.0, target_scale=2.0)
    done = train(assemble(plan, prepared), recipe=plan, seed=0, folder=tmp_path)
    assert done.best_score is not None
    if task == "binary":
        assert done.best_score > 0.9
    else:
        assert done.sense == "min"
        assert done.history[-1]["val_r2"] > 0.95


def test_mixed_precision_trains(tmp_path: Path) -> None:
    done = run(recipe(training={"precision": "bf16-mixed"}), tmp_path)
    assert done.best_score is not None
    assert done.best_score > 0.5


def test_a_device_that_is_not_there_is_said(tmp_path: Path) -> None:
    if torch.cuda.is_available():
        pytest.skip("this machine has the device")
    with pytest.raises(RecipeError, match="no cuda device; use auto or cpu"):
        run(recipe(training={"device": "cuda"}), tmp_path)


def test_loggers_that_are_not_installed_are_said_and_csv_or_mlflow_says_which(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"assay\[mlflow\]"):
        run(recipe(logging={"logger": "mlflow"}), tmp_path)
    done = run(recipe(logging={"logger": "csv_or_mlflow"}), tmp_path, limits=Limits(max_steps=2))
    assert done.logger == "csv"


def test_where_the_loss_is_monitored_a_metric_still_compares_with_baselines(tmp_path: Path) -> None:
    plan = recipe(checkpointing={"monitor": "val_loss", "mode": "min"})
    assembly = assemble(plan, digits())
    assert assembly.task is not None
    assert (assembly.task.selects, assembly.task.sense) == ("macro_f1", "max")
    done = run(plan, tmp_path, limits=Limits(max_epochs=2))
    assert (done.monitor, done.sense) == ("val_loss", "min")
    assert done.best_score == min(row["val_loss"] for row in done.history)


def test_what_does_not_go_together_is_refused() -> None:
    with pytest.raises(RecipeError, match="batch norm can't normalise a single example"):
        assemble(recipe(model={"batch_norm": True}, training={"batch_size": 1}), digits())
    with pytest.raises(RecipeError, match="val_f2 isn't logged"):
        assemble(recipe(checkpointing={"monitor": "val_f2"}), digits())
    with pytest.raises(RecipeError, match="no class frequencies"):
        assemble(recipe(task="regression", model={"prior_bias": True}), digits())


def test_ten_seeds_of_the_published_network_lie_where_they_were_published(tmp_path: Path) -> None:
    """64-128-10, Adam at 3e-3, 300 steps of 32: 95.8 ± 0.6 % over ten seeds, there drawn with replacement."""
    plan = recipe(
        model={"hidden": [128]}, training={"batch_size": 32, "max_epochs": 9}, checkpointing={"save_best": False},
        evaluation={"metrics": ["accuracy"]},
    )
    scores = [
        run(plan, tmp_path / str(seed), seed=seed, limits=Limits(max_steps=300)).history[-1]["val_accuracy"]
        for seed in range(10)
    ]
    # two standard errors of the difference of two means of ten at a deviation of 0.6 are 0.54 points; drawing without
    # replacement sees more different examples and may add a little
    assert 100 * float(np.mean(scores)) == pytest.approx(95.8, abs=0.9)
    assert 0.2 < 100 * float(np.std(scores, ddof=1)) < 1.2


def test_a_network_that_no_memory_holds_is_said() -> None:
    with pytest.raises(RecipeError, match=r"model\.hidden: widths of 1,000,000,000,000 don't fit"):
        assemble(recipe(model={"hidden": [10**12]}), digits()).module(0)
