"""What must answer at once imports nothing heavy. Seconds are printed by benchmarks/startup.py, never asserted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from assay.cli import VERBS

HEAVY = ("torch", "numpy", "polars", "plotly", "sklearn", "scipy", "lightning", "pytorch_lightning", "torchmetrics")

RUN = """
import sys
from assay.cli import main
try:
    main(sys.argv[1:])
except SystemExit as ended:
    code = ended.code
print("ENDED", code, *sorted({name.partition(".")[0] for name in sys.modules}))
"""

DATA = """
task: binary
data: {source: sklearn, name: breast_cancer, rows: 569, columns: 30, classes: [malignant, benign]}
"""


def run(*arguments: str, folder: Path, program: str = RUN) -> tuple[int, set[str], str]:
    """The exit code, the packages imported at the end, and everything said."""
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=folder, capture_output=True, text=True, check=False,
    )
    said, _, ended = done.stdout.rpartition("ENDED ")
    assert ended, done.stderr
    code, *packages = ended.split()
    return int(code), set(packages), said + done.stderr


@pytest.mark.parametrize(("arguments", "code"), [
    (["--help"], 0), (["--version"], 0), ([], 0),
    (["wach"], 2), (["--nonsense"], 2), (["watch"], 2), (["plan"], 2), (["plan", "missing.yaml"], 2), (["run"], 2),
    (["run", "missing.yaml"], 2), (["test"], 2), (["test", "missing"], 2), (["test", "runs", "--again"], 2),
    (["init"], 2), (["rule"], 0), (["rule", "loss-on-probabilities"], 0),
    (["rule", "loss-on-probabilitys"], 2),
    *(([verb, "--help"], 0) for verb in VERBS),
], ids=lambda value: " ".join(value) or "nothing" if isinstance(value, list) else str(value))
def test_what_must_answer_at_once_imports_nothing_heavy(arguments: list[str], code: int, tmp_path: Path) -> None:
    ended, packages, said = run(*arguments, folder=tmp_path)
    assert ended == code, said
    assert packages.isdisjoint(HEAVY), packages.intersection(HEAVY)
    assert "Traceback" not in said


def test_a_plan_imports_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "recipe.yaml").write_text(DATA)
    ended, packages, said = run("plan", "recipe.yaml", folder=tmp_path)
    assert ended == 0, said
    assert packages.isdisjoint(HEAVY), packages.intersection(HEAVY)
    assert "breast_cancer" in said


@pytest.mark.parametrize("package", ["numpy", "torch"])
def test_a_heavy_import_would_be_seen(package: str, tmp_path: Path) -> None:
    _, packages, _ = run("--help", folder=tmp_path, program=f"import {package}\n{RUN}")
    assert not packages.isdisjoint(HEAVY)
