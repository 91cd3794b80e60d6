"""What watching costs: CPU time of training loops with and without, as a ratio.

Each loop runs in this process, on one thread, watched and unwatched in turn; the figure is the median over the turns of
watched to unwatched. Targets: 1.05 in the median and 1.15 at worst for steps of 0.3 to 5 ms, 1.02 for steps of 50 ms.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import torch
from torch import nn

from assay.watching.session import recording

TURNS = 7
Step = Callable[[], None]


def perceptron(width: int, rows: int, depth: int = 2) -> Step:
    """A perceptron on random inputs, with cross entropy and Adam."""
    torch.manual_seed(0)
    layers = [layer for _ in range(depth) for layer in (nn.Linear(width, width), nn.ReLU())]
    model = nn.Sequential(*layers, nn.Linear(width, 10))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()
    x, y = torch.randn(rows, width), torch.randint(0, 10, (rows,))

    def step() -> None:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()

    return step


def convolutions(rows: int) -> Step:
    """A small convolutional network with SGD."""
    torch.manual_seed(0)
    model = nn.Sequential(
        nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 16, 3), nn.ReLU(), nn.Flatten(),
        nn.Linear(16 * 144, 10),
    )
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    x, y = torch.randn(rows, 1, 16, 16), torch.randint(0, 10, (rows,))

    def step() -> None:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()

    return step


def transformer(rows: int) -> Step:
    """A two-layer encoder with AdamW and clipping: many parameters, a large graph."""
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)
    model = nn.Sequential(nn.TransformerEncoder(layer, 2, enable_nested_tensor=False), nn.Linear(32, 10))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    x, y = torch.randn(rows, 12, 32), torch.randint(0, 10, (rows, 12))

    def step() -> None:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x).transpose(1, 2), y).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()

    return step


LOOPS: dict[str, tuple[Callable[[], Step], int]] = {
    "perceptron, 16 wide": (lambda: perceptron(16, 32), 1500),
    "perceptron, 64 wide": (lambda: perceptron(64, 64), 1500),
    "perceptron, six layers": (lambda: perceptron(64, 64, 6), 800),
    "perceptron, 512 wide": (lambda: perceptron(512, 128), 150),
    "convolutions": (lambda: convolutions(16), 500),
    "transformer": (lambda: transformer(8), 300),
    "perceptron, 1024 wide": (lambda: perceptron(1024, 768, 3), 12),
}
"""Loops and their steps, about a second or less each."""


def seconds(make: Callable[[], Step], steps: int) -> float:
    """CPU seconds of a fresh loop."""
    step = make()
    began = time.process_time()
    for _ in range(steps):
        step()
    return time.process_time() - began


def main() -> None:
    """Print each loop's cost, the median and the worst."""
    torch.set_num_threads(1)
    ratios = []
    for name, (make, steps) in LOOPS.items():
        seconds(make, steps // 4)
        turns = []
        alone = []
        for _ in range(TURNS):
            alone.append(seconds(make, steps))
            with recording():
                watched = seconds(make, steps)
            turns.append(watched / alone[-1])
        ratios.append(statistics.median(turns))
        print(f"{name:24} {1000 * statistics.median(alone) / steps:7.2f} ms a step   {ratios[-1]:.3f} ×")
    print(f"median {statistics.median(ratios):.3f} × (target 1.05), worst {max(ratios):.3f} × (target 1.15)")


if __name__ == "__main__":
    main()
