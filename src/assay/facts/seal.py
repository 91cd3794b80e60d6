"""Facts about the test set's seal: who looked at the test rows, when, and where that is written down."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact


@dataclass(frozen=True, kw_only=True)
class Opening:
    """One look at the test rows.

    at              UTC, ISO 8601
    run             the folder of the run that looked
    own             that run is the one that is judged
    before_choices  it was made before the judged run's last stage had ended
    in_ledger       it stands in the run's ledger; None for other runs, whose ledgers aren't read
    in_user_file    it stands in the user's own list of openings
    why             the reason that was given for a further look
    """

    at: str
    run: str
    own: bool
    before_choices: bool
    in_ledger: bool | None
    in_user_file: bool
    why: str | None = None


@dataclass(frozen=True, kw_only=True)
class SealFacts(Fact):
    """Every look at a run's test rows, in the order of time.

    rows        test rows
    earlier     looks before the one that is asked for
    """

    rows: int
    earlier: tuple[Opening, ...]

    @property
    def disagreeing(self) -> tuple[Opening, ...]:
        """Looks of this run that stand in one of the two places only."""
        return tuple(each for each in self.earlier if each.own and each.in_ledger != each.in_user_file)
