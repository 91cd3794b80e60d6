"""People's own classes: found by their dotted path, made with their arguments, and their failures put in a sentence."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from assay.errors import RecipeError, UnusableInput, UserCodeError
from assay.probe import user_place
from assay.recipe.nearest import did_you_mean
from assay.recipe.schema import ClassPath

_PACKAGES = {"pytorch_lightning": "pytorch_lightning", "lightning": "lightning.pytorch"}


def found_class(plan: ClassPath, *, key: str, kind: str) -> tuple[type, ModuleType]:
    """The class of this path, and the package (`lightning.pytorch` or `pytorch_lightning`) that it builds on.

    key     the recipe's section, for the message
    kind    the Lightning class that it must derive from

    The working directory is put on Python's path, as `python script.py` does for a script beside its modules.
    Raises RecipeError where it can't be imported or isn't such a class, UserCodeError where its module fails.
    """
    module_name, _, name = plan.class_path.rpartition(".")
    module = _imported(module_name, key=key)
    found = getattr(module, name, None)
    if found is None:
        fitting = [each for each, value in vars(module).items() if _derives(value, kind) and each != kind]
        raise RecipeError([sentence(f"{key}.class_path: {module_name} has no {name}{did_you_mean(name, fitting)}")])
    package = _derives(found, kind)
    if package is None:
        raise RecipeError(
            [f"{key}.class_path: {plan.class_path} is no {kind}; derive it from lightning.pytorch.{kind} or "
             f"pytorch_lightning.{kind}."]
        )
    return found, importlib.import_module(package)


def _derives(value: Any, kind: str) -> str | None:
    """The package whose `kind` a class derives from, None where it is no such class."""
    bases = inspect.getmro(value) if inspect.isclass(value) else ()
    roots = [base.__module__.partition(".")[0] for base in bases if base.__name__ == kind]
    return next((_PACKAGES[root] for root in roots if root in _PACKAGES), None)


def made(kind: type, plan: ClassPath, *, key: str) -> Any:
    """An instance made with the recipe's arguments; those that hold a `class_path` are made first.

    Raises RecipeError where the arguments don't fit, UserCodeError where the constructor raises.
    """
    arguments = {name: _value(value, key=f"{key}.init_args.{name}") for name, value in plan.init_args.items()}
    parameters = inspect.signature(kind).parameters
    takes_any = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values())
    unknown = [] if takes_any else [name for name in arguments if name not in parameters]
    if unknown:
        takes = f"{key}.init_args: {kind.__name__} takes no"
        raise RecipeError([sentence(f"{takes} {name}{did_you_mean(name, parameters)}") for name in unknown])
    missing = [
        name for name, each in parameters.items()
        if each.default is inspect.Parameter.empty and name not in arguments
        and each.kind in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    ]
    if missing:
        raise RecipeError([f"{key}.init_args: {kind.__name__} needs {', '.join(missing)}; add them."])
    with failures_told(f"{kind.__name__}()"):
        return kind(**arguments)


@contextmanager
def failures_told(doing: str) -> Iterator[None]:
    """Whatever people's own code raises inside becomes a UserCodeError: what raised, where, and what it said."""
    try:
        yield
    except UnusableInput:
        raise
    except (Exception, SystemExit) as fault:  # code of a script that ends it would end us without a word
        raise UserCodeError(_told(doing, fault)) from fault


def _told(doing: str, fault: BaseException) -> str:
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = user_place(trace.tb_frame) if trace is not None else None
    where = f" at {place.file}:{place.line}" if place else ""
    said = " ".join(str(fault).split())
    return sentence(f"{doing} raised {type(fault).__name__}{where}{': ' if said else ''}{said}")


def sentence(text: str) -> str:
    """The text with a full stop, unless it has an end of its own."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _imported(name: str, *, key: str) -> ModuleType:
    working = str(Path.cwd())
    if working not in sys.path:
        sys.path.insert(0, working)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as fault:
        if fault.name and (name == fault.name or name.startswith(f"{fault.name}.")):
            raise RecipeError(
                [f"{key}.class_path: there is no module {fault.name}; install it, or run assay from the folder that "
                 "holds it."]
            ) from fault
        raise UserCodeError(_told(f"Importing {name}", fault)) from fault
    except (Exception, SystemExit) as fault:  # whatever a module does when it is imported
        raise UserCodeError(_told(f"Importing {name}", fault)) from fault


def _value(value: Any, *, key: str) -> Any:
    if isinstance(value, dict) and "class_path" in value:
        plan = ClassPath.model_validate(value)
        module_name, _, name = plan.class_path.rpartition(".")
        module = _imported(module_name, key=key)
        kind = getattr(module, name, None)
        if not inspect.isclass(kind):
            hint = did_you_mean(name, vars(module))
            raise RecipeError([sentence(f"{key}.class_path: {module_name} has no class {name}{hint}")])
        return made(kind, plan, key=key)
    if isinstance(value, dict):
        return {name: _value(inner, key=f"{key}.{name}") for name, inner in value.items()}
    return [_value(inner, key=key) for inner in value] if isinstance(value, list) else value
