"""What the code of a data set does with randomness: drawn anew at each read, once and for all, or alike in each worker.

Only code is read (`code_reach` and the source's syntax tree), nothing of the data set runs. Places have whole paths.
"""

from __future__ import annotations

import ast
import dis
import inspect
import textwrap
import types
from collections.abc import Iterator
from typing import Any

from assay.code_reach import ALL_DRAWS, OWN_PROCESS, SEEDING, Reach, reach
from assay.facts.fact import Place
from assay.facts.loader import Randomness

READS = ("__getitem__", "__getitems__", "__iter__")
ON_EXAMPLES = frozenset({
    "clone", "copy", "crop", "deepcopy", "empty_like", "fliplr", "flip", "flipud", "full_like", "ones_like", "pad",
    "rand_like", "randn_like", "roll", "rot90", "rotate", "shift", "zeros_like",
})
"""Functions of which the example itself is the argument, and not, say, a class that an example is made for."""

APART = OWN_PROCESS | {"environ", "getrandbits", "randint", "time", "time_ns"}
"""Names by which worker_init_fn comes by a number of this worker alone, besides its argument."""


def randomness(dataset: Any, worker_init: Any, workers: int) -> Randomness:
    """Read the code of a data set that several workers, or the program itself, will read examples from."""
    sets = list(_nested(dataset))
    reading = reach(*((method, each) for each in sets for method in _reads(each)))
    copied: tuple[str, ...] = ()
    constant: tuple[str, ...] = ()
    if workers > 1 and reading.complete:
        copied = _copied(reading, worker_init)
        constant = _constant(reading, worker_init)
    if reading.draws:
        return Randomness(copied=copied, constant=constant, cached=_first(map(_cached, sets)))
    return Randomness(built=_first(map(_built, sets)))


def _first(places: Iterator[Place | None]) -> Place | None:
    return next((place for place in places if place is not None), None)


def _nested(dataset: Any) -> Iterator[Any]:
    """A data set and those that it wraps: subsets, concatenations."""
    yield dataset
    held = getattr(dataset, "__dict__", {})
    inner, several = held.get("dataset"), held.get("datasets")
    for each in [inner] if inner is not None else several[:8] if isinstance(several, list) else []:
        yield from _nested(each)


def _reads(dataset: Any) -> Iterator[types.FunctionType]:
    for name in READS:
        method = getattr(type(dataset), name, None)
        if isinstance(method, types.FunctionType):
            yield method


def _copied(reading: Reach, worker_init: Any) -> tuple[str, ...]:
    """Generators that each worker gets a copy of, in the same state, and draws from."""
    if not reading.names & ALL_DRAWS or reading.names & (OWN_PROCESS | SEEDING):
        return ()
    held = {name for name in reading.generators if name not in reading.stored}
    if worker_init is not None:
        beginning = reach((worker_init, None))
        if not beginning.complete or not beginning.names or beginning.names & {*held, "dataset", "get_worker_info"}:
            return ()
    return tuple(sorted(held))


def _constant(reading: Reach, worker_init: Any) -> tuple[str, ...]:
    """Global streams that worker_init_fn seeds with the same number in every worker."""
    if not isinstance(worker_init, types.FunctionType) or reading.names & (OWN_PROCESS | SEEDING):
        return ()
    beginning = reach((worker_init, None))
    if not beginning.complete or beginning.names & APART or _uses_arguments(worker_init):
        return ()
    return tuple(sorted(beginning.seeded & reading.streams))


def _uses_arguments(function: types.FunctionType) -> bool:
    code = function.__code__
    given = code.co_varnames[: code.co_argcount]
    return any(
        each.argval in given for each in dis.get_instructions(function)
        if each.opname.startswith(("LOAD_FAST", "LOAD_CLOSURE"))
    ) or bool(set(given) & set(code.co_cellvars))


def _tree(function: types.FunctionType) -> tuple[ast.FunctionDef, int] | None:
    """The syntax tree of a function, and what to add to its line numbers to get those of the file."""
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, SyntaxError, TypeError):
        return None
    found = tree.body[0]
    return (found, first - 1) if isinstance(found, ast.FunctionDef) else None


def _built(dataset: Any) -> Place | None:
    """The line of the constructor that keeps a randomly changed version of each given example."""
    maker = getattr(type(dataset), "__init__", None)
    source = _tree(maker) if isinstance(maker, types.FunctionType) else None
    if source is None or not isinstance(maker, types.FunctionType):
        return None
    tree, offset = source
    given = {each.arg for each in (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs)[1:]}
    for loop in ast.walk(tree):
        if not isinstance(loop, ast.ListComp | ast.GeneratorExp | ast.For):
            continue
        over, examples = _looped(loop, given)
        if examples and not _kept_too(tree, over) and _changed_by_chance(loop, examples, maker, dataset):
            return Place(maker.__code__.co_filename, loop.lineno + offset)
    return None


def _looped(loop: ast.ListComp | ast.GeneratorExp | ast.For, given: set[str]) -> tuple[set[str], set[str]]:
    """The constructor's arguments that a loop goes over, example by example, and its own names for an example."""
    first = loop if isinstance(loop, ast.For) else loop.generators[0]
    if not isinstance(loop, ast.For) and len(loop.generators) > 1:
        return set(), set()  # several of each: examples that are made
    source = first.iter
    if isinstance(source, ast.Call):
        if not isinstance(source.func, ast.Name) or source.func.id not in ("enumerate", "zip", "tqdm", "iter", "list"):
            return set(), set()
        direct = {each.id for each in source.args if isinstance(each, ast.Name)}
    else:
        direct = {source.id} if isinstance(source, ast.Name) else set()
    names = {each.id for each in ast.walk(first.target) if isinstance(each, ast.Name)}
    return (direct & given, names) if direct & given else (set(), set())


