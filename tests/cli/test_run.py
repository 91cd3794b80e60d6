"""`assay run`: what it refuses before anything is climbed."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from assay.cli import main
from tests.experiments import IRIS


@pytest.mark.parametrize(("arguments", "said"), [
    (("--waive", "single"), "each waived stage needs its reason"),
    (("--waive", "single", "--why", " "), "each waived stage needs its reason"),
    (("--waive", "single", "--why", "a", "--waive", "single", "--why", "b"), "--waive single was given more than once"),
    (("--json", "."), "is a folder"),
    (("--json", "no/such.json"), "can't be written"),
])
def test_what_could_not_be_kept_is_refused_before_the_climb(
    arguments: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("iris.yaml").write_text(IRIS)
    done = CliRunner().invoke(main, ["run", "iris.yaml", *arguments])
    assert done.exit_code == 2
    assert said in done.stderr
    assert not Path("runs").exists()
