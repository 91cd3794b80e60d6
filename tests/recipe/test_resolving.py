from __future__ import annotations

import pytest

from assay.errors import RecipeError
from assay.recipe.choice import Status
from assay.recipe.leaves import leaves
from assay.recipe.origin import Origin
from assay.recipe.reading import parse_recipe
from assay.recipe.resolving import Resolved, resolve, with_data
from assay.recipe.schema import ClassPath, DataBlock, NamedModel
from tests.recipe.test_reading import SMALLEST

NAMED = "data: {source: sklearn, name: digits}\n"
SEEN = DataBlock(source="sklearn", name="digits", rows=60, columns=4, classes=("a", "b", "c"),
                 class_counts=(20, 20, 20), fingerprint="sha256:0")


def resolved(text: str, *settings: str) -> Resolved:
    return resolve(parse_recipe(text, name="recipe.yaml"), overrides=settings)


def test_the_smallest_configuration_says_what_is_missing() -> None:
    missing = resolved(SMALLEST).missing
    assert [sentence.partition(":")[0] for sentence in missing] == ["data", "model", "task"]


def test_with_a_data_block_the_smallest_configuration_lacks_nothing() -> None:
    whole = with_data(resolved(NAMED + SMALLEST), SEEN)
    assert whole.missing == ()
    recipe = whole.recipe
    assert recipe.task == "multiclass"
    assert recipe.model == NamedModel()
    assert recipe.objective.loss == "cross_entropy"
    assert recipe.evaluation.metrics[0] == "macro_f1"
    assert recipe.checkpointing.mode == "max"
    assert isinstance(recipe.data, DataBlock)
    assert recipe.data.split.kind == "stratified"


@pytest.mark.parametrize(
    ("block", "task", "loss", "monitor", "mode", "kind"),
    [
        ("classes: [a, b]", "binary", "binary_cross_entropy_with_logits", "val_macro_f1", "max", "stratified"),
        ("classes: [a, b, c]", "multiclass", "cross_entropy", "val_macro_f1", "max", "stratified"),
        ("target_variance: 2.0", "regression", "mse", "val_rmse", "min", "random"),
    ],
)
def test_open_values_follow_from_the_task(
    block: str, task: str, loss: str, monitor: str, mode: str, kind: str
) -> None:
    recipe = resolved(f"data: {{source: sklearn, name: x, {block}}}").recipe
    assert isinstance(recipe.data, DataBlock)
    assert (recipe.task, recipe.objective.loss, recipe.data.split.kind) == (task, loss, kind)
    assert (recipe.checkpointing.monitor, recipe.checkpointing.mode) == (monitor, mode)


def test_every_value_keeps_where_it_came_from() -> None:
    whole = with_data(resolved(NAMED + SMALLEST, "training.learning_rate=3e-3"), SEEN)
    assert set(whole.origins) == {path for path, _ in leaves(whole.recipe)}
    assert whole.origins["training.batch_size"] is Origin.RECIPE
    assert whole.origins["training.learning_rate"] is Origin.COMMAND_LINE
    assert whole.origins["training.momentum"] is Origin.DEFAULT
    assert whole.origins["data.rows"] is Origin.DATA
    assert whole.origins["task"] is Origin.DATA
    assert whole.origins["objective.loss"] is Origin.DERIVED
    assert whole.choices["objective.loss"].status is Status.JUSTIFIED


def test_what_is_stated_of_other_data_is_kept_for_the_rules_to_judge() -> None:
    whole = with_data(resolved("data: {source: sklearn, name: digits, columns: 5, fingerprint: other}\n"), SEEN)
    assert isinstance(whole.recipe.data, DataBlock)
    assert (whole.recipe.data.columns, whole.recipe.data.fingerprint) == (5, "other")


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ("columns: 5", "data.columns is 5, but digits has 4; leave it out"),
        ("columns: 5, fingerprint: 'sha256:0'", "data.columns is 5, but digits has 4"),
        ("rows: 61", "data.rows is 61, but digits has 60"),
        ("classes: [a, b, z]", "data.classes is a, b, z, but digits has a, b, c"),
    ],
)
def test_what_is_stated_of_these_data_must_be_true(stated: str, said: str) -> None:
    with pytest.raises(RecipeError, match=said):
        with_data(resolved(f"data: {{source: sklearn, name: digits, {stated}}}\n"), SEEN)


