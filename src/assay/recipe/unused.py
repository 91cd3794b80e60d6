"""Which values of a recipe nothing uses: those of other optimizers and schedules, and what own classes decide."""

from __future__ import annotations

from assay.recipe.schema import ClassPath, Recipe

_SCHEDULE_OF = {"step_size": "step", "gamma": "step", "factor": "plateau", "patience": "plateau"}
_OWN = ("objective.", "evaluation.", "training.optimizer", "training.learning_rate", "training.momentum",
        "training.weight_decay", "training.decay_all", "training.scheduler")
_OWN_DATA = ("training.batch_size", "training.num_workers")


def unused(path: str, recipe: Recipe) -> bool:
    """Whether the value at this dotted path changes nothing in this recipe."""
    if own_instead(path, recipe) or own_data_instead(path, recipe):
        return True
    if path == "training.momentum":
        return recipe.training.optimizer not in ("SGD", "RMSprop")
    section, _, name = path.rpartition(".")
    return section == "training.scheduler" and _SCHEDULE_OF.get(name, recipe.training.scheduler.name) != \
        recipe.training.scheduler.name


def own_instead(path: str, recipe: Recipe) -> bool:
    """Whether a model of people's own decides what this value would have decided."""
    return isinstance(recipe.model, ClassPath) and path.startswith(_OWN)


def own_data_instead(path: str, recipe: Recipe) -> bool:
    """Whether data of people's own, which make their batches themselves, decide what this value would have decided."""
    return isinstance(recipe.data, ClassPath) and path in _OWN_DATA
