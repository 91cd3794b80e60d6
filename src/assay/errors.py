"""The exceptions that assay raises.

    AssayError
    ├── UnusableInput            something the user gave can't be used: exit code 2
    │   ├── RecipeError          a recipe with one or more problems
    │   ├── DataError            data that can't be read or learned from
    │   ├── RunFolderError       a run's folder that can't be made, read or continued
    │   ├── MissingExtra         an optional dependency that isn't installed
    │   └── UserCodeError        the user's own module or data raised
    └── DefectError              assay broke one of its own contracts

Every message is one plain sentence that says what was found, where, and what to do.
"""

from __future__ import annotations

from collections.abc import Sequence


class AssayError(Exception):
    """Base of all exceptions of assay."""


class UnusableInput(AssayError):
    """Something the user gave can't be used; the command line prints it and exits with 2."""


class RecipeError(UnusableInput):
    """A recipe with problems, all of them at once.

    `problems` holds one sentence each, in the order of their lines.
    """

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class DataError(UnusableInput):
    """Data that can't be read or learned from."""


class RunFolderError(UnusableInput):
    """A run's folder that can't be made, read or continued."""


class MissingExtra(UnusableInput):
    """An optional dependency that isn't installed."""

    def __init__(self, *, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs an optional dependency: install it with `pip install 'assay[{extra}]'`.")


class UserCodeError(UnusableInput):
    """The user's own module or data raised; the message says which line."""


class DefectError(AssayError):
    """assay broke one of its own contracts: a bug worth reporting."""
