"""Data loaders in many ways: two workers that draw from numpy seeded per worker, an iterable dataset that is sharded by
worker, a batch sampler by length, and a collate function that pads."""

import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset, IterableDataset, Sampler, get_worker_info

torch.manual_seed(0)
np.random.seed(0)


def seed_worker(_):
    np.random.seed(torch.initial_seed() % 2**32)


class Noisy(Dataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i] + 0.1 * np.random.randn(4).astype(np.float32), self.y[i]


class Stream(IterableDataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __iter__(self):
        info = get_worker_info()
        first, step = (info.id, info.num_workers) if info else (0, 1)
        for i in range(first, len(self.x), step):
            yield self.x[i], self.y[i]


class ByLength(Sampler):
    def __init__(self, lengths, size):
        self.lengths, self.size = lengths, size

    def __len__(self):
        return len(self.lengths) // self.size

    def __iter__(self):
        noisy = torch.tensor(self.lengths) + torch.rand(len(self.lengths))
        batches = list(noisy.argsort().split(self.size))
        for i in torch.randperm(len(batches)):
            yield batches[i].tolist()


def fit(model, loader, epochs=2):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
    print(loss.item())


class Bag(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.out = nn.Embedding(30, 8, padding_idx=0), nn.Linear(8, 2)

    def forward(self, ids):
        mask = (ids != 0).unsqueeze(2)
        return self.out((self.embed(ids) * mask).sum(1) / mask.sum(1))


def pad(rows):
    ids, labels = zip(*rows, strict=True)
    return pad_sequence(ids, batch_first=True), torch.tensor(labels)


if __name__ == "__main__":
    x = np.random.randn(160, 4).astype(np.float32)
    y = (x[:, 0] > 0).astype(np.int64)
    workers = DataLoader(Noisy(x, y), batch_size=20, shuffle=True, num_workers=2, worker_init_fn=seed_worker)
    fit(nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2)), workers)
    fit(
        nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2)),
        DataLoader(Stream(x, y), batch_size=20, num_workers=2),
    )
    texts = [torch.randint(1, 30, (int(n),)) for n in torch.randint(3, 12, (128,))]
    rows = [(text, int((text == 5).any() or (text == 6).any())) for text in texts]
    fit(Bag(), DataLoader(rows, batch_sampler=ByLength([len(text) for text in texts], 16), collate_fn=pad))
