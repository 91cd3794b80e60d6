"""A callback for Hugging Face's Trainer that watches a training: `Trainer(..., callbacks=[AssayCallback()])`.

    from assay.transformers import AssayCallback

What the probes of `assay watch` see from the beginning of `train` to its end is judged, and printed to standard error
by the process of rank zero. What was made before (the model, the optimizer) is known, but not the lines that made it.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import Any

from assay.errors import MissingExtra
from assay.reporting.findings import print_findings
from assay.rule import Judgement
from assay.rules import known
from assay.watching.judging import judged
from assay.watching.session import Recording, started

try:
    from transformers import TrainerCallback
except ImportError as fault:
    raise MissingExtra(feature="assay.transformers", extra="hf") from fault


class AssayCallback(TrainerCallback):
    """Watches what happens within `train`.

    allow       names of rules whose findings are set aside
    quiet       print nothing; the judgement tells
    judgement   what the rules say, once a `train` has ended
    """

    def __init__(self, allow: Collection[str] = (), *, quiet: bool = False) -> None:
        self._allow = known(allow)
        self._quiet = quiet
        self._seen: Recording | None = None
        self.judgement = Judgement()

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002  # their signature
        """Begin to watch; what a training that failed has left is let go."""
        if self._seen is not None:
            self._seen.detach()
        self._seen = started()

    def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:  # noqa: ARG002  # their signature
        """End, judge and print."""
        seen, self._seen = self._seen, None
        if seen is None:
            return
        seen.detach()
        self.judgement = judged(seen.facts(), broken=seen.broken, allow=self._allow, from_start=False)
        if not self._quiet and state.is_world_process_zero:
            print_findings(self.judgement.findings, sys.stderr)
