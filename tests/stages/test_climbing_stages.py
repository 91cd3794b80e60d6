"""Each stage on a small real experiment: what it measures, and that its numbers are the experiment's own."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch

from assay.errors import UserCodeError
from assay.experiment import importable
from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.facts.interventions import BatchMixing, EvaluateTwice, OutputShape, ZeroedInputs
from assay.facts.loss import LossFacts
from assay.facts.model import ModelFacts
from assay.facts.optimizer import OptimizerFacts
from assay.facts.overfit import OverfitFacts
from assay.facts.splits import LabelFacts
from assay.facts.training import CurveFacts, EvaluationFacts, ResumeFacts, ScoreFacts
from assay.rule import judge
from assay.rules import catalogue
from assay.stage import Stage
from assay.stages.baselines import baselines
from assay.stages.overfit import overfit
from assay.stages.seeds import seeds
from assay.stages.single import single
from assay.stages.smoke import smoke
from assay.stages.subset import subset
from tests.experiments import DIGITS, IRIS, ground, opened

EXAMPLES = Path(__file__).parents[2] / "examples"


def _measured(stage: Stage, text: str, folder: Path, earlier: FactSet | None = None) -> FactSet:
    from dataclasses import replace

    return stage.measure(replace(ground(opened(text), folder), earlier=earlier or FactSet())).facts


def _loud(facts: FactSet) -> dict[str, str]:
    return {f.rule: f.summary for f in judge(catalogue(), facts).findings if f.severity in ("error", "warning")}


def test_smoke_looks_at_a_real_step(tmp_path: Path) -> None:
    facts = _measured(smoke, DIGITS, tmp_path)
    losses, model = facts.find(LossFacts), facts.find(ModelFacts)
    assert isinstance(losses, LossFacts)
    assert isinstance(model, ModelFacts)
    assert losses.calls[0].value == pytest.approx(math.log(10), abs=0.2)
    assert [p.name for p in model.models[0].parameters if p.moved is not True] == []
    assert isinstance(facts.find(OptimizerFacts), OptimizerFacts)
    shape, twice, mixing = facts.find(OutputShape), facts.find(EvaluateTwice), facts.find(BatchMixing)
    zeroed, labels = facts.find(ZeroedInputs), facts.find(LabelFacts)
    assert isinstance(shape, OutputShape)
    assert shape.output == shape.needed == (64, 10)
    assert isinstance(twice, EvaluateTwice)
    assert twice.largest_difference == 0
    assert isinstance(mixing, BatchMixing)
    assert mixing.moved == ()
    assert isinstance(zeroed, ZeroedInputs)
    assert zeroed.zeroed_loss > zeroed.loss + 10 * zeroed.standard_error
    assert isinstance(labels, LabelFacts)
    assert (labels.classes, labels.outside) == (10, ())
    assert _loud(facts) == {}


@pytest.mark.parametrize("name", ["diabetes", "breast_cancer"])
def test_smoke_knows_tasks_with_one_output(name: str, tmp_path: Path) -> None:
    facts = _measured(smoke, f"data: {{source: sklearn, name: {name}}}\ntraining: {{max_epochs: 2}}\n", tmp_path)
    shape = facts.find(OutputShape)
    assert isinstance(shape, OutputShape)
    assert shape.output == shape.needed
    assert _loud(facts) == {}


def test_overfit_memorises_and_says_how(tmp_path: Path) -> None:
    facts = _measured(overfit, DIGITS, tmp_path).find(OverfitFacts)
    assert isinstance(facts, OverfitFacts)
    assert facts.rows == 32
    assert facts.best.final < 0.001
    assert facts.best.accuracy == 1.0
    assert len(facts.attempts) == 1


def test_overfit_tries_other_rates_before_giving_up(tmp_path: Path) -> None:
    text = DIGITS.replace("3e-3", "1e-9")
    facts = _measured(overfit, text, tmp_path).find(OverfitFacts)
    assert isinstance(facts, OverfitFacts)
    assert [attempt.learning_rate for attempt in facts.attempts] == pytest.approx([1e-9, 1e-8, 1e-10, 1e-7])
    assert "cannot-overfit" in _loud(FactSet.of(facts))


def test_overfit_gathers_its_batch_from_smaller_ones(tmp_path: Path) -> None:
    facts = _measured(overfit, IRIS, tmp_path).find(OverfitFacts)
    assert isinstance(facts, OverfitFacts)
    assert facts.rows + facts.conflicting == 32


def test_label_smoothing_moves_the_reachable_loss(tmp_path: Path) -> None:
    text = DIGITS + "objective: {label_smoothing: 0.1}\n"
    facts = _measured(overfit, text, tmp_path).find(OverfitFacts)
    assert isinstance(facts, OverfitFacts)
    assert facts.target == pytest.approx(0.5003, abs=1e-4)
    assert facts.best.final == pytest.approx(facts.target, abs=0.05)
    assert _loud(FactSet.of(facts)) == {}


@pytest.mark.parametrize(("name", "objective", "floors"), [
    ("iris", "{}", 2), ("iris", "{ignore_index: 0}", 0), ("iris", "{class_weights: balanced}", 0),
    ("iris", "{label_smoothing: 0.1}", 0), ("diabetes", "{loss: mse}", 1), ("diabetes", "{loss: l1}", 0),
])
def test_only_a_plain_loss_has_floors_that_are_known(name: str, objective: str, floors: int, tmp_path: Path) -> None:
    text = f"data: {{source: sklearn, name: {name}}}\ntraining: {{max_epochs: 1}}\nobjective: {objective}\n"
    facts = _measured(overfit, text, tmp_path).find(OverfitFacts)
    assert isinstance(facts, OverfitFacts)
    assert len(facts.floors) == floors


def test_subset_resumes_to_the_same_bits(tmp_path: Path) -> None:
    facts = _measured(subset, DIGITS + "model: {dropout: 0.3, hidden: [32]}\n", tmp_path)
    resume, evaluation = facts.find(ResumeFacts), facts.find(EvaluationFacts)
    assert isinstance(resume, ResumeFacts)
    assert resume.compared > 20
    assert resume.differing == ()
    assert isinstance(evaluation, EvaluationFacts)
    assert (evaluation.examples, evaluation.expected, evaluation.seen_in_training) == (360, 360, 0)


def test_baselines_are_scored_by_the_recipes_own_metrics(tmp_path: Path) -> None:
    facts = _measured(baselines, IRIS, tmp_path).find(ScoreFacts)
    assert isinstance(facts, ScoreFacts)
    assert [each.name for each in facts.baselines] == ["constant", "linear", "boosted trees"]
    assert facts.baseline("constant") == pytest.approx(1 / 6)
    assert (facts.baseline("linear") or 0) > 0.9


def test_a_published_model_stands_among_the_baselines(tmp_path: Path) -> None:
    text = IRIS + (
        "baselines:\n  - {class_path: sklearn.neighbors.KNeighborsClassifier, init_args: {n_neighbors: 5}, "
        "status: copied, source: 'Cover and Hart 1967'}\n"
    )
    facts = _measured(baselines, text, tmp_path).find(ScoreFacts)
    assert isinstance(facts, ScoreFacts)
    assert (facts.baseline("KNeighborsClassifier") or 0) > 0.9


def test_two_published_models_of_one_class_stay_apart(tmp_path: Path) -> None:
    one = "{class_path: sklearn.neighbors.KNeighborsClassifier, init_args: {n_neighbors: %d}, source: Cover 1967}"
    facts = _measured(baselines, IRIS + f"baselines: [{one % 1}, {one % 30}]\n", tmp_path).find(ScoreFacts)
    assert isinstance(facts, ScoreFacts)
    names = [each.name for each in facts.baselines]
    assert names[-2:] == ["KNeighborsClassifier", "KNeighborsClassifier 2"]


@pytest.mark.parametrize(("monitor", "metric"), [("val_accuracy", "accuracy"), ("val_loss", "val_loss")])
def test_a_module_of_ones_own_meets_the_baselines_of_the_recipes_table(
    monitor: str, metric: str, tmp_path: Path,
) -> None:
    text = "model: {class_path: tests.stages.own_modules.Sound}\n" + DIGITS + f"checkpointing: {{monitor: {monitor}}}\n"
    below = _measured(baselines, text, tmp_path)
    facts = _measured(single, text, tmp_path, below).find(ScoreFacts)
    assert isinstance(facts, ScoreFacts)
    assert facts.metric == metric
    assert [each.name for each in facts.baselines] == ["constant", "linear", "boosted trees"]
    assert (facts.baseline("linear") is not None) == (metric == "accuracy")
    assert facts.mean is not None
    assert not {"worse-than-constant", "unstable"} & set(_loud(FactSet.of(facts)))


def test_too_few_outputs_are_a_finding_and_not_a_failure(tmp_path: Path) -> None:
    text = "model: {class_path: tests.stages.own_modules.TooFewOutputs}\n" + DIGITS
    facts = _measured(smoke, text, tmp_path)
    assert "label-range" in _loud(facts) or "head-size" in _loud(facts)
    assert isinstance(facts.find(LossFacts), Absent)


def test_a_step_that_fails_for_another_reason_is_told_with_its_line(tmp_path: Path) -> None:
    text = "model: {class_path: tests.stages.own_modules.FailsInItsStep}\n" + DIGITS
    with pytest.raises(UserCodeError, match=r"own_modules\.py:\d+"):
        _measured(smoke, text, tmp_path)


def test_single_and_seeds_share_the_first_run(tmp_path: Path) -> None:
    below = _measured(baselines, IRIS, tmp_path)
    first = _measured(single, IRIS, tmp_path, below)
    before = (tmp_path / "single" / "seed-0" / "metrics.csv").read_bytes()
    both = _measured(seeds, IRIS, tmp_path, below.joined(first)).find(ScoreFacts)
    one = first.find(ScoreFacts)
    assert isinstance(one, ScoreFacts)
    assert isinstance(both, ScoreFacts)
    assert [each.seed for each in both.seeds] == [0, 1]
    assert both.seeds[0] == one.seeds[0]
    assert both.baselines == one.baselines
    assert (tmp_path / "single" / "seed-0" / "metrics.csv").read_bytes() == before
    assert isinstance(first.find(CurveFacts), CurveFacts)


def test_a_seed_that_is_not_finite_counts_as_failed(tmp_path: Path) -> None:
    text = IRIS.replace("learning_rate: 1e-2", "learning_rate: 1e12, optimizer: SGD")
    facts = _measured(seeds, text, tmp_path)
    scores = facts.find(ScoreFacts)
    assert isinstance(scores, ScoreFacts)
    assert all(each.score is None and each.failure for each in scores.seeds)
    assert {"diverged", "unstable"} & set(_loud(facts))


def test_peoples_own_classes_climb_the_same_stages(tmp_path: Path) -> None:
    text = (EXAMPLES / "own_module" / "recipe.yaml").read_text()
    with importable(EXAMPLES / "own_module"):
        experiment = opened(text)
        for stage in (smoke, overfit, subset):
            facts = stage.measure(ground(experiment, tmp_path)).facts
            assert _loud(facts) == {}, stage.name


def test_softmax_twice_is_named_with_its_place(tmp_path: Path) -> None:
    text = (EXAMPLES / "own_module" / "softmax_twice.yaml").read_text()
    with importable(EXAMPLES / "own_module"):
        facts = smoke.measure(ground(opened(text), tmp_path)).facts
    found = next(f for f in judge(catalogue(), facts).findings if f.rule == "loss-on-probabilities")
    assert found.where is not None
    assert found.where.place is not None
    assert found.where.place.file.endswith("network.py")
    line = (EXAMPLES / "own_module" / "network.py").read_text().splitlines()[found.where.place.line - 1]
    assert "cross_entropy" in line


def test_stages_leave_the_random_streams_alone(tmp_path: Path) -> None:
    torch.manual_seed(5)
    before = torch.get_rng_state()
    for stage in (smoke, overfit, subset, baselines):
        stage.measure(ground(opened(IRIS), tmp_path))
    assert torch.equal(before, torch.get_rng_state())


def test_examples_to_be_ignored_count_for_nothing(tmp_path: Path) -> None:
    text = IRIS + "objective: {ignore_index: 2}\n"
    scores = _measured(baselines, text, tmp_path).find(ScoreFacts)
    assert isinstance(scores, ScoreFacts)
    assert scores.validation_rows == 20
    memorised = _measured(overfit, text, tmp_path).find(OverfitFacts)
    assert isinstance(memorised, OverfitFacts)
    assert memorised.rows < 32
    assert memorised.best.accuracy == 1.0
    zeroed = _measured(smoke, text, tmp_path).find(ZeroedInputs)
    assert isinstance(zeroed, ZeroedInputs)
    assert math.isfinite(zeroed.loss)
