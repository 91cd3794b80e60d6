"""An axis: where a value stands between its ends, and which ticks to write."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from assay.reporting.html.figures import short

LOG_FROM = 40.0
"""A series that falls by this factor shows nothing but its first points on a linear axis."""

LARGEST, SMALLEST = 1e300, 1e-300
"""What an axis can hold, so that no range overflows or vanishes."""

LARGEST_POWER = 308.25
"""Of ten, at an axis's end: the power to the largest float's own logarithm overflows, by rounding."""

TICKS = 4
MARGIN = 0.06


@dataclass(frozen=True, kw_only=True)
class Scale:
    """From `low` to `high`; `log` is base 10, for positive values."""

    low: float
    high: float
    log: bool = False

    def at(self, value: float) -> float:
        """The share of the axis at which a value stands, 0 to 1 between the ends."""
        low, high, value = (self._measure(each) for each in (self.low, self.high, value))
        return (value - low) / (high - low)

    def ticks(self) -> tuple[float, ...]:
        """Round values between the ends, few enough to be read."""
        if self.log:
            powers = range(math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9) + 1)
            step = max(1, math.ceil(len(powers) / TICKS))
            if len(powers) >= 2:
                return tuple(10.0**power for power in powers if power % step == 0)
        return tuple(_round_steps(self.low, self.high))

    def _measure(self, value: float) -> float:
        return math.log10(max(value, self.low)) if self.log else value


def scale_for(values: Iterable[float], *, may_be_log: bool = False) -> Scale | None:
    """An axis that holds all drawable values with a margin; None where there is none."""
    known = [value for value in values if drawable(value)]
    if not known:
        return None
    low, high = min(known), max(known)
    if may_be_log and low > SMALLEST and math.log10(high) - math.log10(low) >= math.log10(LOG_FROM):
        room = (math.log10(high) - math.log10(low)) * MARGIN
        ends = (math.log10(low) - room, min(math.log10(high) + room, LARGEST_POWER))
        return Scale(low=max(10.0 ** ends[0], sys.float_info.min), high=10.0 ** ends[1], log=True)
    room = next((room for room in ((high - low) * MARGIN, abs(high) * MARGIN) if room > SMALLEST), 1.0)
    return Scale(low=low - room, high=high + room)


def drawable(value: float) -> bool:
    """Finite, and of a size that an axis can hold."""
    return abs(value) <= LARGEST


def written(tick: float) -> str:
    """A tick's label."""
    return short(0.0 if abs(tick) < 1e-300 else tick)


def _round_steps(low: float, high: float) -> Iterator[float]:
    rough = (high - low) / TICKS
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    for number in range(first, math.floor(high / step + 1e-9) + 1):
        yield number * step