def _kept_too(tree: ast.FunctionDef, given: set[str]) -> bool:
    """Whether the examples are kept as they were given as well, such as a denoiser's targets."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign):
            continue
        values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        targets = node.targets[0].elts if isinstance(node.targets[0], ast.Tuple) else node.targets
        for target, value in zip(targets, values, strict=False):
            plain = value.args[0] if isinstance(value, ast.Call) and value.args else value
            if isinstance(target, ast.Attribute) and isinstance(plain, ast.Name) and plain.id in given:
                return True
    return False


def _changed_by_chance(
    loop: ast.ListComp | ast.GeneratorExp | ast.For, examples: set[str], maker: types.FunctionType, dataset: Any,
) -> bool:
    body = loop.body if isinstance(loop, ast.For) else [loop.elt]
    for part in body:
        for call in ast.walk(part):
            if isinstance(call, ast.Call) and any(_is_one_of(each, examples) for each in call.args):
                function, owner = _callee(call.func, maker, dataset)
                if function is not None and _alters(function, owner, call, examples):
                    return True
                if _name_of(call.func) in ("rand_like", "randn_like"):
                    return True
    return False


def _is_one_of(node: ast.AST, names: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _name_of(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _callee(node: ast.AST, maker: types.FunctionType, dataset: Any) -> tuple[types.FunctionType | None, Any]:
    """The user's function that a call names: a global, a method of the data set, or a transform that it holds."""
    name = _name_of(node)
    own = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    if isinstance(node, ast.Name):
        found = maker.__globals__.get(name, getattr(dataset, "__dict__", {}).get(name))
    else:
        found = getattr(dataset, "__dict__", {}).get(name, getattr(type(dataset), name, None)) if own else None
    if isinstance(found, types.FunctionType):
        return found, dataset
    called = getattr(type(found), "__call__", None)  # noqa: B004  # its function is wanted, not whether it has one
    return (called, found) if isinstance(called, types.FunctionType) else (None, None)


def _alters(function: types.FunctionType, owner: Any, call: ast.Call, examples: set[str]) -> bool:
    """Whether a function draws, from no generator of its own, and treats what it is given as an example."""
    inside = reach((function, owner))
    if not inside.draws or inside.names & SEEDING:
        return False
    source = _tree(function)
    if source is None:
        return False
    position = next(number for number, each in enumerate(call.args) if _is_one_of(each, examples))
    named = [each.arg for each in source[0].args.args if each.arg not in ("self", "cls")]
    return position < len(named) and _used_as_example(source[0], named[position])


def _used_as_example(tree: ast.FunctionDef, parameter: str) -> bool:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Subscript) and _is_one_of(node.value, {parameter}):
            return True
        if isinstance(node, ast.Call) and _name_of(node.func) in ON_EXAMPLES and any(
            _is_one_of(each, {parameter}) for each in node.args
        ):
            return True
    return False


def _cached(dataset: Any) -> Place | None:
    """The line that reads a randomly changed example from where it was kept the first time."""
    for reader in _reads(dataset):
        source = _tree(reader)
        if source is None:
            continue
        tree, offset = source
        for node in ast.walk(tree):
            kept = _kept_entry(node)
            if kept is not None and _drawn(kept, tree, reader, dataset):
                return Place(reader.__code__.co_filename, node.lineno + offset)  # type: ignore[attr-defined]  # an assignment has a line
    return _remembered(dataset)


def _kept_entry(node: ast.AST) -> ast.expr | None:
    """What `self.cache[i] = value` keeps."""
    if not isinstance(node, ast.Assign):
        return None
    for target in node.targets:
        if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Attribute):
            holder = target.value.value
            if isinstance(holder, ast.Name) and holder.id == "self":
                return node.value
    return None


def _drawn(value: ast.expr, tree: ast.FunctionDef, reader: types.FunctionType, dataset: Any) -> bool:
    """Whether a value was made by a call that draws, directly or by way of a local variable."""
    names = {each.id for each in ast.walk(value) if isinstance(each, ast.Name)}
    made = [value, *(
        node.value for node in ast.walk(tree) if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id in names for target in node.targets)
    )]
    for part in made:
        for call in ast.walk(part):
            if isinstance(call, ast.Call):
                function, owner = _callee(call.func, reader, dataset)
                inside = reach((function, owner)) if function is not None else None
                if inside is not None and inside.draws and not inside.names & SEEDING:
                    return True
                if inside is None and _name_of(call.func) in ALL_DRAWS:
                    return True
    return False


def _remembered(dataset: Any) -> Place | None:
    """The function that an lru_cache keeps the random results of."""
    for reader in _reads_or_cached(dataset):
        plain = getattr(reader, "__wrapped__", reader)
        named = [reader, *(
            getattr(type(dataset), name, plain.__globals__.get(name)) for name in plain.__code__.co_names
        )]
        for each in named:
            wrapped = getattr(each, "__wrapped__", None)
            if hasattr(each, "cache_info") and isinstance(wrapped, types.FunctionType):
                inside = reach((wrapped, dataset))
                if inside.draws and not inside.names & SEEDING:
                    return Place(wrapped.__code__.co_filename, wrapped.__code__.co_firstlineno)
    return None


def _reads_or_cached(dataset: Any) -> Iterator[Any]:
    """What reads an example, under an lru_cache or not."""
    for name in READS:
        method = getattr(type(dataset), name, None)
        if isinstance(getattr(method, "__wrapped__", method), types.FunctionType):
            yield method
