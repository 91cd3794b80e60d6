"""Figures that are known from elsewhere, through our own API.

They come from a textbook's chapter on training: a network of 64, 128 and 10 units on scikit-learn's digits, pixels
divided by 16, three fifths of the rows for training. Where the chapter draws batches with replacement, ours come from
a permutation of each epoch, so that its figures over seeds are met within their noise.
"""

from __future__ import annotations

import math
import statistics
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from assay.dataset import Examples, Prepared, Split
from assay.facts.fact_set import FactSet
from assay.facts.loss import LossFacts
from assay.facts.overfit import OverfitFacts
from assay.preparation import split
from assay.recipe.schema import DataBlock, Evaluation, NamedModel, Recipe, SplitPlan, Training
from assay.rule import judge
from assay.rules import catalogue
from assay.sources import load
from assay.stage import Ground
from assay.stages.overfit import overfit
from assay.training.loop import train
from assay.training.recipe_assembly import RecipeAssembly, recipe_assembly
from assay.training.recipe_module import RecipeModule, Task
from assay.training.trained_run import Limits
from assay.watching.session import recording

DATA = DataBlock(source="sklearn", name="digits", scale="none", split=SplitPlan(
    kind="stratified", train=0.6, validation=0.4, test=0.0, seed=0,
))


def _prepared() -> Prepared:
    digits = load(DATA)
    rows: Split = split(digits, DATA.split)

    def examples(name: str) -> Examples:
        chosen = rows.rows(name)  # type: ignore[arg-type]
        return Examples(x=(digits.x[chosen] / 16).astype("float32"), y=digits.y[chosen], rows=chosen)

    return Prepared(train=examples("train"), validation=examples("validation"))


def _assembly(**training: Any) -> RecipeAssembly:
    settings = {"optimizer": "Adam", "learning_rate": 3e-3, "batch_size": 32, "max_epochs": 20, **training}
    recipe = Recipe(
        task="multiclass", data=DATA, model=NamedModel(hidden=(128,)), training=Training(**settings),
        evaluation=Evaluation(metrics=("accuracy",)), seeds=(0,),
    )
    return recipe_assembly(recipe, _prepared())


def test_the_first_loss_is_near_log_10() -> None:
    digits = load(DATA)
    everything = torch.tensor(digits.x / 16, dtype=torch.float32), torch.tensor(digits.y)
    assembly = _assembly()
    loss = float(assembly.loss(assembly.module(0), everything).detach())
    assert round(loss, 3) == 2.310
    assert assembly.task.expected_first_loss == (pytest.approx(2.303, abs=5e-4), "log 10")


def test_the_probes_see_the_same_first_loss() -> None:
    assembly = _assembly()
    module = assembly.module(0)
    batch = next(iter(assembly.training_batches(0)))
    optimizer = assembly.optimizer(module)
    with recording() as seen:
        loss = assembly.loss(module, batch)
        loss.backward()
        optimizer.step()
    facts = seen.facts().find(LossFacts)
    assert isinstance(facts, LossFacts)
    assert facts.calls[0].value == pytest.approx(float(loss.detach()))


def _overfitted(assembly: RecipeAssembly, folder: Path) -> OverfitFacts:
    ground = Ground(recipe=assembly.recipe, assembly=assembly, folder=folder)
    facts = overfit.measure(ground).facts.find(OverfitFacts)
    assert isinstance(facts, OverfitFacts)
    return facts


def test_thirty_two_examples_are_memorised(tmp_path: Path) -> None:
    facts = _overfitted(_assembly(), tmp_path)
    assert f"{facts.best.final:.3f} {facts.best.accuracy:.2f}" == "0.000 1.00"


class SoftmaxTwice(RecipeAssembly):
    """The same network with a softmax at its end."""

    def _made(self) -> RecipeModule:
        network = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10), nn.Softmax(1))
        task = Task(loss=self.loss_of_outputs, scorer=self.scorer, training=self.recipe.training, lone_row=True)
        return RecipeModule(network, task)


def test_softmax_twice_stalls_at_its_floor_and_is_named(tmp_path: Path) -> None:
    sound = _assembly()
    twice = SoftmaxTwice(**{name: getattr(sound, name) for name in sound.__dataclass_fields__})
    facts = _overfitted(twice, tmp_path)
    assert facts.best.accuracy == 1.0
    assert facts.best.final == pytest.approx(1.4612, abs=1e-4)
    assert facts.best.final == pytest.approx(math.log(1 + 9 / math.e), abs=1e-4)
    finding = judge(catalogue(), FactSet.of(facts)).findings[0]
    assert finding.rule == "plateau-at-floor"
    assert "1.4612 = log(1 + 9/e): softmax is applied twice" in finding.summary


@pytest.mark.parametrize(("rate", "mean", "deviation"), [(1e-3, 93.7, 0.5), (3e-3, 95.8, 0.6)])
def test_ten_seeds(rate: float, mean: float, deviation: float, tmp_path: Path) -> None:
    assembly = _assembly(learning_rate=rate)
    runs = [
        train(assembly, recipe=assembly.recipe, seed=seed, folder=tmp_path / str(seed), limits=Limits(max_steps=300))
        for seed in range(10)
    ]
    assert {run.steps for run in runs} == {300}
    accuracies = [100 * run.history[-1]["val_accuracy"] for run in runs]
    # both means are over ten seeds, and the splits differ: 719 rows let an accuracy near 95 % move by 0.8 points
    noise = 3 * math.sqrt(2 * deviation**2 / 10) + 0.8
    assert statistics.fmean(accuracies) == pytest.approx(mean, abs=noise)
    assert statistics.stdev(accuracies) < 3 * deviation


def test_the_same_seed_gives_the_same_result(tmp_path: Path) -> None:
    assembly = _assembly()
    first, second = (
        train(assembly, recipe=assembly.recipe, seed=3, folder=tmp_path / name, limits=Limits(max_steps=100))
        for name in ("first", "second")
    )
    assert first.history == second.history
    assert replace(first, checkpoints={}, seconds=0.0) == replace(second, checkpoints={}, seconds=0.0)
