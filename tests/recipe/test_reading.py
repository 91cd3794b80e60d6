from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.errors import RecipeError
from assay.recipe.choice import Choice, Status
from assay.recipe.reading import parse_recipe, read_recipe
from assay.recipe.resolving import resolve

SMALLEST = """\
framework: {pytorch_lightning: true}
training: {max_epochs: 100, batch_size: 64, optimizer: AdamW, learning_rate: 1e-3, weight_decay: 1e-4, precision: 32, \
gradient_clip_val: 1.0}
checkpointing: {monitor: val_macro_f1, mode: max, save_best: true, save_last: true}
logging: {logger: csv_or_mlflow, log_every_n_steps: 10}
"""

FULL = SMALLEST + """\
task: multiclass
data:
  source: sklearn
  name: digits
  rows: 60
  classes: [a, b, "no"]
  class_counts: [20, 20, 20]
  columns: 4
  split: {kind: stratified, train: 0.6, validation: 0.2, test: 0.2}
model: {name: mlp, hidden: [16, 8], dropout: 0.1}
objective: {loss: cross_entropy, class_weights: [1, 2.5, 1]}
evaluation: {metrics: [macro_f1, accuracy]}
seeds: {value: [0, 1], status: justified, why: two are enough here}
baselines:
  - {class_path: sklearn.naive_bayes.GaussianNB, init_args: {priors: null}, source: a paper}
allow: [decay-on-norms]
"""


def problems(text: str) -> tuple[str, ...]:
    with pytest.raises(RecipeError) as caught:
        parse_recipe(text, name="recipe.yaml")
    return caught.value.problems


def only(text: str) -> str:
    found = problems(text)
    assert len(found) == 1, found
    return found[0]


def test_the_smallest_configuration_validates_as_written() -> None:
    recipe = parse_recipe(SMALLEST).recipe
    assert recipe.training.learning_rate == 1e-3
    assert recipe.training.weight_decay == 1e-4
    assert recipe.training.precision == 32
    assert recipe.checkpointing.monitor == "val_macro_f1"
    assert recipe.logging.logger == "csv_or_mlflow"


def test_a_full_recipe_is_typed_with_the_line_of_every_value() -> None:
    document = parse_recipe(FULL)
    assert document.recipe.data is not None
    assert document.recipe.objective.class_weights == (1.0, 2.5, 1.0)
    assert document.lines["data.rows"] == 9
    assert document.recipe.seeds == (0, 1)
    assert document.choices == {"seeds": Choice(status=Status.JUSTIFIED, why="two are enough here")}


def test_no_is_a_word_and_not_false() -> None:
    document = parse_recipe(FULL.replace('"no"', "no"))
    assert document.values["data"]["classes"] == ["a", "b", "no"]


