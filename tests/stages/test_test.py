"""What the test stage scores: tasks of every kind, and modules of one's own as far as their outputs can be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assay.errors import UnusableInput
from assay.opening import open_test
from assay.running import Asked, Silent, run

OWN = """
task: binary
data: {source: sklearn, name: breast_cancer}
model: {class_path: tests.stages.scored_modules.CLASS}
training: {max_epochs: 3}
checkpointing: {monitor: val_loss, mode: min}
seeds: [0, 1]
"""
WHOLE = Asked(waivers=dict.fromkeys(("data", "smoke", "overfit", "subset", "single", "seeds"), "a tiny experiment"))


def scores_of(folder: Path, text: str) -> dict[str, Any]:
    (folder / "one.yaml").write_text(text)
    climbed = run(folder / "one.yaml", asked=WHOLE, runs=folder / "runs").folder
    opened = open_test(climbed, user_file=folder / "openings.jsonl", display=Silent())
    assert opened.outcome.verdict == "passed"
    return opened.outcome.result


def test_a_module_of_one_s_own_is_scored_by_its_logits(tmp_path: Path) -> None:
    result = scores_of(tmp_path, OWN.replace("CLASS", "Logits"))
    assert result["metric"] == "macro_f1"
    assert result["mean"] > 0.7
    assert result["together"] is None
    assert sum(map(sum, result["seeds"][0]["confusion_matrix"])) == result["rows"]


def test_probabilities_are_refused_before_anything_is_opened(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match="look like probabilities: return logits"):
        scores_of(tmp_path, OWN.replace("CLASS", "Probabilities"))
    assert not (tmp_path / "openings.jsonl").exists()


def test_a_data_module_of_one_s_own_keeps_its_test_rows(tmp_path: Path) -> None:
    text = """
data: {class_path: tests.training.own_classes.Digits}
model: {class_path: tests.training.own_classes.Net}
training: {max_epochs: 1}
checkpointing: {monitor: val_acc, mode: max}
seeds: [0]
"""
    with pytest.raises(UnusableInput, match="data module of your own"):
        scores_of(tmp_path, text)


def test_a_regression_is_scored_in_its_own_unit(tmp_path: Path) -> None:
    result = scores_of(tmp_path, "data: {source: sklearn, name: diabetes}\ntraining: {max_epochs: 15}\nseeds: [0, 1]\n")
    assert (result["metric"], result["sense"]) == ("rmse", "min")
    assert 40 < result["mean"] < result["baselines"]["constant"]["rmse"]
    assert result["together"]["rmse"] <= result["mean"]
    assert result["seeds"][0]["confusion_matrix"] is None


def test_several_labels_are_scored(tmp_path: Path) -> None:
    draw = np.random.default_rng(0)
    x = draw.normal(size=(300, 2))
    lines = [f"{a:.4f},{b:.4f},{int(a > 0)},{int(b > 0)}" for a, b in x]
    (tmp_path / "two.csv").write_text("a,b,left,right\n" + "\n".join(lines) + "\n")
    text = "data: {source: table, name: two, files: [two.csv], target: [left, right]}\n"
    result = scores_of(tmp_path, text + "training: {max_epochs: 30, learning_rate: 1e-2}\nseeds: [0, 1]\n")
    assert result["mean"] > 0.8
    assert result["classes"] == ["left", "right"]
    assert result["together"][result["metric"]] > 0.8
