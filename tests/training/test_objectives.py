from __future__ import annotations

import pytest
import torch
from torch.nn import functional

from assay.errors import RecipeError
from assay.recipe.schema import Objective
from assay.training.objectives import loss_function

LOGITS = torch.tensor([[2.0, -1.0, 0.5], [0.1, 0.2, 0.3], [-1.0, 3.0, 0.0], [0.0, 0.0, 1.0]])
LABELS = torch.tensor([0, 1, 1, 2])
COUNTS = (10, 20, 30)


def test_the_usual_loss_follows_from_the_task() -> None:
    loss = loss_function(Objective(), task="multiclass", class_counts=COUNTS)
    assert torch.equal(loss(LOGITS, LABELS), functional.cross_entropy(LOGITS, LABELS))
    one = torch.tensor([[0.3], [-2.0]])
    binary = loss_function(Objective(), task="binary", class_counts=(5, 5))
    expected = functional.binary_cross_entropy_with_logits(one[:, 0], torch.tensor([1.0, 0.0]))
    assert torch.equal(binary(one, torch.tensor([1.0, 0.0])), expected)


@pytest.mark.parametrize(("name", "reference"), [
    ("mse", functional.mse_loss), ("l1", functional.l1_loss), ("huber", functional.huber_loss),
])
def test_a_column_of_values_does_not_broadcast_against_the_targets(name: str, reference: object) -> None:
    values, targets = torch.tensor([[1.0], [3.0], [0.0]]), torch.tensor([2.0, 2.0, 5.0])
    loss = loss_function(Objective(loss=name), task="regression", class_counts=())
    assert torch.equal(loss(values, targets), reference(values[:, 0], targets))  # type: ignore[operator]


def test_balanced_weights_are_those_of_scikit_learn() -> None:
    loss = loss_function(Objective(class_weights="balanced"), task="multiclass", class_counts=COUNTS)
    weights = torch.tensor([60 / (3 * count) for count in COUNTS])
    torch.testing.assert_close(loss(LOGITS, LABELS), functional.cross_entropy(LOGITS, LABELS, weight=weights))


def test_weights_smoothing_and_ignored_labels_mean_the_same_with_one_logit_as_with_two() -> None:
    logit, labels = torch.tensor([[0.7], [-1.2], [2.0], [0.4]]), torch.tensor([1.0, 0.0, -1.0, 1.0])
    two = torch.cat([torch.zeros_like(logit), logit], dim=1)
    for told in ({"class_weights": (1.0, 3.0)}, {"class_weights": "balanced"}, {"label_smoothing": 0.1}):
        plan = Objective.model_validate({**told, "ignore_index": -1})
        binary = loss_function(plan, task="binary", class_counts=(1, 2))
        classes = loss_function(plan.model_copy(update={"loss": "cross_entropy"}), task="binary", class_counts=(1, 2))
        torch.testing.assert_close(binary(logit, labels), classes(two, labels))


def test_a_loss_of_another_task_is_refused() -> None:
    with pytest.raises(RecipeError, match="mse is no loss for a multiclass task; use cross_entropy"):
        loss_function(Objective(loss="mse"), task="multiclass", class_counts=COUNTS)
    with pytest.raises(RecipeError, match="a regression has none"):
        loss_function(Objective(label_smoothing=0.1), task="regression", class_counts=())


def test_weights_that_do_not_fit_are_refused() -> None:
    with pytest.raises(RecipeError, match="2 weights for 3 classes"):
        loss_function(Objective(class_weights=(1.0, 2.0)), task="multiclass", class_counts=COUNTS)
    with pytest.raises(RecipeError, match=r"classes \[1\] have no training example"):
        loss_function(Objective(class_weights="balanced"), task="multiclass", class_counts=(3, 0, 2))


class TestSeveralLabels:
    LOGITS = torch.tensor([[0.7, -2.0], [-1.2, 0.3], [2.0, 1.0], [0.1, 0.2]])
    LABELS = torch.tensor([[1.0, 0.0], [0.0, 0.0], [1.0, 1.0], [1.0, 0.0]])

    def loss(self, **plan: object) -> torch.Tensor:
        made = loss_function(Objective.model_validate(plan), task="multilabel", class_counts=(3, 1), examples=4)
        return made(self.LOGITS, self.LABELS)

    def test_the_loss_is_the_mean_over_examples_and_labels(self) -> None:
        expected = functional.binary_cross_entropy_with_logits(self.LOGITS, self.LABELS)
        torch.testing.assert_close(self.loss(), expected)

    def test_balanced_weights_are_each_labels_own(self) -> None:
        columns = [
            loss_function(Objective(class_weights="balanced"), task="binary", class_counts=(4 - count, count))
            for count in (3, 1)
        ]
        each = [loss(self.LOGITS[:, [at]], self.LABELS[:, at]) for at, loss in enumerate(columns)]
        torch.testing.assert_close(self.loss(class_weights="balanced"), torch.stack(each).mean())

    def test_a_list_weighs_the_labels(self) -> None:
        each = functional.binary_cross_entropy_with_logits(self.LOGITS, self.LABELS, reduction="none").mean(0)
        torch.testing.assert_close(self.loss(class_weights=(1.0, 3.0)), (each[0] + 3 * each[1]) / 4)

    def test_smoothing_moves_both_answers(self) -> None:
        smooth = self.LABELS * 0.9 + 0.05
        expected = functional.binary_cross_entropy_with_logits(self.LOGITS, smooth)
        torch.testing.assert_close(self.loss(label_smoothing=0.1), expected)

    def test_what_does_not_fit_is_refused(self) -> None:
        with pytest.raises(RecipeError, match="cross_entropy is not for several labels"):
            self.loss(loss="cross_entropy")
        with pytest.raises(RecipeError, match="ignore_index: is not for several labels"):
            self.loss(ignore_index=-1)
        with pytest.raises(RecipeError, match=r"labels \[0\] are the same in every training example"):
            loss_function(Objective(class_weights="balanced"), task="multilabel", class_counts=(4, 1), examples=4)
