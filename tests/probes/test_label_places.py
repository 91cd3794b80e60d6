"""The probe of label places: where it finds the arrays that batches come from."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Subset, TensorDataset

from assay.watching.session import Recording, recording


def _train(data: DataLoader[tuple[torch.Tensor, ...]]) -> None:
    net = nn.Linear(3, 1)
    for x, y in data:
        nn.functional.mse_loss(net(x)[:, 0], y).backward()


def _found(seen: Recording) -> tuple[str, str] | None:
    assert not seen.broken
    ordered = seen._data.label_places.ordered
    return None if ordered is None else ordered.names


def test_named_arrays_are_found_in_their_own_precision() -> None:
    table, prices = np.random.default_rng(0).normal(size=(80, 3)), np.random.default_rng(1).normal(size=80)
    rows = TensorDataset(torch.tensor(table).float(), torch.tensor(prices).float())
    with recording() as seen:
        _train(DataLoader(rows, batch_size=20, shuffle=True))
    assert _found(seen) == ("table", "prices")


def test_arrays_within_a_data_set_are_found_and_the_whole_of_a_subset() -> None:
    loader = DataLoader(Subset(TensorDataset(torch.randn(90, 3), torch.randn(90)), range(60)), batch_size=20)
    with recording() as seen:
        _train(loader)
    assert _found(seen) == ("", "")
    assert seen._data.label_places.ordered is not None
    assert len(seen._data.label_places.ordered.inputs) == 90


def test_batches_that_stand_nowhere_are_given_up() -> None:
    with recording() as seen:
        net = nn.Linear(3, 1)
        for _ in range(5):
            nn.functional.mse_loss(net(torch.randn(8, 3))[:, 0], torch.randn(8)).backward()
    assert _found(seen) is None
