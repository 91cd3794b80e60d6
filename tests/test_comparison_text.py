"""What becomes of a comparison is read from the lines around it, or not told."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.comparison_text import reduced


@pytest.mark.parametrize(("text", "way"), [
    ("accuracy = (guessed == y).float().mean().item()", "mean"),
    ("right += (guessed == y).sum().item()", "sum"),
    ("right += guessed.eq(y).sum().item(); total += y.numel()", "sum over all"),
    ("right += torch.sum(guessed == y).item(); total += y.size(0) * y.size(1)", "sum over all"),
    ("right = guessed == y\nprint(right.float().mean())", "mean"),
    ("right = guessed == y\nprint(right[keep].float().mean())", None),
    ("right += ((guessed == y) & keep).sum().item()", None),
    ("right += ((guessed == y) * keep).sum().item()", None),
    ("right += (guessed == y)[keep].sum().item()", None),
    ("whole += (guessed == y).all(1).sum().item()", None),
    ("rows = (guessed == y).sum(1)", None),
])
def test_ways(tmp_path: Path, text: str, way: str | None) -> None:
    file = tmp_path / "train.py"
    file.write_text(text + "\n")
    assert reduced(str(file), 1) == way
