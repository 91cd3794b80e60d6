"""A recipe's own experiment: a model of the catalogue on examples in memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from torch import Tensor, nn

from assay.dataset import Prepared
from assay.errors import RecipeError
from assay.facts.floors import (
    binary_floors,
    class_floors,
    entropy,
    multilabel_entropy,
    multilabel_floors,
    regression_floors,
)
from assay.facts.overfit import Floor
from assay.facts.task import Sense, TaskFacts, TaskKind
from assay.models.mlp import MLP
from assay.recipe.metrics import metrics_for, sense_of
from assay.recipe.schema import DataBlock, NamedModel, Recipe
from assay.training.assembly import Batch
from assay.training.batches import EpochOrder, tensors, training_batches, validation_batches
from assay.training.metrics import Scorer, monitored_names
from assay.training.objectives import LossFunction, loss_function, loss_name
from assay.training.optimizers import optimizer_for
from assay.training.random_streams import drawn
from assay.training.recipe_fitting import RecipeFitting
from assay.training.recipe_module import RecipeModule, Task
from assay.training.regularisation import switch_dropout_off


@dataclass(frozen=True, kw_only=True)
class RecipeAssembly:
    """One experiment that a recipe describes in full."""

    recipe: Recipe
    prepared: Prepared
    task: TaskFacts
    scorer: Scorer
    loss_of_outputs: LossFunction
    class_counts: tuple[int, ...]

    @property
    def batch_size(self) -> int:
        """Examples in one training batch."""
        return self.recipe.training.batch_size

    @property
    def learning_rate(self) -> float:
        """The rate that training starts from (after warm-up)."""
        return self.recipe.training.learning_rate

    @property
    def floors(self) -> tuple[Floor, ...]:
        """Where the training loss would stall; none where weights or smoothing leave no simple value."""
        objective, labels = self.recipe.objective, self.prepared.train.y.tolist()
        plain = objective.class_weights == "none" and not objective.label_smoothing and objective.ignore_index is None
        match loss_name(objective, self.task.kind):
            case "cross_entropy" if plain:
                return class_floors([int(label) for label in labels], self.task.outputs)
            case "binary_cross_entropy_with_logits" if plain and self.task.kind == "multilabel":
                return multilabel_floors(labels)
            case "binary_cross_entropy_with_logits" if plain:
                return binary_floors([int(label) for label in labels])
            case "mse":
                return regression_floors(labels)
        return ()

    @property
    def fitting(self) -> RecipeFitting:
        """How it is trained."""
        checkpointing = self.recipe.checkpointing
        monitor = checkpointing.monitor or f"val_{self.task.selects}"
        logged = monitored_names(self.scorer.metrics)
        return RecipeFitting(
            prepared=self.prepared, initialise=self.initialise, batch_size=self.batch_size, lone_row=self._lone_row,
            monitor=monitor, sense=checkpointing.mode or sense_of(monitor) or "min",
            columns=("epoch", "step", "train_loss_step", "train_loss", *logged, "learning_rate"),
        )

    def initialise(self, seed: int) -> tuple[RecipeModule, Tensor]:
        """A new module, and the state in which its initialisation left a stream that started at `seed`."""
        return drawn(self._made, seed=seed)

    def module(self, seed: int) -> RecipeModule:
        """A new module, initialised from a stream of its own that starts at `seed`."""
        return self.initialise(seed)[0]

    def training_batches(self, seed: int, *, rows: int | None = None) -> Iterable[Batch]:
        """The first epoch's training batches in the order that `seed` gives, (x [n, columns], y [n])."""
        x, y = tensors(self.prepared.train, rows=rows)
        return training_batches(x, y, order=EpochOrder(len(x), self.fitting.sizes(rows), seed=seed))

    def validation_batches(self, *, rows: int | None = None) -> Iterable[Batch]:
        """The validation batches in the order of the rows."""
        return validation_batches(*tensors(self.prepared.validation, rows=rows))

    def outputs(self, module: RecipeModule, batch: Batch) -> Tensor:
        """Raw outputs [n, outputs]."""
        return module(batch[0].to(module.device))  # type: ignore[no-any-return]  # nn.Module's call is untyped

    def loss(self, module: RecipeModule, batch: Batch) -> Tensor:
        """The recipe's loss of one batch, a scalar."""
        return module.loss_of((batch[0].to(module.device), batch[1].to(module.device)))

    def optimizer(
        self, module: RecipeModule, *, learning_rate: float | None = None, weight_decay: float | None = None,
    ) -> Any:
        """The recipe's optimizer, with these settings put in place of its own."""
        return optimizer_for(
            module, self.recipe.training, learning_rate=learning_rate, weight_decay=weight_decay,
        )

    def without_regularisation(self, module: nn.Module) -> None:
        """Switch dropout off in place."""
        switch_dropout_off(module)

    @property
    def _lone_row(self) -> bool:
        return not (isinstance(self.recipe.model, NamedModel) and self.recipe.model.batch_norm)

    def _made(self) -> RecipeModule:
        assert isinstance(self.recipe.model, NamedModel)
        train = self.prepared.train
        try:
            network = MLP(train.x.shape[1], self.task.outputs, plan=self.recipe.model, embedded=train.embedded)
        except (MemoryError, RuntimeError) as fault:  # torch's word for memory that it can't get
            widths = ", ".join(f"{width:,}" for width in self.recipe.model.hidden)
            raise RecipeError(
                [f"model.hidden: widths of {widths} don't fit into this machine's memory; choose smaller ones."]
            ) from fault
        if self.task.prior_bias and self.task.kind == "multilabel":
            network.set_prior_of_labels(self.class_counts, examples=len(train))
        elif self.task.prior_bias:
            total = sum(self.class_counts)
            network.set_prior([count / total for count in self.class_counts])
        task = Task(
            loss=self.loss_of_outputs, scorer=self.scorer, training=self.recipe.training, lone_row=self._lone_row,
        )
        return RecipeModule(network, task)


