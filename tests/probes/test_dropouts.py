"""Which calls of dropout are kept, and in which of three lists."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from assay.facts.fact import Absent
from assay.facts.modes import DropoutFacts
from assay.watching.session import recording

X, Y = torch.randn(24, 4), torch.randint(0, 3, (24,))


class Through(nn.Module):
    def __init__(self, drop: Callable[[Tensor, bool], Tensor], *, last: bool = False) -> None:
        super().__init__()
        self.drop, self.last = drop, last
        self.first, self.second = nn.Linear(4, 8), nn.Linear(8, 3)

    def forward(self, rows: Tensor) -> Tensor:
        hidden = self.first(rows)
        if self.last:
            return self.drop(self.second(hidden), self.training)
        scores: Tensor = self.second(self.drop(hidden, self.training))
        return scores


def seen_in(model: nn.Module, *, evaluations: int = 1) -> DropoutFacts | Absent:
    with recording() as seen:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            F.cross_entropy(model(X), Y).backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            for _ in range(evaluations):
                model(X)
    assert not seen.broken
    found = seen.facts().find(DropoutFacts)
    assert isinstance(found, DropoutFacts | Absent)
    return found


def test_dropout_that_follows_the_mode() -> None:
    found = seen_in(Through(lambda hidden, training: F.dropout(hidden, 0.3, training)))
    assert isinstance(found, DropoutFacts)
    assert (found.never_off, found.on_outputs, found.sampled) == ((), (), False)
    (call,) = found.seen
    assert (call.function, call.probability, call.stated) == ("dropout", 0.3, True)


def test_dropout_that_is_never_off_and_the_same_as_sampling() -> None:
    always = Through(lambda hidden, _: F.dropout(hidden, 0.2))
    found = seen_in(always)
    assert isinstance(found, DropoutFacts)
    (call,) = found.never_off
    assert not call.stated
    assert not found.sampled
    sampled = seen_in(always.train(), evaluations=5)
    assert isinstance(sampled, DropoutFacts)
    assert sampled.sampled


def test_dropout_on_the_scores() -> None:
    found = seen_in(Through(lambda scores, training: F.dropout(scores, 0.1, training), last=True))
    assert isinstance(found, DropoutFacts)
    assert [call.probability for call in found.on_outputs] == [0.1]


def test_models_without_and_with_a_probability_of_zero() -> None:
    for drop in (lambda hidden, _: hidden, lambda hidden, training: F.dropout(hidden, 0.0, training)):
        found = seen_in(Through(drop))
        assert isinstance(found, Absent)
        assert not found.applicable


def test_the_functions_are_as_pytorch_made_them() -> None:
    before = F.dropout
    seen_in(Through(lambda hidden, _: hidden))
    assert F.dropout is before
