"""Linear layers back to back: which pairs are recorded, and which are something else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn

from assay.facts.graphs import LinearPairs
from assay.watching.session import recording

X = torch.linspace(-1, 1, 40).reshape(2, 5, 4)


def pairs_of(make: Callable[[], nn.Module]) -> list[tuple[str, str, tuple[int, int, int]]]:
    with recording() as seen:
        model = make()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(2):
            optimizer.zero_grad()
            out = model(X)
            (out[0] if isinstance(out, tuple) else out).pow(2).mean().backward()
            optimizer.step()
    facts = seen.facts().find(LinearPairs)
    assert isinstance(facts, LinearPairs), facts
    assert not seen.broken
    return [(pair.first, pair.second, pair.widths) for pair in facts.pairs]


class Transposed(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.channels, self.times = nn.Linear(4, 5), nn.Linear(5, 5)

    def forward(self, x: Tensor) -> Tensor:
        return self.times(self.channels(x).transpose(1, 2))


class Shared(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner, self.outer = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x: Tensor) -> Tensor:
        inner: Tensor = self.inner(x)
        return inner + self.outer(inner)


class Shown(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embed, self.head = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        embedding = self.embed(x)
        return self.head(embedding), embedding


@pytest.mark.parametrize(("make", "found"), [
    (lambda: nn.Sequential(nn.Linear(4, 6), nn.Linear(6, 3)), [("0", "1", (4, 6, 3))]),
    (lambda: nn.Sequential(nn.Linear(4, 6, bias=False), nn.Dropout(0.5), nn.Linear(6, 3)), [("0", "2", (4, 6, 3))]),
    (lambda: nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 3)), []),
    (lambda: nn.Sequential(nn.Linear(4, 6), nn.LayerNorm(6), nn.Linear(6, 3)), []),
    (lambda: nn.Sequential(nn.Linear(4, 6), nn.Flatten(), nn.Linear(30, 3)), []),
    (lambda: nn.Sequential(nn.Linear(4, 6), nn.LSTM(6, 3, batch_first=True)), []),
    (Transposed, []), (Shared, []), (Shown, []),
])
def test_pairs(make: Callable[[], nn.Module], found: list[object]) -> None:
    assert pairs_of(make) == found


def test_one_layer_called_twice_is_no_pair() -> None:
    layer = nn.Linear(4, 4)
    assert pairs_of(lambda: nn.Sequential(layer, layer)) == []
