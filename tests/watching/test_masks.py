"""What counts as padding, and which masks leave the wrong keys."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from assay.watching.masks import Attending, padding

LENGTHS = torch.tensor([5, 3, 2, 4])
REAL = torch.arange(5) < LENGTHS[:, None]
IDS = torch.arange(1, 21).reshape(4, 5) * REAL
CAUSAL = torch.ones(5, 5).tril().bool()
Q = torch.randn(4, 5, 8)


def test_padding_ends_rows_in_unequal_numbers() -> None:
    for given in (IDS, IDS[..., None].float().expand(-1, -1, 3), IDS.flip(1).flip(0)):
        real = padding(given)
        assert real is not None
        assert int(real.sum()) == int(LENGTHS.sum())


@pytest.mark.parametrize("given", [
    torch.randint(0, 3, (30, 6)), torch.randn(4, 5, 3), torch.zeros(4, 5, dtype=torch.long), torch.randn(4, 5), REAL,
])
def test_what_is_no_padding(given: Tensor) -> None:
    assert padding(given) is None


def faults(attend: Callable[[], object]) -> list[str | None]:
    with Attending("Model", [REAL]) as attending:
        attend()
    return [call.fault for call in attending.calls]


def product(mask: Tensor) -> Callable[[], object]:
    return lambda: F.scaled_dot_product_attention(Q, Q, Q, attn_mask=mask)


def by_hand(fill: float, where: Tensor) -> Callable[[], object]:
    return lambda: torch.softmax((Q @ Q.mT).masked_fill(where, fill), dim=-1)


WRONG: dict[str, Callable[[], object]] = {
    "padding alone": product(~REAL[:, None].expand(-1, 5, -1)),
    "future alone": product(~CAUSAL),
    "nothing": product(torch.zeros(5, 5, dtype=torch.bool)),
    "adds one": product(REAL[:, None].float()),
    "score for hidden": by_hand(1e-9, ~CAUSAL),
}
RIGHT: dict[str, Callable[[], object]] = {
    "padding": product(REAL[:, None]),
    "causal and padding": product(CAUSAL & REAL[:, None]),
    "numbers": product(torch.zeros(5, 5).masked_fill(~CAUSAL, float("-inf"))),
    "a bias": product(torch.randn(5, 5)),
    "ones somewhere": product(torch.randint(0, 2, (5, 5)).float()),
    "by hand": by_hand(-1e9, ~REAL[:, None]),
    "ten thousand": by_hand(-1e4, ~CAUSAL),
    "low scores": lambda: torch.softmax(-1e6 * Q.abs(), dim=-1),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_masks(name: str) -> None:
    assert faults(WRONG[name]) == [name] or faults(WRONG[name])[-1] == name


@pytest.mark.parametrize("name", RIGHT)
def test_right_masks(name: str) -> None:
    assert set(faults(RIGHT[name])) <= {None}


def test_truth_ignores_in_multi_head_attention() -> None:
    attention = nn.MultiheadAttention(8, 2, batch_first=True)
    rows = slice(1, None)  # a row without padding would be left nothing

    def attend(mask: Tensor) -> list[str | None]:
        with Attending("Model", [REAL[rows]]) as attending:
            attention(Q[rows], Q[rows], Q[rows], key_padding_mask=mask[rows])
        return [call.fault for call in attending.calls]

    assert attend(REAL) == ["padding alone"]
    assert attend(~REAL) == [None]
