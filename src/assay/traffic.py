"""What passes through a program's models and losses, told to the probes that listen.

Six probes hook the program and tell (`forward_passes`, `loss_functions`, `backward_passes`, `steps`, `modules` of
what is made, `loaders` of what is delivered); the others listen. A listener sees the live tensors during its look and
must not keep them: it takes numbers, shapes or fingerprints, or a weak reference. One that has seen enough leaves, so
that it costs nothing more.

    self._look = faults.contained(self.name, self._passed)
    traffic.sampled.passed.append(self._look)  # when attached: called where there is something to see
    traffic.passed.append(self._look)          # or on every step, which has to cost next to nothing,
    traffic.passed.remove(self._look)          # until it has seen enough
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, Literal

from assay.facts.fact import Place


@dataclass(eq=False, kw_only=True)
class Pass:
    """One call of a module by the program's own code: the outermost, so mostly of a whole model.

    arguments, named, output    as the program gave and got them, live
    recorded        whether autograd recorded it: False under no_grad and in inference mode
    training        the module's own mode
    entry           whether what it was given are data, and not what another module had put out
    step            optimizer steps taken before it
    number          how many passes came before it
    drops           calls of dropout within it that were switched on
    """

    module: Any
    arguments: tuple[Any, ...]
    named: dict[str, Any]
    output: Any
    recorded: bool
    training: bool
    entry: bool
    step: int
    number: int
    drops: int = 0


@dataclass(eq=False, kw_only=True)
class Inner:
    """One call of a module within a pass, seen on the steps that the clock looks at."""

    module: Any
    arguments: tuple[Any, ...]
    named: dict[str, Any]
    output: Any
    recorded: bool


@dataclass(eq=False, kw_only=True)
class Scored:
    """One call of a loss function of torch.nn.functional, in training or in evaluation.

    function    the original; its `__name__` is the loss's name
    recorded    whether its value has a graph, so that a backward pass may follow
    latest      the pass that came last before it: mostly the one whose output it is given
    """

    function: Callable[..., Any]
    positional: tuple[Any, ...]
    keywords: dict[str, Any]
    value: Any
    recorded: bool
    step: int
    latest: int | None

    @property
    def name(self) -> str:
        """torch.nn.functional's name."""
        return self.function.__name__

    @cached_property
    def arguments(self) -> dict[str, Any]:
        """All arguments by name, defaults filled in.

        The first is "input" too where the function calls it otherwise: log_probs, input1 or anchor.
        """
        names, defaults = _parameters(self.function)
        given = {**defaults, **dict(zip(names, self.positional, strict=False)), **self.keywords}
        return {"input": given[names[0]], **given}


@cache
def _parameters(function: Callable[..., Any]) -> tuple[tuple[str, ...], dict[str, Any]]:
    """The names of a function's parameters, and the defaults of those that have one."""
    parameters = inspect.signature(function).parameters
    defaults = {name: each.default for name, each in parameters.items() if each.default is not each.empty}
    return tuple(parameters), defaults


@dataclass(eq=False, kw_only=True)
class Backward:
    """One call of torch.autograd.backward (which `loss.backward()` calls) or torch.autograd.grad.

    function    "backward" or "grad"
    roots       what it was given to start from, as given: tensors or edges of the graph, one or several
    nested      whether it runs within another, as a reentrant checkpoint's own does; such a one doesn't end by itself
    """

    function: Literal["backward", "grad"]
    roots: Any
    nested: bool


@dataclass(eq=False, kw_only=True)
class Delivered:
    """One batch that a DataLoader handed to the program.

    loader      which one, counted in the order in which they were first seen
    place       the line that made it; None where it was made before the watch
    sequential  whether it takes the examples in the order of the data set
    iteration   iterations of this loader that were begun before this one
    position    batches of this iteration that came before
    """

    batch: Any
    loader: int
    place: Place | None
    sequential: bool
    iteration: int
    position: int


@dataclass(eq=False, kw_only=True)
class Made:
    """One module whose making has begun (its own `__init__` still runs), or that was copied or loaded as a whole.

    place       the user's line that makes it; None where a library does
    """

    module: Any
    place: Place | None
    copied: bool


@dataclass(eq=False)
class Sampled:
    """Looks that are called where there is something to see: on the steps that the clock looks at, and around passes
    that aren't familiar yet, such as those of an evaluation, until the next step has ended.

    Most of what a probe wants is seen there, and costs nothing in between. What happens from one step to the next is
    told as a whole or not at all.
    """

    passed: list[Callable[[Pass], None]] = field(default_factory=list)
    scored: list[Callable[[Scored], None]] = field(default_factory=list)
    began: list[Callable[[Backward], None]] = field(default_factory=list)
    ended: list[Callable[[Backward], None]] = field(default_factory=list)
    stepping: list[Callable[[Any], None]] = field(default_factory=list)
    stepped: list[Callable[[Any], None]] = field(default_factory=list)


@dataclass(eq=False)
class Traffic:
    """Who listens to what: looks that are called, in this order, by the probes that hook the program.

    Looks must be contained (`Faults.contained`), since what they raise would reach the program. Those in these lists
    are called on every step of the program, so they must do next to nothing; those in `sampled`, when the clock looks.

    passed              a module was called by the program's own code
    inner               a module was called within such a pass, on the steps that the clock looks at
    scored              a loss function was called
    began, ended        a backward pass begins, has ended
    stepping, stepped   an optimizer is about to step, has stepped; the clock ticks afterwards
    delivered           a DataLoader handed out a batch
    made                a module was made, copied or loaded
    attending           whether a pass was told that isn't familiar yet, and no step has ended since
    passes              passes so far
    running             the module whose pass is running
    silent              whether what runs is assay's own, on a copy
    drops               calls of dropout that were switched on, so far within passes
    """

    passed: list[Callable[[Pass], None]] = field(default_factory=list)
    inner: list[Callable[[Inner], None]] = field(default_factory=list)
    scored: list[Callable[[Scored], None]] = field(default_factory=list)
    began: list[Callable[[Backward], None]] = field(default_factory=list)
    ended: list[Callable[[Backward], None]] = field(default_factory=list)
    stepping: list[Callable[[Any], None]] = field(default_factory=list)
    stepped: list[Callable[[Any], None]] = field(default_factory=list)
    delivered: list[Callable[[Delivered], None]] = field(default_factory=list)
    made: list[Callable[[Made], None]] = field(default_factory=list)
    sampled: Sampled = field(default_factory=Sampled)
    attending: bool = False
    passes: int = 0
    running: Any = None
    drops: int = 0
    silent: bool = False

    def listeners(self, event: str) -> list[Any]:
        """The looks at an event, such as "passed": the sampled ones where there are such."""
        found: list[Any] = getattr(self.sampled if hasattr(self.sampled, event) else self, event)
        return found

    @contextmanager
    def silence(self) -> Iterator[None]:
        """What runs within is assay's own, on a copy: nobody is told of it."""
        self.silent = True
        try:
            yield
        finally:
            self.silent = False
