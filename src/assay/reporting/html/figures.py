"""Numbers as the page shows them: thousands apart, a real minus sign, and one precision for what is compared."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from datetime import UTC, datetime

SIGNIFICANT = 4
MOST_DECIMALS = 4

METRICS = {"macro_f1": "macro F1", "weighted_f1": "weighted F1", "rmse": "RMSE", "mae": "MAE", "r2": "R²"}


def number(value: float) -> str:
    """To four significant digits: 1,797 · 0.0001234 · −3.04 · 1.2e−7."""
    if not math.isfinite(value):
        return {"inf": "∞", "-inf": "−∞"}.get(str(value), "not a number")
    if value == int(value) and abs(value) < 1e15:
        return _minus(f"{int(value):,}")
    size = math.floor(math.log10(abs(value)))
    if -5 <= size < 15:
        written = f"{value:,.{max(0, SIGNIFICANT - 1 - size)}f}"
        return _minus(written.rstrip("0").rstrip(".") if "." in written else written)
    return _minus(f"{value:.{SIGNIFICANT - 1}g}")


def short(value: float) -> str:
    """To three significant digits, for axes and cells: 0.05, 12.3, 1.2e5."""
    return _minus(f"{value:.3g}").replace("e+0", "e").replace("e+", "e").replace("e−0", "e−")


def alike(values: Iterable[float | None], *, digits: int = SIGNIFICANT) -> Callable[[float | None], str]:
    """How to write values that are compared: with as many decimals as this many digits of the largest take."""
    largest = max((abs(value) for value in values if value is not None and math.isfinite(value)), default=0.0)
    decimals = digits - 1 - (math.floor(math.log10(largest)) if largest else 0)
    decimals = min(max(decimals, 0), MOST_DECIMALS)
    scientific = bool(largest) and (largest < 10.0**-MOST_DECIMALS or largest >= 1e15)

    def written(value: float | None) -> str:
        if value is None or not math.isfinite(value):
            return "–"
        return _minus(f"{value:.3g}" if scientific else f"{value:,.{decimals}f}")

    return written


def percent(share: float) -> str:
    """5.5 %, 60 %; what is there but rounds to nothing is under 0.1 %."""
    if 0 < share < 0.001:
        return "< 0.1 %"
    shown = share * 100
    return f"{shown:.0f} %" if shown >= 9.95 or shown == 0 else f"{shown:.1f} %"


def moment(at: str) -> str:
    """An ISO 8601 time as 30 November 2026, 16:59 UTC; any other text as it is."""
    try:
        time = datetime.fromisoformat(at).astimezone(UTC)
    except ValueError:
        return at
    return f"{time.day} {time:%B %Y, %H:%M} UTC"


def amount(count: int, one: str, many: str | None = None) -> str:
    """1 seed, 3 seeds."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def metric_words(name: str) -> str:
    """A metric as people write it: macro F1, RMSE, validation loss."""
    split = {"val_": "validation ", "train_": "training "}
    said = next((words for prefix, words in split.items() if name.startswith(prefix)), "")
    stem = name.removeprefix("val_").removeprefix("train_") if said else name
    return said + METRICS.get(stem, stem.replace("_", " "))


def _minus(text: str) -> str:
    return text.replace("-", "−")
