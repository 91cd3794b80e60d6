"""What a program scores is told to be a model's own by its values."""

from __future__ import annotations

import torch

from assay.recent_outputs import RecentOutputs


def test_predictions_gathered_from_several_batches_are_a_models_own() -> None:
    recent, generator = RecentOutputs(), torch.Generator().manual_seed(0)
    batches = [torch.randn(size, 3, generator=generator) for size in (8, 8, 5)]
    for batch in batches:
        recent.take(batch, step=4)
    gathered = torch.cat([batch.argmax(1) for batch in batches])
    assert recent.made(gathered)
    assert recent.made(gathered[:16]), "an earlier evaluation at the same step"
    assert not recent.made((gathered + 1) % 3)


def test_outputs_before_a_step_are_forgotten() -> None:
    recent = RecentOutputs()
    recent.take(torch.tensor([0.3, -0.2]), step=1)
    recent.take(torch.tensor([0.7, 0.1]), step=2)
    assert recent.last("as they are", 4) is None
    above = recent.last("above a half", 2)
    assert above is not None
    assert above.tolist() == [1, 0]
