"""What a loss could come to on one batch, told from a call of it: its lowest value and where it is known to stall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from assay.facts.fact import Absent
from assay.facts.floors import (
    binary_floors,
    class_floors,
    multilabel_floors,
    regression_floors,
    smoothed_floor,
)
from assay.facts.overfit import Floor
from assay.traffic import Scored

NATS = 0.05
"""Above a likelihood's lowest value: every example has its label at a probability of 0.95 on average."""

SHARE = 0.05
"""Of the targets' variance, for a squared error."""

ENTRIES = 1 << 16
"""Targets that are counted; of more, the first ones."""


@dataclass(frozen=True, kw_only=True)
class Reachable:
    """The lowest value of a loss on one batch, what still counts as there, and known floors above it."""

    target: float
    tolerance: float
    floors: tuple[Floor, ...] = ()


def reachable(scored: Scored) -> Reachable | Absent:
    """Read the lowest value off the targets of one call; Absent where the loss's definition doesn't tell it."""
    arguments = scored.arguments
    inputs, target = arguments["input"], arguments.get("target")
    if not isinstance(inputs, Tensor) or not isinstance(target, Tensor) or not target.numel():
        return Absent(f"the lowest value of {scored.name} isn't known")
    if arguments.get("reduction", "mean") != "mean":
        return Absent(f"{scored.name} isn't averaged, so that no tolerance is known for it")
    match scored.name:
        case "cross_entropy" | "nll_loss":
            return _of_classes(inputs, target, arguments)
        case "binary_cross_entropy" | "binary_cross_entropy_with_logits":
            return _of_bits(target, arguments)
        case "mse_loss":
            return _of_numbers(target)
    return Absent(f"the lowest value of {scored.name} isn't known")


def _of_classes(inputs: Tensor, target: Tensor, arguments: dict[str, Any]) -> Reachable | Absent:
    classes = inputs.shape[min(1, inputs.dim() - 1)]
    smoothing = float(arguments.get("label_smoothing", 0.0))
    plain = arguments.get("weight") is None
    if smoothing and not plain:
        return Absent("the lowest value of a smoothed and weighted cross entropy isn't known")
    if target.is_floating_point():
        return Reachable(target=_entropy(target, axis=min(1, target.dim() - 1)), tolerance=NATS)
    valid = target[target != arguments.get("ignore_index", -100)].flatten()[:ENTRIES]
    if not valid.numel():
        return Absent("every target is ignored")
    if smoothing:
        return Reachable(target=smoothed_floor(smoothing, classes), tolerance=NATS)
    return Reachable(target=0.0, tolerance=NATS, floors=class_floors(valid.tolist(), classes) if plain else ())


def _of_bits(target: Tensor, arguments: dict[str, Any]) -> Reachable:
    values = target.detach().double()
    if not bool(((values == 0) | (values == 1)).all()):
        return Reachable(target=_bit_entropy(values), tolerance=NATS)
    if arguments.get("weight") is not None or arguments.get("pos_weight") is not None:
        return Reachable(target=0.0, tolerance=NATS)
    if target.dim() == 2 and target.shape[1] > 1:
        return Reachable(target=0.0, tolerance=NATS, floors=multilabel_floors(values[:ENTRIES].long().tolist()))
    return Reachable(target=0.0, tolerance=NATS, floors=binary_floors(values.flatten()[:ENTRIES].long().tolist()))


def _of_numbers(target: Tensor) -> Reachable | Absent:
    floors = regression_floors(target.detach().double().flatten()[:ENTRIES].tolist())
    if not floors[0].value > 0:
        return Absent("all targets are the same number")
    return Reachable(target=0.0, tolerance=SHARE * floors[0].value, floors=floors)


def _entropy(probabilities: Tensor, *, axis: int) -> float:
    values = probabilities.detach().double()
    return float(torch.special.entr(values).sum(axis).mean())


def _bit_entropy(values: Tensor) -> float:
    return float((torch.special.entr(values) + torch.special.entr(1 - values)).mean())
