"""Rules on models and evaluation, where programs can't easily stand right at a threshold."""

from __future__ import annotations

import math

import pytest

from assay.facts.fact import Unknown
from assay.facts.fact_set import FactSet
from assay.facts.interventions import BatchMixing, EvaluateTwice, OutputShape, ZeroedInputs
from assay.facts.splits import BadColumn, ColumnFacts, DataVersionFacts, LabelFacts, SplitFacts, SplitRecord
from assay.facts.task import TaskFacts
from assay.facts.training import EvaluationFacts, ResumeFacts
from assay.rule import Judgement, judge
from assay.rules.data.bad_values import bad_values
from assay.rules.data.class_imbalance import class_imbalance
from assay.rules.data.label_range import label_range
from assay.rules.data.split_empty import split_empty
from assay.rules.data.split_overlap import split_overlap
from assay.rules.evaluation.eval_augmented import eval_augmented
from assay.rules.evaluation.eval_on_train import eval_on_train
from assay.rules.model.batch_mixing import batch_mixing
from assay.rules.model.constant_output import constant_output
from assay.rules.model.head_size import head_size
from assay.rules.model.input_ignored import input_ignored
from assay.rules.record.data_changed import data_changed
from assay.rules.record.resume_differs import resume_differs


def severities(judgement: Judgement) -> list[str]:
    return [str(finding.severity) for finding in judgement.findings]


def zeroed(
    loss: float, on_zeros: float, *, difference: float = 1.0, first: float = 2.3, error: float = 0.05,
) -> ZeroedInputs:
    return ZeroedInputs(
        rows=64, initial_loss=first, loss=loss, zeroed_loss=on_zeros, standard_error=error,
        largest_difference=difference, steps=200,
    )


@pytest.mark.parametrize(("output", "needed", "expected"), [
    ((64, 10), (64, 10), []), ((64, 11), (64, 10), ["warning"]), ((64, 9), (64, 10), ["error"]), ((64,), (64,), []),
    ((64, 1), (64,), []), ((64, 2), (64,), ["error"]), ((64, 10, 1), (64, 10), []), ((10, 64), (64, 10), ["error"]),
])
def test_head_size(output: tuple[int, ...], needed: tuple[int, ...], expected: list[str]) -> None:
    judgement = judge([head_size], FactSet.of(OutputShape(output=output, needed=needed, varies=True)))
    assert severities(judgement) == expected


def test_equal_outputs_alone_are_a_suspicion_and_an_answer_settles_it() -> None:
    equal = OutputShape(output=(64, 10), needed=(64, 10), varies=False)
    alone = judge([constant_output], FactSet.of(equal))
    assert [doubt.asks for doubt in alone.asked] == [ZeroedInputs]
    assert "constant-output" in alone.not_checked
    unmoved = judge([constant_output], FactSet.of(equal, zeroed(2.3, 2.3, difference=0.0)))
    assert severities(unmoved) == ["error"]
    assert judge([constant_output], FactSet.of(equal, zeroed(0.1, 2.3))).passed == ("constant-output",)


def test_a_batch_of_one_can_not_vary() -> None:
    one = OutputShape(output=(1, 10), needed=(1, 10), varies=False)
    assert judge([constant_output], FactSet.of(one)).findings == ()


def test_inputs_that_are_used_and_fitted_pass() -> None:
    assert judge([input_ignored], FactSet.of(zeroed(0.1, 2.4))).passed == ("input-ignored",)


def test_inputs_that_move_no_loss_are_ignored() -> None:
    assert severities(judge([input_ignored], FactSet.of(zeroed(2.2, 2.2, difference=2e-4)))) == ["error"]


def test_a_fit_no_better_than_a_constant_prediction_says_nothing_of_the_inputs() -> None:
    rare = TaskFacts(kind="binary", outputs=1, label_entropy=0.056, selects="macro_f1", sense="max")
    judgement = judge([input_ignored], FactSet.of(zeroed(0.3, 0.32, first=0.7), rare))
    assert "a constant prediction" in judgement.not_checked["input-ignored"]
    assert judge([input_ignored], FactSet.of(zeroed(0.3, 0.32, first=0.7))).passed == ("input-ignored",)


def test_a_fit_that_barely_began_still_passes_if_zeros_do_clearly_worse() -> None:
    assert judge([input_ignored], FactSet.of(zeroed(2.25, 2.5))).passed == ("input-ignored",)
    assert "input-ignored" in judge([input_ignored], FactSet.of(zeroed(2.25, 2.3))).not_checked


def test_a_loss_that_is_not_finite_says_nothing_of_the_inputs() -> None:
    assert "input-ignored" in judge([input_ignored], FactSet.of(zeroed(math.nan, math.nan))).not_checked


def test_batch_mixing_reports_how_many_moved() -> None:
    still = BatchMixing(rows=8, changed=0, moved=(), largest=1e-7, spread=1.0)
    moved = BatchMixing(rows=8, changed=0, moved=(1, 2), largest=0.3, spread=1.0)
    assert judge([batch_mixing], FactSet.of(still)).passed == ("batch-mixing",)
    assert "2 of 7" in judge([batch_mixing], FactSet.of(moved)).findings[0].summary