def recipe_assembly(recipe: Recipe, prepared: Prepared) -> RecipeAssembly:
    """The experiment of a recipe whose task, data and model are filled in.

    Raises RecipeError where loss, metrics and task don't go together.
    """
    assert recipe.task is not None
    model = recipe.model
    assert isinstance(model, NamedModel)
    kind = recipe.task
    counts = class_counts(recipe, prepared, kind)
    names = recipe.evaluation.metrics or metrics_for(kind)
    scorer = Scorer(
        task=kind, metrics=tuple(names), classes=len(counts), ignore_index=recipe.objective.ignore_index,
        target_mean=prepared.target_mean, target_scale=prepared.target_scale,
    )
    loss = loss_function(recipe.objective, task=kind, class_counts=counts, examples=len(prepared.train))
    if model.prior_bias and kind == "regression":
        raise RecipeError(["model.prior_bias: a regression has no class frequencies; take it out."])
    if model.batch_norm and min(recipe.training.batch_size, len(prepared.train)) == 1:
        raise RecipeError(["training.batch_size: batch norm can't normalise a single example; use 2 or more."])
    selects, sense = _selects(recipe, scorer)
    task = TaskFacts(
        kind=kind, outputs=_outputs(recipe, kind, len(counts)), classes=_class_names(recipe, len(counts)),
        label_entropy=_label_entropy(prepared, kind),
        target_variance=float(np.var(prepared.train.y, dtype=np.float64)) if kind == "regression" else None,
        prior_bias=model.prior_bias, selects=selects, sense=sense,
    )
    return RecipeAssembly(
        recipe=recipe, prepared=prepared, task=task, scorer=scorer, loss_of_outputs=loss, class_counts=counts,
    )


def _label_entropy(prepared: Prepared, kind: TaskKind) -> float | None:
    labels = prepared.train.y.tolist()
    if kind == "multilabel":
        return multilabel_entropy(labels)
    return None if kind == "regression" else entropy([int(label) for label in labels])


def _outputs(recipe: Recipe, kind: TaskKind, classes: int) -> int:
    if kind == "multilabel":
        return classes
    if kind == "regression" or loss_name(recipe.objective, kind) == "binary_cross_entropy_with_logits":
        return 1
    return classes


def _selects(recipe: Recipe, scorer: Scorer) -> tuple[str, Sense]:
    """The metric that selects the model: the monitored one, or the first where the loss is monitored."""
    logged = monitored_names(scorer.metrics)
    monitor = recipe.checkpointing.monitor or (*logged[1:], logged[0])[0]
    if monitor not in (*logged, "train_loss"):
        raise RecipeError([f"checkpointing.monitor: {monitor} isn't logged; use one of {', '.join(logged)}."])
    chosen = monitor if monitor in logged[1:] else (*logged[1:], monitor)[0]
    sense = sense_of(chosen)
    assert sense is not None
    return chosen.removeprefix("val_"), sense


def class_counts(recipe: Recipe, prepared: Prepared, kind: TaskKind) -> tuple[int, ...]:
    """Training examples of each class, or of each label; those to be ignored left out; empty for regression."""
    if kind == "regression":
        return ()
    if kind == "multilabel":
        return tuple(int(count) for count in prepared.train.y.sum(axis=0))
    labels = prepared.train.y.astype(np.int64)
    if recipe.objective.ignore_index is not None:
        labels = labels[labels != recipe.objective.ignore_index]
    named = recipe.data.classes if isinstance(recipe.data, DataBlock) else None
    least = len(named) if named else 2 if kind == "binary" else int(labels.max(initial=1)) + 1
    return tuple(np.bincount(labels[labels >= 0], minlength=least).tolist())


def _class_names(recipe: Recipe, classes: int) -> tuple[str, ...]:
    named = recipe.data.classes if isinstance(recipe.data, DataBlock) else None
    return named or tuple(str(label) for label in range(classes))