@pytest.mark.parametrize("number", ["1e-3", "1E-3", "0.001", "1.0e-3", ".001", "+1e-3"])
def test_every_spelling_of_a_number_is_one(number: str) -> None:
    assert parse_recipe(f"training: {{learning_rate: {number}}}").recipe.training.learning_rate == 0.001


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("training:\n  lerning_rate: 1\n",
         "recipe.yaml, line 2: training has no key 'lerning_rate'; did you mean learning_rate?"),
        ("trainig: {max_epochs: 3}\n", "recipe.yaml, line 1: the recipe has no key 'trainig'; did you mean training?"),
        ("\nlearning_rate: 3\n",
         "recipe.yaml, line 2: the recipe has no key 'learning_rate'; it belongs under training"),
        ("model: {name: mlp, hiden: [3]}\n", "recipe.yaml, line 1: model has no key 'hiden'; did you mean hidden?"),
        ("model: {class_path: a.B, init_arg: {}}\n",
         "recipe.yaml, line 1: model has no key 'init_arg'; did you mean init_args?"),
        ("training: {batch_size: '64'}\n", "recipe.yaml, line 1: training.batch_size must be a whole number, got '64'"),
        ("training: {batch_size: true}\n", "recipe.yaml, line 1: training.batch_size must be a whole number, got true"),
        ("training: {batch_size: 1.5}\n", "recipe.yaml, line 1: training.batch_size must be a whole number, got 1.5"),
        ("training: {batch_size: 0}\n", "recipe.yaml, line 1: training.batch_size must be at least 1, got 0"),
        ("training: {learning_rate: -1}\n",
         "recipe.yaml, line 1: training.learning_rate must be greater than 0, got -1"),
        ("training: {learning_rate: .nan}\n",
         "recipe.yaml, line 1: training.learning_rate must be a finite number, got NaN"),
        ("training: {learning_rate: 1e999}\n",
         "recipe.yaml, line 1: training.learning_rate must be a finite number, got Infinity"),
        ("training: {optimizer: adamw}\n",
         "recipe.yaml, line 1: training.optimizer must be AdamW, Adam, SGD or RMSprop, got 'adamw'; did you mean "
         "AdamW?"),
        ("training: {scheduler: {name: plateau, interval: steps}}\n",
         "recipe.yaml, line 1: training.scheduler.interval must be step or epoch, got 'steps'; did you mean step?"),
        ("training: {threads: many}\n",
         "recipe.yaml, line 1: training.threads must be a whole number or auto, got 'many'"),
        ("training: {threads: 0}\n", "recipe.yaml, line 1: training.threads must be at least 1 or auto, got 0"),
        ("framework: {pytorch_lightning: false}\n",
         "recipe.yaml, line 1: framework.pytorch_lightning must be true, got false"),
        ("training:\n", "recipe.yaml, line 1: training is empty; give it keys, or leave it out"),
        ("training: 3\n", "recipe.yaml, line 1: training must be a mapping of keys, got 3"),
        ("seeds: []\n", "recipe.yaml, line 1: seeds must be a list of at least one, got []"),
        ("seeds: 3\n", "recipe.yaml, line 1: seeds must be a list, got 3; write [3]"),
        ("training: {scheduler: cosine}\n",
         "recipe.yaml, line 1: training.scheduler must be a mapping of keys, got 'cosine'; write {name: cosine}"),
        ("training: {lr: 0.1}\n",
         "recipe.yaml, line 1: training has no key 'lr'; did you mean learning_rate?"),
        ("model: {class_path: lonely}\n",
         "recipe.yaml, line 1: model.class_path must be the dotted path of a class, such as package.module.Class, got "
         "'lonely'"),
        ("data: {source: sklearn}\n", "recipe.yaml, line 1: data needs the key name"),
        ("objective: {class_weights: balancd}\n",
         "recipe.yaml, line 1: objective.class_weights must be none or balanced, got 'balancd'; did you mean "
         "balanced?"),
        ("objective: {class_weights: [1, -2]}\n",
         "recipe.yaml, line 1: objective.class_weights.1 must be greater than 0, got -2"),
        ("training:\n  max_epochs: 3\n  max_epochs: 4\n",
         "recipe.yaml, line 3: training.max_epochs stands twice, first on line 2; leave one of them out"),
        ("training:\n\tmax_epochs: 3\n",
         "recipe.yaml, line 2: the line is indented with a tab, which YAML doesn't allow; use spaces"),
        ("seeds: [0]\n---\nseeds: [1]\n",
         "recipe.yaml, line 2: the line starts a second document with ---; a recipe is one document"),
        ("[1, 2]\n", "recipe.yaml, line 1: the recipe is [1, 2], not a mapping; it holds sections such as `training:`"),
        ("training: {num_workers: 100000}\n",
         "recipe.yaml, line 1: training.num_workers must be at most 256, got 100000"),
        ("# nothing\n", "recipe.yaml: the recipe is empty; it holds sections such as `training:`"),
        ("training: {batch_size: " + "9" * 5000 + "}\n",
         "recipe.yaml, line 1: training.batch_size has a value that can't be read as a whole number: "
         f"'{'9' * 40}'"),
    ],
)
def test_one_problem_gives_one_plain_sentence_at_its_line(text: str, sentence: str) -> None:
    assert only(text) == sentence


