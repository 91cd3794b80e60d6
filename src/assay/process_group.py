"""The process group of a program that trains on several ranks: knowing of it, and hearing what it hands around."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor

ALONE = "the program trains in one process"

NUMBERS_OF_A_SCORE = 16
"""The largest tensor that is taken for counts and scores; gradients and parameters that are spread are larger."""

Look = Callable[..., None]


def rank() -> tuple[int, int] | None:
    """The number of this process, and how many ranks there are; None where it is alone."""
    if not dist.is_available() or not dist.is_initialized() or dist.get_world_size() < 2:
        return None
    return dist.get_rank(), dist.get_world_size()


def once_grouped(patches: Any, begin: Look) -> None:
    """Call `begin`, contained, at once if a process group is there, and whenever one has been initialised."""
    if dist.is_available():
        patches.replace(dist, "init_process_group", partial(_then, begin))
        begin()


def spans_all(named: dict[str, Any]) -> bool:
    """Whether a collective with these keywords is one of all ranks; a group given by position isn't looked at."""
    group = named.get("group")
    return group is None or dist.get_world_size(group) == dist.get_world_size()


def hearing(look: Look, original: Callable[..., Any]) -> Callable[..., Any]:
    """A collective, or a method, that first shows its first argument and its keywords to `look`."""
    is_compiling = torch.compiler.is_compiling

    @wraps(original)
    def heard(*arguments: Any, **named: Any) -> Any:
        if not is_compiling():
            look(arguments[0] if arguments else named.get("tensor"), named)
        return original(*arguments, **named)

    return heard


def reduced_place(tensor: object, named: dict[str, Any]) -> int | None:
    """Where in memory a tensor lies that is reduced over all ranks, if it may be a gradient."""
    return tensor.data_ptr() if isinstance(tensor, Tensor) and spans_all(named) else None


def _then(begin: Look, original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def init_process_group(*arguments: Any, **named: Any) -> Any:
        made = original(*arguments, **named)
        begin()
        return made

    return init_process_group
