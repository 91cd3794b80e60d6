"""A program that is held on its first batch: what its loaders give, what is switched off, and the verdict."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from assay.facts.fact import Absent
from assay.facts.fact_set import FactSet
from assay.facts.overfit import OverfitFacts, verdict_words
from assay.rule import judge
from assay.rules import catalogue
from assay.watching.holding import Holding
from assay.watching.memorising import Memorising
from assay.watching.session import recording

RULES = [each for each in catalogue() if each.name in ("cannot-overfit", "plateau-at-floor")]


@contextmanager
def holding() -> Iterator[Holding]:
    made = Holding()
    made.attach()
    try:
        yield made
    finally:
        made.detach()


def trained(model: nn.Module, *, epochs: int, width: int = 20, rate: float = 1e-2) -> FactSet:
    """The facts of a held training on random labels; each epoch makes its loader anew."""
    torch.manual_seed(0)
    x, y = torch.randn(128, width), torch.randint(0, 5, (128,))
    with recording() as seen, holding() as held:
        memorising = Memorising(seen.faults, seen.traffic, held)
        memorising.attach()
        optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.1)
        for _ in range(epochs):
            for inputs, labels in DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True):
                loss = nn.functional.cross_entropy(model(inputs), labels)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        return memorising.facts()


def network(*after: nn.Module) -> nn.Module:
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Dropout(0.5), nn.Linear(64, 5), *after)


def test_loaders_give_one_batch_again_and_programs_may_write_into_it() -> None:
    numbers = TensorDataset(torch.arange(12.0))
    with holding():
        torch.manual_seed(3)
        batches = []
        for _ in range(2):
            for (batch,) in DataLoader(numbers, batch_size=4, shuffle=True):
                batches.append(batch.clone())
                batch.zero_()
        pairs = list(DataLoader(TensorDataset(torch.ones(4), torch.zeros(4)), batch_size=2))
    assert len(batches) == 6
    assert all(torch.equal(batch, batches[0]) for batch in batches)
    assert len(pairs[0]) == 2
    assert [len(batch) for (batch,) in DataLoader(numbers, batch_size=4)] == [4, 4, 4]


def test_dropout_and_decay_are_off() -> None:
    model = nn.LSTM(3, 3, num_layers=2, dropout=0.0)
    ones = torch.ones(50)
    with holding():
        model = nn.LSTM(3, 3, num_layers=2, dropout=0.5)
        assert torch.equal(nn.Dropout(0.5)(ones), ones)
        assert torch.equal(nn.functional.dropout(ones), ones)
        query = torch.randn(1, 1, 4, 8)
        attended = nn.functional.scaled_dot_product_attention(query, query, query, dropout_p=0.9)
        assert torch.equal(attended, nn.functional.scaled_dot_product_attention(query, query, query))
        weight = nn.Parameter(torch.ones(2))
        weight.grad = torch.zeros(2)
        torch.optim.SGD([weight], lr=0.1, weight_decay=1.0).step()
        assert torch.equal(weight, torch.ones(2))
    assert model.dropout == 0
    assert not torch.equal(nn.Dropout(0.5)(ones), ones)


def test_a_sound_program_memorises() -> None:
    facts = trained(network(), epochs=30)
    assert not judge(RULES, facts).findings
    assert "is memorised" in verdict_words(facts)


def test_a_doubled_softmax_stalls_at_its_floor() -> None:
    facts = trained(network(nn.Softmax(1)), epochs=100)
    assert judge(RULES, facts).findings[0].rule in ("plateau-at-floor", "cannot-overfit")
    assert "is not memorised" in verdict_words(facts)


@pytest.mark.parametrize(("width", "epochs", "rate", "said"), [
    (20, 2, 1e-4, "too few to tell"),
    (20, 40, 1e-4, "still falling"),
    (3, 400, 5e-2, "single layer"),
])
def test_there_is_no_verdict_where_failing_would_mean_nothing(
    width: int, epochs: int, rate: float, said: str,
) -> None:
    model = network() if width == 20 else nn.Linear(width, 5)
    facts = trained(model, epochs=epochs, rate=rate, width=width)
    absent = facts.find(OverfitFacts)
    assert isinstance(absent, Absent)
    assert said in absent.why
    assert "no verdict" in verdict_words(facts)
