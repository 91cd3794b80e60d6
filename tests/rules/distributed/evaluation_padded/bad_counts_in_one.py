"""A class sums loss, hits and examples over the ranks in one tensor."""

import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


class Run:
    def __init__(self, rank):
        torch.manual_seed(9)
        x = torch.randn(303, 5)
        y = (x[:, 0] + x[:, 1] > 0).float()
        self.train_set, self.val_set = TensorDataset(x[:256], y[:256]), TensorDataset(x[256:], y[256:])
        self.model = DistributedDataParallel(nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1)))
        self.criterion = nn.BCEWithLogitsLoss()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.2)
        self.sampler = DistributedSampler(self.train_set, seed=3)

    def epoch(self, number):
        self.sampler.set_epoch(number)
        self.model.train()
        for x, y in DataLoader(self.train_set, batch_size=16, sampler=self.sampler):
            loss = self.criterion(self.model(x).squeeze(1), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        totals = torch.zeros(3, dtype=torch.float64)
        for x, y in DataLoader(self.val_set, batch_size=8, sampler=DistributedSampler(self.val_set, shuffle=False)):
            scores = self.model(x).squeeze(1)
            totals[0] += self.criterion(scores, y) * len(y)
            totals[1] += ((scores > 0) == (y > 0.5)).sum()
            totals[2] += len(y)
        dist.all_reduce(totals, op=dist.ReduceOp.SUM)  # expect
        return (totals[:2] / totals[2]).tolist()


def main(rank, store):
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
    run = Run(rank)
    for number in range(3):
        run.epoch(number)
    run.validate()


if __name__ == "__main__":
    with tempfile.NamedTemporaryFile(delete=False) as file:
        mp.start_processes(main, (file.name,), nprocs=2, start_method="fork")
