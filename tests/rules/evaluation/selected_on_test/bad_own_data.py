"""A data module of one's own whose validation loader is its test loader."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from assay.facts.fact_set import FactSet
from assay.stages.subset import subset
from tests.experiments import ground, opened

RECIPE = """
data: {class_path: tests.rules.own_data.ValidatedOnTest}
model: {class_path: tests.training.own_classes.Net}
training: {max_epochs: 2}
checkpointing: {monitor: val_acc, mode: max}
"""


def facts() -> FactSet:
    with TemporaryDirectory() as folder:
        return subset.measure(ground(opened(RECIPE), Path(folder))).facts
