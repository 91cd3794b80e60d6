"""A pytest fixture, `assay`, so that the tests of a model can hold assay's checks.

    def test_the_first_steps(assay):
        with assay.watch() as seen:
            train(steps=20)
        assay.assert_clean(seen)

    def test_the_model(assay):
        assay.assert_clean(assay.preflight(Model(), batch, cross_entropy))

Nothing heavy is imported before a test asks for it.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from assay.rule import Finding, Severity
    from assay.watching.preflight import Preflight
    from assay.watching.session import Watch


class Checks:
    """What a test may ask for."""

    def watch(self, allow: Collection[str] = ()) -> AbstractContextManager[Watch]:
        """Watch what happens within, as `assay.watch` does."""
        from assay.watching.session import watch

        return watch(allow)

    def preflight(self, model: Any, batch: Any, loss: Any = None, *, allow: Collection[str] = ()) -> Preflight:
        """Check a model on one batch, as `assay.preflight` does."""
        from assay.watching.preflight import preflight

        return preflight(model, batch, loss, allow=allow)

    def assert_clean(self, seen: Watch | Preflight, *, at: str = "warning") -> None:
        """Fail the test, naming every finding, where there is one at this severity or worse.

        seen    a watch whose block has ended, or a preflight's result
        at      "error", "warning" or "note"
        """
        from assay.reporting.findings import finding_text
        from assay.rule import Severity

        found = [each for each in seen.judgement.findings if _counts(each, Severity(at))]
        if found:
            pytest.fail("\n".join(map(finding_text, found)), pytrace=False)


def _counts(finding: Finding, least: Severity) -> bool:
    return finding.severity is not None and finding.severity.rank <= least.rank


@pytest.fixture
def assay() -> Checks:
    """Watch what a test trains, or check a model on one batch; `assert_clean` fails on findings."""
    return Checks()
