"""Ranks of a watched program: reached however it starts them, gathered, and only they."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from assay.facts.distributed import RankReplicas, ReplicaFacts
from assay.facts.fact_set import FactSet
from assay.watching.ranks import FOLDER, HOOK, Left, gathering, joined

TRAINING = """
import os, sys
import torch
import torch.distributed as dist
import torch.multiprocessing as mp

def train(rank, store):
    dist.init_process_group("gloo", init_method="file://" + store, rank=rank, world_size=2)
    torch.manual_seed(rank)
    model = torch.nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(6):
        inputs = torch.randn(8, 4)
        optimizer.zero_grad()
        model(inputs).pow(2).mean().backward()
        for parameter in model.parameters():
            dist.all_reduce(parameter.grad)
        optimizer.step()
        if step == 4 and "--kill" in sys.argv and rank == 1:
            os.kill(os.getpid(), 9)
    print("trained", rank, flush=True)

if __name__ == "__main__":
    store = os.path.abspath("store")
    if "RANK" in os.environ:
        train(int(os.environ["RANK"]), store)
    else:
        mp.start_processes(train, (store,), nprocs=2, start_method=sys.argv[1])
"""


def watched(*arguments: str, folder: Path) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    (folder / "train.py").write_text(TRAINING)
    command = [sys.executable, "-m", "assay", "watch", "--json", "found.json", *arguments]
    ended = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    return ended, json.loads((folder / "found.json").read_text())


def differing(found: dict[str, Any]) -> list[int]:
    """The lines of what is found about replicas, and nothing else is loud."""
    loud = [each for each in found["findings"] if each["severity"] != "note"]
    assert {each["rule"] for each in loud} <= {"replicas-differ"}, loud
    return [each["where"]["line"] for each in loud]


STEP = TRAINING.splitlines().index("        optimizer.step()") + 1


@pytest.mark.parametrize("start", ["spawn", "fork"])
def test_processes_that_a_script_starts_are_watched(start: str, tmp_path: Path) -> None:
    ended, found = watched("train.py", start, folder=tmp_path)
    assert sorted(ended.stdout.splitlines()) == ["trained 0", "trained 1"], ended.stderr
    assert differing(found) == [STEP]


def test_torchrun_is_a_module_like_any_other(tmp_path: Path) -> None:
    ended, found = watched(
        "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", "train.py", folder=tmp_path,
    )
    assert sorted(ended.stdout.splitlines()) == ["trained 0", "trained 1"], ended.stderr
    assert differing(found) == [STEP]


def test_what_a_killed_rank_has_left_counts(tmp_path: Path) -> None:
    ended, found = watched("train.py", "fork", "--kill", folder=tmp_path)
    assert ended.returncode == 1
    assert differing(found) == [STEP]


@pytest.mark.parametrize("own", ["print('its own')\n", ""])
def test_a_child_that_is_no_rank_leaves_nothing_and_keeps_its_own_site_hook(own: str, tmp_path: Path) -> None:
    if own:
        (tmp_path / "sitecustomize.py").write_text(own)
    code = "import sys, torch; print(sum('site_hook' in each for each in sys.path), torch.zeros(1).item())"
    with gathering() as ranks:
        path = os.pathsep.join((os.environ["PYTHONPATH"], str(tmp_path)))
        ended = subprocess.run(
            [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True,
            check=False,
        )
        assert ended.stdout == ("its own\n" if own else "") + "0 0.0\n"
        assert ended.stderr == ""
        assert ranks.left() == []


def test_the_environment_is_put_back() -> None:
    before = dict(os.environ)
    with gathering() as ranks:
        assert os.environ[FOLDER] == str(ranks.folder)
        assert os.environ["PYTHONPATH"].startswith(HOOK)
    assert dict(os.environ) == before
    assert not ranks.folder.exists()


def test_a_torn_file_is_passed_over(tmp_path: Path) -> None:
    with gathering() as ranks:
        (ranks.folder / "1.pickle").write_bytes(b"\x80")
        assert ranks.left() == []


def test_ranks_stand_in_their_order() -> None:
    left = [Left(facts=FactSet.of(ReplicaFacts(ranks=(RankReplicas(number=number, world=2, parameters=()),))))
            for number in (1, 0)]
    facts = joined(FactSet(), left).find(ReplicaFacts)
    assert isinstance(facts, ReplicaFacts)
    assert [rank.number for rank in facts.ranks] == [0, 1]
