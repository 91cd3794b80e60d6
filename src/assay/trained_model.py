"""A run's trained model, to be used: `assay.load(RUN)`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from assay.errors import UnusableInput
from assay.experiment import importable
from assay.facts.task import TaskKind
from assay.ledger import Entry
from assay.models.mlp import MLP
from assay.recipe.reading import parse_recipe
from assay.recipe.schema import ClassPath, NamedModel, Recipe, TableData
from assay.run_folder import open_run
from assay.signature import Signature, read_signature
from assay.tables.new_rows import NewRows, Wanted, read_new_array, read_new_file, read_new_values
from assay.training.best_weights import best_content, best_weights
from assay.training.probabilities import averaged, decided
from assay.training.user_code import found_class, made

AT_ONCE = 4096
"""Rows that go through a network together."""

MOST_LISTED = 5
"""Values or columns that a notice names."""


@dataclass(frozen=True, kw_only=True)
class Answers:
    """What a model says of new rows.

    predicted       class names, str [n]; values in the target's own unit, float64 [n]; 0 and 1, int64 [n, labels]
    probabilities   float64 [n, classes] or [n, labels]; None for regression
    rows            the rows as they were given and read
    notices         sentences on what was not used, not known or not readable
    """

    predicted: NDArray[Any]
    probabilities: NDArray[np.float64] | None
    rows: NewRows
    notices: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Model:
    """The best weights of a run's seeds, with the preprocessing that was fitted for them.

    seeds       whose weights are used; several answer together, by the mean of their probabilities (or values)
    networks    one torch module a seed, in evaluation mode, on the CPU
    classes     in the order of the probabilities' columns; empty for regression
    columns     that a row must have
    """

    run: Path
    recipe: Recipe
    seeds: tuple[int, ...]
    networks: tuple[nn.Module, ...]
    signature: Signature | None

    @property
    def network(self) -> nn.Module:
        """The first seed's network: raw outputs [n, outputs] from inputs as they enter, float32 [n, inputs]."""
        return self.networks[0]

    @property
    def task(self) -> TaskKind | None:
        """What is predicted; None where people's own classes alone know."""
        return self.signature.preprocessing.task if self.signature else self.recipe.task

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes, or of the labels."""
        return self.signature.classes if self.signature else ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that a table must have."""
        return tuple(self.signature.kinds) if self.signature else ()

    def predict(self, table: Any) -> NDArray[Any]:
        """Class names, str [n]; values in the target's unit, float64 [n]; or 0 and 1 for each label, int64 [n, labels].

        table   a file's name, a polars or pandas frame, a mapping of columns, or an array [n, columns] of numbers

        Raises DataError where the table can't be used, UnusableInput where the model is of people's own class.
        """
        return self.answer(table).predicted

    def probabilities(self, table: Any) -> NDArray[np.float64]:
        """Float64 [n, classes] in the order of `classes`, or [n, labels]; raises as `predict`, and for regression."""
        found = self.answer(table).probabilities
        if found is None:
            raise UnusableInput(f"{self.run} predicts a number, which has no probabilities: use predict.")
        return found

    def answer(self, table: Any) -> Answers:
        """Everything that there is to say of these rows; raises as `predict`."""
        signature = self._usable()
        rows = _read(table, _wanted(self.recipe, signature))
        preprocessing = signature.preprocessing
        inputs = torch.from_numpy(preprocessing.inputs(preprocessing.recoded(rows.dataset)))
        task = preprocessing.task
        average = averaged([_outputs(network, inputs) for network in self.networks], task)
        notices = tuple(_notices(rows, signature))
        if task == "regression":
            values = average.numpy() * preprocessing.target_scale + preprocessing.target_mean
            return Answers(predicted=values, probabilities=None, rows=rows, notices=notices)
        answers = decided(average, task).numpy()
        predicted = answers if task == "multilabel" else np.array(self.classes)[answers]
        return Answers(predicted=predicted, probabilities=average.numpy(), rows=rows, notices=notices)

    def _usable(self) -> Signature:
        if self.signature is None or isinstance(self.recipe.model, ClassPath):
            raise UnusableInput(
                f"{self.run} trained a class of your own, and what its outputs mean is yours to say: "
                "`assay.load(RUN).network` is your module with its best weights."
            )
        return self.signature


