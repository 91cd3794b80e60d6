"""From raw outputs to probabilities and answers, for one network or several together."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from assay.facts.task import TaskKind


def probabilities(outputs: Tensor, task: TaskKind) -> Tensor:
    """Probabilities, float64, from raw outputs [n, outputs].

    [n, classes] with rows that sum to 1 for classes, a binary task's single logit included; [n, labels] of independent
    ones for multilabel tasks. Raises ValueError for regression, which has none.
    """
    exact = outputs.double()
    match task:
        case "regression":
            raise ValueError("a regression has no probabilities")
        case "multilabel":
            return exact.sigmoid()
        case "binary" if exact.ndim == 1 or exact.shape[-1] == 1:
            positive = exact.reshape(-1).sigmoid()
            return torch.stack([1 - positive, positive], dim=1)
    return exact.softmax(-1)


def averaged(outputs: Sequence[Tensor], task: TaskKind) -> Tensor:
    """What several networks say together: the mean of their probabilities, or of their values [n] for regression.

    Source: Lakshminarayanan, Pritzel and Blundell, Simple and Scalable Predictive Uncertainty Estimation using Deep
    Ensembles (NeurIPS 2017).
    """
    if task == "regression":
        return torch.stack([each.double().squeeze(-1) for each in outputs]).mean(0)
    return torch.stack([probabilities(each, task) for each in outputs]).mean(0)


def decided(averages: Tensor, task: TaskKind) -> Tensor:
    """The answer by what `averaged` gives: the likeliest class, int64 [n]; 0 or 1 a label; the value as it is.

    A tie goes to the class with the lower id; a label is given from above one half.
    """
    match task:
        case "regression":
            return averages
        case "multilabel":
            return (averages > 0.5).long()
    return averages.argmax(-1)
