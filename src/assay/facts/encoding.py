"""Facts as JSON lines and back: what a stage measured can be judged again by any later process.

A fact is written as the plain values of its fields and read by the types of its fields, so that nothing is executed and
nothing is guessed. One line is one fact, {"kind": "TaskFacts", "fact": {...}}, or the reason why a kind is missing,
{"kind": ..., "absent": why, "applicable": ...}.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import pkgutil
import types
import typing
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal

import assay.facts
from assay.errors import DefectError, RunFolderError
from assay.facts.fact import Absent, Fact, Unknown
from assay.facts.fact_set import FactSet
from assay.facts.plain import Plain, plain
from assay.writing import replace_file

NOT_FINITE = ("nan", "inf", "-inf")


class _Misfit(Exception):  # never leaves this module
    """A plain value that doesn't fit the type of its field."""


@cache
def kinds() -> dict[str, type[Fact]]:
    """Every kind of fact, by name."""
    found: dict[str, type[Fact]] = {}
    for module in pkgutil.iter_modules(assay.facts.__path__):
        values = vars(importlib.import_module(f"assay.facts.{module.name}")).values()
        found |= {value.__name__: value for value in values if isinstance(value, type) and issubclass(value, Fact)}
    found.pop(Fact.__name__)
    return found


def to_plain(fact: Fact) -> Plain:
    """The fact's fields as plain values; `Unknown` becomes {"unknown": why}."""
    return plain(fact)


def from_plain(kind: str, value: object) -> Fact:
    """The fact of this kind that `to_plain` gave this value for.

    Raises RunFolderError where there is no such kind here, or the value doesn't fit it.
    """
    wanted = kinds().get(kind)
    if wanted is None:
        raise RunFolderError(
            f"There is no kind of fact named {kind!r}: a newer assay wrote it, so go on with that version.",
        )
    try:
        fact = _record(wanted, value)
    except _Misfit as fault:
        raise RunFolderError(
            f"What is kept as {kind} doesn't fit ({fault}): it is damaged, or another version of assay wrote it.",
        ) from fault
    assert isinstance(fact, Fact)
    return fact


def write_facts(path: Path, facts: FactSet) -> None:
    """Write facts to a file, whole or not at all, making its folder. Raises RunFolderError where that fails."""
    lines = [json.dumps(line, allow_nan=False) + "\n" for line in _lines(facts)]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, "".join(lines).encode("ascii"))
    except OSError as fault:
        why = fault.strerror or fault
        raise RunFolderError(f"{path} can't be written ({why}): make room or give the rights, and go on.") from fault


def read_facts(path: Path) -> FactSet:
    """The facts that `write_facts` wrote. Raises RunFolderError naming the line that can't be read."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as fault:
        raise RunFolderError(f"{path} can't be read ({fault}): measure its stage again in a new run.") from fault
    records: dict[type[Fact], Fact] = {}
    absent: dict[type[Fact], Absent] = {}
    for number, line in enumerate(lines, 1):
        try:
            stated = json.loads(line)
            kind = stated["kind"]
            if "absent" in stated:
                missing = kinds().get(kind)
                if missing is not None:  # a rule of this version can't ask for a kind that only a newer one knows
                    absent[missing] = Absent(stated["absent"], applicable=stated["applicable"])
            else:
                fact = from_plain(kind, stated["fact"])
                records[type(fact)] = fact
        except RunFolderError as fault:
            raise RunFolderError(f"{path}, line {number}: {fault}") from fault
        except (ValueError, TypeError, KeyError, RecursionError) as fault:
            raise RunFolderError(f"{path}, line {number}: this is no fact, the file is damaged.") from fault
    return FactSet(records, absent)


def _lines(facts: FactSet) -> Iterator[dict[str, Any]]:
    for fact in facts:
        yield {"kind": type(fact).__name__, "fact": to_plain(fact)}
    for kind, absent in facts.absent.items():
        yield {"kind": kind.__name__, "absent": absent.why, "applicable": absent.applicable}


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _record(kind: type, value: object) -> object:
    if not isinstance(value, dict):
        raise _Misfit(f"{kind.__name__} is {_shown(value)}")
    fields = {field.name: field for field in dataclasses.fields(kind)}
    strange = value.keys() - fields.keys()
    if strange:
        raise _Misfit(f"{kind.__name__} has no {', '.join(sorted(strange))}")
    needed = {name for name, field in fields.items()
              if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING}
    if needed - value.keys():
        raise _Misfit(f"{kind.__name__} lacks {', '.join(sorted(needed - value.keys()))}")
    return kind(**{name: _decoded(_hints(kind)[name], item) for name, item in value.items()})


def _decoded(hint: Any, value: object) -> object:
    """The value that its field's type gives to a plain value."""
    if hint is float:
        return _float(value)
    if hint in (bool, int, str, type(None)):
        if type(value) is hint:
            return value
        raise _Misfit(f"{_shown(value)} is no {hint.__name__}")
    if hint is Unknown:
        return _unknown(value)
    if dataclasses.is_dataclass(hint):
        assert isinstance(hint, type)
        return _record(hint, value)
    return _generic(hint, value)


def _generic(hint: Any, value: object) -> object:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        if value in arguments:
            return value
        raise _Misfit(f"{_shown(value)} is none of {', '.join(map(repr, arguments))}")
    if origin in (types.UnionType, typing.Union):
        return _first_fitting(arguments, value)
    if origin is tuple:
        return _tuple(arguments, value)
    if origin is dict:
        if not isinstance(value, dict):
            raise _Misfit(f"{_shown(value)} is no mapping")
        return {_key(arguments[0], key): _decoded(arguments[1], item) for key, item in value.items()}
    raise DefectError(f"A fact has a field of type {hint}, which can't be written and read back.")


def _first_fitting(options: tuple[Any, ...], value: object) -> object:
    misfits = []
    for option in options:
        try:
            return _decoded(option, value)
        except _Misfit as misfit:
            misfits.append(str(misfit))
    raise _Misfit(misfits[0])


def _tuple(items: tuple[Any, ...], value: object) -> tuple[object, ...]:
    if not isinstance(value, list):
        raise _Misfit(f"{_shown(value)} is no list")
    if len(items) == 2 and items[1] is Ellipsis:
        return tuple(_decoded(items[0], item) for item in value)
    if len(items) != len(value):
        raise _Misfit(f"{len(value)} values stand where {len(items)} belong")
    return tuple(_decoded(hint, item) for hint, item in zip(items, value, strict=True))


def _key(hint: Any, key: str) -> object:
    return int(key) if hint is int else _decoded(hint, key)


def _float(value: object) -> float:
    if isinstance(value, str) and value in NOT_FINITE:
        return float(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    raise _Misfit(f"{_shown(value)} is no number")


def _unknown(value: object) -> Unknown:
    if isinstance(value, dict) and value.keys() == {"unknown"} and isinstance(value["unknown"], str):
        return Unknown(value["unknown"])
    raise _Misfit(f"{_shown(value)} is no reason for not knowing")


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
