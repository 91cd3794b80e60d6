"""The probe of labels: which of them it counts, and when it leaves."""

from __future__ import annotations

import torch
from torch import nn

from assay.facts.targets import TargetFacts
from assay.watching.session import Recording, recording


def _calls(seen: Recording) -> tuple[tuple[int, ...], ...]:
    found = seen.facts().find(TargetFacts)
    return tuple(call.counts for call in found.calls) if isinstance(found, TargetFacts) else ()


def _train(net: nn.Module, x: torch.Tensor, y: torch.Tensor, steps: int = 1) -> None:
    for _ in range(steps):
        nn.functional.cross_entropy(net(x), y).backward()


def test_labels_are_counted_for_each_output() -> None:
    with recording() as seen:
        _train(nn.Linear(2, 4), torch.randn(5, 2), torch.tensor([1, 1, 3, 2, -100]))
    assert _calls(seen) == ((0, 2, 1, 1),)


def test_it_leaves_once_every_class_was_met() -> None:
    with recording() as seen:
        _train(nn.Linear(2, 2), torch.randn(4, 2), torch.tensor([0, 1, 1, 0]), steps=3)
    assert _calls(seen) == ((2, 2),)


def test_ids_of_words_and_several_labels_an_example_are_left_alone() -> None:
    with recording() as seen:
        words = nn.Sequential(nn.Embedding(6, 3), nn.Flatten(), nn.Linear(6, 6))
        _train(words, torch.randint(1, 6, (4, 2)), torch.tensor([1, 2, 3, 4]))
        steps = nn.Sequential(nn.Linear(3, 6), nn.Flatten(0, 1))
        _train(steps, torch.randn(2, 5, 3), torch.randint(0, 6, (10,)))
    assert _calls(seen) == ()
