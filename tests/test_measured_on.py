"""What names say of the split that a score was measured on."""

from __future__ import annotations

import ast

import pytest

from assay.measured_on import behind, names_validation


@pytest.mark.parametrize(("text", "value", "split"), [
    ("acc = accuracy(net, test_loader)\nif acc > best: best = acc", "acc", "test"),
    ("acc = accuracy(net, val_loader)\nif acc > best: best = acc", "acc", "validation"),
    ("test_acc = test(net, val_loader)\nif test_acc > best: best = test_acc", "test_acc", None),
    ("acc = test(net, loader)\nif acc > best: best = acc", "acc", None),
    ("a, b = score(x_train), score(x_test)\nif b > best: best = b", "b", "test"),
    ("loss = evaluate('test')\nif loss < best: best = loss", "loss", "test"),
    ("out = evaluate(parts['test'])\nif out['f1'] > best: best = out['f1']", "out['f1']", "test"),
    ("hits = 0\nfor x, y in test_dl:\n    hits += 1\nacc = hits / n\nif acc > best: best = acc", "acc", "test"),
    ("hits = 0\nfor x, y in dev_dl:\n    hits += 1\nacc = hits / n\nif acc > best: best = acc", "acc", "validation"),
    ("def f():\n    return score(data.val_mask), score(data.test_mask)\nval, tst = f()\nif val > best: best = val",
     "val", "validation"),
    ("def f():\n    return score(data.val_mask), score(data.test_mask)\nval, tst = f()\nif tst > best: best = tst",
     "tst", "test"),
    ("def f():\n    return score(data.val_mask)\nacc = f()\nif acc > best: best = acc", "acc", "validation"),
    ("if test_acc > best: best = test_acc", "test_acc", None),
])
def test_the_nearest_names_decide(text: str, value: str, split: str | None) -> None:
    tree = ast.parse(text)
    assert behind(tree, len(text.splitlines()), value).split == split


def test_the_expression_behind_a_score_is_kept_in_words() -> None:
    tree = ast.parse("score = accuracy_score(y, guess)\nif score > best: best = score")
    assert behind(tree, 2, "score").text == "accuracy_score(y, guess)"


@pytest.mark.parametrize(("text", "says"), [
    ("x_val, y_val = x[80:], y[80:]", True),
    ("run(data.val_mask)", True),
    ("val_acc = accuracy(net, test_loader)", False),
    ("device = 'cpu'\nvalues = []", False),
])
def test_scores_called_so_are_no_validation_data(text: str, says: bool) -> None:
    assert names_validation(ast.parse(text)) == says
