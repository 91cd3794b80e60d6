"""Facts about optimizers: their groups, their steps, and whether gradients were cleared between steps."""

from __future__ import annotations

from dataclasses import dataclass

from assay.facts.fact import Fact, Place, Schedule, Unknown
from assay.facts.model import ParameterKind


@dataclass(frozen=True, kw_only=True)
class GroupRecord:
    """One parameter group.

    kinds   counts its trainable parameters by kind
    named   gives a few of its norms and biases
    size    counts all its parameters, None where that is unknown
    """

    learning_rate: float
    weight_decay: float
    kinds: dict[ParameterKind, int]
    named: tuple[str, ...]
    size: int | None = None


@dataclass(frozen=True, kw_only=True)
class OptimizerRecord:
    """One optimizer.

    place               the line that made it
    step_place          the line that steps it
    backward_place      the line whose backward pass fed its last sampled step
    steps               steps taken
    compared            steps for which it is known whether the gradients were cleared since the step before
    not_cleared         those of them to which the gradients of the step before were carried over
    partly_cleared      those of them to which some gradients were carried over, while others were cleared
    gradient_norms      at the first sampled steps, the global norm of the gradients it stepped with
    updates_compared    sampled steps with a rate and gradients other than zero whose weights were compared
    updates_lost        those of them that changed no weight at all
    precision           the number formats of its parameters: "float32", "bfloat16"
    update_ratios       at the first sampled steps, the norm of the change over the norm of the weights that changed
    weight_gradients    at the first sampled steps, the root mean square of the gradient of each of `weights`, 0 where
                        it has none
    weights             names of its weight matrices in the order in which it holds them, mostly that of the depth
    """

    kind: str
    place: Place | None
    step_place: Place | None
    backward_place: Place | None
    groups: tuple[GroupRecord, ...]
    steps: int
    compared: int | Unknown
    not_cleared: int
    gradient_norms: tuple[float, ...]
    updates_compared: int = 0
    updates_lost: int = 0
    precision: tuple[str, ...] = ()
    partly_cleared: int = 0
    update_ratios: tuple[float, ...] = ()
    weight_gradients: tuple[tuple[float, ...], ...] = ()
    weights: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class OptimizerFacts(Fact):
    """Every optimizer of the program, in the order of their making."""

    optimizers: tuple[OptimizerRecord, ...]
    schedule: Schedule
