"""Where a resolved value came from."""

from __future__ import annotations

import enum


class Origin(enum.StrEnum):
    """Where a resolved value came from."""

    DEFAULT = "default"
    RECIPE = "recipe"
    COMMAND_LINE = "command line"
    DATA = "data"
    DERIVED = "derived"
    TUNED = "tuned"
