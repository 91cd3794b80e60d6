"""The report says what the run's folder holds, escapes all of it, and needs neither torch nor training."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from assay.cli import main
from assay.reporting.html.element import fragment, tag, trusted
from assay.reporting.html.page import render
from assay.reporting.html.story import LADDER, read_story
from tests.reporting.run_folders import HOSTILE, Made, make_run


class Text(HTMLParser):
    """The tags and the text of a page; style and script apart."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in ("style", "script"):
            self.words.append(data)

    @property
    def said(self) -> str:
        return " ".join("".join(self.words).split())


def shown(folder: Path) -> Text:
    page = Text(render(read_story(folder)))
    assert page.open == []
    return page


def report(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["report", *arguments])


def test_the_stages_are_those_of_the_ladder() -> None:
    from assay.stages import ORDER

    assert {each.name: each.question for each in ORDER} == LADDER


def test_a_run_at_the_top_shows_everything(tmp_path: Path) -> None:
    said = shown(make_run(tmp_path, Made())).said
    for words in ("every gate passed", "macro F1 0.9100 ± 0.0100 over 3 seeds", "best baseline, boosted trees",
                  "7 of 7", "seed 2", "setosa", "versicolor", "Sealed", "loss", "learning rate", "validation 200",
                  "training.learning_rate", "copied", "command line", "recall", "Python 3.11.7", "0" * 40):
        assert words in said, words


def test_a_run_that_stopped_says_where_and_why(tmp_path: Path) -> None:
    folder = make_run(tmp_path, Made(faulty=True, upto="data", verdicts={"data": "failed"}))
    said = shown(folder).said
    assert "Stopped at data" in said
    assert said.count("not reached") == 6
    assert "bad-values" in said
    result = report(str(folder))
    assert result.exit_code == 1
    assert (folder / "report.html").is_file()


def test_a_waived_gate_is_shown_with_its_reason(tmp_path: Path) -> None:
    folder = make_run(tmp_path, Made(faulty=True, verdicts={"data": "waived"}, why="known <i>gaps</i>"))
    said = shown(folder).said
    assert "past the failed gate of data" in said
    assert "Waived: known <i>gaps</i>" in said


def test_an_unfinished_run_says_how_far_it_came(tmp_path: Path) -> None:
    assert "Climbed as far as smoke; 4 stages" in shown(make_run(tmp_path, Made(upto="smoke"))).said


def test_rules_that_could_not_look_are_named_with_the_reason(tmp_path: Path) -> None:
    said = shown(make_run(tmp_path, Made(upto="data"))).said
    assert "Not checked" in said
    assert "nothing was recorded that would show it" in said


@pytest.mark.parametrize("image", [None, (2, 3)])
def test_hostile_names_are_text(image: tuple[int, int] | None, tmp_path: Path) -> None:
    folder = make_run(tmp_path, Made(names=HOSTILE, faulty=True, image=image, why=HOSTILE[1],
                                     verdicts={"smoke": "waived"}))
    page = shown(folder)
    assert page.tags.count("script") == 1
    assert page.tags.count("style") == 1
    assert page.tags.count("img") == (len(HOSTILE) if image else 0)
    assert HOSTILE[0] in page.said
    assert "\x1b" not in "".join(page.words)
    assert "a\\u202eb & c' \\x00\\x1b[31m" in page.said


def test_nothing_is_loaded_from_elsewhere(tmp_path: Path) -> None:
    page = render(read_story(make_run(tmp_path, Made(image=(2, 2)))))
    assert re.findall(r"""(?:https?:|//[a-z])""", page.replace("http-equiv", "")) == []
    assert re.search(r"<(?:link|iframe|object|script src)", page) is None
    assert "default-src 'none'" in page


@given(st.text(max_size=40))
def test_any_text_stays_text(text: str) -> None:
    page = Text(tag("p", text, title=text, data_x=text).text)
    assert page.tags == ["p"]
    assert page.open == []


def test_an_element_s_attributes() -> None:
    made = tag("i", None, ["a", 1], class_="x", http_equiv="y", hidden=True, style=None, name='"')
    assert made.text == '<i class="x" http-equiv="y" hidden name="&quot;">a1</i>'
    assert fragment(tag("br"), trusted("<b>"), "<").text == "<br><b>&lt;"


@pytest.mark.parametrize(("damage", "words"), [
    (lambda folder: (folder / "record.json").write_text("{"), "record.json can't be read"),
    (lambda folder: (folder / "data/facts.jsonl").write_text("{"), "facts.jsonl, line 1"),
    (lambda folder: (folder / "data/findings.json").write_text("["), "findings.json can't be read"),
    (lambda folder: (folder / "data/findings.json").write_text('[{"rule": "bad-values"}]'), "doesn't hold findings"),
    (lambda folder: (folder / "data/findings.json").write_text("5"), "something else than was written"),
    (lambda folder: (folder / "data/findings.json").write_text("[" * 100_000), "findings.json can't be read"),
    (lambda folder: (folder / "data/facts.jsonl").write_text("[" * 100_000), "facts.jsonl, line 1"),
    (lambda folder: (folder / "record.json").write_text("[]"), "something else than was written"),
    (lambda folder: (folder / "single/seed-0/metrics.csv").write_text("epoch,step,x\n0,a,b\n"), "metrics.csv"),
    (lambda folder: (folder / "ledger.jsonl").unlink(), "is no run's folder"),
])
def test_what_is_damaged_is_named_in_one_sentence(damage: object, words: str, tmp_path: Path) -> None:
    folder = make_run(tmp_path, Made())
    assert callable(damage)
    damage(folder)
    result = report(str(folder))
    assert result.exit_code == 2
    assert words in result.stderr
    assert "Traceback" not in result.output


