"""The catalogue of rules: one folder a family, one file a rule, found by looking."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache
from importlib.metadata import entry_points

from assay.errors import DefectError, UnusableInput
from assay.rule import Rule

ENTRY_POINTS = "assay.rules"
"""Third-party packages add rules under this entry point group; each entry names a Rule."""


@cache
def catalogue() -> tuple[Rule, ...]:
    """Every rule, ours by family and name, then those of other packages.

    Raises DefectError where a file holds no rule or more than one, or two rules share a name.
    """
    families = _inside(__path__)
    ours = [_rule_in(f"{__name__}.{family}.{stem}", family, stem) for family in families for stem in _files(family)]
    theirs = [entry.load() for entry in entry_points(group=ENTRY_POINTS)]
    rules = (*ours, *theirs)
    names = [each.name for each in rules]
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        raise DefectError(f"Two rules share the name {', '.join(sorted(repeated))}: rename one.")
    return rules


def known(names: Iterable[str]) -> tuple[str, ...]:
    """Names of rules, each once. Raises UnusableInput where there is no such rule, with the nearest."""
    rules = [each.name for each in catalogue()]
    for name in names:
        if name not in rules:
            near = difflib.get_close_matches(name, rules, n=1)
            hint = f"did you mean {near[0]!r}?" if near else "`assay rule` lists them."
            raise UnusableInput(f"There is no rule {name!r} to allow: {hint}")
    return tuple(dict.fromkeys(names))


def _files(family: str) -> list[str]:
    return _inside(importlib.import_module(f"{__name__}.{family}").__path__)


def _inside(path: object) -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(path))  # type: ignore[arg-type]  # a package's __path__


def _rule_in(module_name: str, family: str, stem: str) -> Rule:
    module = importlib.import_module(module_name)
    rules = [value for value in vars(module).values() if isinstance(value, Rule)]
    if len(rules) != 1 or rules[0].name != stem.replace("_", "-") or rules[0].family != family:
        raise DefectError(f"{module_name} must hold exactly one rule, named {stem}.")
    return rules[0]
