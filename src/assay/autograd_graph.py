"""Reading the autograd graph below a loss: names and shapes of its operations, the line that they form, its summands.

Only the structure and the shapes that the graph keeps are read, never its saved tensors: unpacking those may run the
program's own hooks (checkpointing recomputes there). Nodes are taken as they come, so that nothing here imports torch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.facts.fact import Unknown
from assay.facts.loss import Broadcast, Shape

LAYOUT = frozenset({
    "Alias", "Clone", "Permute", "Reshape", "ReshapeAlias", "Squeeze", "T", "ToCopy", "Transpose", "UnsafeView",
    "Unsqueeze", "View",
})
OPAQUE = ("CompiledFunction", "CheckpointFunction")
"""Nodes behind which the graph can't be seen: a region compiled ahead of time, a reentrant checkpoint."""

LONGEST_CHAIN = 12


def operation(node: Any) -> str:
    """The name of a graph node without its suffix: "LogSoftmax" for LogSoftmaxBackward0."""
    name = str(node.name()).rpartition("::")[2]
    return name.partition("Backward")[0] if "Backward" in name else name


def below(node: Any) -> list[Any]:
    """The nodes that a node hands its gradients to."""
    return [following for following, _ in node.next_functions if following is not None]


def shape_of(node: Any, output: int = 0) -> Shape | None:
    """The shape of what the node's operation gave."""
    metadata = node._input_metadata  # noqa: SLF001  # the graph's only record of shapes, and stable since torch 2.1
    return tuple(metadata[output].shape) if output < len(metadata) else None


def chain(node: Any, start: tuple[str, ...] = ()) -> tuple[str, ...] | Unknown:
    """Operations from the node downwards as far as they form a single line, those on the layout left out."""
    names = list(start)
    while node is not None and len(names) < LONGEST_CHAIN:
        name = operation(node)
        if name in OPAQUE:
            return Unknown(hides(name))
        if name == "AccumulateGrad":
            break
        if name not in LAYOUT:
            names.append(name)
        following = below(node)
        node = following[0] if len(following) == 1 else None
    return tuple(names)


def hides(name: str) -> str:
    """Why an opaque node ends the walk."""
    what = "a compiled region" if name.startswith("Compiled") else "a reentrant checkpoint"
    return f"{what} hides the operations below the loss ({name}Backward)"


def walk(roots: list[Any]) -> Iterator[Any]:
    """Every node of the graph below the roots, once."""
    seen = set(roots)
    waiting = list(roots)
    while waiting:
        node = waiting.pop()
        yield node
        for following in below(node):
            if following not in seen:
                seen.add(following)
                waiting.append(following)


def handwritten_broadcast(node: Any) -> Broadcast | None:
    """Find mean or sum over a power, an absolute value or a square of a difference whose operands met in N × N.

    A loss `((p - t) ** 2).mean()` with p of (N, 1) and t of (N,), or the reverse. Only one operand may carry a gradient
    (distances between all pairs have two), and it must not have been given its extra axis on purpose (unsqueeze).
    """
    if operation(node) not in ("Mean", "Sum"):
        return None
    node = next(iter(below(node)), None)
    while node is not None and operation(node) in ("Pow", "Abs", "Mul", "Sqrt"):
        following = set(below(node))
        node = following.pop() if len(following) == 1 else None
    if node is None or operation(node) != "Sub":
        return None
    operands = [(operand, output) for operand, output in node.next_functions if operand is not None]
    result = shape_of(node)
    if len(operands) != 1 or result is None or len(result) != 2 or result[0] != result[1]:
        return None
    given = shape_of(*operands[0])
    rows = result[0]
    if rows < 2 or given not in ((rows,), (rows, 1)) or operation(operands[0][0]) == "Unsqueeze":
        return None
    return Broadcast(prediction=given, target=None, result=result)


def terms(node: Any) -> Iterator[Any]:
    """The summands of a scalar loss: what stands below its sums, differences and scalings."""
    waiting = [node]
    seen = set(waiting)
    while waiting:
        current = waiting.pop()
        if operation(current) in ("Add", "Sub", "Mul", "Div", "Neg") and shape_of(current) == ():
            following = [each for each in below(current) if each not in seen]
            seen.update(following)
            waiting += following
        else:
            yield current
