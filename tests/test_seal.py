"""The seal: rows are recognised, openings stand in two places, and where these disagree it shows."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.dataset import Dataset, Split
from assay.errors import RunFolderError
from assay.facts.fact_set import FactSet
from assay.facts.seal import SealFacts
from assay.ledger import Ledger
from assay.rule import judge
from assay.rules.evaluation.test_reused import test_reused as reused_rule
from assay.seal import OPENED, Look, SealedRows, UserFile, look_of, seal_facts, sealed_rows


def table(*, seed: int = 0, columns: str = "abc") -> Dataset:
    x = np.random.default_rng(seed).normal(size=(50, len(columns)))
    x[3, 0] = np.nan
    return Dataset(name="t", task="binary", x=x, y=(np.arange(50) % 2), columns=tuple(columns), classes=("n", "y"))


def split(test: slice = slice(40, 50)) -> Split:
    rows = np.arange(50)
    return Split(train=rows[:30], validation=rows[30:40], test=rows[test])


def look(name: str = "one", *, run: str = "this", at: str = "2026-01-02", rows: SealedRows | None = None) -> Look:
    return Look(look=name, at=at, run=run, folder=f"runs/{run}", rows=rows or sealed_rows(table(), split()))


def facts(tmp_path: Path, *, ledger: list[Look] = [], listed: list[Look] = []) -> SealFacts:  # noqa: B006  # never changed
    book, user_file = Ledger(tmp_path / "ledger.jsonl"), UserFile(tmp_path / "openings.jsonl")
    for each in ledger:
        book.append(OPENED, **asdict(each))
    for each in listed:
        user_file.add(each)
    return seal_facts(book, user_file, run="this", rows=sealed_rows(table(), split()))


def summaries(seal: SealFacts) -> list[str]:
    return [finding.summary for finding in judge([reused_rule], FactSet.of(seal)).errors]


def test_rows_are_recognised_by_targets_and_any_column() -> None:
    whole = sealed_rows(table(), split())
    fewer = replace(table(), x=table().x[:, 1:], columns=("b", "c"))
    assert whole.same_as(sealed_rows(fewer, split()))
    assert sealed_rows(fewer, split()).same_as(whole)
    assert not whole.same_as(sealed_rows(table(), split(slice(39, 49))))
    assert not whole.same_as(sealed_rows(table(seed=1), split())), "equal targets alone aren't the same rows"


def test_missing_values_and_signed_zeros_are_equal() -> None:
    first, second = table(), table()
    first.x[45, 0], second.x[45, 0] = np.nan, -np.nan
    first.x[46, 0], second.x[46, 0] = 0.0, -0.0
    assert sealed_rows(first, split()) == sealed_rows(second, split())


def test_nothing_was_opened(tmp_path: Path) -> None:
    seal = facts(tmp_path)
    assert seal == SealFacts(rows=10, earlier=())
    assert summaries(seal) == []


def test_an_opening_in_both_places_is_one(tmp_path: Path) -> None:
    seal = facts(tmp_path, ledger=[look()], listed=[look()])
    assert [(each.own, each.in_ledger, each.in_user_file) for each in seal.earlier] == [(True, True, True)]
    assert summaries(seal) == ["the 10 test rows were opened once before"]


def test_another_run_s_opening_counts_and_other_rows_don_t(tmp_path: Path) -> None:
    other = sealed_rows(table(seed=5), split())
    seal = facts(tmp_path, listed=[look("two", run="other"), look("three", run="third", rows=other)])
    assert [(each.run, each.own, each.in_ledger) for each in seal.earlier] == [("runs/other", False, None)]
    assert seal.disagreeing == ()


@pytest.mark.parametrize(("ledger", "listed"), [([look()], []), ([], [look()])])
def test_a_disagreement_is_said(tmp_path: Path, ledger: list[Look], listed: list[Look]) -> None:
    seal = facts(tmp_path, ledger=ledger, listed=listed)
    assert len(seal.disagreeing) == 1
    assert summaries(seal)[0].endswith("the run's ledger and the user's list of openings disagree")


def test_an_opening_before_the_last_choice_is_said(tmp_path: Path) -> None:
    Ledger(tmp_path / "ledger.jsonl").append("stage", stage="seeds")
    seal = facts(tmp_path, listed=[look("two", run="other", at="2020-01-01")])
    assert summaries(seal) == ["the 10 test rows were opened once before, while choices were still open"]


def test_the_list_is_made_kept_and_added_to_once(tmp_path: Path) -> None:
    user_file = UserFile(tmp_path / "deep" / "er" / "openings.jsonl")
    assert user_file.looks() == ()
    for each in (look("one"), look("two"), look("one")):
        user_file.add(each)
    assert user_file.looks() == (look("one"), look("two"))


def test_a_torn_line_is_cut_away_and_a_damaged_one_refused(tmp_path: Path) -> None:
    user_file = UserFile(tmp_path / "openings.jsonl")
    user_file.add(look("one"))
    with user_file.path.open("ab") as file:
        file.write(b'{"look": "two", "at"')
    assert user_file.looks() == (look("one"),)
    user_file.add(look("three"))
    assert user_file.looks() == (look("one"), look("three"))
    whole = user_file.path.read_bytes()
    user_file.path.write_bytes(b"[" * 100_000 + b"\n" + whole)
    with pytest.raises(RunFolderError, match=r"line 1: this is no opening .* Mend the line"):
        user_file.looks()
    user_file.path.write_bytes(b"no opening\n" + whole)
    with pytest.raises(RunFolderError, match=r"line 1: this is no opening .* Mend the line"):
        user_file.looks()


def test_a_list_that_cant_be_written_keeps_the_seal_closed(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunFolderError, match=r"can't be written .* the test set stays closed: .* XDG_DATA_HOME"):
        UserFile(tmp_path / "file" / "openings.jsonl").make_writable()


def test_a_list_that_cant_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="can't be read"):
        UserFile(tmp_path).looks()


@given(why=st.none() | st.text(), folder=st.text())
def test_a_look_survives_being_written_down(why: str | None, folder: str) -> None:
    each = replace(look(), why=why, folder=folder)
    assert look_of(json.loads(json.dumps(asdict(each)))) == each


@pytest.mark.parametrize("stated", [
    {}, {"look": 1}, {**asdict(look()), "rows": 3}, {**asdict(look()), "at": None},
    {**asdict(look()), "rows": {"count": "x", "targets": "", "columns": {}}},
])
def test_what_is_no_look_is_refused(stated: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        look_of(stated)