def test_data_that_contradict_the_task_are_refused() -> None:
    with pytest.raises(RecipeError, match="task is regression, but data has 3 classes"):
        with_data(resolved(NAMED + "task: regression\n"), SEEN)


def test_own_classes_are_left_to_themselves() -> None:
    text = "data: {class_path: a.D}\nmodel: {class_path: a.M}\n"
    whole = with_data(resolved(text), SEEN)
    assert whole.missing == ()
    assert isinstance(whole.recipe.data, ClassPath)
    assert whole.recipe.checkpointing.monitor == "val_loss"
    assert "state whether score is better" in resolved(text + "checkpointing: {monitor: score}\n").missing[0]
    assert resolved("data: {class_path: a.D}\n").missing == ("model: none is named; give a class_path",)


class TestOverrides:
    def test_they_take_the_place_of_choices(self) -> None:
        text = "training: {batch_size: {value: 3, status: justified, why: small}}\n"
        whole = resolved(text, "training.batch_size=5", "training.early_stopping={patience: 2}", "seeds=[7]")
        assert whole.recipe.training.batch_size == 5
        assert whole.recipe.seeds == (7,)
        assert "training.batch_size" not in whole.choices
        assert whole.origins["training.early_stopping.patience"] is Origin.COMMAND_LINE

    @pytest.mark.parametrize(
        ("setting", "said"),
        [
            ("training.lerning_rate=1", "--set training.lerning_rate: training has no key 'lerning_rate'; did you"),
            ("training.batch_size=x", "--set training.batch_size: training.batch_size must be a whole number"),
            ("checkpointing.mode=min", "--set checkpointing.mode: checkpointing.mode is min"),
            ("nonsense", "--set nonsense: this is no setting; write it as path=value"),
            ("a..b=3", "--set a..b=3: this is no setting"),
            ("seeds.a=3", "--set seeds.a=3: seeds is a value and holds no keys"),
            ("seeds=[", "--set seeds=[: the line can't be read as YAML"),
            ("seeds=!!python/name:os.system", "carries the tag"),
        ],
    )
    def test_a_problem_is_told_under_its_own_name(self, setting: str, said: str) -> None:
        with pytest.raises(RecipeError) as caught:
            resolved(SMALLEST + "seeds: [1]\n", setting)
        assert said in caught.value.problems[0]

    def test_a_value_of_the_file_that_no_longer_fits_is_told_at_its_line(self) -> None:
        with pytest.raises(RecipeError, match=r"recipe.yaml, line 3: checkpointing.mode is max"):
            resolved(SMALLEST, "checkpointing.monitor=val_loss")

    def test_the_document_is_left_as_it_was(self) -> None:
        document = parse_recipe(SMALLEST)
        resolve(document, overrides=["training.batch_size=5"])
        assert document.recipe.training.batch_size == 64
        assert document.values["training"]["batch_size"] == 64


def test_the_reason_for_the_default_network_speaks_of_its_kind_alone() -> None:
    choices = resolved(NAMED).choices
    assert choices["model.name"].why == "the simplest network that is not linear"
    assert "model" not in choices


@pytest.mark.parametrize(("block", "kind"), [
    ("classes: [a, b], group: g", "stratified_grouped"), ("target_variance: 2.0, group: g", "grouped"),
    ("classes: [a, b], group: g, time: t", "time"), ("classes: [a, b], time: t, split_column: s", "column"),
])
def test_a_table_is_split_by_what_it_says_of_its_rows(block: str, kind: str) -> None:
    recipe = resolved(f"data: {{source: table, name: x, files: [x.csv], target: y, {block}}}").recipe
    assert isinstance(recipe.data, DataBlock)
    assert recipe.data.split.kind == kind
