"""Two softmaxes, and two of the examples stuck on a wrong class: the loss stands at the floor and 2/32 more."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from assay.experiment import importable
from assay.facts.fact_set import FactSet
from assay.stages.overfit import overfit
from tests.experiments import ground, opened

EXAMPLE = Path(__file__).parents[4] / "examples" / "own_module"


def facts() -> FactSet:
    with importable(EXAMPLE), TemporaryDirectory() as folder:
        return overfit.measure(ground(opened((EXAMPLE / "softmax_twice.yaml").read_text()), Path(folder))).facts
