from __future__ import annotations

import math
from itertools import pairwise

import pytest
import torch
from torch import nn

from assay.models.mlp import MLP
from assay.recipe.cost import WEEK, cost_of, duration
from assay.recipe.derived import Derived, derive
from assay.recipe.reading import parse_recipe
from assay.recipe.resolving import resolve
from assay.recipe.schema import NamedModel
from assay.recipe.split_sizes import Sizes
from assay.recipe.task import task_facts

DIGITS = ("data: {source: sklearn, name: digits, rows: 1797, columns: 64, classes: [a,b,c,d,e,f,g,h,i,j], "
          "class_counts: [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]}\n")
SKEWED = "data: {source: sklearn, name: x, rows: 100, columns: 3, classes: [a, b], class_counts: [80, 20]}\n"
NUMBER = "data: {source: sklearn, name: x, rows: 100, columns: 3, target_variance: 9}\n"


def derived(text: str) -> Derived:
    return derive(resolve(parse_recipe(text)).recipe)


def test_steps_follow_from_rows_batch_size_and_epochs() -> None:
    made = derived(DIGITS + "training: {batch_size: 64, max_epochs: 10, scheduler: {name: cosine, warmup_steps: 17}}")
    assert made.sizes is not None
    assert (made.sizes.train, made.sizes.validation, made.sizes.test) == (1078, 360, 359)
    assert made.steps_per_epoch.value == 17
    assert made.total_steps.value == 170
    assert made.warmup_share.value == pytest.approx(0.1)
    assert made.examples_seen.value == 10_780
    assert made.effective_batch.value == 64


def test_a_lone_last_row_joins_the_batch_before_it_under_batch_norm() -> None:
    assert derived(NUMBER + "training: {batch_size: 59}").steps_per_epoch.value == 2
    assert derived(NUMBER + "training: {batch_size: 59}\nmodel: {batch_norm: true}").steps_per_epoch.value == 1


def test_a_batch_larger_than_the_training_rows_is_all_of_them() -> None:
    assert derived(NUMBER + "training: {batch_size: 500}").effective_batch.value == 60


@pytest.mark.parametrize(("hidden", "norm"), [((128,), False), ((32, 16), True), ((), False)])
def test_parameters_by_formula_are_those_of_the_network(hidden: tuple[int, ...], norm: bool) -> None:
    widths = (64, *hidden)
    layers: list[nn.Module] = [nn.Linear(widths[-1], 10)]
    for inside, outside in pairwise(widths):
        layers += [nn.Linear(inside, outside)] + ([nn.BatchNorm1d(outside)] if norm else [])
    counted = sum(parameter.numel() for parameter in nn.Sequential(*layers).parameters())
    model = f"model: {{hidden: {list(hidden)}, batch_norm: {str(norm).lower()}}}\n"
    assert derived(DIGITS + model).parameters.value == counted


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (DIGITS, math.log(10)),
        (SKEWED, math.log(2)),
        (SKEWED + "model: {prior_bias: true}", -(0.8 * math.log(0.8) + 0.2 * math.log(0.2))),
        (NUMBER, 1.0),
        (NUMBER + "objective: {loss: l1}", None),
        ("seeds: [0]", None),
    ],
)
def test_the_first_loss_is_what_an_uninformed_prediction_gets(text: str, value: float | None) -> None:
    first = derived(text).first_loss
    assert first.how
    assert first.value == (None if value is None else pytest.approx(value))


def test_the_double_softmax_floor_is_what_torch_gives_for_the_surest_scores() -> None:
    floor = derived(DIGITS).double_softmax_floor.value
    sure = torch.zeros(1, 10)
    sure[0, 3] = 1.0
    assert floor == pytest.approx(float(nn.functional.cross_entropy(sure, torch.tensor([3]))), abs=1e-6)
    assert floor == pytest.approx(1.4612, abs=1e-4)
    assert derived(SKEWED).double_softmax_floor.value is None


def test_what_cannot_be_known_says_why() -> None:
    for quantity in derived("data: {class_path: a.D}\nmodel: {class_path: a.M}\n").quantities().values():
        assert quantity.value is not None or quantity.how


