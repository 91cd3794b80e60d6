"""Clipping: late, in time, and of gradients that a scaler has scaled."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from assay.facts.clipping import ClippingFacts, ClipRecord
from assay.facts.fact import Absent
from assay.watching.session import recording


def clipped(*, late: bool) -> ClipRecord:
    model = nn.Linear(4, 1)
    with recording() as seen:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        for _ in range(5):
            x = torch.randn(8, 4)
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), x[:, :1]).backward()
            if late:
                optimizer.step()
            norm = nn.utils.clip_grad_norm_(iter(list(model.parameters())), 0.5)
            if not late:
                optimizer.step()
    assert float(norm) > 0
    facts = seen.facts().find(ClippingFacts)
    assert isinstance(facts, ClippingFacts)
    return facts.clips[0]


def test_in_time() -> None:
    clip = clipped(late=False)
    assert (clip.function, clip.limit, clip.late, clip.scaled) == ("clip_grad_norm_", 0.5, 0, 0)
    assert clip.seen == len(clip.norms) == 4  # the first comes before any step, when nobody is known to use it


def test_late() -> None:
    clip = clipped(late=True)
    assert clip.seen == clip.late > 0


def test_the_function_itself_raises_what_it_always_raised() -> None:
    with recording(), pytest.raises(TypeError, match=r"clip_grad_norm_.*max_norm"):
        nn.utils.clip_grad_norm_([])  # type: ignore[call-arg]  # on purpose


def test_no_clipping_means_not_applicable() -> None:
    with recording() as seen:
        pass
    absent = seen.facts().find(ClippingFacts)
    assert isinstance(absent, Absent)
    assert not absent.applicable