def test_all_problems_come_at_once_in_the_order_of_their_lines() -> None:
    found = problems(
        "task: multiclas\n"
        "training:\n"
        "  max_epochs: 1.5\n"
        "  optimizer: {value: Adam, status: copied}\n"
        "  scheduler: {name: cosine, interval: epoch}\n"
        "seeds: [1, 1]\n"
        "checkpointing: {monitor: val_loss, mode: max}\n"
    )
    lines = [int(re.match(r"recipe.yaml, line (\d+)", sentence)[1]) for sentence in found]  # type: ignore[index]
    assert lines == [1, 3, 4, 5, 6, 7]


def test_a_tag_that_would_build_an_object_is_refused_and_nothing_runs(tmp_path: Path) -> None:
    witness = tmp_path / "ran"
    text = f"model: {{class_path: a.B, init_args: {{x: !!python/object/apply:os.mkdir ['{witness}']}}}}\n"
    assert only(text).startswith(
        "recipe.yaml, line 1: model.init_args.x carries the tag !!python/object/apply:os.mkdir, which could build"
    )
    assert not witness.exists()


@pytest.mark.parametrize("tag", ["!!python/name:os.system", "!!python/object/new:os.system []", "!own 3", "!!set {a}"])
def test_any_tag_but_plain_values_is_refused(tag: str) -> None:
    assert "carries the tag" in problems(f"seeds: {tag}\n")[0]


def test_anchors_are_followed_within_bounds() -> None:
    assert parse_recipe("seeds: &s [4, 5]\nallow: []\n").recipe.seeds == (4, 5)
    bomb = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
    for name, last in zip("bcdefgh", "abcdefg", strict=True):
        bomb += f"{name}: &{name} [{', '.join([f'*{last}'] * 10)}]\n"
    assert any("grows to more than 20,000 values" in sentence for sentence in problems(bomb))
    assert any("contains itself" in sentence for sentence in problems("allow: &a [*a]\n"))


def test_deep_nesting_is_refused_whatever_its_depth() -> None:
    for depth in (30, 100_000):
        assert "nested more than 20 levels deep" in only("allow: " + "[" * depth)


@pytest.mark.parametrize(
    ("choice", "sentence"),
    [
        ("{value: Adam, status: justified}", "training.optimizer is called justified and gives no reason"),
        ("{value: Adam, status: copied}", "training.optimizer is called copied and gives no source"),
        ("{value: Adam, status: copied, why: it was there}", "training.optimizer is called copied and gives no source"),
        ("{value: Adam, status: justfied, why: x}",
         "the status of training.optimizer is 'justfied'; did you mean justified?"),
        ("{value: Adam, statu: copied}", "the choice training.optimizer has no key 'statu'; did you mean status?"),
        ("{value: Adam, why: ' '}", "the why of training.optimizer must be a few words, got ' '"),
        ("{status: copied, source: a paper}", "the choice training.optimizer has no value; add `value:`"),
        ("{value: Adagrad, why: x}", "training.optimizer must be AdamW, Adam, SGD or RMSprop, got 'Adagrad'"),
    ],
)
def test_a_choice_states_what_its_status_needs(choice: str, sentence: str) -> None:
    assert sentence in only(f"training:\n  optimizer: {choice}\n")


def test_a_choice_without_a_status_is_uncertain() -> None:
    document = parse_recipe("training:\n  batch_size: {value: 3}\n")
    assert document.recipe.training.batch_size == 3
    assert document.choices["training.batch_size"] == Choice()


def test_a_whole_section_may_be_a_choice_and_keeps_its_lines() -> None:
    document = parse_recipe(
        "training:\n  early_stopping:\n    value:\n      patience: 7\n    status: copied\n    source: a paper\n"
    )
    assert document.recipe.training.early_stopping is not None
    assert document.lines["training.early_stopping.patience"] == 4


def test_thousands_of_choices_are_read_in_one_pass() -> None:
    document = parse_recipe(f"seeds: [{', '.join(f'{{value: {seed}}}' for seed in range(4_000))}]\n")
    assert len(document.recipe.seeds) == len(document.choices) == 4_000


def test_arguments_of_own_classes_may_hold_a_key_named_value() -> None:
    document = parse_recipe(
        "model: {class_path: a.B, init_args: {plain: {value: 3}, said: {value: 3, status: uncertain}}}\n"
    )
    assert document.values["model"]["init_args"] == {"plain": {"value": 3}, "said": 3}
    assert list(document.choices) == ["model.init_args.said"]


