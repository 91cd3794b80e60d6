"""`assemble`: from a recipe to an experiment that can be trained."""

from __future__ import annotations

from assay.dataset import Prepared
from assay.errors import RecipeError
from assay.recipe.schema import ClassPath, NamedModel, Recipe
from assay.training.assembly import Assembly
from assay.training.recipe_assembly import recipe_assembly
from assay.training.user_assembly import user_assembly


def assemble(recipe: Recipe, prepared: Prepared | None) -> Assembly:
    """The experiment that a resolved recipe describes.

    prepared    its examples; None where `data` is a data module of people's own

    Raises RecipeError where parts are missing or don't go together, UserCodeError where people's own code fails.
    """
    if isinstance(recipe.model, ClassPath):
        return user_assembly(recipe, prepared)
    problems = []
    if not isinstance(recipe.model, NamedModel):
        problems.append("model: none is named; add a `model:` section.")
    if isinstance(recipe.data, ClassPath):
        problems.append("model: a data module of your own needs a model of your own; give model a class_path too.")
    elif prepared is None:
        problems.append("data: no examples are named; add a `data:` block.")
    if recipe.task is None:
        problems.append("task: not stated; add binary, multiclass or regression.")
    if problems or prepared is None:
        raise RecipeError(problems)
    return recipe_assembly(recipe, prepared)