def test_the_cost_grows_with_the_work_and_says_what_it_rests_on() -> None:
    small, large = derived(DIGITS).cost, derived(DIGITS + "model: {hidden: [4096, 4096]}").cost
    assert small is not None
    assert large is not None
    assert small.seconds < large.seconds
    assert "3 full runs" in small.rests_on
    assert "not measured on this machine" in small.rests_on
    assert not small.past_a_week
    assert derived("seeds: [0]").cost is None


def test_a_plan_past_a_week_is_known_as_such() -> None:
    cost = cost_of(parameters=10**9, batch_size=64, steps=10**5, epochs=10, validation_rows=10**4, runs=4)
    assert cost.seconds > WEEK
    assert cost.past_a_week


@pytest.mark.parametrize(("seconds", "said"), [(40, "40 s"), (600, "10 min"), (3 * 3600, "3 h"), (9 * 86400, "9 days")])
def test_durations_are_said_in_the_unit_that_fits(seconds: float, said: str) -> None:
    assert duration(seconds) == said


def test_task_facts_tell_what_rules_need() -> None:
    facts = task_facts(resolve(parse_recipe(SKEWED)).recipe)
    assert facts is not None
    assert (facts.kind, facts.outputs, facts.selects, facts.sense) == ("binary", 1, "val_macro_f1", "max")
    assert facts.label_entropy == pytest.approx(0.5004, abs=1e-4)
    assert task_facts(resolve(parse_recipe("seeds: [0]")).recipe) is None


SEVERAL = ("data: {source: table, name: x, files: [x.csv], target: [a, b, c], rows: 100, columns: 3, "
           "class_counts: [50, 10, 90]}\n")


def test_several_labels_have_one_logit_each_and_start_at_log_two() -> None:
    recipe = resolve(parse_recipe(SEVERAL)).recipe
    facts = task_facts(recipe)
    assert facts is not None
    assert (facts.kind, facts.outputs, facts.selects) == ("multilabel", 3, "val_macro_f1")
    assert recipe.objective.loss == "binary_cross_entropy_with_logits"
    assert recipe.data.split.kind == "random"  # type: ignore[union-attr]
    assert facts.expected_first_loss == (math.log(2), "log 2")
    assert derive(recipe).first_loss.value == pytest.approx(math.log(2))
    known = derived(SEVERAL + "model: {prior_bias: true}").first_loss.value
    assert known == pytest.approx((math.log(2) + 2 * 0.3250829733914482) / 3)


def test_parameters_count_embeddings_and_what_columns_become() -> None:
    text = SEVERAL.replace("columns: 3", "columns: 3, network_inputs: 9, embedded: [41, 100]")
    model = MLP(9, 3, plan=NamedModel(hidden=(16,)), embedded=(41, 100))
    counted = sum(parameter.numel() for parameter in model.parameters())
    assert derived(text + "model: {hidden: [16]}").parameters.value == counted


def test_rows_that_are_given_to_a_split_are_counted() -> None:
    table = "data: {source: table, name: x, files: [x.csv], target: y, rows: 100, columns: 3, target_variance: 1.0, "
    unknown = derived(table + "test_file: t.csv}")
    assert unknown.sizes is None
    assert "given_rows is not stated" in unknown.steps_per_epoch.how
    with_file = derived(table + "test_file: t.csv, given_rows: [0, 0, 40]}").sizes
    assert with_file == Sizes(45, 15, 40)
    column = derived(table + "split_column: s, given_rows: [50, 20, 30]}").sizes
    assert column == Sizes(50, 20, 30)


def test_where_rows_stay_together_sizes_are_about_right() -> None:
    table = "data: {source: table, name: x, files: [x.csv], target: y, rows: 100, columns: 3, target_variance: 1.0"
    assert derived(table + "}").steps_per_epoch.how.startswith("about 60 training rows")
    assert derived(table + ", identical_rows: apart}").steps_per_epoch.how.startswith("60 training rows")
