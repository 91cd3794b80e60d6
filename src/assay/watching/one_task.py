"""A model, one batch and a loss, as a preflight calls them: on copies of the model alone."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from assay.errors import UnusableInput
from assay.tensors import first_tensor
from assay.watching.copies import mapped
from assay.watching.mixing import Arguments

Loss = Callable[[Any, Any], Tensor]
"""Of outputs and targets."""


@dataclass(frozen=True, eq=False)
class Task:
    """What is checked.

    model       the user's own, which is never called
    batch       what is handed to training_step; None where the model is called by `arguments`
    arguments   what the model is called with, and how many rows of it are examples
    targets     what the loss is given beside the outputs; None where the model makes its own loss
    loss_of     the loss, None where the model makes its own
    """

    model: nn.Module
    batch: Any
    arguments: Arguments
    targets: Any
    loss_of: Loss | None

    def copy(self) -> nn.Module:
        """A copy of the model, in training mode. Raises UnusableInput where there can be none."""
        try:
            return copy.deepcopy(self.model).train()
        except Exception as fault:
            raise UnusableInput(
                f"{type(self.model).__name__} can't be copied ({type(fault).__name__}: {fault}): a preflight works on "
                "copies, so make what it holds copyable.",
            ) from fault

    def outputs(self, model: nn.Module) -> Any:
        """What the model gives for the batch."""
        return model(*self.arguments.positional, **self.arguments.named)

    def loss(self, model: nn.Module) -> Tensor:
        """The loss of the batch, a number with a graph."""
        if self.loss_of is not None:
            return self.loss_of(self.outputs(model), self.targets)
        given = self.outputs(model) if self.batch is None else model.training_step(self.batch, 0)  # type: ignore[operator]
        if isinstance(given, dict) and "loss" in given:
            given = given["loss"]
        found = getattr(given, "loss", given)
        if not isinstance(found, Tensor):
            raise UnusableInput("The model gives no loss of its own: hand preflight a loss as its third argument.")
        return found

    @property
    def rows_are_examples(self) -> bool:
        """Whether there is one target for each row of the inputs, so that no row should see another."""
        return isinstance(self.targets, Tensor) and self.targets.dim() > 0 and len(self.targets) == self.arguments.rows

    def first(self, rows: int) -> Task:
        """The same for the first rows of the batch alone. Raises TypeError where it can't be cut."""

        def cut(tensor: Tensor) -> Tensor:
            return tensor[:rows] if tensor.dim() and len(tensor) == self.arguments.rows else tensor

        named = {key: mapped(value, cut) for key, value in self.arguments.named.items()}
        arguments = Arguments(tuple(mapped(each, cut) for each in self.arguments.positional), named,
                              min(rows, self.arguments.rows))
        return replace(self, arguments=arguments, targets=mapped(self.targets, cut))


def task_of(model: nn.Module, batch: Any, loss: Loss | None) -> Task:
    """What was handed over. Raises UnusableInput where it doesn't fit together."""
    if loss is None and hasattr(model, "training_step"):
        inputs, targets = _pair(batch) or (batch, None)
        return Task(model, batch, _arguments(inputs), targets, None)
    if loss is None:
        return Task(model, None, _arguments(batch), None, None)
    pair = _pair(batch)
    if pair is None:
        raise UnusableInput("The batch is no pair: hand over (inputs, targets), or leave the loss to the model.")
    return Task(model, None, _arguments(pair[0]), pair[1], _by_name(loss))


def refuse_unusable(task: Task) -> None:
    """Raise UnusableInput where the model fails on the batch, or its loss can't be followed."""
    name = type(task.model).__name__
    try:
        value = task.loss(task.copy())
    except UnusableInput:
        raise
    except Exception as fault:
        raise UnusableInput(
            f"{name} fails on the batch ({type(fault).__name__}: {fault}): hand over (inputs, targets) "
            "and a loss of (outputs, targets), or a batch of which the model makes its own loss.",
        ) from fault
    if not isinstance(value, Tensor) or value.numel() != 1:
        raise UnusableInput("The loss gives no single number: average it over the batch.")
    if not value.requires_grad:
        raise UnusableInput(
            f"The loss of {name} has no gradient: see that nothing between model and loss detaches, "
            "and that a parameter requires one.",
        )


def _by_name(loss: Loss) -> Loss:
    """One of PyTorch's own functions, looked up anew at each call, so that the probes see it too."""
    name = getattr(loss, "__name__", "")
    if getattr(loss, "__module__", None) != functional.__name__ or not hasattr(functional, name):
        return loss
    return lambda outputs, targets: getattr(functional, name)(outputs, targets)


def _pair(batch: Any) -> tuple[Any, Any] | None:
    return tuple(batch) if isinstance(batch, list | tuple) and len(batch) == 2 else None


def _arguments(inputs: Any) -> Arguments:
    positional: tuple[Any, ...] = ()
    named: dict[str, Any] = {}
    if isinstance(inputs, dict) or hasattr(inputs, "keys"):
        named = {key: inputs[key] for key in inputs.keys()}  # noqa: SIM118  # a Mapping of any kind
    elif isinstance(inputs, list | tuple):
        positional = tuple(inputs)
    else:
        positional = (inputs,)
    first = first_tensor((positional, named))
    return Arguments(positional, named, 0 if first is None else len(first))


def trainable(model: nn.Module) -> list[torch.nn.Parameter]:
    """The parameters that may move."""
    return [each for each in model.parameters() if each.requires_grad]
