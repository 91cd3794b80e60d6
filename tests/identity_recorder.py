"""Runs one program, watched or alone, and writes what it came to; `tests/identity.py` compares.

It hooks the optimizers itself, before anything of assay is imported, in both kinds of run alike.
"""

from __future__ import annotations

import hashlib
import json
import random
import runpy
import sys
from pathlib import Path


def main() -> int:
    kept, how, program = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    import numpy as np
    import torch
    from torch.optim.optimizer import register_optimizer_step_post_hook

    weights = hashlib.blake2b()
    steps = 0

    def stepped(optimizer: torch.optim.Optimizer, _arguments: object, _named: object) -> None:
        nonlocal steps
        steps += 1
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                values = parameter.detach().to_dense() if parameter.is_sparse else parameter.detach()
                weights.update(values.contiguous().flatten().view(torch.uint8).numpy().tobytes())

    register_optimizer_step_post_hook(stepped)
    for seed in (random.seed, np.random.seed, torch.manual_seed):  # so that programs without a seed repeat themselves
        seed(0)
    code = run_watched(program) if how == "watched" else run_alone(program)
    drawn = [torch.rand(4).tolist(), np.random.rand(4).tolist(), [random.random() for _ in range(4)]]
    kept.write_text(json.dumps({"steps": steps, "weights": weights.hexdigest(), "randomness": json.dumps(drawn)}))
    return code


def run_alone(program: str) -> int:
    sys.argv = [program]
    sys.path[0] = str(Path(program).resolve().parent)
    try:
        runpy.run_path(program, run_name="__main__")
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def run_watched(program: str) -> int:
    from assay.watching.judging import judged
    from assay.watching.program import Program, run

    ended = run(Program(program))
    judgement = judged(ended.facts, broken=ended.broken)
    if judgement.broken:
        print(f"broken: {judgement.broken}")
    return ended.exit


if __name__ == "__main__":
    sys.exit(main())
