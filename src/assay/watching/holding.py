"""Holding a program's own loop on one batch: what it can't memorise, it can't learn.

Every DataLoader gives the first batch of its form again and again (so that no augmentation is drawn anew, and training
and evaluation see the same examples), dropout is off, and no weight decays. All else is the program's own: its loss,
its optimizer, its number of steps.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any

from torch import nn
from torch.nn import functional
from torch.optim.optimizer import register_optimizer_step_pre_hook
from torch.utils.data.dataloader import _BaseDataLoaderIter

from assay.probe import Patches, after
from assay.tensors import first_tensor, tensors_in

DROPOUTS = (
    "alpha_dropout", "dropout", "dropout1d", "dropout2d", "dropout3d", "feature_alpha_dropout", "feature_dropout",
)
"""Functions of torch.nn.functional whose second argument is the probability; nn.Dropout calls them too."""

Form = tuple[object, ...]
"""The class of a batch, and the kinds of its tensors and how many axes each has."""


@dataclass(frozen=True, eq=False)
class Held:
    """The batch that loaders give from now on."""

    batch: Any

    @property
    def rows(self) -> int:
        """Examples in it; graphs, where it is one of PyTorch Geometric's."""
        graphs = getattr(self.batch, "num_graphs", None)
        first = first_tensor([self.batch])
        return graphs if isinstance(graphs, int) else 0 if first is None or not first.dim() else len(first)

    def again(self) -> Any:
        """A copy of it, since a program may write into what it is given."""
        return copy.deepcopy(self.batch)


class Holding:
    """Holds every loader on one batch, and switches off what works against memorising it."""

    def __init__(self) -> None:
        self._patches = Patches()
        self._hook: Any = None
        self._held: dict[Form, Held] = {}

    @property
    def first(self) -> Held | None:
        """What the first loader holds; None where no DataLoader gave anything."""
        return next(iter(self._held.values()), None)

    def attach(self) -> None:
        """Wrap the loaders' iterators, dropout and the making of recurrent layers; hook the steps of optimizers."""
        self._patches.replace(_BaseDataLoaderIter, "__next__", self._holding)
        for name in DROPOUTS:
            if hasattr(functional, name):
                self._patches.replace(functional, name, _undropped)
        self._patches.replace(functional, "scaled_dot_product_attention", _undropped_attention)
        self._patches.replace(nn.RNNBase, "__init__", partial(after, _without_dropout))
        self._hook = register_optimizer_step_pre_hook(_without_decay)

    def detach(self) -> None:
        """Put the originals back and let go of the batches."""
        self._patches.restore()
        self._held.clear()
        if self._hook is not None:
            self._hook.remove()
            self._hook = None

    def _holding(self, original: Callable[[Any], Any]) -> Callable[[Any], Any]:
        @wraps(original)
        def __next__(iterator: Any) -> Any:  # noqa: N807  # as it is named in tracebacks
            batch = original(iterator)
            return self._held.setdefault(_form(batch), Held(batch)).again()

        return __next__


def _form(batch: Any) -> Form:
    """What tells batches of one kind from those of another: not their lengths, which may vary."""
    return type(batch).__name__, *((str(tensor.dtype), tensor.dim()) for tensor in tensors_in(batch))


def _undropped(original: Any) -> Any:
    """A dropout function with a probability of 0."""

    @wraps(original)
    def dropout(given: Any, p: float = 0.5, *rest: Any, **named: Any) -> Any:  # noqa: ARG001  # the program's own
        return original(given, 0.0, *rest, **named)

    return dropout


def _undropped_attention(original: Any) -> Any:
    @wraps(original)
    def attention(query: Any, key: Any, value: Any, mask: Any = None, dropout_p: float = 0.0, *rest: Any,  # noqa: ARG001
                  **named: Any) -> Any:
        named["attn_mask"] = named.get("attn_mask", mask)
        return original(query, key, value, named.pop("attn_mask"), 0.0, *rest, **named)

    return attention


def _without_dropout(layer: Any) -> None:
    layer.dropout = 0.0


def _without_decay(optimizer: Any, _arguments: Any, _named: Any) -> None:
    for group in optimizer.param_groups:
        if group.get("weight_decay"):
            group["weight_decay"] = 0.0
