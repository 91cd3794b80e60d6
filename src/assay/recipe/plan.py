"""The Training Recipe: nine sections that say what will be done, what to expect, and what could go wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from assay.recipe.choice import Choice, Status
from assay.recipe.cost import duration
from assay.recipe.derived import Derived, Quantity, derive
from assay.recipe.leaves import leaves, plain_text
from assay.recipe.origin import Origin
from assay.recipe.resolving import Resolved
from assay.recipe.schema import ClassPath, DataBlock, NamedModel, Recipe, TableData
from assay.recipe.task import outputs_of, task_facts, task_of
from assay.recipe.unused import own_data_instead, own_instead, unused

FOLLOWS_FROM_TASK = ("objective.loss", "evaluation.metrics", "checkpointing.monitor", "checkpointing.mode")
"""Values that are filled in once the task is known."""


@dataclass(frozen=True)
class PlanLine:
    """One line of a section: a name, its value, and what there is to say about it (or nothing)."""

    name: str
    value: str
    note: str = ""


@dataclass(frozen=True)
class PlanSection:
    """One of the nine."""

    title: str
    lines: tuple[PlanLine, ...]


@dataclass(frozen=True, kw_only=True)
class StatedChoice:
    """A choice as the plan lists it."""

    path: str
    value: str
    status: Status
    origin: Origin
    why: str | None = None
    source: str | None = None


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What `assay plan` shows, and what a run's recipe.md holds.

    choices     justified, copied and uncertain ones; values that nobody stated are uncertain defaults
    warnings    what deserves a second thought, one sentence each
    """

    name: str
    sections: tuple[PlanSection, ...]
    choices: tuple[StatedChoice, ...]
    missing: tuple[str, ...]
    warnings: tuple[str, ...]
    derived: Derived


def plan(resolved: Resolved) -> Plan:
    """Plan what the recipe asks for."""
    derived = derive(resolved.recipe)
    view = _View(resolved, derived)
    return Plan(
        name=_name(resolved.recipe), choices=tuple(_choices(resolved)), missing=resolved.missing,
        warnings=tuple(_warnings(resolved, derived)), derived=derived,
        sections=tuple(PlanSection(title, tuple(lines(view))) for title, lines in SECTIONS.items()),
    )


@dataclass(frozen=True)
class _View:
    """What the sections look at."""

    resolved: Resolved
    derived: Derived

    @property
    def recipe(self) -> Recipe:
        return self.resolved.recipe

    def line(self, path: str, name: str = "") -> PlanLine:
        """The recipe's value at a path, with its origin and status; the reason stands among the choices."""
        value = dict(leaves(self.recipe)).get(path)
        unknown = task_of(self.recipe) is None and not isinstance(self.recipe.model, ClassPath)
        if value in (None, ()) and unknown and path in FOLLOWS_FROM_TASK:
            return PlanLine(name or _words(path), "not known yet", "follows from the task")
        origin, choice = self.resolved.origins.get(path, Origin.DEFAULT), self.resolved.choices.get(path)
        note = f"{origin}, {choice.status}" if choice else str(origin)
        return PlanLine(name or _words(path), plain_text(value), note)


def _words(path: str) -> str:
    return path.rpartition(".")[2].replace("_", " ")


def _quantity(name: str, quantity: Quantity, form: str = ",.0f") -> PlanLine:
    if quantity.value is None:
        return PlanLine(name, "not known yet", quantity.how)
    return PlanLine(name, format(quantity.value, form), quantity.how)


def _name(recipe: Recipe) -> str:
    data = recipe.data
    return data.name if isinstance(data, DataBlock) else data.class_path if data else "no data yet"


def _task(view: _View) -> Iterator[PlanLine]:
    recipe = view.recipe
    if task_of(recipe) is None and isinstance(recipe.data, ClassPath):
        yield PlanLine("task", "the model's own", "what its loss is made for")
        return
    if task_of(recipe) is None:
        yield PlanLine("task", "not known yet", "follows from the data")
        return
    yield view.line("task")
    outputs = outputs_of(recipe)
    form = {"binary": "one logit", "regression": "one value"}.get(task_of(recipe) or "", f"{outputs} logits")
    yield PlanLine("the model gives", form, "for each example")
    yield PlanLine("selected by", plain_text(recipe.checkpointing.monitor),
                   "the larger the better" if recipe.checkpointing.mode == "max" else "the smaller the better")


