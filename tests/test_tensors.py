"""What is read of tensors: fingerprints agree for equal rows alone, whatever their batch and kind."""

from __future__ import annotations

import torch
from hypothesis import given
from hypothesis import strategies as st

from assay.tensors import Fingerprints, first_tensor, tensors_in


@given(st.integers(1, 40), st.integers(1, 70), st.integers(0, 2**31))
def test_a_row_has_one_fingerprint_in_batches_of_any_size(rows: int, width: int, seed: int) -> None:
    x = torch.randn(rows, width, generator=torch.Generator().manual_seed(seed))
    prints = Fingerprints()
    together = prints.of(x)
    alone = torch.cat([prints.of(x[at : at + 1]) for at in range(rows)])
    assert torch.equal(together, alone)
    assert torch.equal(together, prints.of(x.T.contiguous().T))


def test_different_rows_differ_and_equal_values_of_other_kinds_agree() -> None:
    prints = Fingerprints()
    coarse = torch.cartesian_prod(*[torch.arange(4)] * 6)
    found = prints.of(coarse)
    assert len(found.unique()) == len(coarse)
    assert torch.equal(found, prints.of(coarse.float()))
    assert torch.equal(prints.of(torch.tensor([[0.0]])), prints.of(torch.tensor([[-0.0]])))


def test_tensors_are_found_in_nested_batches() -> None:
    x, y = torch.ones(2), torch.zeros(3)
    assert [len(found) for found in tensors_in({"a": [x, ("text", y)], "b": 3})] == [2, 3]
    assert first_tensor([torch.tensor(1.0), (y,)]) is y
    assert first_tensor(["text"]) is None