@pytest.mark.parametrize(("difference", "spread", "found"), [
    (0.0, 1.0, False), (1e-6, 1.0, False), (1e-3, 1.0, True), (0.0, 0.0, False), (1e-3, 0.0, True),
])
def test_rounding_is_no_randomness(difference: float, spread: float, found: bool) -> None:
    twice = EvaluateTwice(rows=64, largest_difference=difference, spread=spread)
    assert bool(judge([eval_augmented], FactSet.of(twice)).findings) is found


@pytest.mark.parametrize(("seen", "expected"), [(0, []), (10, ["note"]), (11, ["error"]), (400, ["error"])])
def test_shared_examples_are_an_error_once_they_outweigh_chance(seen: int, expected: list[str]) -> None:
    facts = EvaluationFacts(examples=400, seen_in_training=seen, expected=400)
    assert severities(judge([eval_on_train], FactSet.of(facts))) == expected


def test_a_validation_without_examples_can_not_be_judged() -> None:
    facts = EvaluationFacts(examples=0, seen_in_training=0, expected=None)
    assert "eval-on-train" in judge([eval_on_train], FactSet.of(facts)).not_checked


def test_a_resumed_run_is_compared_to_the_bit() -> None:
    same = ResumeFacts(compared=40, differing=(), epochs=2)
    other = ResumeFacts(compared=40, differing=(("weight", 1e-9), ("bias", 1e-7)), epochs=2)
    assert judge([resume_differs], FactSet.of(same)).passed == ("resume-differs",)
    assert "bias" in judge([resume_differs], FactSet.of(other)).findings[0].summary
    nothing = ResumeFacts(compared=0, differing=(), epochs=2)
    assert "resume-differs" in judge([resume_differs], FactSet.of(nothing)).not_checked


def test_a_recipe_without_a_fingerprint_can_not_be_compared_with() -> None:
    facts = DataVersionFacts(recorded=None, found="sha256:1", changes=())
    assert "data-changed" in judge([data_changed], FactSet.of(facts)).not_checked


def test_labels_without_known_classes_can_not_be_judged() -> None:
    facts = LabelFacts(classes=Unknown("no class axis"), smallest=0, largest=3, outside=())
    assert judge([label_range], FactSet.of(facts)).not_checked == {"label-range": "no class axis"}


@pytest.mark.parametrize(("smallest", "largest", "classes", "said"), [
    (1, 3, 3, "subtract 1"), (-1, 1, 2, "-1 and +1"), (-1, 2, 3, "ignore_index"),
])
def test_the_remedy_names_the_convention(smallest: int, largest: int, classes: int, said: str) -> None:
    facts = LabelFacts(classes=classes, smallest=smallest, largest=largest, outside=((0, -1.0),), outside_rows=1)
    assert said in judge([label_range], FactSet.of(facts)).findings[0].fix


def splits(train: tuple[int, ...], validation: int = 200, test: int = 200) -> SplitFacts:
    return SplitFacts(
        splits=(
            SplitRecord(name="train", rows=sum(train), class_counts=train),
            SplitRecord(name="validation", rows=validation), SplitRecord(name="test", rows=test),
        ),
        classes=tuple(f"c{number}" for number in range(len(train))), overlaps=Unknown("inputs were not read"),
        repeated_share=Unknown("inputs were not read"),
    )


def test_splits_known_by_their_counts_alone_leave_overlap_unchecked() -> None:
    assert judge([split_overlap], FactSet.of(splits((50, 50)))).not_checked == {"split-overlap": "inputs were not read"}


@pytest.mark.parametrize(("counts", "metric", "found"), [
    ((79, 21), "val_accuracy", False), ((80, 20), "val_accuracy", True), ((80, 20), "accuracy", True),
    ((95, 5), "val_macro_f1", False), ((95, 5), "val_loss", False), ((100, 0), "val_accuracy", True),
])
def test_imbalance_counts_from_four_to_one_where_accuracy_selects(
    counts: tuple[int, ...], metric: str, found: bool,
) -> None:
    task = TaskFacts(kind="binary", outputs=1, selects=metric, sense="max")
    assert bool(judge([class_imbalance], FactSet.of(splits(counts), task)).findings) is found


def test_an_empty_test_split_is_a_warning_and_an_empty_training_split_an_error() -> None:
    assert severities(judge([split_empty], FactSet.of(splits((50, 50), test=0)))) == ["warning"]
    assert severities(judge([split_empty], FactSet.of(splits((0, 0))))) == ["error"]


@pytest.mark.parametrize(("columns", "summary", "severity"), [
    ([("a", "NaN", 1)], "column a has one NaN value, in row 4", "error"),
    ([("a", "infinite", 3), ("b", "infinite", 1)],
     "column a has 3 infinite values, first in row 4, and another column too", "error"),
    ([("a", "empty", 9)], "column a is empty", "error"),
    ([("a", "constant", 9), ("b", "constant", 9), ("c", "constant", 9)],
     "column a is constant, and 2 other columns too", "note"),
    ([("target", "constant target", 9)],
     "the target is the same in every training row: nothing can be learned", "error"),
])
def test_bad_values_say_what_and_where(columns: list[tuple[str, str, int]], summary: str, severity: str) -> None:
    bad = tuple(BadColumn(column=name, what=what, count=count, rows=(4, 5)) for name, what, count in columns)
    finding = judge([bad_values], FactSet.of(ColumnFacts(columns=9, bad=bad))).findings[0]
    assert (finding.summary, finding.severity) == (summary, severity)