def _dataset(view: _View) -> Iterator[PlanLine]:
    data = view.recipe.data
    if isinstance(data, ClassPath):
        yield PlanLine("class", data.class_path, "examples, splits and preprocessing are its own")
        return
    if data is None:
        yield PlanLine("data", "not known yet", "the recipe has no `data:` block")
        return
    yield PlanLine("source", f"{data.name} from {data.source}")
    if isinstance(data, TableData):
        yield from _table(view, data)
    for name in ("rows", "columns", "target_variance", "fingerprint"):
        if getattr(data, name) is not None:
            yield view.line(f"data.{name}")
    if data.classes:
        counted = zip(data.classes, data.class_counts or (), strict=False)
        counts = ", ".join(f"{label}: {count:,}" for label, count in counted)
        yield PlanLine("classes", f"{len(data.classes)}", counts or plain_text(data.classes))
    sizes = view.derived.sizes
    shares = f"{data.split.train:g} / {data.split.validation:g} / {data.split.test:g}"
    rows = f"{sizes.train:,} / {sizes.validation:,} / {sizes.test:,} rows" if sizes else shares
    yield PlanLine("train / validation / test", rows, f"{data.split.kind or 'split by task'}, seed {data.split.seed}; "
                                                      "test rows are set aside before anything is fitted")
    yield view.line("data.scale", "scaling")


def _table(view: _View, data: TableData) -> Iterator[PlanLine]:
    """What a table's own keys say, as far as they are stated; how each column enters stands among the choices."""
    yield view.line("data.files", "file" if len(data.files) == 1 else "files")
    for name in ("test_file", "target", "group", "time", "split_column", "missing"):
        if getattr(data, name):
            yield view.line(f"data.{name}")
    left_out = [column for column, kind in data.inputs.items() if kind == "leave_out"]
    if left_out:
        yield PlanLine("left out", plain_text(left_out), "the reasons stand among the choices")


def _model(view: _View) -> Iterator[PlanLine]:
    model = view.recipe.model
    if isinstance(model, NamedModel):
        for name in ("name", "hidden", "activation", "dropout", "batch_norm", "prior_bias"):
            yield view.line(f"model.{name}")
    else:
        yield PlanLine("class", model.class_path if model else "not known yet", "" if model else "needs `data:`")
    yield _quantity("parameters", view.derived.parameters)


def _objective(view: _View) -> Iterator[PlanLine]:
    if isinstance(view.recipe.model, ClassPath):
        yield PlanLine("loss", "the model's own", "what its training_step returns")
        return
    yield view.line("objective.loss")
    for name, idle in (("class_weights", "none"), ("label_smoothing", 0.0), ("ignore_index", None)):
        if getattr(view.recipe.objective, name) != idle:
            yield view.line(f"objective.{name}")
    yield _quantity("expected first loss", view.derived.first_loss, ".3f")


def _evaluation(view: _View) -> Iterator[PlanLine]:
    if isinstance(view.recipe.model, ClassPath):
        yield PlanLine("metrics", "the model's own", "what it logs during validation")
    else:
        yield view.line("evaluation.metrics")
    yield view.line("checkpointing.monitor", "best weights by")
    yield view.line("checkpointing.mode")
    sizes = view.derived.sizes
    if sizes and sizes.validation and task_of(view.recipe) != "regression":
        error = (0.25 / sizes.validation) ** 0.5
        yield PlanLine("standard error", f"at most {100 * error:.1f} points",
                       f"of an accuracy over {sizes.validation:,} validation rows; smaller differences say nothing")
    yield view.line("seeds")
    for baseline in view.recipe.baselines:
        yield PlanLine("baseline", baseline.class_path, f"{baseline.status}: {baseline.source or baseline.why or ''}")


def _config(view: _View) -> Iterator[PlanLine]:
    training, scheduler = view.recipe.training, view.recipe.training.scheduler
    if isinstance(view.recipe.model, ClassPath):
        yield PlanLine("optimizer and schedule", "the model's own", "what its configure_optimizers returns")
    for name in ("optimizer", "learning_rate", "weight_decay", "scheduler.name", "batch_size", "max_epochs",
                 "gradient_clip_val", "precision", "device"):
        if not unused(f"training.{name}", view.recipe):
            yield view.line(f"training.{name}", "scheduler" if name == "scheduler.name" else "")
    if scheduler.warmup_steps and not isinstance(view.recipe.model, ClassPath):
        yield view.line("training.scheduler.warmup_steps")
    if training.early_stopping:
        yield view.line("training.early_stopping.patience", "early stopping patience")
    yield view.line("logging.logger")
    derived = view.derived
    yield _quantity("steps an epoch", derived.steps_per_epoch)
    yield _quantity("total steps", derived.total_steps)
    yield _quantity("effective batch", derived.effective_batch)
    yield _quantity("warm-up share", derived.warmup_share, ".1%")
    yield _quantity("examples seen", derived.examples_seen)


def _first_checks(view: _View) -> Iterator[PlanLine]:
    first = view.derived.first_loss
    yield PlanLine("data", "fingerprint, splits, labels", "values, overlaps and class counts are as expected")
    yield PlanLine("baselines", "constant, linear, boosted trees", "what good means here, by the same metrics")
    yield PlanLine("smoke", f"first loss near {first.value:.3f}" if first.value is not None else "first loss finite",
                   "every parameter reached and moved, no mixing across the batch, zeroed inputs do worse")
    yield PlanLine("overfit", "loss within 0.05 of its floor", "one tiny batch, dropout and decay off")
    yield PlanLine("subset", "one epoch end to end", "validation on validation rows only; resuming gives the same bits")


