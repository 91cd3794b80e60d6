"""`assay watch`: findings to standard error, JSON, allowances and exit codes, over whole programs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ASSAY = (sys.executable, "-c", "from assay.cli import main; main()", "watch")

FAULTY = """
import sys
import torch
import torch.nn.functional as F

torch.manual_seed(0)
model = torch.nn.Linear(4, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(6):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(torch.ones(2, 4)).softmax(1), torch.tensor([0, 1]))
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.6f}", *sys.argv[1:])
"""
SOUND = FAULTY.replace(".softmax(1)", "")
LINE = 11


def watch(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*ASSAY, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def document(folder: Path, name: str = "out.json") -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / name).read_text())
    return read


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "faulty.py").write_text(FAULTY)
    (tmp_path / "sound.py").write_text(SOUND)
    return tmp_path


def test_a_finding_is_told_with_its_line_evidence_and_remedy(folder: Path) -> None:
    done = watch("--json", "out.json", "faulty.py", "--epochs", "3", folder=folder)
    assert done.returncode == 1
    alone = subprocess.run([sys.executable, "faulty.py", "--epochs", "3"], cwd=folder, capture_output=True, text=True)
    assert done.stdout == alone.stdout
    assert f"error: cross_entropy is given probabilities: softmax is applied twice (faulty.py:{LINE}" in done.stderr
    for part in ("row sums", "log(1 + 2/e)", "pass the scores that come before softmax", "loss-on-probabilities"):
        assert part in done.stderr
    assert "1 finding;" in done.stderr
    assert "not checked" in done.stderr
    made = document(folder)
    assert (made["verb"], made["verdict"], made["program"]) == ("watch", "fail", {"exit": 0})
    (finding,) = made["findings"]
    assert finding["rule"] == "loss-on-probabilities"
    assert finding["where"] == {"file": "faulty.py", "line": LINE, "module": None, "step": 0}
    assert "grad-accumulates" in made["rules"]["passed"]
    assert {"rule", "why"} == set(made["rules"]["not_checked"][0])


def test_a_sound_program_ends_with_0_and_json_may_go_to_standard_output(folder: Path) -> None:
    done = watch("--json", "-", "--quiet", "sound.py", folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    said, _, made = done.stdout.partition("\n")
    assert said.startswith("loss ")
    assert json.loads(made)["verdict"] == "pass"


def test_exit_zero_is_for_findings_alone(folder: Path) -> None:
    assert watch("--exit-zero", "faulty.py", folder=folder).returncode == 0
    (folder / "fails.py").write_text(FAULTY + "sys.exit(7)\n")
    assert watch("--exit-zero", "fails.py", folder=folder).returncode == 7


def test_findings_survive_a_crash_of_the_program(folder: Path) -> None:
    (folder / "crash.py").write_text(FAULTY + "raise ValueError('no more data')\n")
    done = watch("--json", "out.json", "crash.py", folder=folder)
    assert done.returncode == 1
    assert "ValueError: no more data" in done.stderr
    assert "assay/" not in done.stderr.partition("\n\n")[0]
    made = document(folder)
    assert made["program"] == {"exit": 1}
    assert [finding["rule"] for finding in made["findings"]] == ["loss-on-probabilities"]


def test_a_module_runs_with_its_arguments(folder: Path) -> None:
    package = folder / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "train.py").write_text(FAULTY)
    done = watch("--json", "out.json", "-m", "package.train", "-x", "1", folder=folder)
    assert done.returncode == 1, done.stderr
    assert done.stdout.endswith("-x 1\n")
    assert document(folder)["findings"][0]["where"]["file"] == "package/train.py"


@pytest.mark.parametrize("how", ["option", "project", "line"])
def test_what_is_allowed_is_listed_and_no_failure(how: str, folder: Path) -> None:
    options: tuple[str, ...] = ()
    if how == "option":
        options = ("--allow", "loss-on-probabilities", "--allow", "update-lost")
    elif how == "project":
        (folder / "pyproject.toml").write_text('[tool.assay]\nallow = ["loss-on-probabilities"]\n')
    else:
        source = FAULTY.replace("torch.tensor([0, 1]))", "torch.tensor([0, 1]))  # assay: allow loss-on-probabilities")
        (folder / "faulty.py").write_text(source)
    done = watch("--json", "out.json", *options, "faulty.py", folder=folder)
    assert done.returncode == 0
    assert "allowed: loss-on-probabilities" in done.stderr
    made = document(folder)
    assert made["findings"] == []
    assert [finding["rule"] for finding in made["allowed"]] == ["loss-on-probabilities"]
    assert made["allowed_unused"] == (["update-lost"] if how == "option" else [])


def test_a_comment_that_sets_nothing_aside_is_listed(folder: Path) -> None:
    (folder / "beside.py").write_text("x = 1  # assay: allow loss-broadcast\n")
    (folder / "sound.py").write_text("import beside\n" + SOUND)
    done = watch("--json", "out.json", "sound.py", folder=folder)
    assert "allowed, but nothing is found: loss-broadcast" in done.stderr
    assert document(folder)["allowed_unused"] == ["loss-broadcast"]


@pytest.mark.parametrize("given", [("-m", "echo"), ("-mecho",)])
def test_what_follows_a_module_is_its_own_even_where_assay_knows_the_word(given: tuple[str, ...], folder: Path) -> None:
    (folder / "echo.py").write_text("import sys\nprint(*sys.argv[1:])\n")
    done = watch("--quiet", *given, "--help", "--json", "-m", "--", folder=folder)
    assert (done.returncode, done.stdout) == (0, "--help --json -m --\n"), done.stderr


@pytest.mark.parametrize(("arguments", "said"), [
    (["-m"], "'-m' requires an argument"),
    ([], "Give the script to run"),
    (["nowhere.py"], "nowhere.py can't be run (there is no such file)"),
    (["-m", "nowhere_at_all"], "There is no module 'nowhere_at_all'"),
    (["--allow", "loss-on-probabilites", "sound.py"], "did you mean 'loss-on-probabilities'?"),
    (["--json", "missing/out.json", "plain.py"], "missing"),
    (["--sarif", ".", "plain.py"], "--sarif needs the name of a file"),
    (["--steps", "0", "plain.py"], "--steps"),
])
def test_what_cannot_be_used_is_one_sentence_and_2(arguments: list[str], said: str, folder: Path) -> None:
    (folder / "plain.py").write_text("print('ran')\n")
    done = watch(*arguments, folder=folder)
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == "", "nothing may run before the arguments are known to be usable"


def test_a_program_without_torch_is_unchecked(folder: Path) -> None:
    (folder / "plain.py").write_text("print('hello')\n")
    done = watch("--json", "out.json", "plain.py", folder=folder)
    assert (done.returncode, done.stdout) == (0, "hello\n")
    assert "never imported PyTorch" in done.stderr
    made = document(folder)
    assert made["verdict"] == "unchecked"
    assert made["rules"]["passed"] == []


def test_a_script_ends_after_the_steps_that_are_asked_for(folder: Path) -> None:
    counting = SOUND.replace("    optimizer.step()", "    optimizer.step()\n    print('step', step)")
    (folder / "long.py").write_text(counting.replace("range(6)", "range(10**6)"))
    done = watch("--steps", "3", "--json", "out.json", "long.py", folder=folder)
    assert (done.returncode, done.stdout) == (0, "step 0\nstep 1\n"), done.stderr
    assert "ended after the steps that were asked for" in done.stderr
    assert document(folder)["result"] == {"stopped": True}
    (folder / "long.py").write_text(FAULTY.replace("range(6)", "range(10**6)"))
    assert watch("--steps", "3", "long.py", folder=folder).returncode == 1


def test_an_error_is_told_while_the_script_runs(folder: Path) -> None:
    (folder / "faulty.py").write_text(FAULTY + "print('end', file=sys.stderr)\n")
    done = watch("faulty.py", folder=folder)
    early, _, late = done.stderr.partition("end\n")
    assert f"assay: error: cross_entropy is given probabilities: softmax is applied twice (faulty.py:{LINE}" in early
    assert "fix: pass the scores" in late


def test_sarif_points_at_the_line(folder: Path) -> None:
    done = watch("--sarif", "out.sarif", "faulty.py", folder=folder)
    assert done.returncode == 1
    (run,) = document(folder, "out.sarif")["runs"]
    (result,) = run["results"]
    assert result["ruleId"] == "loss-on-probabilities"
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": LINE}


HELD = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 20), torch.randint(0, 4, (64,)))
model = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Dropout(0.5), nn.Linear(64, 4))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(30):
    for inputs, labels in DataLoader(data, batch_size=16, shuffle=True):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
"""


def test_a_script_is_held_on_its_first_batch(folder: Path) -> None:
    (folder / "held.py").write_text(HELD)
    done = watch("--overfit", "--json", "out.json", "held.py", folder=folder)
    assert done.returncode == 0, done.stderr
    assert "overfit: the first batch, 16 examples, is memorised" in done.stderr
    made = document(folder)
    assert "is memorised" in made["result"]["overfit"]
    assert "cannot-overfit" in made["rules"]["passed"]


def test_a_script_without_a_loader_cannot_be_held(folder: Path) -> None:
    done = watch("--overfit", "sound.py", folder=folder)
    assert done.returncode == 2
    assert "--overfit holds the batches of a DataLoader, and this script uses none" in done.stderr
