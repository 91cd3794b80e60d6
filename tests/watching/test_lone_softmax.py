"""Which softmaxes along an axis of size one weigh something, by the graph below what they weigh."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from assay.watching.lone_softmax import lone

X = torch.randn(4, 6, 5)
SCORE, SEVERAL = nn.Linear(5, 1), nn.Linear(5, 3)


def attended(keys: Tensor) -> Tensor:
    return torch.softmax(SEVERAL(X) @ SEVERAL(keys).mT, dim=-1) @ SEVERAL(keys)


@pytest.mark.parametrize("weighed", [
    lambda: (torch.softmax(SCORE(X), dim=-1) * X).sum(1),
    lambda: torch.bmm(torch.softmax(SCORE(X) / 2, dim=2).transpose(1, 2), X),
    lambda: (torch.softmax(torch.tanh(SCORE(X)), dim=2) * SEVERAL(X)).sum(1),
])
def test_weights_of_positions_along_the_axis_of_their_score(weighed: Callable[[], Tensor]) -> None:
    assert list(lone([weighed().grad_fn])) == [((4, 6, 1), 2)]


@pytest.mark.parametrize("weighed", [
    lambda: (torch.softmax(SCORE(X), dim=1) * X).sum(1),
    lambda: (torch.softmax(SCORE(X[:, :1]), dim=1) * X[:, :1]).sum(1),
    lambda: (torch.softmax(SCORE(X), dim=-1).unsqueeze(-1) * SEVERAL(X)[:, :, None]).sum(2),
    lambda: (torch.softmax(SCORE(X), dim=-1) * SCORE(X)).sum(-1),
    lambda: attended(X[:, :1]), lambda: attended(X), lambda: torch.softmax(SCORE(X), dim=-1).log().sum(),
])
def test_what_is_normalised_rightly_or_weighs_nothing(weighed: Callable[[], Tensor]) -> None:
    assert not lone([weighed().grad_fn])
