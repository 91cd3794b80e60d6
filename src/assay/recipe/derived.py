"""What follows from a recipe by arithmetic, before anything is read or trained."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from itertools import pairwise

from assay.facts.task import TaskKind
from assay.recipe.cost import Cost, cost_of
from assay.recipe.embedding_width import embedding_width
from assay.recipe.schema import ClassPath, DataBlock, NamedModel, Recipe
from assay.recipe.split_sizes import Sizes, is_exact, planned_sizes
from assay.recipe.task import class_count, label_entropy, outputs_of, task_of, training_class_counts


@dataclass(frozen=True)
class Quantity:
    """A derived number and how it came about; where it can't be known, `value` is None and `how` says why."""

    value: float | None
    how: str


@dataclass(frozen=True, kw_only=True)
class Derived:
    """Everything that follows from the recipe.

    sizes                   rows of each split
    steps_per_epoch         optimizer steps
    total_steps             if no run stops early
    effective_batch         examples behind one optimizer step
    warmup_share            of all steps, 0 to 1
    parameters              trainable numbers
    first_loss              what an uninformed prediction gets, in nats or in squared standardised units
    examples_seen           training examples of one full run, repeats counted
    double_softmax_floor    where cross entropy stalls if softmax is applied twice
    cost                    of the whole ladder; None where it can't be told yet
    """

    sizes: Sizes | None
    steps_per_epoch: Quantity
    total_steps: Quantity
    effective_batch: Quantity
    warmup_share: Quantity
    parameters: Quantity
    first_loss: Quantity
    examples_seen: Quantity
    double_softmax_floor: Quantity
    cost: Cost | None

    def quantities(self) -> dict[str, Quantity]:
        """The quantities by name, in this order."""
        pairs = ((each.name, getattr(self, each.name)) for each in fields(self))
        return {name: value for name, value in pairs if isinstance(value, Quantity)}


def derive(recipe: Recipe) -> Derived:
    """Derive everything from a resolved recipe."""
    data, training = recipe.data, recipe.training
    sizes = planned_sizes(data) if isinstance(data, DataBlock) else None
    steps = _steps_per_epoch(recipe, sizes)
    total = _times(steps, training.max_epochs, f"× {training.max_epochs:,} epochs")
    seen = Quantity(None, steps.how) if sizes is None else Quantity(
        sizes.train * training.max_epochs, f"{sizes.train:,} training rows × {training.max_epochs:,} epochs")
    parameters = _parameters(recipe)
    return Derived(
        sizes=sizes, steps_per_epoch=steps, total_steps=total, effective_batch=_effective_batch(recipe, sizes),
        warmup_share=_warmup_share(recipe, total), parameters=parameters, first_loss=_first_loss(recipe),
        examples_seen=seen, double_softmax_floor=_double_softmax_floor(recipe),
        cost=_cost(recipe, parameters, total, sizes=sizes),
    )


def _steps_per_epoch(recipe: Recipe, sizes: Sizes | None) -> Quantity:
    if isinstance(recipe.data, ClassPath):
        return Quantity(None, "data of your own are counted when they are read")
    if sizes is None or recipe.data is None:
        return Quantity(None, _unknown_sizes(recipe.data))
    size, rows = recipe.training.batch_size, sizes.train
    about = "" if is_exact(recipe.data) else "about "
    if isinstance(recipe.model, NamedModel) and recipe.model.batch_norm and rows > size and rows % size == 1:
        return Quantity(rows // size, f"{about}{rows:,} training rows in batches of {size:,}, the lone last row joined "
                                      "to the batch before it, since batch norm can't take one row")
    how = f"{about}{rows:,} training rows in batches of {size:,}, the last one smaller"
    return Quantity(math.ceil(rows / size), how)


def _unknown_sizes(data: DataBlock | None) -> str:
    if data is None or data.rows is None:
        return "data.rows is not stated"
    return "data.given_rows is not stated: the data themselves say which rows are for training"


def _times(quantity: Quantity, factor: int, how: str) -> Quantity:
    if quantity.value is None:
        return quantity
    return Quantity(quantity.value * factor, f"{quantity.value:,.0f} steps {how}")


def _effective_batch(recipe: Recipe, sizes: Sizes | None) -> Quantity:
    if isinstance(recipe.data, ClassPath):
        return Quantity(None, "data of your own make their batches")
    size = recipe.training.batch_size
    if sizes is not None and sizes.train < size:
        return Quantity(sizes.train, f"all training rows, since there are fewer than the batch size of {size:,}")
    return Quantity(size, "batch size × 1 device, no accumulation")


