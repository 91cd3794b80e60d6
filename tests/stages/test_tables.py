"""The stages on tables with categories, dates, missing values and several labels."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assay.dataset import Dataset
from assay.experiment import Experiment
from assay.facts.fact_set import FactSet
from assay.facts.interventions import OutputShape
from assay.facts.overfit import OverfitFacts
from assay.facts.training import ScoreFacts
from assay.recipe.derived import derive
from assay.rule import judge
from assay.rules import catalogue
from assay.stages.baselines import baselines
from assay.stages.data import data
from assay.stages.overfit import overfit
from assay.stages.single import single
from assay.stages.smoke import smoke
from tests.experiments import ground, opened_on

TRAINING = "training: {max_epochs: 6, batch_size: 32, learning_rate: 1e-2, weight_decay: 0.01}\nseeds: [0]\n"
SEVERAL = "data: {source: table, name: t, files: [t.csv], target: [p, q]}\n" + TRAINING


def mixed(task: str = "multilabel") -> Dataset:
    """Two numbers (one with gaps), a city among fifty with gaps, a colour among three and a day, of 500 rows."""
    rng = np.random.default_rng(0)
    rows = 500
    numbers = rng.normal(size=(rows, 2))
    city, colour, day = rng.integers(0, 50, rows), rng.integers(0, 3, rows), rng.integers(19_000, 19_700, rows)
    score = numbers[:, 0] + (colour == 1) + (city % 2) + rng.normal(size=rows) / 4
    x = np.column_stack([numbers, city, colour, day]).astype(np.float64)
    x[rng.random(rows) < 0.1, 1] = x[rng.random(rows) < 0.05, 2] = np.nan
    labels = np.column_stack([score > 1, numbers[:, 0] - score > -0.5])
    return Dataset(
        name="t", task="multilabel" if task == "multilabel" else "binary", x=x,
        y=labels.astype(np.float64) if task == "multilabel" else labels[:, 0].astype(np.int64),
        classes=("p", "q") if task == "multilabel" else ("no", "yes"),
        columns=("a", "b", "city", "colour", "day"), kinds=("number", "number", "category", "category", "date"),
        categories={"city": tuple(f"city {at}" for at in range(50)), "colour": ("red", "green", "blue")},
    )


@pytest.fixture(scope="module")
def several() -> Experiment:
    return opened_on(mixed(), SEVERAL)


def test_several_labels_climb_from_the_data_to_a_run(several: Experiment, tmp_path: Path) -> None:
    facts = FactSet()
    for each in (data, baselines, smoke, overfit, single):
        facts = facts.joined(each.measure(replace(ground(several, tmp_path), earlier=facts)).facts)
    judgement = judge(catalogue(), facts)
    assert judgement.errors == ()
    assert judgement.broken == {}
    shape, memorised, scores = facts.find(OutputShape), facts.find(OverfitFacts), facts.find(ScoreFacts)
    assert isinstance(shape, OutputShape)
    assert shape.output == shape.needed == (32, 2)
    assert isinstance(memorised, OverfitFacts)
    assert memorised.best.final < 0.05
    assert isinstance(scores, ScoreFacts)
    reached = scores.seeds[0].score
    assert reached is not None
    assert reached > scores.baselines[0].scores["macro_f1"] + 0.1


def test_the_first_loss_of_several_labels_is_log_two(several: Experiment, tmp_path: Path) -> None:
    measured = smoke.measure(ground(several, tmp_path))
    assert measured.result["expected_first_loss"] == pytest.approx(math.log(2))
    assert measured.result["first_loss"] == pytest.approx(math.log(2), abs=0.1)


def test_what_a_plan_counts_is_what_the_network_has(several: Experiment) -> None:
    made = several.assembly.module(0)
    trained = sum(weight.numel() for weight in made.parameters())
    assert derive(several.resolved.recipe).parameters.value == trained
    assert several.assembly.prepared is not None
    assert several.assembly.prepared.names[-1] == "city (code)"


def test_a_smoothed_label_has_a_lowest_loss_of_its_own(tmp_path: Path) -> None:
    text = "data: {source: table, name: t, files: [t.csv], target: p}\nobjective: {label_smoothing: 0.2}\n" + TRAINING
    facts = overfit.measure(ground(opened_on(mixed("binary"), text), tmp_path)).facts.find(OverfitFacts)
    assert isinstance(facts, OverfitFacts)
    assert facts.target == pytest.approx(-0.9 * math.log(0.9) - 0.1 * math.log(0.1))
    assert facts.best.final == pytest.approx(facts.target, abs=0.05)


def test_weighted_labels_start_at_log_two_as_well(tmp_path: Path) -> None:
    for text in (SEVERAL, SEVERAL.replace("target: [p, q]", "target: p")):
        dataset = mixed("multilabel" if text == SEVERAL else "binary")
        weighted = opened_on(dataset, text + "objective: {class_weights: balanced}\n")
        assert smoke.measure(ground(weighted, tmp_path)).result["first_loss"] == pytest.approx(math.log(2), abs=0.1)
