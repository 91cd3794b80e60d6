"""Known floors, each against a numerical minimisation that knows nothing of the formula."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn import functional as F

from assay.facts.floors import (
    binary_floors,
    class_floors,
    entropy,
    multilabel_floors,
    regression_floors,
    smoothed_floor,
)


def _lowest(loss_of, shape: tuple[int, ...]) -> float:
    """The lowest loss over free scores, one row an example, found by L-BFGS."""
    scores = torch.zeros(shape, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([scores], max_iter=500, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = loss_of(scores)
        loss.backward()
        return loss

    optimizer.step(closure)
    return float(loss_of(scores).detach())


@pytest.mark.parametrize("classes", [2, 3, 10])
def test_softmax_twice(classes: int) -> None:
    labels = torch.arange(classes)
    floor = class_floors(labels.tolist(), classes)[0]
    found = _lowest(lambda scores: F.cross_entropy((30 * scores).softmax(1), labels), (classes, classes))
    assert found == pytest.approx(floor.value, abs=1e-3)
    assert floor.cause == "softmax is applied twice"


def test_softmax_twice_over_ten_classes_is_the_textbook_value() -> None:
    assert class_floors([0, 1], 10)[0].value == pytest.approx(1.4612, abs=5e-5)
    assert class_floors([0, 1], 10)[0].formula == "log(1 + 9/e)"


def test_sigmoid_twice() -> None:
    labels = torch.tensor([1.0, 0, 0, 1, 0])
    floor = binary_floors([int(value) for value in labels])[0]
    found = _lowest(lambda scores: F.binary_cross_entropy_with_logits((30 * scores).sigmoid(), labels), (5,))
    assert found == pytest.approx(floor.value, abs=1e-3)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=40))
@settings(max_examples=30, deadline=None)
def test_a_constant_prediction_gives_the_entropy(labels: list[int]) -> None:
    target = torch.tensor(labels)
    found = _lowest(lambda scores: F.cross_entropy(scores.expand(len(labels), 5), target), (1, 5))
    assert found == pytest.approx(entropy(labels), abs=1e-3)


def test_regression_stalls_at_the_variance() -> None:
    targets = [1.0, 2.0, 6.0]
    found = _lowest(lambda score: F.mse_loss(score.expand(3), torch.tensor(targets, dtype=torch.float64)), (1,))
    assert regression_floors(targets)[0].value == pytest.approx(found, abs=1e-6)


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.5])
def test_label_smoothing_has_a_lowest_loss(smoothing: float) -> None:
    labels = torch.tensor([0, 1, 2, 3])
    found = _lowest(lambda scores: F.cross_entropy(scores, labels, label_smoothing=smoothing), (4, 4))
    assert smoothed_floor(smoothing, 4) == pytest.approx(found, abs=1e-3)
    assert smoothed_floor(0.0, 4) == 0.0
    assert not math.isnan(found)


def test_examples_stuck_on_a_wrong_class_raise_the_floor() -> None:
    labels = torch.arange(10)
    probabilities = F.one_hot(labels, 10).double()
    probabilities[0] = F.one_hot(torch.tensor(3), 10)
    floor = class_floors(labels.tolist(), 10)[0]
    assert float(F.cross_entropy(probabilities, labels)) == pytest.approx(floor.with_wrong(0.1).value)
    pairs = torch.tensor([1.0, 0.0, 1.0, 0.0])
    sure = torch.tensor([0.0, 1.0, 1.0, 0.0], dtype=torch.float64)
    twice = binary_floors([1, 0, 1, 0])[0]
    found = float(F.binary_cross_entropy_with_logits(sure, pairs.double()))
    assert found == pytest.approx(twice.with_wrong(0.5).value)


def test_a_constant_prediction_of_several_labels_gets_their_mean_entropy() -> None:
    labels = torch.tensor([[1.0, 0, 0], [1, 1, 0], [0, 1, 0], [1, 0, 0]], dtype=torch.float64)
    twice, constant = multilabel_floors(labels.long().tolist())
    found = _lowest(lambda scores: F.binary_cross_entropy_with_logits(scores.expand(4, 3), labels), (1, 3))
    assert found == pytest.approx(constant.value, abs=1e-4)
    surest = _lowest(lambda scores: F.binary_cross_entropy_with_logits((30 * scores).sigmoid(), labels), (4, 3))
    assert surest == pytest.approx(twice.value, abs=1e-3)
