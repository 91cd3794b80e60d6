from __future__ import annotations

import io
import random

import numpy as np
import torch

from assay.training.random_streams import drawn, restore_streams, seeded, stream_states


def draws() -> tuple[float, float, float, float]:
    return random.random(), float(np.random.random()), float(np.random.normal()), float(torch.rand(1))


def test_states_survive_a_checkpoint_and_bring_the_same_draws_back() -> None:
    np.random.normal()  # leaves half a pair of Gaussians behind
    buffer = io.BytesIO()
    torch.save(stream_states(), buffer)
    expected = draws()
    buffer.seek(0)
    restore_streams(torch.load(buffer, weights_only=True))
    assert draws() == expected


def test_a_seed_holds_inside_and_leaves_no_trace() -> None:
    before = stream_states()
    with seeded(3):
        first = draws()
    with seeded(3):
        assert draws() == first
    after = draws()
    restore_streams(before)
    assert draws() == after


def test_what_is_drawn_comes_with_the_stream_after_it() -> None:
    value, stream = drawn(lambda: torch.rand(2), seed=4)
    torch.manual_seed(4)
    assert torch.equal(value, torch.rand(2))
    assert torch.equal(stream, torch.get_rng_state())