def _failures(view: _View) -> Iterator[PlanLine]:
    floor, task, facts = view.derived.double_softmax_floor, task_of(view.recipe), task_facts(view.recipe)
    if floor.value is not None:
        yield PlanLine(f"loss stalls at {floor.value:.4f}", "softmax is applied twice", floor.how)
    if task == "regression":
        yield PlanLine("loss stalls at 1.0", "every prediction is the mean", "or prediction and target broadcast")
    elif facts and facts.label_entropy:
        yield PlanLine(f"loss stalls near {facts.label_entropy:.2f}", "predictions don't depend on the input",
                       "the labels' entropy: labels unrelated to inputs, or a rate far off")
    if task in ("binary", "multiclass") and _imbalance(view.recipe) > 1:
        yield PlanLine("accuracy rises, macro F1 does not", "rare classes are ignored",
                       f"the commonest class has {_imbalance(view.recipe):.1f} × the rows of the rarest")
    yield PlanLine("loss is not finite or jumps", "the rate is too large", "try a third of it")
    yield PlanLine("validation rises while training falls", "overfitting", "more decay or dropout, or stop earlier")
    yield PlanLine("seeds disagree", "one run proves nothing", "report mean, deviation and every seed")


def _imbalance(recipe: Recipe) -> float:
    counts = recipe.data.class_counts if isinstance(recipe.data, DataBlock) else None
    return max(counts) / min(counts) if counts and min(counts) else 1.0


def _scale_up(view: _View) -> Iterator[PlanLine]:
    recipe, cost = view.recipe, view.derived.cost
    yield PlanLine("single", "one full run", f"seed {recipe.seeds[0]}, against the baselines")
    yield PlanLine("seeds", f"{len(recipe.seeds)} full runs", "the first is that one; all shown, with mean and spread")
    yield PlanLine("cost", duration(cost.seconds) if cost else "not known yet",
                   cost.rests_on if cost else "needs rows, columns and a model that can be counted by formula")
    yield PlanLine("test", "one look, after all choices", "`run` never opens the test rows")


SECTIONS: dict[str, Callable[[_View], Iterator[PlanLine]]] = {
    "Task": _task,
    "Dataset": _dataset,
    "Model": _model,
    "Objective": _objective,
    "Evaluation": _evaluation,
    "Minimal Config": _config,
    "First-Run Checks": _first_checks,
    "Failure Modes": _failures,
    "Scale-Up Plan": _scale_up,
}


def _choices(resolved: Resolved) -> Iterator[StatedChoice]:
    values = dict(leaves(resolved.recipe))
    listed = [
        _stated(path, value, resolved) for path, value in values.items()
        if resolved.origins[path] is not Origin.DATA and value not in (None, ()) and not _settled(path)
        and not unused(path, resolved.recipe)
    ]
    for index, baseline in enumerate(resolved.recipe.baselines):
        listed.append(StatedChoice(
            path=f"baselines.{index}", value=baseline.class_path, status=Status(baseline.status),
            origin=resolved.origins["baselines"], why=baseline.why, source=baseline.source,
        ))
    order = list(Status)
    yield from sorted(listed, key=lambda choice: (order.index(choice.status), choice.origin is Origin.DEFAULT))


_GIVEN = tuple(f"data.{name}" for name in ("source", "name", "files", "test_file", "target", "header"))


def _settled(path: str) -> bool:
    """Whether there is nothing to choose: what the data are is no choice, and there is one framework."""
    return path in (*_GIVEN, "framework.pytorch_lightning", "baselines") or path.endswith(
        (".class_path", ".init_args"))


def _stated(path: str, value: object, resolved: Resolved) -> StatedChoice:
    choice = _governing(path, resolved)
    return StatedChoice(
        path=path, value=plain_text(value), status=choice.status, origin=resolved.origins[path],
        why=choice.why, source=choice.source,
    )


def _governing(path: str, resolved: Resolved) -> Choice:
    """The choice of this value, or of the section around it; a plain value is uncertain."""
    while path:
        if path in resolved.choices:
            return resolved.choices[path]
        path = path.rpartition(".")[0]
    return Choice()


def _warnings(resolved: Resolved, derived: Derived) -> Iterator[str]:
    stated = [path for path, origin in resolved.origins.items() if origin in (Origin.RECIPE, Origin.COMMAND_LINE)]
    idle = [path for path in stated if own_instead(path, resolved.recipe)]
    if idle:
        yield f"{', '.join(idle)}: not used, since model is a class of your own; set what it takes in model.init_args"
    idle = [path for path in stated if own_data_instead(path, resolved.recipe)]
    if idle:
        yield f"{', '.join(idle)}: not used, since data is a class of your own; set what it takes in data.init_args"
    if derived.cost and derived.cost.past_a_week:
        yield (f"the whole ladder is estimated at {duration(derived.cost.seconds)}, more than a week: prove it on "
               "fewer rows, a smaller network or fewer epochs first")
