"""NumPy's and Python's global generators: whether the user's own code draws from them without having seeded them.

Nothing is drawn, and no state is changed: functions that seed and that draw are wrapped, and only calls from the user's
own files count, or from packages that draw because the user's code asks them to.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from functools import partial, wraps
from types import FrameType
from typing import Any

from assay.announcing import when_imported
from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet
from assay.facts.randomness import Drawn, GlobalRandomness
from assay.probe import Clock, Faults, Patches, is_library, own_files, user_place
from assay.program_text import calls_in, tree_of

NUMPY = (
    "rand", "randn", "randint", "random", "random_sample", "permutation", "shuffle", "choice", "normal", "uniform",
    "standard_normal", "binomial", "poisson", "exponential", "beta", "gamma", "multivariate_normal", "dirichlet",
)
PYTHON = (
    "random", "shuffle", "sample", "choice", "choices", "randint", "randrange", "uniform", "gauss", "normalvariate",
)
ASKED = ("pandas", "torch_geometric", "torchvision", "albumentations")
"""Packages that draw from the global generators when the user's code asks for it."""

SKLEARN = ("sklearn.model_selection._split", "sklearn.datasets._samples_generator", "sklearn.utils._indexing")
"""Modules that turn `random_state=None` into NumPy's global generator, by a function of their own namespace."""

FEW = 3
"""Single numbers from Python's random may be a port, a name or a colour; from here on they count as randomness."""

AT_ONCE = frozenset({"shuffle", "sample", "choices"})

GLOBAL, OWN, PLAIN = "NumPy", "NumPy's default_rng", "Python's random"

Given = tuple[tuple[Any, ...], dict[str, Any]]
Look = Callable[[str, Given, FrameType], None]


class GlobalRandomnessProbe:
    """Records what is drawn without a seed."""

    name = "global randomness"
    kinds: tuple[type[Fact], ...] = (GlobalRandomness,)

    def __init__(self, clock: Clock, faults: Faults) -> None:
        self._clock = clock
        self._faults = faults
        self._patches = Patches()
        self._cancels: list[Callable[[], None]] = []
        self._seeded: set[str] = set()
        self._drawn: dict[str, Drawn] = {}
        self._draws: Counter[str] = Counter()

    def attach(self) -> None:
        """Wrap what seeds and what draws, once it is imported."""
        self._seeded |= {source for source, names in SEEDS.items() if _calls(own_files(), names)}
        self._replace("random", ("seed", "setstate"), partial(self._seed, PLAIN))
        self._replace("random", PYTHON, partial(self._draw, PLAIN))
        self._once("numpy.random", self._numpy)
        for module in SKLEARN:
            look = partial(self._make, GLOBAL, "scikit-learn with random_state=None")
            self._once(module, partial(self._replace, module, ("check_random_state",), look))

    def detach(self) -> None:
        """Put the originals back."""
        for cancel in self._cancels:
            cancel()
        self._patches.restore()

    def facts(self) -> FactSet:
        """The first draws that a step followed; absent where nothing was trained."""
        if not self._clock.steps:
            return FactSet(absent={GlobalRandomness: Absent("nothing was trained", applicable=False)})
        followed = (drawn for drawn in self._drawn.values() if drawn.step < self._clock.steps)
        return FactSet.of(GlobalRandomness(drawn=tuple(followed)))

    def _once(self, module: str, then: Callable[[], None]) -> None:
        self._cancels.append(when_imported(module, self._faults.contained(self.name, then)))

    def _replace(self, module: str, names: tuple[str, ...], look: Look) -> None:
        told = self._faults.contained(self.name, look)
        for name in names:
            self._patches.replace_held(sys.modules[module], name, partial(_telling, told))

    def _numpy(self) -> None:
        self._replace("numpy.random", ("seed", "set_state"), partial(self._seed, GLOBAL))
        self._replace("numpy.random", NUMPY, partial(self._draw, GLOBAL))
        self._replace("numpy.random", ("default_rng",), partial(self._make, OWN, "default_rng()"))

    def _seed(self, source: str, _: str, given: Given, __: FrameType) -> None:
        if any(value is not None for value in (*given[0], *given[1].values())):
            self._seeded.add(source)

    def _draw(self, source: str, name: str, _: Given, caller: FrameType) -> None:
        if source in self._seeded or source in self._drawn or not _asked_for(caller):
            return
        self._draws[source] += 1
        if source != PLAIN or name in AT_ONCE or self._draws[source] >= FEW:
            self._drawn[source] = Drawn(source=source, by=name, place=user_place(caller), step=self._clock.steps)

    def _make(self, source: str, what: str, _: str, given: Given, caller: FrameType) -> None:
        """A generator was asked for: without a seed it is the global one's or the operating system's randomness."""
        seeded = any(value is not None for value in (*given[0], *given[1].values()))
        if seeded or source in self._seeded or source in self._drawn or not (source == GLOBAL or _asked_for(caller)):
            return
        self._drawn[source] = Drawn(source=source, by=what, place=user_place(caller), step=self._clock.steps)


SEEDS = {GLOBAL: {"np.random.seed", "numpy.random.seed"}, PLAIN: {"random.seed"}}
"""Calls that seed a generator before torch, and assay with it, was imported: read from the script's text."""


def _calls(files: tuple[str, ...], names: set[str]) -> bool:
    trees = filter(None, map(tree_of, files))
    return any(name in names for tree in trees for name in calls_in(tree))


def _telling(look: Look, original: Any) -> Any:
    name = original.__name__

    @wraps(original)
    def function(*arguments: Any, **named: Any) -> Any:
        look(name, (arguments, named), sys._getframe(1))  # noqa: SLF001  # the caller's frame
        return original(*arguments, **named)

    return function


def _asked_for(caller: FrameType) -> bool:
    """Whether the user's own code calls, or a package on its behalf: not a library for itself, nor an import."""
    return not is_library(caller.f_code.co_filename) or (
        str(caller.f_globals.get("__name__", "")).partition(".")[0] in ASKED and user_place(caller) is not None
    )