def load(run: str | Path, *, seed: int | None = None) -> Model:
    """The trained model of a run: `assay.load("runs/recipe-001").predict("new.csv")`.

    seed    whose weights to use; None takes all seeds of the recipe that have some, which then answer together

    The data that it was trained on aren't needed. People's own LightningModules come as `network`, with their best
    weights.

    Raises RunFolderError where the run holds no model or a file of it was changed, UnusableInput for another seed,
    and what importing people's own class raises.
    """
    folder = Path(run)
    started = _started(open_run(folder).entries(), folder)
    recipe = parse_recipe(str(started["recipe"]), name=str(folder)).recipe
    found = best_weights(folder, recipe)
    if seed is not None and seed not in found:
        held = ", ".join(map(str, found))
        raise UnusableInput(f"{folder} has no best weights of seed {seed}; it has those of {held}.")
    digest = started.get("signature")
    signature = read_signature(folder, digest=digest) if digest or isinstance(recipe.model, NamedModel) else None
    seeds = tuple(found) if seed is None else (seed,)
    with importable(Path(started["imports_from"])):
        networks = tuple(_network(folder, recipe, each, signature) for each in seeds)
    return Model(run=folder, recipe=recipe, seeds=seeds, networks=networks, signature=signature)


def _started(entries: Sequence[Entry], folder: Path) -> dict[str, Any]:
    for entry in entries:
        if entry.event == "started":
            return dict(entry.payload)
    raise UnusableInput(f"{folder} holds a run that stopped before it had a recipe: start a new one.")


def _network(folder: Path, recipe: Recipe, seed: int, signature: Signature | None) -> nn.Module:
    state: dict[str, Tensor] = best_content(folder, recipe, seed)["state_dict"]
    network: nn.Module
    if isinstance(recipe.model, ClassPath):
        kind, _ = found_class(recipe.model, key="model", kind="LightningModule")
        network = made(kind, recipe.model, key="model")
    else:
        assert isinstance(recipe.model, NamedModel)
        assert signature is not None
        state = {name.removeprefix("network."): value for name, value in state.items()}
        inputs, outputs = len(signature.preprocessing.names), len(state["head.bias"])
        network = MLP(inputs, outputs, plan=recipe.model, embedded=signature.preprocessing.embedded)
    network.load_state_dict(state)
    return network.eval().requires_grad_(requires_grad=False)


@torch.no_grad()
def _outputs(network: nn.Module, inputs: Tensor) -> Tensor:
    return torch.cat([network(part) for part in inputs.split(AT_ONCE)])


def _wanted(recipe: Recipe, signature: Signature) -> Wanted:
    data = recipe.data
    read = data if isinstance(data, TableData) else TableData(name="table", files=("table",), target="target")
    return Wanted(
        kinds=signature.kinds, task=signature.preprocessing.task, data=read, width=signature.width,
    )


def _read(table: Any, wanted: Wanted) -> NewRows:
    if isinstance(table, str | Path):
        return read_new_file(Path(table), wanted)
    return read_new_array(table, wanted) if isinstance(table, np.ndarray) else read_new_values(table, wanted)


def _notices(rows: NewRows, signature: Signature) -> Iterator[str]:
    """What was not used, not known, or read in another way than it is written."""
    if rows.unused:
        yield f"not used: {_listed(rows.unused)}"
    for column in signature.preprocessing.columns:
        if column.kind == "category":
            strange = [name for name in rows.dataset.categories[column.column] if name not in column.known]
            if strange:
                yield f"{column.column}: never seen in training, so it counts as none that is known: {_listed(strange)}"
    for each in rows.readings:
        read = "can't be read, so missing" if each.read_as is None else each.read_as
        yield f"{each.column}: {each.count} of form {each.form} ({_listed(each.examples)}): {read}"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return ", ".join(names[:MOST_LISTED]) + more
