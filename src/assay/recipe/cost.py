"""What a recipe costs in time, estimated before anything has run, with what the estimate rests on."""

from __future__ import annotations

from dataclasses import dataclass

WEEK = 7 * 24 * 3600.0
"""Seconds; a plan that passes it is warned of."""

THROUGHPUT = 5e9
"""Floating-point operations a second of one CPU core on layers of a few hundred units: a tenth of its peak."""

STEP_OVERHEAD = 6e-4
"""Seconds a training step takes however small the network is: loop, optimizer, batch."""

EPOCH_OVERHEAD = 2e-2
"""Seconds an epoch takes besides its steps: validation's metrics and two checkpoints."""

START_UP = 15.0
"""Seconds of imports, baselines and the stages before the first full run."""


@dataclass(frozen=True, kw_only=True)
class Cost:
    """Seconds of the whole ladder if no run stops early, and what they rest on."""

    seconds: float
    rests_on: str

    @property
    def past_a_week(self) -> bool:
        """Whether the plan should be thought over first."""
        return self.seconds > WEEK


def cost_of(*, parameters: int, batch_size: int, steps: int, epochs: int, validation_rows: int, runs: int) -> Cost:
    """The ladder's cost on one CPU core.

    A training step takes 6 operations a parameter and example (2 forward, 4 backward), an evaluated example 2: Kaplan
    et al., Scaling Laws for Neural Language Models (2020), section 2.1.

    steps, epochs   of one full run
    runs            full runs that the ladder makes
    """
    operations = parameters * (6 * batch_size * steps + 2 * validation_rows * epochs)
    one = operations / THROUGHPUT + steps * STEP_OVERHEAD + epochs * EPOCH_OVERHEAD
    return Cost(
        seconds=START_UP + runs * one,
        rests_on=f"{runs} full runs of {steps:,} steps without early stopping; 6 operations a parameter and example "
                 f"at an assumed {THROUGHPUT / 1e9:g} GFLOP/s (one CPU core), {1000 * STEP_OVERHEAD:g} ms a step, "
                 f"{1000 * EPOCH_OVERHEAD:g} ms an epoch and {START_UP:g} s for the stages before; not measured on "
                 "this machine",
    )


def duration(seconds: float) -> str:
    """Seconds as a person says them: 40 s, 12 min, 3 h, 9 days."""
    for limit, size, unit in ((120, 1, "s"), (7200, 60, "min"), (172_800, 3600, "h")):
        if seconds < limit:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds / 86_400:,.0f} days"
