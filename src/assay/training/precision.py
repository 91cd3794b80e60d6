"""The arithmetic of a recipe's training step: 32-bit, or mixed with scaled gradients where they would underflow."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer

from assay.recipe.schema import Training


class Arithmetic:
    """Runs forward, backward and step in the recipe's precision, and clips the gradients' global norm."""

    def __init__(self, training: Training, device: torch.device) -> None:
        kinds = {"bf16-mixed": torch.bfloat16, "16-mixed": torch.float16}
        self._clip = training.gradient_clip_val
        self._device = device.type
        self._kind = kinds.get(str(training.precision))
        self._scaler = torch.amp.GradScaler(device.type) if self._kind is torch.float16 else None

    def forward(self) -> torch.autocast:
        """The context of the forward pass and the loss."""
        return torch.autocast(self._device, dtype=self._kind, enabled=self._kind is not None)

    @property
    def is_mixed(self) -> bool:
        """Whether `forward` changes anything."""
        return self._kind is not None

    def step(self, loss: Tensor, optimizer: Optimizer) -> None:
        """Backward pass, clipping, optimizer step."""
        scaled = loss if self._scaler is None else self._scaler.scale(loss)
        torch.autograd.backward(scaled)
        if self._scaler is not None:
            self._scaler.unscale_(optimizer)
        if self._clip is not None:
            weights = [weight for group in optimizer.param_groups for weight in group["params"]]
            torch.nn.utils.clip_grad_norm_(weights, self._clip)
        if self._scaler is None:
            optimizer.step()
        else:
            self._scaler.step(optimizer)
            self._scaler.update()

    def state(self) -> dict[str, Any]:
        """The scaler's state, empty without one."""
        return {} if self._scaler is None else self._scaler.state_dict()

    def load_state(self, state: dict[str, Any]) -> None:
        """Go on from where another stood."""
        if self._scaler is not None and state:
            self._scaler.load_state_dict(state)
