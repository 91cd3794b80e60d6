"""CPU time of one of our runs against a hand-written loop that evaluates and saves as often.

    python benchmarks/single_run.py [--repeats N] [--slow]

Digits, 64-128-10, Adam 3e-3, batches of 64: 89 epochs of 17 steps, 1,513 in all. Both loops compute the same metrics
over the whole validation set after every epoch and save best and last, in one process, one after the other, on one
thread; the ratio is the median over the repeats of the ratio within a repeat. `--slow` makes a step take 50 ms or more.
Targets: 1.8, and 1.03 for slow steps; beyond them it exits with 1.

Why steps are taken in rounds: on this network Lightning's loop alone, with neither logger nor checkpoints, took 1.97
times the CPU of a hand-written one by automatic optimisation, and still 1.68 times with plain steps in `training_step`:
0.4 ms of hooks and counters around every batch. Ours takes the steps of a round within one of Lightning's batches. Its
wall time is longer than its CPU time because it syncs what it saves, which the hand-written loop doesn't.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.nn import functional

from assay.dataset import Examples, Prepared
from assay.recipe.schema import Recipe
from assay.training.loop import train
from assay.training.metrics import Scorer
from assay.training.recipe_assembly import recipe_assembly

BATCH, RATE = 64, 3e-3
TARGET, SLOW_TARGET = 1.8, 1.03


def digits() -> Prepared:
    x, y = load_digits(return_X_y=True)
    training, rest = train_test_split(np.arange(len(y)), test_size=0.4, random_state=0, stratify=y)
    parts = [
        Examples(x=(x[rows] / 16).astype(np.float32), y=y[rows].astype(np.int64), rows=rows)
        for rows in (training, rest[: len(rest) // 2])
    ]
    return Prepared(train=parts[0], validation=parts[1])


def recipe(hidden: tuple[int, ...], epochs: int) -> Recipe:
    training = {
        "max_epochs": epochs, "batch_size": BATCH, "optimizer": "Adam", "learning_rate": RATE, "device": "cpu",
    }
    return Recipe.model_validate({
        "task": "multiclass", "data": {"source": "sklearn", "name": "digits"},
        "model": {"name": "mlp", "hidden": hidden}, "training": training,
    })


def ours(prepared: Prepared, hidden: tuple[int, ...], epochs: int, folder: Path) -> int:
    plan = recipe(hidden, epochs)
    shutil.rmtree(folder / "ours", ignore_errors=True)
    return train(recipe_assembly(plan, prepared), recipe=plan, seed=0, folder=folder / "ours").steps


def by_hand(prepared: Prepared, hidden: tuple[int, ...], epochs: int, folder: Path) -> int:
    torch.manual_seed(0)
    widths = (prepared.train.x.shape[1], *hidden)
    layers = [part for a, b in pairwise(widths) for part in (nn.Linear(a, b), nn.ReLU())]
    model = nn.Sequential(*layers, nn.Linear(widths[-1], 10))
    optimizer = torch.optim.Adam(model.parameters(), lr=RATE)
    scorer = Scorer(task="multiclass", metrics=("macro_f1", "weighted_f1", "accuracy"), classes=10)
    x, y = torch.from_numpy(prepared.train.x), torch.from_numpy(prepared.train.y)
    held_x, held_y = torch.from_numpy(prepared.validation.x), torch.from_numpy(prepared.validation.y)
    best, steps = -1.0, 0
    (folder / "hand").mkdir(exist_ok=True)
    with (folder / "hand/metrics.csv").open("w") as log:
        for epoch in range(epochs):
            model.train()
            total = 0.0
            for rows in torch.randperm(len(x)).split(BATCH):
                optimizer.zero_grad()
                loss = functional.cross_entropy(model(x[rows]), y[rows])
                loss.backward()
                optimizer.step()
                total += loss.item() * len(rows)
                steps += 1
            model.eval()
            with torch.no_grad():
                outputs = model(held_x)
                held_loss = float(functional.cross_entropy(outputs, held_y))
            scores = scorer.score(outputs.argmax(1), held_y).scalars
            log.write(f"{epoch},{steps},{total / len(x)},{held_loss},{scores}\n")
            log.flush()
            state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch, "best": best}
            torch.save(state, folder / "hand/last.ckpt")
            if scores["macro_f1"] > best:
                best = scores["macro_f1"]
                torch.save(state, folder / "hand/best.ckpt")
    return steps


def clocked(run: Callable[[], int]) -> tuple[float, float, int]:
    """CPU seconds, wall seconds, steps."""
    cpu, wall = time.process_time(), time.perf_counter()
    steps = run()
    return time.process_time() - cpu, time.perf_counter() - wall, steps


def main() -> int:
    parser = argparse.ArgumentParser(description="CPU time of a single run against a hand-written loop")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--slow", action="store_true", help="a network whose step takes about 50 ms")
    options = parser.parse_args()
    torch.set_num_threads(1)
    prepared = digits()
    hidden, epochs = ((2048, 2048), 4) if options.slow else ((128,), 89)
    cpu_ratios, wall_ratios = [], []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for repeat in range(options.repeats + 1):
            hand = clocked(lambda: by_hand(prepared, hidden, epochs, folder))
            own = clocked(lambda: ours(prepared, hidden, epochs, folder))
            if repeat == 0:
                continue  # warms up imports and caches
            cpu_ratios.append(own[0] / hand[0])
            wall_ratios.append(own[1] / hand[1])
            print(
                f"by hand {hand[0]:.3f} s CPU, {hand[1]:.3f} s wall; ours {own[0]:.3f} s CPU, {own[1]:.3f} s wall; "
                f"{own[2]} steps, {1000 * hand[0] / hand[2]:.2f} ms a step by hand"
            )
    ratio, target = statistics.median(cpu_ratios), SLOW_TARGET if options.slow else TARGET
    print(f"ratio of CPU time {ratio:.3f} (target {target}), of wall time {statistics.median(wall_ratios):.3f}")
    return int(ratio > target)


if __name__ == "__main__":
    sys.exit(main())
