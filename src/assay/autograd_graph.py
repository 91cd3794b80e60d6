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
CHOOSING = frozenset({
    "AsStrided", "Index", "IndexSelect", "MaskedSelect", "Narrow", "Select", "Slice", "Split", "SplitWithSizes",
    "Unbind",
})
"""They take some of the values and change none: a mask's nodes, the rows of one chunk."""

JOINING = frozenset({"Cat", "Stack"})
"""They put parts side by side and change none; the line goes on where all parts were made alike."""

LOGARITHMS = frozenset({
    "Log", "Log10", "Log1p", "Log2", "LogSigmoid", "LogSoftmax", "LogSoftmaxBackwardData", "Logaddexp",
    "Logcumsumexp", "Logsumexp", "Softplus",
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
    """Operations from the node downwards as far as they form a single line.

    Those that only lay values out anew, choose some of them or join parts that were made alike are left out. Values
    divided by their own sum are one operation: "Softmax" where they are exponentials, else "Shares".
    """
    names = list(start)
    while node is not None and len(names) < LONGEST_CHAIN:
        name = operation(node)
        if name in OPAQUE:
            return Unknown(hides(name))
        if name == "AccumulateGrad":
            break
        parts = _divided_by_own_sum(node)
        if parts is not None:
            exponentials = operation(parts) == "Exp"
            names.append("Softmax" if exponentials else "Shares")
            node = _only(parts) if exponentials else parts
            continue
        if name in JOINING:
            node = _alike(below(node))
            continue
        if name not in LAYOUT and name not in CHOOSING:
            names.append(name)
        node = _only(node)
    return tuple(names)


def _only(node: Any) -> Any:
    """What stands below, where that is one node."""
    following = below(node)
    return following[0] if len(following) == 1 else None


def through_layout(node: Any) -> Any:
    """The first node from here down that does more than lay values out anew."""
    while node is not None and operation(node) in LAYOUT:
        node = _only(node)
    return node


def _alike(parts: list[Any]) -> Any:
    """The first of several parts where all were made by the same operation, else None."""
    made = list(parts)
    for position, node in enumerate(made):
        while node is not None and operation(node) in LAYOUT | CHOOSING:
            node = _only(node)
        made[position] = node
    if not made or any(node is None for node in made):
        return None
    return made[0] if len({operation(node) for node in made}) == 1 else None


def _divided_by_own_sum(node: Any) -> Any:
    """The node whose values are divided by their own sum, if that is what this one does: a softmax by hand."""
    if operation(node) != "Div":
        return None
    parts = below(node)
    if len(parts) != 2:
        return None
    divided, total = parts
    while operation(total) in LAYOUT | {"Expand", "Clamp", "ClampMin", "Add"} and _only(total) is not None:
        total = _only(total)
    return divided if operation(total) == "Sum" and _only(total) is divided else None


def makes_logarithms(node: Any, most: int = 400) -> bool:
    """Whether any of the first operations below takes a logarithm, or can't be seen."""
    for count, each in enumerate(walk([node])):
        name = operation(each)
        if name in LOGARITHMS or name in OPAQUE or count > most:
            return True
    return False


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


ELEMENTWISE = frozenset({
    "Abs", "Add", "Clamp", "ClampMax", "ClampMin", "Cosh", "Div", "Expand", "Huber", "Log", "Maximum",
    "Minimum", "Mul", "Neg", "Pow", "Rsub", "SmoothL1", "Sqrt", "Tanh", "Where",
})
REDUCING = frozenset({"LinalgVectorNorm", "Mean", "Norm", "Sum"})
LOGS_OF_PREDICTIONS = frozenset({"Log", "LogSigmoid"})

MOST_WALKED = 60
"""Nodes that are looked at in search of shapes that met; a loss written by hand has a dozen."""


def handwritten_broadcast(node: Any) -> Broadcast | None:
    """Find an average over a function of a difference whose operands met in N × N; a kernel's exponential is none.

    A loss `((p - t) ** 2).mean()` with p of (N, 1) and t of (N,), or the reverse, whatever elementwise functions stand
    between; so too `-(t * p.log()).mean()`. Only one operand may carry a gradient (distances between all pairs have
    two), and it must not have been given its extra axis on purpose (unsqueeze).
    """
    while operation(node) in REDUCING or (operation(node) in LAYOUT and shape_of(node) != ()):
        node = _only(node)
        if node is None:
            return None
    if not _square(shape_of(node)):
        return None
    waiting, seen = [node], {node}
    while waiting and len(seen) < MOST_WALKED:
        current = waiting.pop()
        name = operation(current)
        met = _met(current) if name in ("Sub", "Mul") else None
        if met is not None:
            return met
        if name in ELEMENTWISE and _square(shape_of(current)):
            following = [each for each in below(current) if each not in seen]
            seen.update(following)
            waiting += following
    return None


def all_pairs(node: Any, most: int = 200) -> bool:
    """Whether a difference below a loss is between all pairs on purpose: its two operands carry gradients."""
    for count, each in enumerate(walk([node])):
        if count > most:
            return False
        shapes = [shape_of(*operand) for operand in each.next_functions if operand[0] is not None]
        if operation(each) == "Sub" and _square(shape_of(each)) and len(shapes) == 2 and shapes[0] != shapes[1]:
            return True
    return False


def _square(shape: Shape | None) -> bool:
    return shape is not None and len(shape) == 2 and shape[0] == shape[1] > 1


def _met(node: Any) -> Broadcast | None:
    operands = [(operand, output) for operand, output in node.next_functions if operand is not None]
    result = shape_of(node)
    if len(operands) != 1 or result is None or not _square(result):
        return None
    operand, given = operation(operands[0][0]), shape_of(*operands[0])
    if operation(node) == "Mul" and operand not in LOGS_OF_PREDICTIONS:
        return None
    rows = result[0]
    if given not in ((rows,), (rows, 1)) or operand == "Unsqueeze":
        return None
    return Broadcast(prediction=given, target=None, result=result)


def terms(node: Any) -> Iterator[Any]:
    """The summands of a scalar loss: what stands below its sums, scalings and the functions that are taken of it."""
    waiting = [node]
    seen = set(waiting)
    while waiting:
        current = waiting.pop()
        if operation(current) in OF_SCALARS and shape_of(current) == ():
            following = [each for each in below(current) if each not in seen]
            seen.update(following)
            waiting += following
        else:
            yield current


OF_SCALARS = frozenset({"Add", "Div", "Exp", "Log", "Mul", "Neg", "Pow", "Sqrt", "Sub"}) | LAYOUT


BOUNDED = ("ClampBackward1", "ClampMaxBackward0")
"""Clamps whose bound is a number of Python's; other clamps keep it in a tensor, which is not to be read."""


def upper_bound(node: Any) -> tuple[float, bool, Any] | None:
    """Where a loss was cut from above: the bound, whether the loss itself was cut, and the node that was cut.

    The cut must be the last thing done to the loss, but for its sign and constant factors, or to its parts before
    their mean or sum.
    """
    node = _past(node, SCALINGS)
    whole = node is not None and operation(node) not in REDUCING
    if not whole:
        node = _past(node, REDUCING | LAYOUT)
    if node is None or node.name() not in BOUNDED:
        return None
    bound = node._saved_max  # noqa: SLF001  # a number, no saved tensor: no hook of the program's runs
    cut = _only(node)
    return (float(bound), whole, cut) if isinstance(bound, int | float) and cut is not None else None


SCALINGS = frozenset({"Div", "Mul", "Neg"})


def _past(node: Any, operations: frozenset[str]) -> Any:
    while node is not None and operation(node) in operations:
        node = _only(node)
    return node


def squashed_twice(node: Any, most: int = 400) -> tuple[str, ...] | None:
    """The line from a log-softmax whose input a softmax made, among the first operations below a loss."""
    for count, each in enumerate(walk([node])):
        if count > most:
            return None
        if operation(each) == "LogSoftmax":
            line = chain(each)
            if isinstance(line, tuple) and line[1:2] == ("Softmax",):
                return line
    return None
