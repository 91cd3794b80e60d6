"""What the text of a program says of how it keeps the best."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from assay.averaging import averaging_of
from assay.comparing import comparisons_in, kept_in_vain
from assay.metric_sense import sense_of
from assay.program_text import begins_at


@pytest.mark.parametrize(("code", "keeps"), [
    ("if acc < best: best = acc", ["min"]),
    ("if best < acc: best = acc", ["max"]),
    ("if best is None or loss <= best: best, epoch = loss, e", ["min"]),
    ("if acc < best + 0.1:\n    wait += 1\nelse:\n    best = acc", ["max"]),
    ("if acc < worst: worst = acc", []),
    ("if acc < best: wait += 1", []),
])
def test_comparisons_say_what_they_keep(code: str, keeps: list[str]) -> None:
    assert [each.keeps for each in comparisons_in(ast.parse(code))] == keeps


@pytest.mark.parametrize(("name", "sense"), [
    ("val_acc", "max"), ("validF1", "max"), ("eval/mse", "min"), ("perplexity", "min"), ("score", None),
    ("neg_loss", None), ("acc_loss", None), ("val_loss", "min"), ("R2", "max"), ("worst_acc", None),
])
def test_names_say_which_way_is_better(name: str, sense: str | None) -> None:
    assert sense_of(name) == sense


TRAINING = """
opt = Adam(model.parameters())
for epoch in range(9):
    opt.step()
    if loss < low:
        {}
use(best)
"""


@pytest.mark.parametrize(("kept", "alias"), [
    ("best = model", ["model"]), ("best = copy.deepcopy(model)", []), ("other = model", []),
])
def test_other_names_of_a_model_that_trains_on(kept: str, alias: list[str]) -> None:
    assert [each.alias_of for each in kept_in_vain(ast.parse(TRAINING.format(kept)))] == alias


@pytest.mark.parametrize(("code", "begins"), [
    ("start = state['epoch'] + 1", True), ("for e in range(state['epoch'], 9): pass", True),
    ("print(state['epoch'])", False), ("start = state['weights']", False),
])
def test_a_loop_that_begins_at_the_checkpoints_epoch(code: str, begins: bool) -> None:
    assert begins_at(ast.parse(code), {"epoch", "weights"}) is begins


@pytest.mark.parametrize(("code", "averaged"), [
    ("for x, y in loader:\n    s.append(f1(x, y))\nprint(np.mean(s))", "np.mean(s)"),
    ("for i in range(0, n, 8):\n    t += f1(x, y)\nt /= n", "t /= n"),
    ("for x, y in batches:\n    v = f1(x, y)\n    meter.update(v, 8)", "meter.update(v, 8)"),
    ("for x, y in loader:\n    s.append(f1(x, y))\nprint(s)", None),
    ("for user in users:\n    s.append(f1(x, y))\nprint(np.mean(s))", None),
    ("pass\ns = np.mean([f1(x, y) for x, y in loader])", "np.mean([f1(x, y) for x, y in loader])"),
])
def test_scores_of_batches_that_are_averaged(code: str, averaged: str | None, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(code)
    found = averaging_of(str(file), 2, "f1")
    assert (found.text if found else None) == averaged
