"""What watching costs: CPU time of twelve kinds of training with and without it, as a ratio, and of the start.

    python benchmarks/overhead.py [NAME ...]

Each training runs in this process, on one thread, watched and unwatched in turn, from its first step; the figure is the
median over the turns of watched to unwatched. What watching looks at closely in the first steps counts in full: each
training lasts about two seconds. Targets: 1.05 in the median and 1.15 at worst for steps of 0.3 to 5 ms, 1.02 for steps
of 50 ms, 0.5 s at the start beyond importing torch.
"""

from __future__ import annotations

import logging
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset

from assay.watching.session import recording

TURNS = 5
Training = Callable[[int], None]
"""Trains for so many steps."""


def classify(model: nn.Module, x: Tensor, y: Tensor, *, rows: int, optimizer: torch.optim.Optimizer) -> Training:
    """A loop over a DataLoader with an evaluation after each epoch, as most scripts have it."""
    loader = DataLoader(TensorDataset(x, y), batch_size=rows, shuffle=True)
    criterion = nn.CrossEntropyLoss()

    def batches() -> Iterator[list[Tensor]]:
        while True:
            model.train()
            yield from loader
            model.eval()
            with torch.no_grad():
                (model(x[:rows]).argmax(-1) == y[:rows]).float().mean().item()

    def train(steps: int) -> None:
        source = batches()
        for _ in range(steps):
            inputs, labels = next(source)
            optimizer.zero_grad()
            outputs = model(inputs)
            criterion(outputs.flatten(0, -2), labels.flatten()).backward()
            optimizer.step()

    return train


def perceptron(width: int, rows: int, depth: int = 2, examples: int = 4096) -> Training:
    """Linear layers and ReLU with Adam."""
    layers = [layer for _ in range(depth) for layer in (nn.Linear(width, width), nn.ReLU())]
    model = nn.Sequential(*layers, nn.Linear(width, 10))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    x, y = torch.randn(examples, width), torch.randint(0, 10, (examples,))
    return classify(model, x, y, rows=rows, optimizer=optimizer)


def hand_sliced() -> Training:
    """The shortest step: no loader, a slice of a tensor, and SGD."""
    model = nn.Sequential(nn.Linear(16, 32), nn.Tanh(), nn.Linear(32, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    x, y = torch.randn(2048, 16), torch.randn(2048, 1)

    def train(steps: int) -> None:
        for step in range(steps):
            at = 32 * step % 2048
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x[at : at + 32]), y[at : at + 32]).backward()
            optimizer.step()

    return train


def convolutions(rows: int, size: int) -> Training:
    """Two convolutions with batch norm and momentum."""
    model = nn.Sequential(
        nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Conv2d(8, 16, 3), nn.ReLU(), nn.Flatten(),
        nn.Linear(16 * (size - 4) ** 2, 10),
    )
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    x, y = torch.randn(2048, 1, size, size), torch.randint(0, 10, (2048,))
    return classify(model, x, y, rows=rows, optimizer=optimizer)


class Recurrent(nn.Module):
    """An LSTM over tokens that tells the next."""

    def __init__(self) -> None:
        super().__init__()
        self.embed, self.lstm, self.head = nn.Embedding(50, 32), nn.LSTM(32, 48, batch_first=True), nn.Linear(48, 50)

    def forward(self, tokens: Tensor) -> Tensor:
        """Scores of the next token at each place, of shape [rows, places, 50]."""
        outputs: Tensor = self.head(self.lstm(self.embed(tokens))[0])
        return outputs


def recurrent() -> Training:
    """A language model of one LSTM layer."""
    model = Recurrent()
    text = torch.randint(0, 50, (2048, 25))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    return classify(model, text[:, :-1], text[:, 1:].contiguous(), rows=32, optimizer=optimizer)


def transformer(width: int, rows: int, layers: int) -> Training:
    """An encoder with AdamW: many parameters, a large graph."""
    layer = nn.TransformerEncoderLayer(width, 4, 2 * width, batch_first=True)
    model = nn.Sequential(nn.TransformerEncoder(layer, layers, enable_nested_tensor=False), nn.Linear(width, 10))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    x, y = torch.randn(1024, 12, width), torch.randint(0, 10, (1024, 12))
    return classify(model, x, y, rows=rows, optimizer=optimizer)


def graph_convolutions() -> Training:
    """Two graph convolutions over all nodes, as sparse products."""
    nodes, edges = 1000, torch.randint(0, 1000, (2, 8000))
    adjacency = torch.sparse_coo_tensor(edges, torch.full((8000,), 0.1), (nodes, nodes)).coalesce()
    first, second = nn.Linear(32, 32), nn.Linear(32, 5)
    optimizer = torch.optim.Adam([*first.parameters(), *second.parameters()], lr=0.01)
    x, y = torch.randn(nodes, 32), torch.randint(0, 5, (nodes,))
    train_mask = torch.rand(nodes) < 0.5

    def train(steps: int) -> None:
        for _ in range(steps):
            optimizer.zero_grad()
            hidden = torch.relu(torch.sparse.mm(adjacency, first(x)))
            scores = torch.sparse.mm(adjacency, second(hidden))
            nn.functional.cross_entropy(scores[train_mask], y[train_mask]).backward()
            optimizer.step()

    return train


