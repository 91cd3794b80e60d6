"""Any value as plain values that strict JSON can hold, for people and for other programs to read.

What JSON has no word for becomes text: not-a-number and the infinities are "nan", "inf" and "-inf".
"""

from __future__ import annotations

import dataclasses
import enum
import math
import numbers
from collections.abc import Iterable, Mapping
from typing import Protocol, runtime_checkable

from assay.facts.fact import Unknown

Plain = None | bool | int | float | str | list["Plain"] | dict[str, "Plain"]


@runtime_checkable
class Listable(Protocol):
    """Arrays, tensors and their scalars, recognised without importing their packages."""

    def tolist(self) -> object:
        """The same as Python's own lists and numbers."""


def plain(value: object) -> Plain:
    """The value as None, booleans, numbers, text, lists and dicts; sets come in sorted order.

    Dataclasses become dicts of their fields, an `Unknown` a dict with its reason, and what is none of these its repr,
    so that a report is written whatever a rule puts into its evidence.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, enum.Enum):
        return plain(value.value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return plain_number(float(value))
    return _container(value)


def plain_number(value: float) -> float | str:
    """The number, or its name where JSON has no word for it."""
    return value if math.isfinite(value) else str(value)


def _container(value: object) -> Plain:
    if isinstance(value, Unknown):
        return {"unknown": value.why}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {_key(key): plain(item) for key, item in value.items()}
    if isinstance(value, Listable):
        return plain(value.tolist())
    if isinstance(value, set | frozenset):
        return [plain(item) for item in sorted(value, key=repr)]
    if isinstance(value, Iterable) and not isinstance(value, bytes):
        return [plain(item) for item in value]
    return repr(value)


def _key(key: object) -> str:
    made = plain(key)
    return made if isinstance(made, str) else repr(key)
