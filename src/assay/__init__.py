"""assay: training recipes that fail loudly.

The command line does everything (`assay --help`); from Python the names below are there, each loaded when it is used,
so that `import assay` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.running import run
    from assay.trained_model import load
    from assay.watching.preflight import preflight
    from assay.watching.session import watch

__all__ = ["__version__", "load", "preflight", "run", "watch"]

_HOMES = {
    "load": "assay.trained_model", "preflight": "assay.watching.preflight", "run": "assay.running",
    "watch": "assay.watching.session",
}
"""Each public name's module; no public name is a module's name, or loading that module would overwrite it."""


def __getattr__(name: str) -> Any:
    """Load a public name when it is asked for."""
    if name == "__version__":
        from importlib import metadata

        return metadata.version("assay")
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'assay' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
