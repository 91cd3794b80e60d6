"""A model that can't be tried on a copy is not checked, with the reason: never passed over as sound."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from assay.facts.attention import AttentionFacts, LoneSoftmaxFacts
from assay.facts.fact import Absent, Fact
from assay.facts.interventions import FutureMixing
from assay.watching.session import recording

VOCABULARY = 12


class Pooled(nn.Module):
    """Next-token scores by attention with a key padding mask, and weights along an axis of size one."""

    def __init__(self) -> None:
        super().__init__()
        self.embed, self.score = nn.Embedding(VOCABULARY, 8, padding_idx=0), nn.Linear(8, 1)
        self.attend = nn.MultiheadAttention(8, 2, batch_first=True)
        self.head = nn.Linear(8, VOCABULARY)

    def forward(self, ids: Tensor) -> Tensor:
        hidden = self.embed(ids)
        mixed, _ = self.attend(hidden, hidden, hidden, key_padding_mask=ids == 0)
        pooled = (torch.softmax(self.score(hidden), dim=-1) * hidden).sum(1)[:, None]
        scores: Tensor = self.head(mixed + pooled)
        return scores

    def __deepcopy__(self, memo: dict[int, object]) -> Pooled:
        raise TypeError("one of a kind")


@pytest.mark.parametrize("kind", [AttentionFacts, FutureMixing, LoneSoftmaxFacts])
def test_what_can_not_be_copied_is_not_checked(kind: type[Fact]) -> None:
    torch.manual_seed(0)
    text = torch.randint(1, VOCABULARY, (32, 9))
    text[torch.arange(9) >= torch.randint(5, 10, (32, 1))] = 0
    model = Pooled()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    with recording() as seen:
        for rows in torch.randperm(32).repeat(2).split(8):
            loss = F.cross_entropy(model(text[rows, :-1]).transpose(1, 2), text[rows, 1:], ignore_index=0)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    assert not seen.broken
    found = seen.facts().find(kind)
    assert isinstance(found, Absent), found
    assert found.applicable
    assert "one of a kind" in found.why
