"""constraints.txt pins what the package and its tests need, within what pyproject.toml allows."""

from __future__ import annotations

import re
import tomllib

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.syntax import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


def test_every_pin_is_exact_and_named_once() -> None:
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[a-z0-9-]+==[0-9][\w.]*", line)] == []
    assert len(pins()) == len(lines)


def test_every_requirement_is_pinned_within_its_bounds() -> None:
    extras = [text for extra in PROJECT["optional-dependencies"].values() for text in extra]
    needed = [Requirement(text) for text in (*PROJECT["dependencies"], *extras)]
    pinned = pins()
    outside = [each for each in needed if not each.specifier.contains(pinned.get(canonicalize_name(each.name), "0"))]
    assert outside == []


def test_torch_is_the_version_that_readme_and_check_install() -> None:
    for place in ("README.md", ".ci/run"):
        assert set(re.findall(r"torch==([\d.]+)", (ROOT / place).read_text())) == {pins()["torch"]}
