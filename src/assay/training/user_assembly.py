"""People's own experiment: any LightningModule, on its data module or on the recipe's examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

from torch import Tensor, nn
from torch.optim import Optimizer

from assay.dataset import Prepared
from assay.errors import RecipeError, UserCodeError
from assay.facts.overfit import Floor
from assay.recipe.metrics import metrics_for, sense_of
from assay.recipe.schema import ClassPath, Recipe
from assay.training.assembly import Batch
from assay.training.metrics import Scorer
from assay.training.random_streams import drawn
from assay.training.recipe_assembly import class_counts
from assay.training.regularisation import switch_dropout_off
from assay.training.user_code import failures_told, found_class, made
from assay.training.user_data import UserData
from assay.training.user_fitting import UserFitting


@dataclass(frozen=True, kw_only=True)
class UserAssembly:
    """An experiment with a module of people's own.

    module_class    the module's class; it is made with the recipe's init_args for every run
    package         the Lightning package that the module builds on
    scorer          scores baselines on the recipe's own examples, in the unit in which the module sees the targets
    """

    recipe: Recipe
    module_class: type
    package: ModuleType
    data: UserData
    task: None = None
    scorer: Scorer | None = None
    floors: tuple[Floor, ...] = ()

    @property
    def prepared(self) -> Prepared | None:
        """The recipe's own examples, None where the data are people's own too."""
        return self.data.prepared

    @property
    def batch_size(self) -> int:
        """Examples in one training batch."""
        return self.data.batch_size

    @cached_property
    def learning_rate(self) -> float:
        """The rate of the first parameter group as the module's `configure_optimizers` makes it."""
        return float(self.optimizer(self.module(self.recipe.seeds[0])).param_groups[0]["lr"])

    @property
    def fitting(self) -> UserFitting:
        """How it is trained."""
        checkpointing = self.recipe.checkpointing
        monitor = checkpointing.monitor or "val_loss"
        return UserFitting(
            package=self.package, initialise=self.initialise, data=self.data, monitor=monitor,
            sense=checkpointing.mode or sense_of(monitor) or "min",
        )

    def initialise(self, seed: int) -> tuple[Any, Tensor]:
        """A new module, and the state in which its initialisation left a stream that started at `seed`."""
        plan = self.recipe.model
        assert isinstance(plan, ClassPath)
        return drawn(lambda: made(self.module_class, plan, key="model"), seed=seed)

    def module(self, seed: int) -> Any:
        """A new module, initialised from a stream of its own that starts at `seed`."""
        return self.initialise(seed)[0]

    def training_batches(self, seed: int, *, rows: int | None = None) -> Iterable[Batch]:
        """One epoch's training batches in the order that `seed` gives."""
        return self.data.training_batches(seed, rows=rows)

    def validation_batches(self, *, rows: int | None = None) -> Iterable[Batch]:
        """The validation batches."""
        return self.data.validation_batches(rows=rows)

    def outputs(self, module: Any, batch: Batch) -> Tensor:
        """What the module gives for the batch's inputs; raises UserCodeError where batch or output is otherwise."""
        if not isinstance(batch, list | tuple) or not batch or not isinstance(batch[0], Tensor):
            raise UserCodeError(
                f"The batches are of type {type(batch).__name__}; a pair of tensors is needed to call the module alone."
            )
        with failures_told(f"{type(module).__name__}.forward"):
            outputs = module(batch[0].to(module.device))
        if not isinstance(outputs, Tensor):
            raise UserCodeError(f"{type(module).__name__}.forward gave a {type(outputs).__name__}, which is no tensor.")
        return outputs

    def loss(self, module: Any, batch: Batch) -> Tensor:
        """What the module's `training_step` gives for this batch, with its logging switched off."""
        with failures_told(f"{type(module).__name__}.training_step"), _logging_nothing(module):
            given = module.training_step(module.transfer_batch_to_device(batch, module.device, 0), 0)
        loss = given.get("loss") if isinstance(given, Mapping) else given
        if not isinstance(loss, Tensor):
            raise UserCodeError(
                f"{type(module).__name__}.training_step gave a {type(loss).__name__}; return the loss."
            )
        return loss

    def optimizer(
        self, module: Any, *, learning_rate: float | None = None, weight_decay: float | None = None,
    ) -> Optimizer:
        """The first optimizer of `configure_optimizers`, with these settings put in place of its own."""
        with failures_told(f"{type(module).__name__}.configure_optimizers"):
            given = module.configure_optimizers()
        optimizer = _first_optimizer(given)
        if optimizer is None:
            raise UserCodeError(
                f"{type(module).__name__}.configure_optimizers gave a {type(given).__name__} that holds no optimizer."
            )
        for group in optimizer.param_groups:
            group["lr"] = group["lr"] if learning_rate is None else learning_rate
            if weight_decay is not None and "weight_decay" in group:
                group["weight_decay"] = weight_decay
        return optimizer

    def without_regularisation(self, module: nn.Module) -> None:
        """Switch dropout off in place."""
        switch_dropout_off(module)


def user_assembly(recipe: Recipe, prepared: Prepared | None) -> UserAssembly:
    """The experiment of a recipe whose model is a class of people's own.

    prepared    the recipe's own examples; None where `data` is a class of people's own too

    Raises RecipeError where a class can't be found, isn't Lightning's or doesn't go with the other.
    """
    assert isinstance(recipe.model, ClassPath)
    module_class, package = found_class(recipe.model, key="model", kind="LightningModule")
    data_class = None
    if isinstance(recipe.data, ClassPath):
        data_class, other = found_class(recipe.data, key="data", kind="LightningDataModule")
        if other is not package:
            raise RecipeError(
                [f"data.class_path: {recipe.data.class_path} builds on {other.__name__}, the model on "
                 f"{package.__name__}; import both from the same package."]
            )
    elif prepared is None:
        raise RecipeError(["data: no examples are named; add a `data:` block or a class_path."])
    examples = None if data_class else prepared
    assembly = UserAssembly(
        recipe=recipe, module_class=module_class, package=package, scorer=_scorer(recipe, examples),
        data=UserData(recipe=recipe, data_class=data_class, prepared=examples),
    )
    assembly.module(recipe.seeds[0])  # arguments that don't fit are told now, before a run's folder is made
    return assembly


def _scorer(recipe: Recipe, prepared: Prepared | None) -> Scorer | None:
    if prepared is None or recipe.task is None:
        return None
    classes = 0 if recipe.task == "regression" else len(class_counts(recipe, prepared, recipe.task))
    return Scorer(
        task=recipe.task, metrics=recipe.evaluation.metrics or metrics_for(recipe.task), classes=classes,
        ignore_index=recipe.objective.ignore_index,
    )


def _first_optimizer(given: Any) -> Optimizer | None:
    if isinstance(given, Mapping):
        return _first_optimizer(given.get("optimizer"))
    if isinstance(given, list | tuple):
        return next((found for each in given if (found := _first_optimizer(each)) is not None), None)
    return given if isinstance(given, Optimizer) else None


@contextmanager
def _logging_nothing(module: Any) -> Iterator[None]:
    """Put nothing in the place of `self.log` and `self.log_dict`, while a step runs outside a Trainer."""
    names = ("log", "log_dict")
    for name in names:
        object.__setattr__(module, name, lambda *_, **__: None)
    try:
        yield
    finally:
        for name in names:
            object.__delattr__(module, name)
