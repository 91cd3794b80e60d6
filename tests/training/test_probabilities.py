"""Probabilities from raw outputs, and what several networks say together."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import tensor

from assay.training.probabilities import averaged, decided, probabilities

logits = st.floats(-1e4, 1e4, width=32)


@given(rows=st.lists(st.lists(logits, min_size=3, max_size=3), min_size=1, max_size=5))
def test_class_probabilities_sum_to_one_and_keep_the_order(rows: list[list[float]]) -> None:
    found = probabilities(tensor(rows), "multiclass")
    assert torch.allclose(found.sum(1), torch.ones(len(rows), dtype=torch.float64))
    largest = tensor(rows).gather(1, found.argmax(1, keepdim=True)).flatten()
    # logits that differ by less than a probability can show may change places
    assert torch.allclose(largest, tensor(rows).max(1).values, atol=1e-6)


@given(st.lists(logits, min_size=1, max_size=5))
def test_one_logit_is_two_probabilities(values: list[float]) -> None:
    found = probabilities(tensor(values).reshape(-1, 1), "binary")
    assert found.shape == (len(values), 2)
    assert torch.equal(found[:, 1], tensor(values).double().sigmoid())
    assert torch.equal(probabilities(tensor(values), "binary"), found)


def test_labels_are_independent() -> None:
    assert probabilities(tensor([[0.0, 100.0]]), "multilabel").tolist() == [[0.5, 1.0]]


def test_a_regression_has_none() -> None:
    with pytest.raises(ValueError, match="no probabilities"):
        probabilities(tensor([[1.0]]), "regression")


def test_several_networks_average_probabilities_not_logits() -> None:
    sure, unsure = tensor([[10.0, 0.0]]), tensor([[0.0, 1.0]])
    found = averaged([sure, unsure], "multiclass")
    assert torch.allclose(found, (sure.double().softmax(1) + unsure.double().softmax(1)) / 2)
    assert averaged([tensor([[1.0], [2.0]]), tensor([[3.0], [6.0]])], "regression").tolist() == [2.0, 4.0]


def test_decisions() -> None:
    assert decided(tensor([[0.5, 0.5], [0.1, 0.9]]), "binary").tolist() == [0, 1]
    assert decided(tensor([[0.5, 0.6]]), "multilabel").tolist() == [[0, 1]]
    assert decided(tensor([1.5]), "regression").tolist() == [1.5]
