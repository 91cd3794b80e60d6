from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.recipe.choice import Choice, Status
from assay.recipe.leaves import leaves
from assay.recipe.plan import SECTIONS, plan
from assay.recipe.reading import parse_recipe
from assay.recipe.rendering import render_markdown, render_yaml
from assay.recipe.resolving import resolve
from assay.recipe.schema import Recipe
from tests.recipe.test_reading import FULL, SMALLEST

WORDS = st.text(st.characters(blacklist_categories=["Cs"]), min_size=1, max_size=12).filter(str.strip)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-10**6, 10**6) | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS.map(lambda word: f"k{word}"), inner, max_size=3),
    max_leaves=6,
)
CHOICES = st.one_of(
    st.builds(Choice, status=st.just(Status.UNCERTAIN), why=st.none() | WORDS),
    st.builds(Choice, status=st.just(Status.JUSTIFIED), why=WORDS),
    st.builds(Choice, status=st.just(Status.COPIED), source=WORDS, why=st.none() | WORDS),
)


@st.composite
def recipes(draw: st.DrawFn) -> Recipe:
    classes = draw(st.lists(WORDS, min_size=2, max_size=4, unique=True))
    arguments = draw(st.dictionaries(WORDS.map(lambda word: f"k{word}"), PLAIN, max_size=2))
    own = {"class_path": "a.B", "init_args": arguments}
    named = {"hidden": draw(st.lists(st.integers(1, 512), max_size=3)), "dropout": draw(st.floats(0, 0.99))}
    values: dict[str, Any] = {
        "model": draw(st.sampled_from([own, named])),
        "data": {"source": "sklearn", "name": draw(WORDS), "classes": classes},
        "training": {
            "learning_rate": draw(st.floats(1e-12, 1e3)), "batch_size": draw(st.integers(1, 10**9)),
            "early_stopping": draw(st.sampled_from([None, {"patience": 3}])),
            "scheduler": {"name": draw(st.sampled_from(["none", "cosine", "plateau"]))},
        },
        "seeds": draw(st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=4, unique=True)),
        "allow": draw(st.lists(WORDS, max_size=2)),
    }
    return Recipe.model_validate(values)


@given(recipe=recipes(), data=st.data(), stated_only=st.booleans())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_written_reads_back_to_the_same_recipe(recipe: Recipe, data: st.DataObject, stated_only: bool) -> None:
    paths = [path for path, _ in leaves(recipe) if "init_args" not in path and path not in ("allow", "baselines")]
    if stated_only:
        written = parse_recipe(render_yaml(recipe, {}, stated_only=True)).origins
        paths = [path for path in paths if path in written]
    values = dict(leaves(recipe))
    paths = [path for path in paths if values[path] is not None] + ["training.scheduler", "model"]
    choices = data.draw(st.dictionaries(st.sampled_from(paths), CHOICES, max_size=4))
    text = render_yaml(recipe, choices, heading=data.draw(st.sampled_from(["", "one line", "two\nlines"])),
                       stated_only=stated_only)
    document = parse_recipe(text)
    assert document.recipe == recipe
    assert document.choices == choices


def test_written_values_read_as_a_person_would_write_them() -> None:
    text = render_yaml(parse_recipe(FULL).recipe, parse_recipe(FULL).choices, stated_only=True)
    assert "classes: [a, b, no]" in text
    assert "seeds: {value: [0, 1], status: justified, why: two are enough here}" in text
    assert "learning_rate: 0.001" in text


def test_a_word_that_reads_as_something_else_is_quoted() -> None:
    recipe = Recipe.model_validate({"allow": ["true", "null", "1e3", "0x1F", "a: b", "", "-", "a #b", "é", "~"]})
    text = render_yaml(recipe, {}, stated_only=True)
    assert parse_recipe(text).recipe == recipe
    assert '"true"' in text


