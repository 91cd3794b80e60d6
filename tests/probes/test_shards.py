"""What is seen of how examples are dealt out, and that nothing is hooked where there is one process."""

from __future__ import annotations

from typing import Any

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

from assay.facts.distributed import ReplicaFacts, ShardFacts, WrapperFacts
from assay.facts.fact import Schedule
from assay.probe import Clock, Faults
from assay.probes.shards import Shards
from assay.traffic import Traffic
from assay.watching.session import recording


def test_one_process_has_no_ranks_and_keeps_its_functions() -> None:
    reduce, forward = dist.all_reduce, DistributedDataParallel.forward
    with recording() as seen:
        assert dist.all_reduce is reduce
        assert DistributedDataParallel.forward is forward
    facts = seen.facts()
    for kind in (WrapperFacts, ReplicaFacts, ShardFacts):
        assert kind not in facts.records
        assert not facts.absent[kind].applicable


def iterated(*, steps: bool) -> tuple[list[int], bool]:
    """What a sampler gives through our iterator, and whether steps were seen in it."""
    clock = Clock(Schedule(dense=5))
    probe = Shards(clock, Faults(), Traffic())
    data = TensorDataset(torch.arange(11))
    sampler: DistributedSampler[Any] = DistributedSampler(data, num_replicas=2, rank=0, shuffle=False)
    probe._made(sampler)
    DealingSampler = type("DealingSampler", (DistributedSampler,), {  # a class
        "__iter__": probe._iterating(DistributedSampler.__iter__),
    })
    sampler.__class__ = DealingSampler
    given = []
    for (batch,) in DataLoader(data, batch_size=2, sampler=sampler):
        given += batch.tolist()
        if steps:
            clock.tick()
    return given, probe._dealt[0].trained[0]


def test_indices_are_given_as_they_are() -> None:
    assert iterated(steps=False) == ([0, 2, 4, 6, 8, 10], False)
    assert iterated(steps=True) == ([0, 2, 4, 6, 8, 10], True)
