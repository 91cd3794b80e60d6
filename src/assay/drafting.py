"""A first recipe for a data set: what `assay init` writes, each choice with its status and reason.

The defaults were compared on scikit-learn's five small tables, over three divisions of the rows and three seeds each:
one hidden layer of 128 units with dropout 0.2, AdamW at 3e-3 with decay 0.01 and a cosine schedule was nowhere behind
the best of a dozen settings by more than the validation split's standard error. It was ahead of logistic regression and
boosted trees on digits and breast_cancer, and level with the better of the two on wine, iris and diabetes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from assay.dataset import Dataset
from assay.errors import DataError
from assay.facts.task import TaskKind
from assay.preparation import describe, identical_rows_of
from assay.recipe.checks import check
from assay.recipe.choice import Choice, Status
from assay.recipe.metrics import METRICS, metrics_for
from assay.recipe.rendering import render_yaml
from assay.recipe.schema import DataBlock, Recipe, SplitPlan, TableData
from assay.recipe.split_sizes import is_multilabel, planned_sizes
from assay.recipe.task import LOSSES
from assay.tables.survey import Survey

FEWEST_STEPS = 32
"""Optimizer steps an epoch that the batch size is chosen for, where the rows suffice."""

SMALLEST_BATCH, LARGEST_BATCH = 16, 256
"""Smaller ones make noisy gradients, larger ones want a rate of their own."""

MOST_STEPS = 20_000
"""Optimizer steps of a first run: enough for tables of a million rows to settle, few enough to wait for."""

MOST_EPOCHS, FEWEST_EPOCHS = 60, 10

STRONG_IMBALANCE = 10.0
"""Rows of the commonest class for one of the rarest, from which classes are weighted: unweighted, a loss hardly notices
a class that gives less than a tenth of its terms."""

JUSTIFIED, UNCERTAIN = Status.JUSTIFIED, Status.UNCERTAIN


@dataclass(frozen=True)
class Draft:
    """A recipe with a reason for every choice, by dotted path."""

    recipe: Recipe
    choices: dict[str, Choice]

    def text(self) -> str:
        """The YAML that `assay init` writes."""
        name = self.recipe.data.name if isinstance(self.recipe.data, DataBlock) else "your data"
        heading = (
            f"A first recipe for {name}: change any value, then look at it with `assay plan`.\n"
            "A choice is a plain value, or {value, status, why, source}; status is justified, uncertain or copied."
        )
        return render_yaml(self.recipe, self.choices, heading=heading, stated_only=True)


@dataclass(frozen=True)
class _Drafted:
    """One value of the draft, and why it is what it is: for copied ones, where from."""

    path: str
    value: Any
    status: Status
    why: str

    def choice(self) -> Choice:
        if self.status is Status.COPIED:
            return Choice(status=self.status, source=self.why)
        return Choice(status=self.status, why=self.why)


def draft(dataset: Dataset, *, source: str) -> Draft:
    """Draft a recipe for this table.

    source      the name of the source that holds it

    Raises DataError where the table can't be learned from: too few rows, or one class only.
    """
    data = describe(dataset, source=source, plan=SplitPlan())
    return _drafted(data, dataset.task, [*_task(dataset.task), *_data(data, dataset.task)])


def draft_table(seen: Survey) -> Draft:
    """Draft a recipe for a table in files.

    Raises DataError where the table can't be learned from: too few rows, or one class only.
    """
    task = seen.dataset.task
    plan = SplitPlan(train=0.75, validation=0.25, test=0.0) if seen.data.test_file else SplitPlan()
    said = seen.data.model_copy(update={"split": plan})
    shown = describe(seen.dataset, source="table", plan=plan, identical_rows=identical_rows_of(said))
    stated = {**said.model_dump(exclude_unset=True, exclude={"split"}), **shown.model_dump(exclude={"scale"},
                                                                                          exclude_none=True)}
    remarks = [_Drafted(f"data.{each.path}", each.value, JUSTIFIED if each.certain else UNCERTAIN, each.why)
               for each in seen.remarks]
    what = [_Drafted("task", task, JUSTIFIED if seen.certain_task else UNCERTAIN, seen.why_task)]
    data = TableData.model_validate({**stated, "split": plan})
    return _drafted(data, task, [*what, *remarks, *_data(data, task)])


def _drafted(data: DataBlock, task: TaskKind, first: list[_Drafted]) -> Draft:
    block = {"data": data.model_dump(exclude={"split", "scale"}, exclude_none=True, exclude_unset=True)}
    checked = {**block["data"], "split": data.split.model_dump()}
    problems = check(Recipe.model_validate({"data": checked}))
    if problems:
        raise DataError(f"{data.name}: {problems[0].sentence}.")
    entries = [*first, *_objective(data, task), *_model(), *_training(data, task=task)]
    values: dict[str, Any] = {**block, "framework": {"pytorch_lightning": True}}
    for entry in entries:
        _put(values, _steps(entry.path), entry.value)
    choices = {entry.path: entry.choice() for entry in entries}
    return Draft(Recipe.model_validate(values), choices)


def _steps(path: str) -> list[str]:
    """A path's parts; a column's name may have dots of its own."""
    column = path.removeprefix("data.inputs.")
    return path.split(".") if column == path else ["data", "inputs", column]


def _put(values: dict[str, Any], steps: list[str], value: Any) -> None:
    for step in steps[:-1]:
        values = values.setdefault(step, {})
    values[steps[-1]] = value


def _task(task: TaskKind) -> Iterator[_Drafted]:
    reason = {
        "binary": "the target has two classes", "multiclass": "the target has several classes",
        "multilabel": "an example carries several labels", "regression": "the target is a number",
    }
    yield _Drafted("task", task, JUSTIFIED, reason[task])


def _objective(data: DataBlock, task: TaskKind) -> Iterator[_Drafted]:
    selecting = metrics_for(task)[0]
    counts = [] if is_multilabel(data) else [each for each in data.class_counts or () if each]
    if counts and max(counts) >= STRONG_IMBALANCE * min(counts):
        yield _Drafted("objective.class_weights", "balanced", UNCERTAIN,
                       f"the commonest class has {max(counts) / min(counts):.0f} times the rows of the rarest "
                       f"({STRONG_IMBALANCE:.0f} times or more is weighted)")
    yield _Drafted("objective.loss", LOSSES[task][0], JUSTIFIED, f"the usual loss of a {task} task, from raw outputs")
    yield _Drafted("evaluation.metrics", metrics_for(task), JUSTIFIED, f"{selecting} selects, the others explain it")
    yield _Drafted("checkpointing.monitor", f"val_{selecting}", JUSTIFIED,
                   "large errors count most, in the target's own unit" if task == "regression"
                   else "every class counts alike, however rare")
    yield _Drafted("checkpointing.mode", METRICS[selecting].sense, JUSTIFIED,
                   f"{selecting} is better the {'larger' if METRICS[selecting].sense == 'max' else 'smaller'} it is")
    yield _Drafted("seeds", (0, 1, 2), UNCERTAIN, "three show whether a result is stable, not how much it varies")


def _data(data: DataBlock, task: TaskKind) -> Iterator[_Drafted]:
    kind, why = _split_kind(data, task)
    yield _Drafted("data.split.kind", kind, JUSTIFIED, why)
    given = isinstance(data, TableData) and data.test_file is not None
    reasons = {
        "train": "a common division" + ("" if kind not in ("random", "stratified") else
                                        "; rows of one person or day may need to stay together"),
        "validation": "enough rows to choose by",
        "test": "the test rows are given" if given else "kept for one look at the end",
    }
    for name, reason in reasons.items():
        yield _Drafted(f"data.split.{name}", getattr(data.split, name), UNCERTAIN, reason)
    yield _Drafted("data.scale", "standardise", JUSTIFIED, "columns of different size would learn at different rates")


def _split_kind(data: DataBlock, task: TaskKind) -> tuple[str, str]:
    labelled = task in ("binary", "multiclass")
    if isinstance(data, TableData) and data.split_column:
        return "column", f"{data.split_column} says where each row goes"
    if isinstance(data, TableData) and data.time:
        return "time", "later rows are predicted from earlier ones"
    if isinstance(data, TableData) and data.group:
        return ("stratified_grouped" if labelled else "grouped",
                f"rows of one {data.group} stay in one split")
    if labelled:
        return "stratified", "every split gets its share of every class"
    return "random", "a number has no classes to keep even" if task == "regression" else (
        "examples with several labels have no single class to keep even")


def _model() -> Iterator[_Drafted]:
    yield _Drafted("model.name", "mlp", UNCERTAIN, "the simplest network that is not linear")
    yield _Drafted("model.hidden", (128,), UNCERTAIN, "one layer first; deeper ones were no better on small tables")
    yield _Drafted("model.dropout", 0.2, UNCERTAIN, "small tables are memorised within a few epochs")


def _training(data: DataBlock, *, task: TaskKind) -> Iterator[_Drafted]:
    sizes = planned_sizes(data)
    rows = sizes.train if sizes else 0
    batch = batch_size_for(rows)
    epochs = epochs_for(rows, batch)
    yield _Drafted("training.max_epochs", epochs, UNCERTAIN,
                   "early stopping ends most runs before" if epochs == MOST_EPOCHS else
                   f"at most {MOST_STEPS:,} steps for a first run, where {FEWEST_EPOCHS} epochs allow it")
    yield _Drafted("training.batch_size", batch, UNCERTAIN,
                   f"{-(-rows // batch)} steps an epoch from {rows:,} training rows")
    yield _Drafted("training.optimizer", "AdamW", JUSTIFIED,
                   "adapts to each weight, and decays apart from the gradient")
    yield _Drafted("training.learning_rate", 3e-3, UNCERTAIN, "first default for small networks; tune it first")
    yield _Drafted("training.weight_decay", 1e-2, Status.COPIED, "torch.optim.AdamW's default")
    yield _Drafted("training.gradient_clip_val", 1.0, UNCERTAIN, "keeps one odd batch from undoing many good ones")
    yield _Drafted("training.scheduler.name", "cosine", UNCERTAIN, "small steps at the end settle the weights")
    yield _Drafted("training.early_stopping.patience", max(epochs // 3, 5), UNCERTAIN,
                   "epochs; a score over few validation rows" if task != "regression" else
                   "epochs; an error over few validation rows")


def batch_size_for(rows: int) -> int:
    """The largest power of two that still gives 32 steps an epoch, between 16 and 256."""
    size = SMALLEST_BATCH
    while size < LARGEST_BATCH and rows // (2 * size) >= FEWEST_STEPS:
        size *= 2
    return size


def epochs_for(rows: int, batch: int) -> int:
    """Epochs of a first run: 60, or fewer where they would take more than 20,000 steps, but 10 at least."""
    return min(MOST_EPOCHS, max(FEWEST_EPOCHS, MOST_STEPS // max(-(-rows // batch), 1)))
