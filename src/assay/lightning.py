"""A Lightning callback that watches a training: `Trainer(callbacks=[Assay()])`, of either package.

    from assay.lightning import Assay

    watching = Assay()
    Trainer(callbacks=[watching]).fit(module, loader)
    watching.judgement.findings

What the probes of `assay watch` see from the beginning of `fit` to its end is judged, and printed to standard error by
the process of rank zero. What was made before `fit` (the model, its loaders) is known, but not the lines that made it.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from typing import Any

from assay.reporting.findings import print_findings
from assay.rule import Judgement
from assay.rules import known
from assay.watching.judging import judged
from assay.watching.session import Recording, started

PACKAGES = ("pytorch_lightning", "lightning.pytorch")


class Assay:
    """Watches what happens within `fit`.

    allow       names of rules whose findings are set aside
    quiet       print nothing; the judgement tells
    judgement   what the rules say, once a `fit` has ended
    """

    def __new__(cls, *_: Any, **__: Any) -> Assay:
        """Made of the callback classes of whichever packages are imported by now, since a Trainer takes its own."""
        bases = [sys.modules[name].Callback for name in PACKAGES if name in sys.modules]
        missing = [base for base in bases if not issubclass(cls, base)]
        made: Assay = object.__new__(type(cls.__name__, (cls, *missing), {"__module__": cls.__module__}))
        return made

    def __init__(self, allow: Collection[str] = (), *, quiet: bool = False) -> None:
        self._allow = known(allow)
        self._quiet = quiet
        self._seen: Recording | None = None
        self.judgement = Judgement()

    def setup(self, trainer: Any, pl_module: Any, stage: str) -> None:  # noqa: ARG002  # Lightning's signature
        """Begin to watch, before the optimizers are made."""
        if stage == "fit" and self._seen is None:
            self._seen = started()

    def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:  # noqa: ARG002  # theirs
        """What was seen of a fit that failed is judged too: Lightning tells such a one of no teardown."""
        self._end(trainer)

    def teardown(self, trainer: Any, pl_module: Any, stage: str) -> None:  # noqa: ARG002  # Lightning's signature
        """End, judge and print."""
        self._end(trainer)

    def _end(self, trainer: Any) -> None:
        seen, self._seen = self._seen, None
        if seen is None:
            return
        seen.detach()
        self.judgement = judged(seen.facts(), broken=seen.broken, allow=self._allow, from_start=False)
        if not self._quiet and trainer.is_global_zero:
            print_findings(self.judgement.findings, sys.stderr)
