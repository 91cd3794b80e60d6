"""`assay rule`: the catalogue and its pages."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from assay.cli import main
from assay.rules import catalogue


def test_the_catalogue_lists_every_rule_under_its_family() -> None:
    done = CliRunner().invoke(main, ["rule"])
    assert done.exit_code == 0
    lines = done.output.splitlines()
    family = ""
    listed = []
    for line in lines:
        if line and not line.startswith((" ", "`")):
            family = line
        elif line.startswith("  "):
            name, severity, title = line.split(maxsplit=2)
            listed.append((family, name, severity, title))
    assert sorted(listed) == sorted((each.family, each.name, str(each.severity), each.title) for each in catalogue())


@pytest.mark.parametrize("name", [each.name for each in catalogue()])
def test_a_page_holds_the_whole_docstring(name: str) -> None:
    done = CliRunner().invoke(main, ["rule", name])
    assert done.exit_code == 0
    assert done.output.startswith(name + "\n")
    assert "\nRemedy\n" in done.output
    assert "##" not in done.output


@pytest.mark.parametrize(("name", "near"), [
    ("loss-on-probabilitys", "did you mean 'loss-on-probabilities'?"),
    ("loss_broadcast", "did you mean 'loss-broadcast'?"), ("qqqq", "`assay rule` lists them all"),
])
def test_an_unknown_name_is_told_with_the_nearest(name: str, near: str) -> None:
    done = CliRunner().invoke(main, ["rule", name])
    assert done.exit_code == 2
    assert near in done.output


def test_a_family_lists_its_own_rules() -> None:
    done = CliRunner().invoke(main, ["rule", "curve"])
    assert done.exit_code == 0
    listed = {line.split()[0] for line in done.output.splitlines() if line.startswith("  ")}
    assert listed == {each.name for each in catalogue() if each.family == "curve"}


@pytest.mark.parametrize(("asked", "count"), [([], len(catalogue())), (["unstable"], 1)])
def test_rules_as_json(asked: list[str], count: int) -> None:
    done = CliRunner().invoke(main, ["rule", *asked, "--json", "-"])
    assert done.exit_code == 0
    rules = json.loads(done.output)["result"]["rules"]
    assert len(rules) == count
    assert all(each["page"].startswith(each["title"]) for each in rules)
