"""Prints what was found in each table of the corpus."""

from __future__ import annotations

import sys
import time

from tests.corpus.faulty import FAULTY
from tests.corpus.judging import Outcome, judged
from tests.corpus.sound import SOUND


def line(outcome: Outcome, seconds: float) -> str:
    """One table in one line."""
    said = outcome.broken.strip().rpartition("\n")[2] or outcome.refused or "; ".join(
        f"{each.severity}: {each.rule}" for each in outcome.findings)
    mark = "right" if outcome.right else "WRONG"
    return f"{mark}  {seconds:4.1f} s  {outcome.case.name:34} {said or 'silent'}"


def whole(outcome: Outcome) -> str:
    """Everything that was said of a table."""
    findings = "\n".join(f"  {each.severity}: {each.rule}: {each.summary}" for each in outcome.findings)
    return "\n".join(part for part in (outcome.recipe, outcome.broken, outcome.refused, findings) if part)


def main(names: list[str]) -> int:
    """Judge the tables of these names, or all; 0 where every one was judged rightly."""
    outcomes = []
    for case in (*SOUND, *FAULTY):
        if names and case.name not in names:
            continue
        began = time.monotonic()
        outcomes.append(judged(case))
        print(line(outcomes[-1], time.monotonic() - began), flush=True)
        if names:
            print(whole(outcomes[-1]))
    sound = [each for each in outcomes if each.case.sound]
    faulty = [each for each in outcomes if not each.case.sound]
    print(f"{sum(each.right for each in sound)} of {len(sound)} sound tables silent, "
          f"{sum(each.right for each in faulty)} of {len(faulty)} faults found, "
          f"{sum(bool(each.broken) for each in outcomes)} broken")
    return 0 if all(each.right for each in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