def test_a_long_choice_takes_several_lines() -> None:
    choices = {"training.batch_size": Choice(status=Status.JUSTIFIED, why="because " * 20)}
    text = render_yaml(parse_recipe(SMALLEST).recipe, choices, stated_only=True)
    assert "  batch_size:\n    value: 64\n    status: justified\n" in text


def test_markdown_has_the_nine_sections_the_choices_and_what_is_missing() -> None:
    text = render_markdown(plan(resolve(parse_recipe(SMALLEST))))
    headings = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert headings == [*SECTIONS, "Choices", "Missing"]
    assert len(SECTIONS) == 9
    assert "expected first loss**: not known yet" in text


def test_markdown_shows_numbers_and_lists_choices_by_status() -> None:
    text = render_markdown(plan(resolve(parse_recipe(FULL))))
    assert "## Missing" in text  # the fingerprint
    assert "- **expected first loss**: 1.099 (log 3: every class equally likely)" in text
    assert "### Justified" in text
    assert "- `seeds` = 0, 1 (recipe): two are enough here" in text
    assert "- `baselines.0` = sklearn.naive_bayes.GaussianNB (recipe): a paper" in text


def test_markup_in_the_users_words_is_shown_as_words() -> None:
    recipe = "data: {source: sklearn, name: '<b>*x*\n\n## y', classes: [a, b]}\n"
    text = render_markdown(plan(resolve(parse_recipe(recipe))))
    assert "<b>" not in text
    assert "\n## y" not in text


def test_a_plan_past_a_week_is_warned_of() -> None:
    big = FULL.replace("hidden: [16, 8]", "hidden: [100000, 100000]").replace("max_epochs: 100", "max_epochs: 100000")
    assert "more than a week" in plan(resolve(parse_recipe(big))).warnings[0]
    assert plan(resolve(parse_recipe(FULL))).warnings == ()


def test_a_resolved_recipe_reads_back_as_it_was_resolved() -> None:
    resolved = resolve(parse_recipe(FULL), overrides=["training.batch_size=5"])
    again = resolve(parse_recipe(render_yaml(resolved.recipe, resolved.choices)))
    assert again.recipe == resolved.recipe
    assert again.choices == resolved.choices


def test_what_a_model_of_your_own_decides_is_not_planned_and_warned_of_where_stated() -> None:
    own = "model: {class_path: a.M, init_args: {lr: 3}}\ndata: {class_path: a.D}\n"
    made = plan(resolve(parse_recipe(own)))
    assert made.warnings == ()
    assert not [choice for choice in made.choices if choice.path.startswith(("objective", "training.optimizer"))]
    assert "**optimizer and schedule**: the model's own" in render_markdown(made)
    stated = plan(resolve(parse_recipe(own + "training: {learning_rate: 1e-3, max_epochs: 3}\n")))
    assert stated.warnings == (
        "training.learning_rate: not used, since model is a class of your own; set what it takes in model.init_args",
    )


def test_choices_that_nothing_uses_are_not_listed() -> None:
    paths = [choice.path for choice in plan(resolve(parse_recipe("training: {optimizer: SGD}"))).choices]
    assert "training.momentum" in paths
    assert "training.scheduler.step_size" not in paths
    paths = [choice.path for choice in plan(resolve(parse_recipe("training: {scheduler: {name: step}}"))).choices]
    assert "training.momentum" not in paths
    assert "training.scheduler.step_size" in paths


def test_defaults_that_nothing_uses_are_not_written() -> None:
    resolved = resolve(parse_recipe("model: {class_path: a.M}\ndata: {class_path: a.D}\n"))
    text = render_yaml(resolved.recipe, resolved.choices)
    assert "optimizer" not in text
    assert "batch_size" not in text
    assert "max_epochs: 100" in text
    assert plan(resolve(parse_recipe(text))).warnings == ()


def test_a_heading_may_name_any_file() -> None:
    recipe = parse_recipe(SMALLEST).recipe
    text = render_yaml(recipe, {}, heading="from od\x07d\udcff\u2028name: {")
    assert parse_recipe(text).recipe == recipe
