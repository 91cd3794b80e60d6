"""What people allow, beside a line and in their project."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.errors import UnusableInput
from assay.facts.fact import Place
from assay.rule import ERROR, Finding, Judgement, Where
from assay.watching.allowances import allowances_in, of_project, on_lines

SOURCE = '''\
a = 1  # assay: allow rule-one
text = "# assay: allow rule-two"
b = call(
    a,  # assay: allow rule-three, rule-four
    a,
)
c = 2
# assay: allow rule-five
d = 3
'''


def test_a_comment_counts_for_its_whole_statement_and_text_is_no_comment(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(SOURCE)
    found = {line: set(names) for line, names in allowances_in(file).items()}
    both = {"rule-three", "rule-four"}
    assert found == {1: {"rule-one"}, 3: both, 4: both, 5: both, 6: both, 8: {"rule-five"}, 9: {"rule-five"}}


@pytest.mark.parametrize("content", [b"def broken(:\n", b"\xff\xfe\x00", b"x = '''open\n", b""])
def test_a_file_that_is_no_python_allows_nothing(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(content)
    assert allowances_in(tmp_path / "a.py") == {}
    assert allowances_in(tmp_path / "missing.py") == {}


def finding(name: str, place: Place | None, *explains: Finding) -> Finding:
    where = Where(place=place) if place else None
    return Finding(summary="s", evidence={"e": 1}, fix="f", where=where, severity=ERROR, rule=name, explains=explains)


def test_an_allowed_cause_frees_its_symptoms(tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text("x = 1  # assay: allow cause\n")
    symptom = finding("symptom", None)
    cause = finding("cause", Place(str(file), 1), symptom)
    other = finding("cause", Place(str(file), 2))
    judgement = on_lines(Judgement(findings=(cause, other)))
    assert judgement.findings == (symptom, other)
    assert judgement.allowed == (cause,)


def test_the_nearest_project_lists_what_it_allows(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text('[tool.assay]\nallow = ["decay-on-norms"]\n')
    assert of_project(inner) == ("decay-on-norms",)
    (inner / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert of_project(inner) == ()


@pytest.mark.parametrize("text", ["[tool", "[tool.assay]\nallow = 'decay-on-norms'\n", "[tool.assay]\nallow = [1]\n"])
def test_a_project_that_cannot_be_read_is_said(text: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    with pytest.raises(UnusableInput, match=r"pyproject\.toml"):
        of_project(tmp_path)
