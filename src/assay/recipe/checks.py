"""What typed models can't see: whether a recipe's values agree with each other.

A check yields problems by path; it holds back where what it would compare is unknown or has a problem of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator

from assay.recipe.metrics import METRICS, metrics_for, sense_of
from assay.recipe.nearest import did_you_mean
from assay.recipe.problem import Problem
from assay.recipe.schema import ClassPath, DataBlock, NamedModel, Recipe, TableData
from assay.recipe.split_sizes import STRATIFIED, is_multilabel, planned_sizes
from assay.recipe.task import LOSSES, class_count, metrics_of, task_in, task_of

SUM_TOLERANCE = 1e-6
"""How far the shares of a split may be from 1: thirds written with seven digits are meant."""

CADENCES = {"cosine": "step", "onecycle": "step", "step": "epoch", "plateau": "epoch"}
"""When each schedule moves: the kinds that PyTorch documents per batch or per epoch."""

Check = Callable[[Recipe], Iterator[Problem]]


def check(recipe: Recipe, *, unknown: Collection[str] = ()) -> list[Problem]:
    """Every disagreement within the recipe.

    unknown     dotted paths whose values have problems already; nothing is said that rests on them
    """
    problems: list[Problem] = []
    for each, rests_on in CHECKS.items():
        if not any(_touches(path, bad) for path in rests_on for bad in unknown):
            problems += each(recipe)
    return problems


def _touches(path: str, bad: str) -> bool:
    return path == bad or path.startswith(f"{bad}.") or bad.startswith(f"{path}.") or bad == ""


def _task_and_data(recipe: Recipe) -> Iterator[Problem]:
    if not isinstance(recipe.data, DataBlock):
        return
    classes, shown = class_count(recipe.data), task_in(recipe.data)
    if recipe.task is None or shown is None or recipe.task == shown:
        return
    if recipe.task == "multiclass" and shown == "binary":
        return  # two classes may well be two logits
    what = f"{classes} {'targets' if shown == 'multilabel' else 'classes'}" if classes else (
        "a target with a variance and no classes")
    yield Problem("task", f"task is {recipe.task}, but data has {what}; it must be {shown}")


def _counts(recipe: Recipe) -> Iterator[Problem]:
    data = recipe.data
    if not isinstance(data, DataBlock):
        return
    if data.classes and data.class_counts and len(data.classes) != len(data.class_counts):
        yield Problem("data.class_counts", f"data.class_counts has {len(data.class_counts)} entries for "
                                           f"{len(data.classes)} classes; it needs one a class")
    if is_multilabel(data):
        yield from _label_counts(data)
        return
    if data.class_counts and data.rows and sum(data.class_counts) != data.rows:
        yield Problem("data.class_counts", f"data.class_counts add up to {sum(data.class_counts):,}, but data.rows is "
                                           f"{data.rows:,}; let `assay init` write the block again")
    if class_count(data) == 1:
        yield Problem("data.classes", "data has one class only, so there is nothing to tell apart; check the target")


def _label_counts(data: DataBlock) -> Iterator[Problem]:
    if data.class_counts and data.rows and max(data.class_counts) > data.rows:
        yield Problem("data.class_counts", f"data.class_counts has {max(data.class_counts):,} rows with one label, but "
                                           f"data.rows is {data.rows:,}; let `assay init` write the block again")


def _split(recipe: Recipe) -> Iterator[Problem]:
    if not isinstance(recipe.data, DataBlock):
        return
    plan = recipe.data.split
    total = plan.train + plan.validation + plan.test
    if abs(total - 1) > SUM_TOLERANCE:
        yield Problem("data.split", f"data.split adds up to {total:.7g}: train {plan.train:g}, validation "
                                    f"{plan.validation:g} and test {plan.test:g} must add up to 1")
    else:
        sizes = planned_sizes(recipe.data)
        if sizes is not None and not (sizes.train and sizes.validation):
            yield Problem("data.split", f"data.split leaves {sizes.train} rows to train on and {sizes.validation} to "
                                        f"validate on, of {recipe.data.rows}; both need at least one")
    if plan.kind in STRATIFIED and task_of(recipe) in ("regression", "multilabel"):
        what = ("a regression target has no classes" if task_of(recipe) == "regression" else
                "examples with several labels have no single class")
        yield Problem("data.split.kind", f"data.split.kind is {plan.kind}, but {what}; use "
                                         f"{'random' if plan.kind == 'stratified' else 'grouped'}")


def _split_columns(recipe: Recipe) -> Iterator[Problem]:
    """What a kind of split goes by must be named, and a gap needs an order in time."""
    if not isinstance(recipe.data, DataBlock):
        return
    data, plan = recipe.data, recipe.data.split
    needed = {"grouped": "group", "stratified_grouped": "group", "time": "time", "column": "split_column"}
    key = needed.get(plan.kind or "")
    if key and not (isinstance(data, TableData) and getattr(data, key)):
        yield Problem("data.split.kind", f"data.split.kind is {plan.kind}, but data.{key} is not stated; name the "
                                         "column there" if isinstance(data, TableData) else
                      f"data.split.kind is {plan.kind}, which needs a table's column, and data.source {data.source} "
                      "names none; use random or stratified")
    by_time = plan.kind == "time" or (plan.kind is None and isinstance(data, TableData) and data.time)
    if plan.gap and not by_time:
        yield Problem("data.split.gap", "data.split.gap is set, but the split doesn't go by time; leave it out, or set "
                                        "data.split.kind to time")
    if plan.kind == "column" and isinstance(data, TableData) and data.test_file:
        yield Problem("data.test_file", "data.test_file and data.split_column both say which rows are for testing; "
                                        "leave one out")


def _loss(recipe: Recipe) -> Iterator[Problem]:
    task, objective = task_of(recipe), recipe.objective
    if task and objective.loss and objective.loss not in LOSSES[task]:
        yield Problem("objective.loss", f"objective.loss {objective.loss} is not for a {task} task; use "
                                        f"{' or '.join(LOSSES[task])}")
    if task == "multilabel" and objective.ignore_index is not None:
        path = "objective.ignore_index"
        yield Problem(path, f"{path} is set, but with several labels each is 0 or 1; leave it out")
    if task != "regression":
        return
    for name, idle in (("label_smoothing", 0.0), ("ignore_index", None)):
        if getattr(objective, name) != idle:
            path = f"objective.{name}"
            yield Problem(path, f"{path} is set, but a regression target has no classes; leave it out")


def _weights(recipe: Recipe) -> Iterator[Problem]:
    weights, path = recipe.objective.class_weights, "objective.class_weights"
    if weights != "none" and task_of(recipe) == "regression":
        yield Problem(path, f"{path} is set, but a regression target has no classes; leave it out")
    classes = class_count(recipe.data) if isinstance(recipe.data, DataBlock) else None
    if isinstance(weights, tuple) and classes is not None and len(weights) != classes:
        yield Problem(path, f"{path} has {len(weights)} entries for {classes} classes; it needs one a class")


def _metrics(recipe: Recipe) -> Iterator[Problem]:
    task = task_of(recipe)
    known = metrics_for(task) if task else tuple(METRICS)
    seen: set[str] = set()
    for index, name in enumerate(recipe.evaluation.metrics):
        path = f"evaluation.metrics.{index}"
        if name not in METRICS:
            yield Problem(path, f"evaluation.metrics has an unknown metric {name!r}{did_you_mean(name, known)}")
        elif name not in known:
            yield Problem(path, f"evaluation.metrics has {name}, which is not for a {task} task; choose from "
                                f"{', '.join(known)}")
        elif name in seen:
            yield Problem(path, f"evaluation.metrics has {name} twice; leave one out")
        seen.add(name)


def _monitor(recipe: Recipe) -> Iterator[Problem]:
    monitor = recipe.checkpointing.monitor
    if monitor is None or isinstance(recipe.model, ClassPath):
        return  # what people's own modules log shows when they run
    task, path = task_of(recipe), "checkpointing.monitor"
    computed = [name for name in metrics_of(recipe) if name in METRICS]
    produced = ["val_loss", "train_loss", *(f"val_{name}" for name in computed if METRICS[name].sense)]
    stem = monitor.removeprefix("val_")
    if monitor in produced:
        return
    if monitor.startswith("val_") and stem in METRICS and METRICS[stem].sense is None:
        sentence = f"{path} is {monitor}, which is no single number and can't select a model"
        yield Problem(path, f"{sentence}; choose from {', '.join(produced)}")
    elif monitor.startswith("val_") and stem in METRICS and task and task not in METRICS[stem].tasks:
        yield Problem(path, f"{path} is {monitor}, but {stem} is not for a {task} task; choose from "
                            f"{', '.join(produced)}")
    elif monitor.startswith("val_") and stem in METRICS:
        yield Problem(path, f"{path} is {monitor}, but evaluation.metrics has no {stem}; add it there, or choose from "
                            f"{', '.join(produced)}")
    else:
        yield Problem(path, f"{path} is {monitor!r}, which nothing produces{did_you_mean(monitor, produced)}")


def _mode(recipe: Recipe) -> Iterator[Problem]:
    monitor, mode = recipe.checkpointing.monitor, recipe.checkpointing.mode
    sense = sense_of(monitor) if monitor else None
    if mode and sense and mode != sense:
        better = "larger" if sense == "max" else "smaller"
        yield Problem("checkpointing.mode", f"checkpointing.mode is {mode}, but {monitor} is better the {better} it "
                                            f"is; use {sense}")


def _schedule(recipe: Recipe) -> Iterator[Problem]:
    scheduler = recipe.training.scheduler
    right = CADENCES.get(scheduler.name)
    if right and scheduler.interval and scheduler.interval != right:
        yield Problem("training.scheduler.interval",
                      f"training.scheduler.interval is {scheduler.interval}, but {scheduler.name} moves once "
                      f"{'an' if right == 'epoch' else 'a'} {right}; use {right}, or leave it out")
    if scheduler.name == "onecycle" and scheduler.warmup_steps:
        yield Problem("training.scheduler.warmup_steps", "training.scheduler.warmup_steps is set, but onecycle warms "
                                                         "up by itself; leave it out")


def _warm_up(recipe: Recipe) -> Iterator[Problem]:
    data, training, warm_up = recipe.data, recipe.training, recipe.training.scheduler.warmup_steps
    if not warm_up or not isinstance(data, DataBlock) or not data.rows:
        return
    sizes = planned_sizes(data)
    if sizes is None:
        return
    total = -(-sizes.train // training.batch_size) * training.max_epochs
    if warm_up >= total:
        yield Problem("training.scheduler.warmup_steps",
                      f"training.scheduler.warmup_steps is {warm_up:,}, but the whole run has {total:,} steps; "
                      f"warm-up must end before it")


def _seeds(recipe: Recipe) -> Iterator[Problem]:
    repeated = [seed for seed, count in Counter(recipe.seeds).items() if count > 1]
    if repeated:
        yield Problem("seeds", f"seeds has {repeated[0]} more than once, which would count one run as several; leave "
                               "one out")


def _baselines(recipe: Recipe) -> Iterator[Problem]:
    for index, baseline in enumerate(recipe.baselines):
        path = f"baselines.{index}"
        if baseline.status == "copied" and not (baseline.source or "").strip():
            yield Problem(path, f"{path} ({baseline.class_path}) is called copied and gives no source; add `source:`, "
                                "or call it uncertain")
        if baseline.status == "justified" and not (baseline.why or "").strip():
            yield Problem(path, f"{path} ({baseline.class_path}) is called justified and gives no reason; add `why:`, "
                                "or call it uncertain")


def _own_data(recipe: Recipe) -> Iterator[Problem]:
    if isinstance(recipe.data, ClassPath) and isinstance(recipe.model, NamedModel):
        yield Problem("model", f"model is {recipe.model.name}, but data is a class of your own, which doesn't say how "
                               "many inputs and classes there are; give model a class_path too")


CHECKS: dict[Check, tuple[str, ...]] = {
    _task_and_data: ("task", "data"),
    _counts: ("data",),
    _split: ("data", "task"),
    _split_columns: ("data",),
    _loss: ("task", "data", "objective"),
    _weights: ("task", "data", "objective"),
    _metrics: ("task", "data", "evaluation"),
    _monitor: ("task", "data", "evaluation", "checkpointing", "model"),
    _mode: ("checkpointing",),
    _schedule: ("training.scheduler",),
    _warm_up: ("data", "training.scheduler", "training.batch_size", "training.max_epochs"),
    _seeds: ("seeds",),
    _baselines: ("baselines",),
    _own_data: ("data", "model"),
}
"""Every check, with the values that it rests on."""
