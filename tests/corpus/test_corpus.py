"""The corpus: no alarm on a sound table, nine faults in ten found, and never a traceback."""

from __future__ import annotations

from functools import cache

import pytest

from tests.corpus.faulty import FAULTY
from tests.corpus.judging import Outcome, judged
from tests.corpus.sound import SOUND
from tests.corpus.tables import Case

FOUND = 0.9
"""The share of faults that must be found."""

outcome = cache(judged)


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case.name)
def test_a_sound_table_raises_nothing(case: Case) -> None:
    assert (outcome(case).broken, outcome(case).refused, outcome(case).alarms) == ("", "", [])


@pytest.mark.parametrize("case", FAULTY, ids=lambda case: case.name)
def test_a_faulty_table_breaks_nothing_and_is_refused_in_one_sentence(case: Case) -> None:
    assert outcome(case).broken == ""
    assert "\n" not in outcome(case).refused


def test_nine_faults_in_ten_are_found() -> None:
    missed = [case.name for case in FAULTY if not outcome(case).right]
    assert len(missed) <= (1 - FOUND) * len(FAULTY), missed


def test_a_column_that_is_let_in_again_is_no_change_of_the_data() -> None:
    case = next(case for case in FAULTY if case.name == "a-copy-of-the-label")
    assert {finding.rule for finding in outcome(case).findings} >= {"target-leak"}
    assert "data-changed" not in {finding.rule for finding in outcome(case).findings}


def test_the_corpus_is_large_and_its_names_are_unique() -> None:
    names = [case.name for case in (*SOUND, *FAULTY)]
    assert len(set(names)) == len(names)
    assert len(SOUND) >= 40
    assert len(FAULTY) >= 60


def test_a_wrong_judgement_is_told_from_a_right_one() -> None:
    sound, faulty = SOUND[0], next(case for case in FAULTY if case.rules)
    assert not Outcome(case=sound, refused="no").right
    assert not Outcome(case=faulty).right
    assert not Outcome(case=sound, broken="rule broke").right
