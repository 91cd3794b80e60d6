from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from assay.training.batches import (
    EpochOrder,
    batch_sizes,
    epoch_order,
    rounds,
    training_batches,
    validation_batches,
)


@given(st.integers(1, 200), st.integers(0, 2**63 - 1), st.integers(0, 1000))
def test_an_epochs_order_is_a_permutation_that_seed_and_epoch_decide(rows: int, seed: int, epoch: int) -> None:
    torch.manual_seed(1)
    before = torch.get_rng_state()
    order = epoch_order(rows, seed=seed, epoch=epoch)
    assert sorted(order.tolist()) == list(range(rows))
    assert torch.equal(order, epoch_order(rows, seed=seed, epoch=epoch))
    assert torch.equal(before, torch.get_rng_state())


def test_epochs_and_seeds_differ() -> None:
    orders = {tuple(epoch_order(50, seed=s, epoch=e).tolist()) for s, e in ((0, 0), (0, 1), (1, 0), (1, 1))}
    assert len(orders) == 4


@given(st.integers(1, 300), st.integers(1, 70), st.integers(1, 12), st.booleans())
def test_rounds_hold_every_row_and_split_into_the_same_batches(
    rows: int, batch_size: int, steps: int, lone_row: bool,
) -> None:
    sizes = batch_sizes(rows, batch_size=batch_size, lone_row=lone_row)
    assert sum(sizes) == rows
    assert lone_row or rows == 1 or batch_size == 1 or 1 not in sizes
    split = [
        size for held in rounds(sizes, steps=steps)
        for size in batch_sizes(held, batch_size=batch_size, lone_row=lone_row)
    ]
    assert split == sizes


@pytest.mark.parametrize("epoch", [0, 3])
def test_workers_give_the_same_bits_and_draw_nothing_from_torchs_stream(epoch: int) -> None:
    x, y = torch.randn(70, 3), torch.arange(70)
    torch.manual_seed(3)
    before = torch.get_rng_state()
    seen = []
    for workers in (0, 2):
        order = EpochOrder(70, [32, 32, 6], seed=5)
        order.set_epoch(epoch)
        seen.append(list(training_batches(x, y, order=order, num_workers=workers)))
    for (x0, y0), (x2, y2) in zip(*seen, strict=True):
        assert torch.equal(x0, x2)
        assert torch.equal(y0, y2)
    assert torch.equal(before, torch.get_rng_state())


def test_validation_keeps_the_order_of_the_rows() -> None:
    batches = list(validation_batches(torch.zeros(1500, 1), torch.arange(1500)))
    assert torch.cat([y for _, y in batches]).tolist() == list(range(1500))
    assert len(batches) == 2
