"""Ending a program after some optimizer steps, as if it had called `sys.exit()` itself."""

from __future__ import annotations

from typing import Any

from torch.optim.optimizer import register_optimizer_step_post_hook


class Stopping:
    """Ends the program from within its N-th optimizer step, counted over all optimizers.

    Its `finally` blocks and functions registered with atexit run. A program that catches SystemExit is told again at
    its next step. Attach it after the probes, so that they have seen the last step.
    """

    def __init__(self, steps: int) -> None:
        self._left = steps
        self._hook: Any = None
        self.stopped = False

    def attach(self) -> None:
        """Hook the steps of all optimizers."""
        self._hook = register_optimizer_step_post_hook(self._stepped)

    def detach(self) -> None:
        """Take the hook away."""
        if self._hook is not None:
            self._hook.remove()
            self._hook = None

    def _stepped(self, _optimizer: Any, _arguments: Any, _named: Any) -> None:
        self._left -= 1
        if self._left <= 0:
            self.stopped = True
            raise SystemExit(0)
