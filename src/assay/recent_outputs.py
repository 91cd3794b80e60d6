"""What models put out last, as small copies: to know whether the values that a program scores are a model's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import torch
from torch import Tensor

NUMBERS = 1 << 18
"""Numbers that are kept of the outputs since the last optimizer step; of more, the last."""

OUTPUTS = 64
"""Outputs that are kept likewise: an evaluation of more batches than that is long enough to judge by its end."""

WAYS: Mapping[str, Callable[[Tensor], Tensor | None]] = {
    "largest": lambda output: output.argmax(-1) if output.dim() > 1 and output.shape[-1] > 1 else None,
    "largest of channels": lambda output: output.argmax(1) if output.dim() > 2 and output.shape[1] > 1 else None,
    "above zero": lambda output: (output > 0).long(),
    "above a half": lambda output: (output > 0.5).long(),
    "as they are": lambda output: output,
}
"""What is made of an output: classes along the last or the second axis, decisions on logits or on probabilities."""


def made_of(output: Tensor, way: str) -> Tensor | None:
    """What this way makes of an output, flat, in the order of its positions."""
    if not output.is_floating_point():
        return None
    made = WAYS[way](output)
    return None if made is None else made.flatten()


@dataclass(eq=False)
class RecentOutputs:
    """Copies of the outputs of passes that autograd doesn't record, since the last optimizer step."""

    step: int = -1
    outputs: list[Tensor] = field(default_factory=list)
    numbers: int = 0

    def take(self, output: Tensor, step: int) -> None:
        """A pass has put this out."""
        if step != self.step:
            self.step = step
            self.forget()
        if 0 < output.numel() <= NUMBERS:
            self.outputs.append(output.detach().cpu().clone())
            self.numbers += output.numel()
            while self.numbers > NUMBERS or len(self.outputs) > OUTPUTS:
                self.numbers -= self.outputs.pop(0).numel()

    def last(self, way: str, positions: int) -> Tensor | None:
        """What this way makes of the last outputs, where some of them have just so many positions together; flat."""
        return _together(self.outputs, way, positions)

    def made(self, values: Tensor) -> bool:
        """Whether any way makes these, value by value, of outputs that came one after another; `values` flat."""
        flat = values.detach().cpu()
        for way in WAYS:
            for end in range(len(self.outputs), 0, -1):
                found = _together(self.outputs[:end], way, len(flat))
                if found is not None and bool((found == flat).all()):
                    return True
        return False

    def forget(self) -> None:
        """Let go of all copies."""
        self.outputs, self.numbers = [], 0


def _together(outputs: list[Tensor], way: str, positions: int) -> Tensor | None:
    taken: list[Tensor] = []
    missing = positions
    for output in reversed(outputs):
        made = made_of(output, way)
        if made is None or len(made) > missing:
            return None
        taken.insert(0, made)
        missing -= len(made)
        if not missing:
            return torch.cat(taken)
    return None
