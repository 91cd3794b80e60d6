"""The terms of losses: which are recorded as lost, and that the probe leaves when it has seen enough."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from assay.facts.fact import Schedule
from assay.facts.loss_terms import LossTerms
from assay.probe import Clock, Faults
from assay.probes.loss_terms import ENOUGH, Terms
from assay.traffic import Backward, Traffic
from assay.watching.session import Recording, recording

X, Y = torch.linspace(-1, 1, 24).reshape(6, 4), torch.tensor([0, 1, 2, 0, 1, 1])


def terms(seen: Recording) -> LossTerms:
    facts = seen.facts().find(LossTerms)
    assert isinstance(facts, LossTerms), facts
    assert not seen.broken
    return facts


def test_a_term_that_nothing_reads_is_lost_and_one_that_is_logged_is_not() -> None:
    layer = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    log = []
    with recording() as seen:
        for _ in range(3):
            scores = layer(X)
            loss = F.cross_entropy(scores, Y)
            logged = F.multi_margin_loss(scores, Y)
            forgotten = F.mse_loss(scores, torch.zeros(6, 3))  # noqa: F841  # the fault itself
            log.append(logged.item())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    (lost,) = terms(seen).dropped
    assert (lost.name, lost.variable, lost.how, lost.steps) == ("mse_loss", "forgotten", "unread", 3)
    assert terms(seen).computed == 3


def test_a_term_of_a_trial_before_the_loop_is_not_lost() -> None:
    layer = nn.Linear(4, 3)
    with recording() as seen:
        trial = F.mse_loss(layer(X), torch.zeros(6, 3))  # noqa: F841  # computed once, as a trial
        F.cross_entropy(layer(X), Y).backward()
    assert terms(seen).dropped == ()


def test_it_leaves_when_it_has_seen_enough() -> None:
    traffic, clock = Traffic(), Clock(Schedule(dense=ENOUGH + 1))
    Terms(clock, Faults(), traffic).attach()
    for _ in range(ENOUGH):
        clock.tick()
    for look in tuple(traffic.began):
        look(Backward(function="backward", roots=X.sum(), nested=False))
    assert (traffic.passed, traffic.scored, traffic.began) == ([], [], [])