def test_a_record_that_is_missing_is_said(tmp_path: Path) -> None:
    folder = make_run(tmp_path, Made(upto="data"))
    (folder / "record.json").unlink()
    assert "record.json is missing" in shown(folder).said


def test_a_record_of_another_form_is_said(tmp_path: Path) -> None:
    folder = make_run(tmp_path, Made(upto="data"))
    record = json.loads((folder / "record.json").read_text())
    (folder / "record.json").write_text(json.dumps(dict.fromkeys(record, 5)))
    assert "record.json has another form" in shown(folder).said


def test_it_is_written_where_it_is_wanted(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "runs", Made(upto="data"))
    assert report(str(folder), "--output", str(tmp_path / "mine.html")).exit_code == 0
    assert (tmp_path / "mine.html").read_text().startswith("<!doctype html>")
    assert report(str(folder), "--output", str(tmp_path)).exit_code == 0
    assert (tmp_path / "made-001.html").is_file()
    refused = report(str(folder), "--output", str(tmp_path / "no" / "folder.html"))
    assert refused.exit_code == 2
    assert "can't be written" in refused.stderr


def test_its_json(tmp_path: Path) -> None:
    folder = make_run(tmp_path, Made(faulty=True, upto="data", verdicts={"data": "failed"}))
    told = json.loads(report(str(folder), "--json", "-").stdout)
    assert (told["verb"], told["verdict"], told["result"]["stopped_at"]) == ("report", "fail", "data")


def test_every_look_at_the_test_rows_is_shown(tmp_path: Path) -> None:
    from assay.ledger import Ledger

    folder = make_run(tmp_path, Made())
    ledger = Ledger(folder / "ledger.jsonl")
    (folder / "test").mkdir()
    (folder / "test" / "facts.jsonl").write_text("")
    scores = {"macro_f1": 0.8}
    seeds = [{"seed": 0, "score": 0.8, "failure": None, "scores": scores, "confusion_matrix": [[3, 1], [0, 4]],
              "per_class_recall": [0.75, 1.0]}]
    for look, why in (("a", None), ("b", "a <u>bug</u> in the data")):
        ledger.append("test-opened", look=look, at="", why=why)
        ledger.append("stage", stage="test", verdict="passed" if why is None else "waived", evidence="macro_f1 0.8",
                      seconds=1.0, why=why, findings=[], allow=[], result={
                          "look": look, "metric": "macro_f1", "sense": "max", "rows": 8, "classes": ["n", "y"],
                          "seeds": seeds, "mean": 0.8, "interval": None, "baselines": {"constant": {"macro_f1": 0.3}},
                          "openings": [{"at": "2026-01-02T03:04:05+00:00", "why": None}] * (2 if why else 1)})
    ledger.append("test-opened", look="c", at="", why="again")
    said = shown(folder).said
    assert "opened 3 ×" in said
    assert "Opened again: a <u>bug</u> in the data" in said
    assert "The same rows were opened 2 January 2026, 03:04 UTC" in said
    assert "interrupted before its scores were kept" in said
    assert "7 of 7" in said


def test_a_thousand_classes_are_cut_to_the_worst(tmp_path: Path) -> None:
    folder = make_run(tmp_path, Made(names=[f"class {number}" for number in range(1000)], seeds=1))
    page = render(read_story(folder))
    assert "of 1,000 classes" in page
    assert "Most often confused" in page
    assert len(page) < 400_000


def test_torch_is_not_imported(tmp_path: Path) -> None:
    folder = make_run(tmp_path, Made(upto="data"))
    program = ("import sys\nfrom assay.cli import main\ntry:\n    main(['report', sys.argv[1]])\n"
               "except SystemExit as end:\n    print(end.code, 'torch' in sys.modules, 'plotly' in sys.modules)\n")
    done = subprocess.run([sys.executable, "-c", program, str(folder)], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "0 False False", done.stderr


def test_a_run_writes_it_at_its_end(tmp_path: Path) -> None:
    recipe = tmp_path / "iris.yaml"
    recipe.write_text("data: {source: sklearn, name: iris}\n")
    result = CliRunner().invoke(main, ["run", str(recipe), "--runs", str(tmp_path / "runs"), "--to", "baselines"])
    assert result.exit_code == 0, result.output
    path = tmp_path / "runs" / "iris-001" / "report.html"
    assert str(path) in result.output
    assert "petal length" in Text(path.read_text()).said


def test_a_run_on_a_data_module_of_one_s_own_claims_nothing_of_its_rows(tmp_path: Path) -> None:
    folder = make_run(tmp_path, Made(verdicts={"data": "unchecked"}))
    (folder / "data" / "facts.jsonl").write_text("")
    said = shown(folder).said
    assert "no gate failed" in said
    assert "6 of 7" in said
    assert "1 unchecked" in said
    assert "only your own data module knows" in said
    assert "Sealed" not in said
