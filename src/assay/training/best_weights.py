"""The best checkpoint of each seed of a run: where it lies, whether it is whole, and a module that carries it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from assay.errors import RunFolderError
from assay.ledger import Ledger
from assay.recipe.schema import Recipe, Training
from assay.run_folder import LEDGER
from assay.training.assembly import Assembly
from assay.training.checkpoints import CheckpointFolder, read_checkpoint
from assay.training.trainer import trainer_settings


def seed_folder(run: Path, recipe: Recipe, seed: int) -> Path:
    """The folder of this seed's training: the first seed's is the single run's."""
    return run / ("single" if seed == recipe.seeds[0] else "seeds") / f"seed-{seed}"


def best_weights(run: Path, recipe: Recipe) -> dict[int, str]:
    """SHA-256 of every seed's best checkpoint, by seed; a seed that never had a finite score has none.

    Raises RunFolderError where one is damaged or was deleted, or the recipe keeps none.
    """
    found = dict(_digests(run, recipe))
    if not recipe.checkpointing.save_best:
        raise RunFolderError(
            f"{run} keeps no best checkpoint, its recipe says checkpointing.save_best: false; run it with true."
        )
    if not found:
        raise RunFolderError(f"{run} holds no best checkpoint of any seed: `assay run {run}` trains what is missing.")
    gone = sorted(_scored(run) - set(found))
    if gone:
        raise RunFolderError(
            f"{_path(run, recipe, gone[0])} is missing, though seed {gone[0]} was trained and scored: put it back, or "
            "start a new run."
        )
    return found


def best_content(run: Path, recipe: Recipe, seed: int) -> dict[str, Any]:
    """What the seed's best checkpoint holds. Raises RunFolderError where it isn't there or can't be read."""
    return read_checkpoint(_path(run, recipe, seed))


def best_module(assembly: Assembly, run: Path, recipe: Recipe, seed: int) -> Any:
    """The module with the seed's best weights, in evaluation mode, on the CPU."""
    module = assembly.module(seed)
    module.load_state_dict(best_content(run, recipe, seed)["state_dict"])
    return module.eval()


def device_of(training: Training) -> torch.device:
    """The one device that the recipe asks for. Raises RecipeError where the machine has none of its kind."""
    trainer_settings(training, max_epochs=1)
    if training.device == "auto":
        kind = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
        return torch.device(kind)
    return torch.device(training.device)


@torch.no_grad()
def outputs_of(assembly: Assembly, module: Any, batches: Any) -> Tensor:
    """The module's raw outputs over all batches, [n, outputs], on the CPU."""
    return torch.cat([assembly.outputs(module, batch).detach().cpu() for batch in batches])


def _scored(run: Path) -> set[int]:
    """Seeds that had a finite score when their stage ended last, as the run's ledger tells it."""
    results = {entry.payload["stage"]: entry.payload["result"] for entry in Ledger(run / LEDGER).entries()
               if entry.event == "stage"}
    told = [results.get("single", {}), *results.get("seeds", {}).get("seeds", ())]
    return {each["seed"] for each in told if each.get("score") is not None}


def _digests(run: Path, recipe: Recipe) -> Iterator[tuple[int, str]]:
    for seed in recipe.seeds:
        path = _path(run, recipe, seed)
        stated = path.with_name(f"{path.name}.sha256")
        try:
            if not path.is_file():
                continue
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            lines = stated.read_text(encoding="ascii", errors="replace").splitlines() if stated.is_file() else []
        except OSError as fault:
            raise RunFolderError(f"{path} can't be read ({fault.strerror or fault}): give the rights.") from fault
        known = {line.split()[0] for line in lines if line.strip()}
        if digest not in known:
            raise RunFolderError(f"{path} is damaged: it is not what was saved. Start a new run.")
        yield seed, digest


def _path(run: Path, recipe: Recipe, seed: int) -> Path:
    return CheckpointFolder(seed_folder(run, recipe, seed) / "checkpoints").path("best")
