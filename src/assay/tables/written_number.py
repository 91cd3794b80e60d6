"""Numbers as people write them: with separators, units, currency signs and percent signs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from assay.facts.table import Form

Decimal = Literal[".", ","]

_SIGNS = "$€£¥₹₽₩₺฿"
_CODES = "USD|EUR|GBP|CHF|JPY|CAD|AUD|NZD|INR|CNY|SEK|NOK|DKK|PLN|CZK|BRL|MXN|ZAR|RUB|TRY|Rs"
_MONEY = rf"[{_SIGNS}]|(?:{_CODES})\b"
_WRITTEN = re.compile(
    rf"(?P<open>\()?\s*(?P<sign>[+\-−–])?\s*(?P<before>{_MONEY})?\s*(?P<inner>[+\-−–])?\s*"
    r"(?P<digits>\d[\d.,'’\u00a0\u202f ]*\d|\d|[.,]\d+)(?P<trail>[.,])?(?P<exponent>[eE][+-]?\d+)?\s*"
    rf"(?P<after>{_MONEY}|%|[A-Za-zµμ°Ω][A-Za-zµμ°Ω/²³]{{0,11}})?\s*(?P<close>\))?"
)
_MULTIPLIERS = {"k": 1e3, "K": 1e3, "M": 1e6, "bn": 1e9, "B": 1e9}
_ORDINALS = ("st", "nd", "rd", "th")
_GROUPED = {mark: re.compile(rf"\d{{1,3}}(?:{re.escape(mark)}\d{{3}})+") for mark in ",."}
_SPACES = re.compile(r"\d{1,3}(?:(?P<mark>['’\u00a0\u202f ])\d{3})(?:(?P=mark)\d{3})*(?:[.,]\d+)?")


@dataclass(frozen=True)
class WrittenNumber:
    """The number that a text means, in which forms it is written, and its unit ("" without one)."""

    value: float
    forms: tuple[Form, ...]
    unit: str = ""


def read_written(text: str, *, decimal: Decimal) -> WrittenNumber | None:
    """What a text means as a number, None where it is none.

    decimal     what "1,234" or "1.234" is read by; "1,234.5" and "12,5" tell by themselves

    12 % is 0.12, (5) and −5 are minus five, 3k is 3000.
    """
    match = _WRITTEN.fullmatch(text)
    if match is None or bool(match["open"]) != bool(match["close"]):
        return None
    core = _core(match["digits"], decimal)
    after = match["after"] or ""
    if core is None or after in _ORDINALS:
        return None
    number, forms = core
    value = float(f"{number}{match['exponent'] or ''}")
    negative = any(match[sign] not in (None, "+") for sign in ("sign", "inner")) or bool(match["open"])
    money = match["before"] or (after if re.fullmatch(_MONEY, after) else "")
    unit = ""
    if after == "%":
        value, forms = value / 100, [*forms, "percent"]
    elif after in _MULTIPLIERS:
        value, forms = value * _MULTIPLIERS[after], [*forms, "unit"]
    elif after and not money:
        unit, forms = after, [*forms, "unit"]
    if money or match["open"]:
        forms = ["currency", *forms]
    return WrittenNumber(-value if negative else value, tuple(forms), unit)


def _core(digits: str, decimal: Decimal) -> tuple[str, list[Form]] | None:
    """Digits with separators as Python writes the number, and the forms that were taken off."""
    forms: list[Form] = []
    if re.search(r"[^\d.,]", digits):
        if not _SPACES.fullmatch(digits):
            return None
        digits, forms = re.sub(r"[^\d.,]", "", digits), ["thousands separator"]
    comma, dot = digits.rfind(","), digits.rfind(".")
    if comma < 0 and dot < 0:
        return digits, forms
    if comma >= 0 and dot >= 0:
        mark: Decimal = "," if comma > dot else "."
        whole, _, fraction = digits.rpartition(mark)
        if not _GROUPED["." if mark == "," else ","].fullmatch(whole):
            return None
        forms = ["thousands separator", *(["decimal comma"] if mark == "," else [])]  # type: ignore[list-item]
        return f"{re.sub('[.,]', '', whole)}.{fraction}", forms
    return _one_mark(digits, "," if comma >= 0 else ".", decimal, forms=forms)


def _one_mark(digits: str, mark: Decimal, decimal: Decimal, *, forms: list[Form]) -> tuple[str, list[Form]] | None:
    grouped = bool(_GROUPED[mark].fullmatch(digits)) and not digits.startswith("0")
    if digits.count(mark) > 1:
        return (digits.replace(mark, ""), ["thousands separator"]) if grouped else None
    if grouped and mark != decimal:
        return digits.replace(mark, ""), ["thousands separator"]
    return digits.replace(",", "."), [*forms, "decimal comma"] if mark == "," else forms


def tells_decimal(text: str) -> Decimal | None:
    """The decimal mark that a text shows beyond doubt: 12,5 and 1.234,5 a comma, 1.25 and 1,234.5 a point."""
    match = _WRITTEN.fullmatch(text)
    if match is None:
        return None
    digits = re.sub(r"[^\d.,]", "", match["digits"])
    comma, dot = digits.rfind(","), digits.rfind(".")
    if comma >= 0 and dot >= 0:
        return "," if comma > dot else "."
    mark: Decimal = "," if comma >= 0 else "."
    if digits.count(mark) > 1:
        return ("." if mark == "," else ",") if _GROUPED[mark].fullmatch(digits) else None
    if digits.count(mark) == 0 or (_GROUPED[mark].fullmatch(digits) and not digits.startswith("0")):
        return None
    return mark
