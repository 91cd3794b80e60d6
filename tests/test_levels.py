"""The package's levels: a file imports only from lower ones, and what must start fast imports nothing heavy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.syntax import Source, imports, sources

LEVELS: dict[str, int] = {
    "errors": 0, "writing": 0, "metric_sense": 0,
    "facts": 1, "row_hashes": 1, "announcing": 1, "weak_identity": 1, "code_reach": 1, "program_text": 1,
    "rule": 2, "recipe": 2, "ledger": 2, "run_folder": 2, "record": 2, "probe": 2, "parameter_book": 2, "dataset": 2,
    "averaging": 2, "comparing": 2, "traffic": 2, "tensors": 2, "autograd_graph": 2, "statements": 2, "example_book": 2,
    "output_fate": 2, "comparison_text": 2, "recent_outputs": 2, "measured_on": 2, "patience_code": 2,
    "dataset_code": 2,
    "linear_probe": 2, "process_group": 2, "tree_inputs": 2, "graph_book": 2, "edge_lists": 1, "at_hand": 1,
    "sequences": 2, "accumulation_code": 2, "coarseness": 2, "category_codes": 2,
    "rules": 3, "probes": 3, "measure": 3, "tables": 3, "models": 3, "preparation": 3, "comparison": 3,
    "seal": 3, "past_runs": 3,
    "training": 4, "watching": 4, "drafting": 4, "sources": 4,
    "stage": 5, "search": 5, "experiment": 5, "signature": 4, "trained_model": 6,
    "stages": 6, "reopening": 6,
    "ladder": 7,
    "reporting": 8, "running": 8, "opening": 8,
    "cli": 9, "testing": 9, "lightning": 9, "transformers": 9, "pytest_plugin": 9, "__init__": 9, "__main__": 9,
}
"""Each part of the package and its level."""

RUN_FOLDER = {"ledger", "run_folder", "record"}
"""Three files of one mechanism."""

CATALOGUES = {"rules", "probes", "measure", "sources", "models", "stages"}
"""Parts whose files are strangers to each other; their __init__ alone knows them."""

TORCH = {"torch", "torchvision", "torchmetrics", "lightning", "pytorch_lightning"}
TORCHLESS = 2
"""Levels up to this one, and the parts below, import no torch."""

WITH_TORCH = {"process_group", "output_fate", "recent_outputs", "tensors", "sequences"}
"""What probes read of living tensors: it stands beside `probe`, and needs torch itself."""

NO_TORCH = {"rules", "comparison"}
NO_NUMPY = {"recipe", "rule"}


def part_of(module: str) -> str:
    """The part of the package that a module belongs to."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def faults(files: list[Source]) -> list[str]:
    """Every import that the levels forbid."""
    modules = {file.module for file in files}
    return [fault for file in files for name, line in imports(file)
            if (fault := _fault(file, _target(name, modules), line))]


def _target(name: str, modules: set[str]) -> str:
    """The module behind a dotted name that may end in something defined there."""
    return name if name in modules or not name.startswith("assay") else name.rpartition(".")[0] or name


def _fault(file: Source, target: str, line: int) -> str:
    part = part_of(file.module)
    if part not in LEVELS:
        return f"{file.module}: {part} has no level"
    where = f"{file.module}:{line} imports {target}"
    if not target.startswith("assay.") and target != "assay":
        return _outside(part, target, where)
    other = part_of(target)
    if other not in LEVELS:
        return f"{where}, which has no level"
    if part == other:
        return _inside(file, target, where)
    if {part, other} <= RUN_FOLDER or LEVELS[other] < LEVELS[part] or (part == "__main__" and other == "cli"):
        return ""
    return f"{where}, from level {LEVELS[part]} to {LEVELS[other]}"


def _outside(part: str, target: str, where: str) -> str:
    package = target.partition(".")[0]
    torchless = (LEVELS[part] <= TORCHLESS and part not in WITH_TORCH) or part in NO_TORCH
    if package in TORCH and torchless:
        return f"{where}, and {part} must do without torch"
    if package == "numpy" and part in NO_NUMPY:
        return f"{where}, and {part} must do without numpy"
    return ""


def _inside(file: Source, target: str, where: str) -> str:
    part = part_of(file.module)
    if part not in CATALOGUES or file.path.name == "__init__.py":
        return ""
    return f"{where}, and the files of {part} are strangers to each other"


def cycles(files: list[Source]) -> list[str]:
    """Modules that import each other in a circle."""
    modules = {file.module for file in files}
    graph = {file.module: {_target(name, modules) for name, _ in imports(file)} & modules - {file.module}
             for file in files}
    done: set[str] = set()
    found: list[str] = []

    def visit(module: str, trail: tuple[str, ...]) -> None:
        if module in trail:
            found.append(" → ".join([*trail[trail.index(module):], module]))
        elif module not in done:
            for other in sorted(graph[module]):
                visit(other, (*trail, module))
            done.add(module)

    for module in sorted(graph):
        visit(module, ())
    return found


def file(module: str, text: str) -> Source:
    name = "__init__.py" if module.count(".") == 1 and module.endswith("rules") else f"{module.rpartition('.')[2]}.py"
    return Source(Path(name), module, text)


def test_the_package_keeps_its_levels() -> None:
    assert faults(sources()) == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert cycles(sources()) == []


@pytest.mark.parametrize(("module", "text"), [
    ("assay.rule", "from assay.rules import catalogue"),
    ("assay.rule", "import assay.rules"),
    ("assay.rule", "def f():\n    from assay import ladder"),
    ("assay.rule", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from assay.stage import Stage"),
    ("assay.recipe.schema", "from ..training.loop import train"),
    ("assay.recipe.schema", "from .. import drafting"),
    ("assay.recipe.schema", "import importlib\nimportlib.import_module('assay.ladder')"),
    ("assay.recipe.schema", "import importlib\nimportlib.import_module(f'assay.stages.{1}')"),
    ("assay.recipe.schema", "from assay import watch"),
    ("assay.rules.loss.initial_loss", "from assay.rules.loss.loss_broadcast import loss_broadcast"),
    ("assay.rules.loss.initial_loss", "from . import loss_broadcast"),
    ("assay.stages.smoke", "from assay.stages.overfit import overfit"),
    ("assay.facts.loss", "import torch"),
    ("assay.facts.loss", "def f():\n    import torch.nn as nn"),
    ("assay.rules.loss.initial_loss", "from torch import Tensor"),
    ("assay.comparison.seeds", "import pytorch_lightning"),
    ("assay.recipe.derived", "import numpy as np"),
    ("assay.rule", "from numpy.typing import NDArray"),
    ("assay.helpers", "x = 1\nimport os"),
    ("assay.rule", "import assay.helpers"),
])
def test_a_forbidden_import_is_found(module: str, text: str) -> None:
    assert faults([*sources(), file(module, text)]) != faults(sources())


@pytest.mark.parametrize(("module", "text"), [
    ("assay.ladder", "from assay.stages import ORDER"),
    ("assay.recipe.reading", "from .schema import Recipe"),
    ("assay.recipe.reading", "from assay.recipe.schema import Recipe"),
    ("assay.training.loop", "import torch\nimport numpy"),
    ("assay.stages.smoke", "from assay.stage import stage"),
])
def test_an_allowed_import_is_silent(module: str, text: str) -> None:
    assert faults([*sources(), file(module, text)]) == faults(sources())


def test_a_circle_is_found() -> None:
    assert cycles([file("assay.recipe.a", "from assay.recipe import b"), file("assay.recipe.b", "from .a import x")])
