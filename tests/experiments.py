"""Small experiments for tests: a recipe's text, opened; nothing is trained until a test asks."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

from assay.dataset import Dataset
from assay.experiment import Experiment, open_experiment
from assay.recipe.reading import parse_recipe
from assay.recipe.resolving import resolve
from assay.stage import Ground

IRIS = """
data: {source: sklearn, name: iris}
training: {max_epochs: 8, batch_size: 16, learning_rate: 1e-2}
seeds: [0, 1]
"""
DIGITS = """
data: {source: sklearn, name: digits}
training: {max_epochs: 3, batch_size: 64, learning_rate: 3e-3}
seeds: [0]
"""


def opened(text: str) -> Experiment:
    """The experiment of a recipe's text."""
    return open_experiment(resolve(parse_recipe(text)))


def opened_on(dataset: Dataset, text: str) -> Experiment:
    """The experiment of a recipe's text on a table in memory, whatever source the text names."""
    with patch("assay.experiment.load", lambda *_, **__: dataset):
        return opened(text)


def ground(experiment: Experiment, folder: Path) -> Ground:
    """What a stage stands on, at the foot of the ladder."""
    return Ground(
        recipe=experiment.resolved.recipe, assembly=experiment.assembly, folder=folder, dataset=experiment.dataset,
        split=experiment.split,
    )
