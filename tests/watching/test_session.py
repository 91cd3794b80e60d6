"""A session: what it yields, that it contains its own failures, and that it changes nothing."""

from __future__ import annotations

import hashlib
import io
import random
import runpy
from contextlib import nullcontext, redirect_stdout
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

import assay
from assay.facts.fact import Absent
from assay.facts.loss import LossFacts
from assay.facts.model import ModelFacts
from assay.facts.optimizer import OptimizerFacts
from assay.probes.loss_graph import LossGraph
from assay.watching.session import recording, watch

HEALTHY = Path(__file__).parents[1] / "healthy"
REPEATABLE = ("gan", "lbfgs", "gradient_accumulation", "mixed_precision", "checkpointing", "summed_vae", "one_cycle",
              "double_backward", "tied_language_model", "target_network", "several_losses", "experts")


def double_softmax(steps: int = 4) -> nn.Module:
    torch.manual_seed(0)
    model = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        F.cross_entropy(model(torch.ones(2, 4)).softmax(1), torch.tensor([0, 1])).backward()
        optimizer.step()
    return model


def test_a_watch_judges_what_happened_within() -> None:
    with watch() as w:
        double_softmax()
    (finding,) = [each for each in w.judgement.findings if each.severity == "error"]
    assert finding.rule == "loss-on-probabilities"
    assert finding.where is not None
    assert finding.where.place is not None
    assert finding.where.place.file.endswith("test_session.py")
    assert isinstance(w.facts.find(OptimizerFacts), OptimizerFacts)
    assert "grad-accumulates" in w.judgement.passed


def test_a_watch_judges_while_it_goes_on() -> None:
    with watch() as w:
        double_softmax()
        assert [each.rule for each in w.judgement.errors] == ["loss-on-probabilities"]


def test_what_is_allowed_is_set_aside() -> None:
    with assay.watch(allow=["loss-on-probabilities"]) as w:
        double_softmax()
    assert w.judgement.errors == ()
    assert [each.rule for each in w.judgement.allowed] == ["loss-on-probabilities"]


def test_a_line_may_allow_a_rule() -> None:
    with watch() as w:
        logits = nn.Linear(4, 3)(torch.ones(2, 4))
        F.cross_entropy(
            logits.softmax(1), torch.tensor([0, 1]),
        ).backward()  # assay: allow loss-on-probabilities
    assert w.judgement.errors == ()
    assert [each.rule for each in w.judgement.allowed] == ["loss-on-probabilities"]


def test_an_exception_passes_through_and_the_program_is_left_as_it_was() -> None:
    original = F.cross_entropy

    def fails() -> None:
        double_softmax()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), watch() as w:
        fails()
    assert F.cross_entropy is original
    assert w.judgement.errors


def test_watches_within_watches_both_see() -> None:
    original = F.cross_entropy
    with watch() as outer:
        with watch() as inner:
            double_softmax()
        double_softmax()
    assert inner.judgement.errors
    assert outer.judgement.errors
    assert F.cross_entropy is original


def test_a_failing_probe_is_reported_and_never_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("out of order")

    expected = double_softmax().weight
    monkeypatch.setattr(LossGraph, "_began", fail)
    with watch() as w:
        weight = double_softmax().weight
    assert torch.equal(weight, expected)
    assert w.judgement.broken == {"probe: loss graph": "RuntimeError: out of order"}
    absent = w.facts.find(LossFacts)
    assert isinstance(absent, Absent)
    assert absent.applicable
    assert "out of order" in w.judgement.not_checked["loss-on-probabilities"]
    assert isinstance(w.facts.find(ModelFacts), ModelFacts)


def test_a_probe_that_can_not_attach_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise RuntimeError("no such hook")

    monkeypatch.setattr(LossGraph, "attach", fail)
    with watch() as w:
        double_softmax()
    assert "no such hook" in w.judgement.broken["probe: loss graph"]


def test_a_failing_probe_may_not_swallow_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(LossGraph, "_began", interrupt)
    with pytest.raises(KeyboardInterrupt), watch():
        double_softmax()


def traces(path: Path, *, watched: bool) -> tuple[str, str, list[bytes]]:
    """Standard output, a digest of all weights and optimizer states, and the random streams after a program."""
    random.seed(1)
    np.random.seed(1)  # the global stream is what a program might draw from
    said = io.StringIO()
    with recording() if watched else nullcontext(), redirect_stdout(said):
        left = runpy.run_path(str(path))
    digest = hashlib.sha256()
    for value in left.values():
        if isinstance(value, nn.Module):
            tensors = list(value.state_dict().values())
        elif isinstance(value, torch.optim.Optimizer):
            states = value.state_dict()["state"].values()
            tensors = [each for state in states for each in state.values() if isinstance(each, torch.Tensor)]
        else:
            tensors = [value] if isinstance(value, torch.Tensor) else []
        for tensor in tensors:
            digest.update(tensor.detach().float().numpy().tobytes())
    streams = [torch.get_rng_state().numpy().tobytes(), np.random.get_state()[1].tobytes(),
               repr(random.getstate()).encode()]
    return said.getvalue(), digest.hexdigest(), streams


@pytest.mark.parametrize("name", REPEATABLE)
def test_watching_changes_nothing(name: str) -> None:
    path = HEALTHY / f"{name}.py"
    assert traces(path, watched=True) == traces(path, watched=False)


def test_a_difference_would_show(tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / f"{number}.py").write_text(f"import torch\ntorch.manual_seed({number})\nw = torch.rand(3)\n")
    assert traces(tmp_path / "1.py", watched=False) != traces(tmp_path / "2.py", watched=False)
