"""The random streams of a process: seeded for one purpose, kept in checkpoints, left to others as they were found."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor

Made = TypeVar("Made")


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Python's, NumPy's and torch's streams start at `seed` inside and are put back afterwards."""
    before = stream_states()
    random.seed(seed)
    np.random.seed(seed % 2**32)  # people's own modules draw from NumPy's global stream
    torch.manual_seed(seed)
    try:
        yield
    finally:
        restore_streams(before)


def drawn(make: Callable[[], Made], *, seed: int) -> tuple[Made, Tensor]:
    """What `make` gives when torch's stream starts at `seed`, and that stream's state afterwards."""
    with seeded(seed):
        return make(), torch.get_rng_state()


def stream_states() -> dict[str, Any]:
    """The state of every stream, as tensors and plain values that torch.load(weights_only=True) reads."""
    # as tensors: pickling some hundred numbers one by one would cost more than all the rest of a small checkpoint
    numpy_state: Any = np.random.get_state(legacy=False)
    version, internal, gauss = random.getstate()
    states: dict[str, Any] = {
        "python": {"version": version, "internal": torch.tensor(internal, dtype=torch.int64), "gauss": gauss},
        "numpy": {
            "kind": numpy_state["bit_generator"], "key": torch.from_numpy(numpy_state["state"]["key"].astype(np.int64)),
            "position": int(numpy_state["state"]["pos"]), "has_gauss": int(numpy_state["has_gauss"]),
            "gauss": float(numpy_state["gauss"]),
        },
        "torch": torch.get_rng_state(),
    }
    if torch.cuda.is_initialized():
        states["cuda"] = torch.cuda.get_rng_state_all()
    if torch.backends.mps.is_available():
        states["mps"] = torch.mps.get_rng_state()
    return states


def restore_streams(states: dict[str, Any]) -> None:
    """Put every stream back to a state that `stream_states` gave; devices that are gone are left out."""
    kept = states["python"]
    random.setstate((kept["version"], tuple(kept["internal"].tolist()), kept["gauss"]))
    kept = states["numpy"]
    np.random.set_state({
        "bit_generator": kept["kind"], "has_gauss": kept["has_gauss"], "gauss": kept["gauss"],
        "state": {"key": kept["key"].numpy().astype(np.uint32), "pos": kept["position"]},
    })
    torch.set_rng_state(states["torch"])
    if "cuda" in states and torch.cuda.device_count() == len(states["cuda"]):
        torch.cuda.set_rng_state_all(states["cuda"])
    if "mps" in states and torch.backends.mps.is_available():
        torch.mps.set_rng_state(states["mps"])
