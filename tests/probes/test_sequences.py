"""Padding is told from values, and targets are paired with the inputs they belong to."""

from __future__ import annotations

import torch

from assay.sequences import Given, ends, equal_ahead, pairs


def test_a_filler_stands_at_ends_alone_and_in_different_numbers() -> None:
    lengths = torch.tensor([2, 4, 6, 3])
    rows = torch.arange(1, 7).repeat(4, 1) * (torch.arange(6)[None] < lengths[:, None])
    found = ends(rows)
    assert found is not None
    assert found.value == 0
    assert found.counts.tolist() == [4, 2, 0, 3]
    rows[2, 1] = 0
    assert ends(rows) is None, "a value that stands between others is one of the sequence's own"


def test_ends_of_equal_length_are_no_padding() -> None:
    rows = torch.cat([torch.arange(1, 5).repeat(6, 1), torch.zeros(6, 3, dtype=torch.long)], 1)
    assert ends(rows) is None


def test_flattened_targets_are_paired_with_text_that_has_one_token_more() -> None:
    text = torch.arange(24).reshape(4, 6)
    (pair,) = pairs(text[:, 1:].reshape(-1), Given(text))
    valid = torch.ones(4, 5, dtype=torch.bool)
    assert not pair.turned
    assert [equal_ahead(pair, valid, ahead) for ahead in (0, 1, 2)] == [0.0, 1.0, 0.0]
