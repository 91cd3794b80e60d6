"""The pytest fixture: tests of a model that hold assay's checks, run by a pytest of their own."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

TESTS = """
import torch
from torch import nn

BATCH = torch.randn(16, 6, generator=torch.Generator().manual_seed(0)), torch.arange(16) % 3


def model(*after):
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 3), *after)


def train(net):
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    for _ in range(6):
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(BATCH[0]), BATCH[1]).backward()
        optimizer.step()


def test_sound(assay):
    with assay.watch() as seen:
        train(model())
    assay.assert_clean(seen)
    assay.assert_clean(assay.preflight(model(), BATCH, nn.functional.cross_entropy))


def test_watched(assay):
    with assay.watch() as seen:
        train(model(nn.Softmax(1)))
    assay.assert_clean(seen)


def test_checked(assay):
    assay.assert_clean(assay.preflight(model(nn.Softmax(1)), BATCH, nn.functional.cross_entropy), at="error")


def test_allowed(assay):
    with assay.watch(allow=["loss-on-probabilities"]) as seen:
        train(model(nn.Softmax(1)))
    assay.assert_clean(seen)
"""


def test_findings_fail_a_test_in_their_own_words(tmp_path: Path) -> None:
    (tmp_path / "test_model.py").write_text(TESTS)
    registered = any(entry.value == "assay.pytest_plugin" for entry in entry_points(group="pytest11"))
    plugin = () if registered else ("-p", "assay.pytest_plugin")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plugin, "-p", "no:cacheprovider", "test_model.py"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )
    assert "2 failed, 2 passed" in done.stdout, done.stdout
    assert "error: cross_entropy is given probabilities: softmax is applied twice" in done.stdout
    assert "Traceback" not in done.stdout


def test_the_plugin_loads_nothing_heavy() -> None:
    program = "import sys, assay.pytest_plugin; print(*sorted({'torch', 'numpy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "\n"
