"""A preflight: what it finds in a model, a batch and a loss, and that it leaves all three as they were."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import assay
from assay.errors import UnusableInput
from assay.facts.overfit import OverfitFacts

torch.manual_seed(0)
INPUTS = torch.randn(24, 12)
LABELS = torch.randint(0, 4, (24,))
NUMBERS = INPUTS[:, 0] + INPUTS[:, 1]
CROSS_ENTROPY = nn.functional.cross_entropy


def network(outputs: int, *after: nn.Module) -> nn.Sequential:
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(12, 48), nn.ReLU(), nn.Dropout(0.2), nn.Linear(48, outputs), *after)


class Parts(nn.Module):
    """A network of which one thing at a time is wrong."""

    def __init__(self, change: Callable[[Tensor], Tensor], *, spare: bool = False) -> None:
        super().__init__()
        torch.manual_seed(2)
        self.first, self.last = nn.Linear(12, 48), nn.Linear(48, 4)
        self.change = change
        if spare:
            self.spare = nn.Linear(12, 48)

    def forward(self, x: Tensor) -> Tensor:
        hidden = torch.relu(self.first(x))
        if hasattr(self, "spare"):
            hidden = hidden + self.spare(x).detach()
        return self.last(self.change(hidden))


def dropped(hidden: Tensor) -> Tensor:
    return nn.functional.dropout(hidden, 0.5)


def named(result: Any) -> list[str]:
    return [finding.rule for finding in result.findings if finding.severity != "note"]


def test_a_sound_model_passes_and_all_is_as_it_was() -> None:
    model = network(4)
    model.eval()
    before = {name: value.clone() for name, value in model.state_dict().items()}
    state, inputs = torch.get_rng_state(), INPUTS.clone()
    result = assay.preflight(model, (INPUTS, LABELS), CROSS_ENTROPY)
    assert result.ok, str(result)
    assert named(result) == []
    assert {"cannot-overfit", "batch-mixing", "eval-augmented", "input-ignored", "params-no-grad"} <= {
        *result.judgement.passed,
    }
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())
    assert all(each.grad is None for each in model.parameters())
    assert not model.training
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.equal(INPUTS, inputs)
    assert "preflight: ok" in str(result)


@pytest.mark.parametrize(("model", "batch", "loss", "rule"), [
    (network(4, nn.Softmax(1)), (INPUTS, LABELS), CROSS_ENTROPY, "loss-on-probabilities"),
    (network(1), (INPUTS, NUMBERS), nn.MSELoss(), "loss-broadcast"),
    (network(4), (INPUTS, LABELS + 1), CROSS_ENTROPY, "label-range"),
    (Parts(lambda hidden: hidden * hidden.softmax(0)), (INPUTS, LABELS), nn.CrossEntropyLoss(), "softmax-axis"),
    (Parts(torch.relu, spare=True), (INPUTS, LABELS), CROSS_ENTROPY, "params-no-grad"),
    (Parts(dropped), (INPUTS, LABELS), CROSS_ENTROPY, "dropout-misplaced"),
    (Parts(lambda hidden: hidden * 0), (INPUTS, LABELS), CROSS_ENTROPY, "constant-output"),
])
def test_what_is_wrong_is_named(model: nn.Module, batch: Any, loss: Any, rule: str) -> None:
    result = assay.preflight(model, batch, loss)
    assert rule in named(result), str(result)
    assert rule in str(result)


@pytest.mark.parametrize(("model", "batch", "loss"), [
    (network(4, nn.LogSoftmax(1)), (INPUTS, LABELS), nn.NLLLoss()),
    (network(1, nn.Flatten(0)), (INPUTS, NUMBERS), nn.MSELoss()),
    (network(1, nn.Flatten(0)), (INPUTS, (LABELS > 1).float()), nn.functional.binary_cross_entropy_with_logits),
    (nn.Linear(12, 4), (INPUTS, LABELS), CROSS_ENTROPY),
    (nn.Sequential(nn.Linear(12, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 4)), (INPUTS, LABELS),
     CROSS_ENTROPY),
    (network(4), (INPUTS, LABELS), nn.CrossEntropyLoss(label_smoothing=0.1, weight=None)),
    (network(4), (INPUTS, LABELS), lambda given, known: -given.log_softmax(1)[range(24), known].mean()),
])
def test_sound_models_of_other_kinds_pass(model: nn.Module, batch: Any, loss: Any) -> None:
    result = assay.preflight(model, batch, loss)
    assert named(result) == [], str(result)
    assert not result.judgement.broken


def test_a_frozen_body_is_not_expected_to_memorise() -> None:
    model = network(4)
    model[0].requires_grad_(requires_grad=False)
    torch.nn.init.zeros_(model[0].weight)
    result = assay.preflight(model, (INPUTS, LABELS), CROSS_ENTROPY)
    assert "cannot-overfit" not in named(result)
    assert "frozen" in result.facts.absent[OverfitFacts].why


def test_a_model_may_make_its_own_loss_of_named_arguments() -> None:
    class Own(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.body = network(4)

        def forward(self, x: Tensor, labels: Tensor) -> UserDict[str, Tensor]:
            scores = self.body(x)
            result: UserDict[str, Tensor] = UserDict(logits=scores)
            result.loss = CROSS_ENTROPY(scores, labels)  # type: ignore[attr-defined]
            return result

    result = assay.preflight(Own(), {"x": INPUTS, "labels": LABELS})
    assert named(result) == [], str(result)
    assert "loss-broadcast" in result.judgement.passed


def test_what_is_allowed_is_set_aside() -> None:
    result = assay.preflight(
        network(4, nn.Softmax(1)), (INPUTS, LABELS), CROSS_ENTROPY, allow=["loss-on-probabilities", "cannot-overfit",
                                                                          "plateau-at-floor"],
    )
    assert "loss-on-probabilities" not in named(result)
    assert "loss-on-probabilities" in [finding.rule for finding in result.judgement.allowed]


@pytest.mark.parametrize(("batch", "loss", "said"), [
    ((INPUTS[:, :5], LABELS), CROSS_ENTROPY, "fails on the batch"),
    (INPUTS, CROSS_ENTROPY, "no pair"),
    ((INPUTS, LABELS), nn.CrossEntropyLoss(reduction="none"), "no single number"),
    ((INPUTS, LABELS), lambda given, _: given.detach().mean(), "no gradient"),
])
def test_what_cannot_be_checked_is_one_sentence(batch: Any, loss: Any, said: str) -> None:
    with pytest.raises(UnusableInput, match=said):
        assay.preflight(network(4), batch, loss)
