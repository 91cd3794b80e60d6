"""Being told that a module has been imported, at the moment when its import is complete.

Nothing is imported for it: a program that never imports the module is never called back. The module is left as it
would have been, with its own loader.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import ModuleType
from typing import Any

Then = Callable[[], None]


def when_imported(name: str, then: Then) -> Then:
    """Call `then` when the module has been imported: at once if it already is.

    Returns what takes the wish back. Several may wait for one module; they are called in the order of their asking.
    What `then` raises reaches the program's import, so it must be contained.
    """
    if name in sys.modules:
        then()
        return lambda: None
    finder = next((each for each in sys.meta_path if isinstance(each, _Finder) and each.name == name), None)
    if finder is None:
        finder = _Finder(name)
        sys.meta_path.insert(0, finder)
    waiting = finder
    waiting.wishes.append(then)

    def cancel() -> None:
        if then in waiting.wishes:
            waiting.wishes.remove(then)
        if not waiting.wishes and waiting in sys.meta_path:
            sys.meta_path.remove(waiting)

    return cancel


class _Announcing(Loader):
    """A module's own loader; once it has run, it calls back and leaves the module as it would have been."""

    def __init__(self, loader: Any, wishes: Sequence[Then]) -> None:
        self._loader = loader
        self._wishes = wishes

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """As the module's own loader does."""
        made: ModuleType | None = self._loader.create_module(spec)
        return made

    def exec_module(self, module: ModuleType) -> None:
        """As the module's own loader does; then call back."""
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        for then in tuple(self._wishes):
            then()


class _Finder(MetaPathFinder):
    """Finds one module, as Python's own finders do, with a loader that announces it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.wishes: list[Then] = []

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """The announcing spec for the one module, None for all others."""
        if fullname != self.name or not self.wishes:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Announcing(spec.loader, self.wishes)
        return spec
