"""From what a recipe says to what will be done: open values are filled in, and each value keeps where it came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from assay.recipe.checks import check
from assay.recipe.choice import Choice, Status
from assay.recipe.leaves import leaves, plain_text
from assay.recipe.metrics import metrics_for, sense_of
from assay.recipe.origin import Origin
from assay.recipe.overriding import override
from assay.recipe.problem import Problem, recipe_error
from assay.recipe.reading import RecipeDocument
from assay.recipe.schema import ClassPath, DataBlock, NamedModel, Recipe, Section, TableData
from assay.recipe.task import LOSSES, monitored, task_of

S = TypeVar("S", bound=Section)

SEEN = ("rows", "columns", "classes", "class_counts", "target_variance", "fingerprint")
"""The fields of a data block that tell what was seen in the data, rather than what is wanted of them."""

SEEN_OF_TABLES = ("network_inputs", "embedded", "given_rows")
"""More of them, which plain numbers have no need of."""


@dataclass(frozen=True, kw_only=True)
class Resolved:
    """A recipe with its open values filled in as far as its data block allows.

    choices     status, why and source by dotted path, of stated values and of those that were filled in
    origins     where every value came from, by dotted path
    missing     one sentence for each thing that is still needed before it can run
    """

    name: str
    recipe: Recipe
    choices: Mapping[str, Choice]
    origins: Mapping[str, Origin]
    missing: tuple[str, ...]


@dataclass(frozen=True)
class _Filling:
    """A value put in an open place, with the reason.

    about   the value within it that the reason speaks of, where that is not the whole
    """

    path: str
    value: Any
    origin: Origin
    why: str
    about: str | None = None


def resolve(document: RecipeDocument, *, overrides: Sequence[str] = ()) -> Resolved:
    """Fill in what the recipe leaves open.

    overrides   `path=value` from the command line

    Raises RecipeError where a setting has a problem.
    """
    if overrides:
        document = override(document, overrides)
    stated = {path: _origin(path, origin) for path, origin in document.origins.items()}
    return _filled(Resolved(name=document.name, recipe=document.recipe, choices=document.choices, origins=stated,
                            missing=()))


def with_data(resolved: Resolved, seen: DataBlock) -> Resolved:
    """The same with what was seen in the data, where the recipe doesn't state it.

    Raises RecipeError where the recipe disagrees with the data. Where it states another fingerprint, the data have
    changed, which the rule data-changed tells; what else differs follows from that.
    """
    data = resolved.recipe.data
    if not isinstance(data, DataBlock):
        return resolved
    fresh = {name: getattr(seen, name) for name in SEEN if getattr(data, name) is None}
    same_files = isinstance(data, TableData) and data.fingerprint == seen.fingerprint
    fresh |= {name: value for name in SEEN_OF_TABLES
              if (same_files or getattr(data, name) is None) and (value := getattr(seen, name)) is not None}
    if same_files:  # the columns that enter are a person's choice, and may have changed since they were counted
        fresh["columns"] = seen.columns
    block = data.model_copy(update=fresh)
    recipe = resolved.recipe.model_copy(update={"data": block})
    problems = [*_contradictions(block, seen), *check(recipe)]
    if problems:
        raise recipe_error(resolved.name, problems)
    origins = {**resolved.origins, **{f"data.{name}": Origin.DATA for name in fresh}}
    return _filled(replace(resolved, recipe=recipe, origins=origins))


def _contradictions(stated: DataBlock, seen: DataBlock) -> Iterator[Problem]:
    if stated.fingerprint not in (None, seen.fingerprint):
        return
    for name in ("rows", "columns", "classes", "class_counts"):
        said, found = getattr(stated, name), getattr(seen, name)
        if said not in (None, found):
            what = f"data.{name} is {plain_text(said)}, but {stated.name} has {plain_text(found)}"
            yield Problem(f"data.{name}", f"{what}; leave it out, or let `assay init` write the block again")


def _origin(path: str, stated: Origin) -> Origin:
    seen = path.removeprefix("data.") in (*SEEN, *SEEN_OF_TABLES) and path.startswith("data.")
    return Origin.DATA if seen and stated is Origin.RECIPE else stated


def _filled(resolved: Resolved) -> Resolved:
    recipe, choices, origins = resolved.recipe, dict(resolved.choices), dict(resolved.origins)
    for filling in (_task, _split_kind, _model, _loss, _metrics, _monitor, _mode):
        for each in filling(recipe):
            recipe = _put(recipe, each.path.split("."), each.value)
            origins[each.path] = each.origin
            status = Status.UNCERTAIN if each.origin is Origin.DEFAULT else Status.JUSTIFIED
            choices[each.about or each.path] = Choice(status=status, why=each.why)
    every = {path: origins.get(path, Origin.DEFAULT) for path, _ in leaves(recipe)}
    return replace(resolved, recipe=recipe, choices=choices, origins=every, missing=tuple(_missing(recipe)))


def _put(section: S, steps: list[str], value: Any) -> S:
    inner = value if len(steps) == 1 else _put(getattr(section, steps[0]), steps[1:], value)
    return section.model_copy(update={steps[0]: inner})


def _task(recipe: Recipe) -> Iterator[_Filling]:
    task = task_of(recipe)
    if recipe.task is None and task is not None:
        yield _Filling("task", task, Origin.DATA, "what the target holds")


def _split_kind(recipe: Recipe) -> Iterator[_Filling]:
    data, task = recipe.data, task_of(recipe)
    if not isinstance(data, DataBlock) or data.split.kind is not None or task is None:
        return
    labelled = task in ("binary", "multiclass")
    if isinstance(data, TableData) and (data.split_column or data.time or data.group):
        yield _split_kind_of(data, labelled=labelled)
    elif task == "regression":
        yield _Filling("data.split.kind", "random", Origin.DERIVED, "a regression target has no classes to keep even")
    elif not labelled:
        yield _Filling("data.split.kind", "random", Origin.DERIVED, "examples with several labels have no single class")
    else:
        yield _Filling("data.split.kind", "stratified", Origin.DERIVED, "every split gets its share of every class")


def _split_kind_of(data: TableData, *, labelled: bool) -> _Filling:
    """By what the table says of its rows: their splits, else their times, else their groups."""
    if data.split_column:
        why = f"{data.split_column} says which split a row is in"
        return _Filling("data.split.kind", "column", Origin.DERIVED, why)
    if data.time:
        return _Filling("data.split.kind", "time", Origin.DERIVED, f"by {data.time}, what comes later is predicted")
    kind = "stratified_grouped" if labelled else "grouped"
    return _Filling("data.split.kind", kind, Origin.DERIVED, f"rows of one {data.group} stay together")


def _model(recipe: Recipe) -> Iterator[_Filling]:
    if recipe.model is None and isinstance(recipe.data, DataBlock):
        why = "the simplest network that is not linear"
        yield _Filling("model", NamedModel(), Origin.DEFAULT, why, about="model.name")


def _loss(recipe: Recipe) -> Iterator[_Filling]:
    task = task_of(recipe)
    if recipe.objective.loss is None and task is not None:
        yield _Filling("objective.loss", LOSSES[task][0], Origin.DERIVED, f"the usual loss of a {task} task")


def _metrics(recipe: Recipe) -> Iterator[_Filling]:
    task = task_of(recipe)
    if not recipe.evaluation.metrics and task is not None:
        yield _Filling("evaluation.metrics", metrics_for(task), Origin.DERIVED, f"every metric of a {task} task")


def _monitor(recipe: Recipe) -> Iterator[_Filling]:
    if recipe.checkpointing.monitor is not None:
        return
    selection = monitored(recipe)
    if isinstance(recipe.model, ClassPath):
        yield _Filling("checkpointing.monitor", "val_loss", Origin.DEFAULT, "what most modules log")
    elif selection is not None:
        yield _Filling("checkpointing.monitor", selection[0], Origin.DERIVED, "the first metric selects")


def _mode(recipe: Recipe) -> Iterator[_Filling]:
    monitor = recipe.checkpointing.monitor
    sense = sense_of(monitor) if monitor else None
    if recipe.checkpointing.mode is None and sense is not None:
        better = "larger" if sense == "max" else "smaller"
        yield _Filling("checkpointing.mode", sense, Origin.DERIVED, f"{monitor} is better the {better} it is")


def _missing(recipe: Recipe) -> Iterator[str]:
    data, monitor = recipe.data, recipe.checkpointing.monitor
    if data is None:
        yield "data: no examples are named; add a `data:` block, such as the one that `assay init digits` writes"
    elif isinstance(data, DataBlock):
        task = task_of(recipe)
        wanted = [name for name in SEEN if getattr(data, name) is None and not _idle(name, task)]
        if wanted:
            yield f"data: {', '.join(wanted)} not stated; `assay run` reads what is missing from the data"
    if recipe.model is None:
        yield ("model: none is named; give a class_path" if isinstance(data, ClassPath) else
               "model: the default network takes its inputs and outputs from `data:`")
    if task_of(recipe) is None and not isinstance(recipe.model, ClassPath) and not isinstance(data, ClassPath):
        yield "task: not stated; it follows from `data:`, and with it loss and metrics"
    if monitor and recipe.checkpointing.mode is None:
        yield f"checkpointing.mode: state whether {monitor} is better larger (max) or smaller (min)"


def _idle(name: str, task: str | None) -> bool:
    """Whether a task of this kind has no such thing."""
    if task == "regression":
        return name in ("classes", "class_counts")
    return name == "target_variance"