class TestFiles:
    def message(self, path: Path) -> str:
        with pytest.raises(RecipeError) as caught:
            read_recipe(path)
        assert len(caught.value.problems) == 1
        return str(caught.value)

    def test_missing(self, tmp_path: Path) -> None:
        assert "does not exist; make a recipe with `assay init NAME`" in self.message(tmp_path / "none.yaml")

    def test_a_name_that_no_file_can_have(self) -> None:
        assert "can't be read" in self.message(Path("a\0b"))

    def test_folder(self, tmp_path: Path) -> None:
        assert "is a folder" in self.message(tmp_path)

    @pytest.mark.parametrize(
        ("content", "sentence"),
        [(b"", "is empty"), (b" \n\t\n", "is empty"), (b"\xff\xfe\x00", "is not UTF-8 text"),
         (b"#" * 1_000_001, "too many")],
    )
    def test_not_a_recipe(self, tmp_path: Path, content: bytes, sentence: str) -> None:
        path = tmp_path / "recipe.yaml"
        path.write_bytes(content)
        assert sentence in self.message(path)

    def test_control_characters(self, tmp_path: Path) -> None:
        path = tmp_path / "recipe.yaml"
        path.write_bytes(b"seeds: [0]\nallow: \x00\n")
        assert "line 2: the line holds the character U+0000, which YAML doesn't allow" in self.message(path)

    def test_a_device_without_end(self) -> None:
        assert "too many" in self.message(Path("/dev/zero"))

    def test_a_byte_order_mark_is_no_problem(self, tmp_path: Path) -> None:
        path = tmp_path / "recipe.yaml"
        path.write_text(SMALLEST, encoding="utf-8-sig")
        assert read_recipe(path).recipe.training.batch_size == 64


SCRAPS = st.sampled_from([
    "{", "}", "[", "]", ":", ",", "- ", "\n", "\t", "'", '"', "&a ", "*a", "!!python/object:x.y ", "!x ", "null", "~",
    "true", ".nan", "1e400", "-1", "0", "\\ud800", "\U0001f600", "? ", "<<: ", "%YAML", "---\n", "...\n", "|\n", ">\n",
    "value: ", "status: copied", "class_path: a.B", "init_args: ", "\x00", "\u2028", "# ", "monitor: x",
])
EDITS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), SCRAPS | st.text(max_size=4)), min_size=1, max_size=4)


def refusal(text: str) -> RecipeError | None:
    """How the recipe is refused, or None where it is read."""
    try:
        assert resolve(parse_recipe(text, name="recipe.yaml")).recipe
    except RecipeError as error:
        return error
    return None


@given(edits=EDITS)
@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_happens_to_a_recipe_it_is_read_or_refused_in_words(edits: list[tuple[float, int, str]]) -> None:
    text = FULL
    for place, cut, scrap in edits:
        start = int(place * len(text))
        text = text[:start] + scrap + text[start + cut:]
    refused = refusal(text)
    if refused is not None:
        assert refused.problems
        assert all(sentence.startswith("recipe.yaml") and "\n" not in sentence for sentence in refused.problems)


KEYS = st.sampled_from(["value", "status", "why", "class_path", "init_args", "name", "x"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
    | st.sampled_from(["accuracy", "val_loss", "stratified", "copied", "a.B"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=5,
)
PATHS = sorted(path for path in parse_recipe(FULL).lines if path and not any(map(str.isdigit, path.split("."))))


@given(replaced=st.dictionaries(st.sampled_from(PATHS), VALUES, min_size=1, max_size=4))
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_stands_in_place_of_a_value_is_typed_or_refused_in_words(replaced: dict[str, object]) -> None:
    values = yaml.safe_load(FULL)
    for path, value in replaced.items():
        node, (*steps, last) = values, path.split(".")
        for step in steps:
            node = node.get(step) if isinstance(node, dict) else None
        if isinstance(node, dict):
            node[last] = value
    refused = refusal(yaml.safe_dump(values, allow_unicode=True))
    if refused is not None:
        assert refused.problems
        assert all("\n" not in sentence for sentence in refused.problems)
