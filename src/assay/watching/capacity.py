"""Whether a model is large enough that failing to memorise a batch is a fault."""

from __future__ import annotations

from collections.abc import Iterable

from torch import Tensor

ROOM = 4
"""Times the numbers that suffice in principle: gradient descent doesn't find the one solution that just fits."""


def too_small(parameters: Iterable[Tensor], *, rows: int, width: int) -> str | None:
    """Why nothing can be expected of this model, None where it should be able to memorise.

    A network with one hidden layer of ReLUs can give n points in d dimensions any labels with 2n + d numbers (Zhang et
    al., Understanding deep learning requires rethinking generalization, 2017, theorem 1); a single linear layer can
    where d is at least n.

    rows, width     n and d: the batch's examples, and numbers in the inputs of one
    """
    trained = [each for each in parameters if each.requires_grad]
    numbers, matrices = sum(each.numel() for each in trained), sum(each.dim() > 1 for each in trained)
    if matrices < 2:
        return None if width >= rows else f"a single layer can't tell {rows} examples of {width} numbers apart"
    if numbers < ROOM * (2 * rows + width):
        return f"a model of {numbers} numbers may be too small for {rows} examples of {width} numbers"
    return None