def _warmup_share(recipe: Recipe, total: Quantity) -> Quantity:
    scheduler = recipe.training.scheduler
    if scheduler.name == "onecycle":
        return Quantity(0.3, "onecycle rises over the first 30 % of its steps")
    if scheduler.warmup_steps == 0:
        return Quantity(0.0, "no warm-up")
    if total.value is None:
        return Quantity(None, total.how)
    return Quantity(scheduler.warmup_steps / total.value, f"{scheduler.warmup_steps:,} of {total.value:,.0f} steps")


def _parameters(recipe: Recipe) -> Quantity:
    model, data, outputs = recipe.model, recipe.data, outputs_of(recipe)
    if not isinstance(model, NamedModel):
        return Quantity(None, "a model of your own is counted when it is made" if model else "no model is named")
    if not isinstance(data, DataBlock) or data.columns is None or outputs is None:
        return Quantity(None, "data.columns or data.classes is not stated")
    embeddings = [(size, embedding_width(size)) for size in data.embedded or ()]
    inputs = (data.network_inputs or data.columns) - len(embeddings) + sum(width for _, width in embeddings)
    layers = list(pairwise((inputs, *model.hidden, outputs)))
    dense = sum(inside * outside + outside for inside, outside in layers)
    norms = 2 * sum(model.hidden) if model.batch_norm else 0
    terms = [f"{size}·{width} of an embedding" for size, width in embeddings]
    terms += [f"{inside}·{outside} + {outside}" for inside, outside in layers]
    terms += [f"{norms} of batch norm"] if norms else []
    return Quantity(dense + norms + sum(size * width for size, width in embeddings), " + ".join(terms))


def _first_loss(recipe: Recipe) -> Quantity:
    task, data, model = task_of(recipe), recipe.data, recipe.model
    if not isinstance(data, DataBlock) or task is None:
        return Quantity(None, "the task is not known before the data are read")
    if not isinstance(model, NamedModel):
        return Quantity(None, "a model of your own may use any loss")
    if task == "regression":
        return _first_regression_loss(recipe)
    if model.prior_bias:
        return _prior_loss(recipe, data)
    if task == "multilabel":
        return Quantity(math.log(2), "log 2: every label as likely as not")
    classes = 2 if task == "binary" else class_count(data)
    if classes is None:
        return Quantity(None, "data.classes is not stated")
    return Quantity(math.log(classes), f"log {classes}: every class equally likely")


def _prior_loss(recipe: Recipe, data: DataBlock) -> Quantity:
    objective, counts, known = recipe.objective, training_class_counts(data), label_entropy(data)
    if not counts or not all(counts) or known is None:
        return Quantity(None, "data.class_counts is not stated, or a class has no training rows")
    if objective.class_weights != "none" or objective.label_smoothing or objective.ignore_index is not None:
        return Quantity(None, "the head starts at the class frequencies, and the loss weighs or smooths the labels")
    return Quantity(known, "the training labels' entropy: the head starts at the class frequencies")


def _first_regression_loss(recipe: Recipe) -> Quantity:
    if (recipe.objective.loss or "mse") == "mse":
        return Quantity(1.0, "the target's variance as the loss sees it: targets are standardised")
    return Quantity(None, f"{recipe.objective.loss} of standardised targets depends on their distribution; at most 1")


def _double_softmax_floor(recipe: Recipe) -> Quantity:
    task: TaskKind | None = task_of(recipe)
    classes = class_count(recipe.data) if isinstance(recipe.data, DataBlock) else None
    if task != "multiclass" or classes is None:
        return Quantity(None, "for cross entropy over several classes only" if task else "the task is not known")
    return Quantity(math.log(1 + (classes - 1) / math.e), f"log(1 + {classes - 1}/e)")


def _cost(recipe: Recipe, parameters: Quantity, total: Quantity, *, sizes: Sizes | None) -> Cost | None:
    if parameters.value is None or total.value is None or sizes is None:
        return None
    return cost_of(
        parameters=int(parameters.value), batch_size=recipe.training.batch_size, steps=int(total.value),
        epochs=recipe.training.max_epochs, validation_rows=sizes.validation, runs=len(recipe.seeds),
    )