def adversarial() -> Training:
    """A GAN: two models, two optimizers, three passes and two backward passes a step."""
    generator = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 16))
    critic = nn.Sequential(nn.Linear(16, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))
    making = torch.optim.Adam(generator.parameters(), lr=1e-3)
    judging = torch.optim.Adam(critic.parameters(), lr=1e-3)
    real, yes, no = torch.randn(2048, 16) + 1, torch.ones(64, 1), torch.zeros(64, 1)
    criterion = nn.BCEWithLogitsLoss()

    def train(steps: int) -> None:
        for _ in range(steps // 2):
            fake = generator(torch.randn(64, 8))
            judging.zero_grad()
            batch = real[torch.randint(0, 2048, (64,))]
            (criterion(critic(batch), yes) + criterion(critic(fake.detach()), no)).backward()
            judging.step()
            making.zero_grad()
            criterion(critic(fake), yes).backward()
            making.step()

    return train


def lightning() -> Training:
    """A LightningModule under its Trainer, without a logger."""
    import pytorch_lightning as pl

    logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)
    warnings.simplefilter("ignore")

    class Module(pl.LightningModule):
        def __init__(self) -> None:
            super().__init__()
            self.net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))

        def training_step(self, batch: list[Tensor], _: int) -> Tensor:
            return nn.functional.cross_entropy(self.net(batch[0]), batch[1])

        def configure_optimizers(self) -> torch.optim.Optimizer:
            return torch.optim.Adam(self.parameters(), lr=1e-3)

    data = TensorDataset(torch.randn(4096, 64), torch.randint(0, 10, (4096,)))

    def train(steps: int) -> None:
        trainer = pl.Trainer(
            max_steps=steps, logger=False, enable_checkpointing=False, enable_progress_bar=False,
            enable_model_summary=False, accelerator="cpu",
        )
        trainer.fit(Module(), DataLoader(data, batch_size=64, shuffle=True))

    return train


WORKLOADS: dict[str, tuple[Callable[[], Training], int]] = {
    "perceptron, sliced by hand": (hand_sliced, 5000),
    "perceptron, 64 wide": (lambda: perceptron(64, 64), 2000),
    "perceptron, six layers": (lambda: perceptron(64, 64, 6), 1200),
    "perceptron, 512 wide": (lambda: perceptron(512, 128), 300),
    "convolutions": (lambda: convolutions(16, 16), 1000),
    "LSTM language model": (recurrent, 400),
    "transformer, 2 layers": (lambda: transformer(32, 16, 2), 400),
    "transformer, 6 layers": (lambda: transformer(64, 16, 6), 80),
    "graph convolutions": (graph_convolutions, 800),
    "GAN": (adversarial, 2000),
    "Lightning": (lightning, 1000),
    "convolutions, slow step": (lambda: convolutions(512, 20), 40),
    "perceptron, slow step": (lambda: perceptron(1024, 512, 3, 2048), 30),
}
"""Kinds of training and their steps."""

SLOW_MS = 40.0
"""From here on a step counts as slow: the target is 1.02 there."""


def seconds(make: Callable[[], Training], steps: int, *, watched: bool) -> float:
    """CPU seconds of a training from its making on."""
    torch.manual_seed(0)
    began = time.process_time()
    if watched:
        with recording():
            make()(steps)
    else:
        make()(steps)
    return time.process_time() - began


def start() -> tuple[float, float]:
    """CPU seconds of a script that imports torch, run by python and under watch; medians."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "train.py"
        script.write_text("import torch\n")
        commands = ([sys.executable, str(script)], [sys.executable, "-m", "assay", "watch", "--quiet", str(script)])
        turns = [tuple(map(_child_seconds, commands)) for _ in range(TURNS)]
    plain, watched = (statistics.median(column) for column in zip(*turns, strict=True))
    return plain, watched


def _child_seconds(command: list[str]) -> float:
    before = os.times()
    subprocess.run(command, check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    """Print each training's cost, the median and the worst, and what the start costs."""
    torch.set_num_threads(1)
    fast, slow = [], []
    for name, (make, steps) in WORKLOADS.items():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        seconds(make, steps // 4, watched=False)
        turns = [(seconds(make, steps, watched=False), seconds(make, steps, watched=True)) for _ in range(TURNS)]
        ratio = statistics.median(watched / alone for alone, watched in turns)
        step = 1000 * statistics.median(alone for alone, _ in turns) / steps
        (slow if step > SLOW_MS else fast).append(ratio)
        print(f"{name:28} {step:7.2f} ms a step   {ratio:.3f} ×", flush=True)
    if fast:
        print(f"median {statistics.median(fast):.3f} × (target 1.05), worst {max(fast):.3f} × (target 1.15)")
    if slow:
        print(f"slow steps: worst {max(slow):.3f} × (target 1.02)")
    if not sys.argv[1:]:
        plain, watched = start()
        print(f"start: {watched - plain:.2f} s more than {plain:.2f} s (target 0.5)")


if __name__ == "__main__":
    main()
