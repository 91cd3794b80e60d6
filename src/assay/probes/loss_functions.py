"""Loss functions: every call of one of torch.nn.functional's losses, told to the probes that listen.

The loss modules call these functions by name, so both are seen. A loss that was written by hand, or imported by name
before the probe was attached, is seen through its graph alone (`loss_graph`).
"""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import partial, update_wrapper
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from assay.facts.fact import Fact
from assay.facts.fact_set import FactSet
from assay.probe import Clock, Faults, Patches
from assay.tensors import readable
from assay.traffic import Scored, Traffic

LOSSES = (
    "binary_cross_entropy", "binary_cross_entropy_with_logits", "cosine_embedding_loss", "cross_entropy", "ctc_loss",
    "gaussian_nll_loss", "hinge_embedding_loss", "huber_loss", "kl_div", "l1_loss", "margin_ranking_loss", "mse_loss",
    "multi_margin_loss", "multilabel_margin_loss", "multilabel_soft_margin_loss", "nll_loss", "poisson_nll_loss",
    "smooth_l1_loss", "soft_margin_loss", "triplet_margin_loss", "triplet_margin_with_distance_loss",
)


class LossFunctions:
    """Tells of calls of losses; it records nothing itself."""

    name = "loss functions"
    kinds: tuple[type[Fact], ...] = ()

    def __init__(self, clock: Clock, faults: Faults, traffic: Traffic) -> None:
        self._clock = clock
        self._faults = faults
        self._traffic = traffic
        self._patches = Patches()

    def attach(self) -> None:
        """Wrap the loss functions."""
        for loss in LOSSES:
            look = self._faults.contained(self.name, self._called)
            self._patches.replace(functional, loss, partial(_watched, self._clock, self._traffic, look))

    def detach(self) -> None:
        """Put the original functions back."""
        self._patches.restore()

    def facts(self) -> FactSet:
        """None: it only tells."""
        return FactSet()

    def _called(self, original: Any, positional: Any, keywords: Any, value: Any) -> None:
        if not isinstance(value, Tensor) or not readable(value):
            return
        passes = self._traffic.passes
        call = Scored(
            function=original, positional=positional, keywords=keywords, value=value,
            recorded=value.grad_fn is not None, step=self._clock.steps, latest=passes - 1 if passes else None,
        )
        for look in tuple(self._traffic.scored):
            look(call)
        if self._clock.looks or self._traffic.attending:
            for look in tuple(self._traffic.sampled.scored):
                look(call)


def _watched(clock: Clock, traffic: Traffic, look: Callable[..., None], original: Any) -> Any:
    """A loss function that shows what it was given and what it made."""
    is_compiling = torch.compiler.is_compiling

    def loss(*arguments: Any, **named: Any) -> Any:
        if is_compiling():  # a constant to the compiler: it traces the original and none of this
            return original(*arguments, **named)
        value = original(*arguments, **named)
        if not traffic.silent and (traffic.scored or clock.looks or traffic.attending):
            look(original, arguments, named, value)
        return value

    # TorchScript reads the wrapped source but looks names up where the function lives: it must live there too.
    watched = types.FunctionType(loss.__code__, original.__globals__, original.__name__, None, loss.__closure__)
    return update_wrapper(watched, original)
