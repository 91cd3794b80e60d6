"""Loaders: what is told of them, and that their workers know nothing of the watch."""

from __future__ import annotations

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset

from assay.facts.loader import LoaderFacts
from assay.watching.session import recording


class Called(Dataset[torch.Tensor]):
    """Tells in each example whether modules are called by PyTorch's own function."""

    def __len__(self) -> int:
        return 4

    def __getitem__(self, index: int) -> torch.Tensor:
        return torch.tensor("torch" in nn.Module.__call__.__code__.co_filename)


def loaders(facts: object) -> LoaderFacts:
    assert isinstance(facts, LoaderFacts)
    return facts


def test_a_forked_worker_is_not_watched() -> None:
    loader = DataLoader(Called(), num_workers=1, multiprocessing_context="fork")
    with recording() as seen:
        assert all(bool(each) for each in loader)
        assert not bool(Called()[0])
    assert seen.broken == {}
    assert bool(Called()[0])


def test_iterations_tell_how_far_they_went() -> None:
    with recording() as seen:
        loader = DataLoader(TensorDataset(torch.arange(10.0)), batch_size=3)
        list(loader)
        next(iter(loader))
    record = loaders(seen.facts().find(LoaderFacts)).loaders[0]
    assert [(each.batches, each.ended, each.alike) for each in record.iterations] == [(4, True, True), (1, False, True)]
    assert (record.order, record.rows, record.planned, record.trained) == ("sequential", 10, 4, 0)


def test_a_loader_is_not_kept_alive_and_its_random_numbers_are_its_own() -> None:
    def drawn() -> torch.Tensor:
        torch.manual_seed(0)
        batches = list(DataLoader(TensorDataset(torch.arange(10.0)), batch_size=3, shuffle=True))
        return torch.cat([*(batch for batch, in batches), torch.rand(2)])

    plain = drawn()
    with recording():
        assert torch.equal(drawn(), plain)
