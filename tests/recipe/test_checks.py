from __future__ import annotations

import pytest

from assay.errors import RecipeError
from assay.recipe.reading import parse_recipe

DATA = "data: {source: sklearn, name: x, rows: 100, columns: 3, classes: [a, b, c], class_counts: [40, 30, 30]}\n"
BINARY = "data: {source: sklearn, name: x, classes: [a, b]}\n"
SEVERAL = ("data: {source: table, name: x, files: [x.csv], target: [a, b], rows: 200, columns: 3, "
           "class_counts: [80, 120]}\n")
REGRESSION = "data: {source: sklearn, name: x, rows: 100, target_variance: 2.5}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("checkpointing: {monitor: val_macro_f1, mode: min}", "val_macro_f1 is better the larger it is; use max"),
        ("checkpointing: {monitor: val_loss, mode: max}", "val_loss is better the smaller it is; use min"),
        ("checkpointing: {monitor: val_macrof1}", "which nothing produces; did you mean val_macro_f1?"),
        ("checkpointing: {monitor: macro_f1}", "which nothing produces; did you mean val_macro_f1?"),
        ("checkpointing: {monitor: val_confusion_matrix}", "is no single number and can't select a model"),
        (DATA + "checkpointing: {monitor: val_rmse}", "rmse is not for a multiclass task"),
        ("evaluation: {metrics: [accuracy]}\ncheckpointing: {monitor: val_macro_f1}", "metrics has no macro_f1"),
        ("evaluation: {metrics: [acuracy]}", "unknown metric 'acuracy'; did you mean accuracy?"),
        ("evaluation: {metrics: [accuracy, accuracy]}", "accuracy twice"),
        (REGRESSION + "evaluation: {metrics: [accuracy]}", "accuracy, which is not for a regression task"),
        (REGRESSION + "objective: {loss: cross_entropy}", "cross_entropy is not for a regression task; use mse or l1"),
        (BINARY + "objective: {loss: cross_entropy}", "use binary_cross_entropy_with_logits"),
        (REGRESSION + "objective: {label_smoothing: 0.1}", "objective.label_smoothing is set, but a regression"),
        (REGRESSION + "objective: {class_weights: balanced}", "objective.class_weights is set, but a regression"),
        (DATA + "objective: {class_weights: [1, 2]}", "has 2 entries for 3 classes"),
        ("data: {source: sklearn, name: x, split: {train: 0.9}}", "adds up to 1.3"),
        ("data: {source: sklearn, name: x, rows: 2, target_variance: 1}", "leaves 2 rows to train on and 0 to"),
        ("data: {source: sklearn, name: x, target_variance: 1, split: {kind: stratified}}", "use random"),
        ("data: {source: sklearn, name: x, classes: [a, b], class_counts: [1, 2, 3]}", "3 entries for 2 classes"),
        ("data: {source: sklearn, name: x, rows: 7, class_counts: [1, 2, 3]}", "add up to 6, but data.rows is 7"),
        ("data: {source: sklearn, name: x, classes: [a]}", "one class only"),
        (DATA + "task: binary", "task is binary, but data has 3 classes; it must be multiclass"),
        (REGRESSION + "task: multiclass", "it must be regression"),
        (SEVERAL + "task: multiclass", "task is multiclass, but data has 2 targets; it must be multilabel"),
        (SEVERAL.replace("120", "500"), "has 500 rows with one label, but data.rows is 200"),
        (SEVERAL + "objective: {ignore_index: -1}", "with several labels each is 0 or 1; leave it out"),
        (SEVERAL + "evaluation: {metrics: [accuracy]}", "accuracy, which is not for a multilabel task"),
        (SEVERAL.replace("rows", "split: {kind: stratified}, rows"), "have no single class; use random"),
        (SEVERAL.replace("rows", "split: {kind: grouped}, rows"), "kind is grouped, but data.group is not stated"),
        (DATA.replace("rows", "split: {kind: time}, rows"), "data.source sklearn names none; use random or stratified"),
        (DATA.replace("rows", "split: {gap: 3}, rows"), "data.split.gap is set, but the split doesn't go by time"),
        (SEVERAL.replace("rows", "split: {kind: column}, split_column: s, test_file: t.csv, rows"), "leave one out"),
        ("training: {scheduler: {name: plateau, interval: step}}", "plateau moves once an epoch; use epoch"),
        ("training: {scheduler: {name: cosine, interval: epoch}}", "cosine moves once a step; use step"),
        ("training: {scheduler: {name: onecycle, warmup_steps: 5}}", "onecycle warms up by itself"),
        (DATA + "training: {max_epochs: 2, scheduler: {warmup_steps: 4}}", "the whole run has 2 steps"),
        ("seeds: [1, 2, 1]", "seeds has 1 more than once"),
        ("baselines: [{class_path: a.B}]", "is called copied and gives no source"),
        ("baselines: [{class_path: a.B, status: justified}]", "is called justified and gives no reason"),
        ("data: {class_path: a.B}\nmodel: {name: mlp}", "give model a class_path too"),
    ],
)
def test_values_that_disagree_are_refused(text: str, said: str) -> None:
    with pytest.raises(RecipeError) as caught:
        parse_recipe(text, name="recipe.yaml")
    assert len(caught.value.problems) == 1
    assert said in caught.value.problems[0]


@pytest.mark.parametrize(
    "text",
    [
        "checkpointing: {monitor: train_loss, mode: min}",
        "checkpointing: {monitor: val_r2, mode: max}",
        "model: {class_path: a.B}\ncheckpointing: {monitor: their_own, mode: max}",
        BINARY + "task: multiclass\nobjective: {loss: cross_entropy}",
        BINARY + "objective: {label_smoothing: 0.1, ignore_index: -1}",
        DATA + "objective: {class_weights: [1, 2, 3]}",
        "data: {source: sklearn, name: x, split: {train: 0.3333333, validation: 0.3333333, test: 0.3333333}}",
        "data: {source: sklearn, name: x, split: {train: 0.8, validation: 0.2, test: 0}}",
        "training: {scheduler: {name: plateau, interval: epoch, warmup_steps: 3}}",
        "training: {scheduler: {name: onecycle, interval: step}}",
        "training: {scheduler: {interval: epoch}}",
        "data: {class_path: a.B}\nmodel: {class_path: a.C}",
    ],
)
def test_values_that_agree_are_accepted(text: str) -> None:
    parse_recipe(text)


def test_nothing_is_said_that_rests_on_a_value_with_a_problem_of_its_own() -> None:
    with pytest.raises(RecipeError) as caught:
        parse_recipe("task: regresion\nevaluation: {metrics: [rmse]}\n" + BINARY + "objective: {loss: mse}\n")
    assert len(caught.value.problems) == 1
    assert "did you mean regression?" in caught.value.problems[0]
