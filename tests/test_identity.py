"""Watching changes nothing: twenty programs a day, in turn; `python -m tests.identity` runs them all."""

from __future__ import annotations

import concurrent.futures
import datetime as dt
from pathlib import Path

from tests.identity import NOT_REPEATABLE, OURS, PROCESSES, TESTS, difference, programs

A_DAY = 20


def of_today(number: int) -> list[int]:
    """Twenty places among so many, others each day."""
    start = dt.datetime.now(tz=dt.UTC).date().toordinal() * A_DAY
    return [(start + each) % number for each in range(min(A_DAY, number))]


def test_watching_changes_neither_weights_nor_output_nor_randomness() -> None:
    every = programs(OURS)
    chosen = [every[at] for at in of_today(len(every))]
    with concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
        found = dict(zip(chosen, pool.map(difference, chosen), strict=True))
    changed = {str(program.relative_to(TESTS)): what for program, what in found.items() if what}
    assert {name: what for name, what in changed.items() if what != NOT_REPEATABLE} == {}


def test_a_changed_program_is_found(tmp_path: Path) -> None:
    """One that asks whether it is watched, and draws a number more if it is."""
    program = tmp_path / "train.py"
    program.write_text("import sys, torch\ntorch.manual_seed(0)\nif 'assay' in sys.modules:\n    torch.rand(1)\n")
    assert difference(program) == "randomness"
