"""What becomes of gradients between a backward pass and the step, and which optimizers never step."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from assay.facts.fact import Absent
from assay.facts.order import OrderFacts, OrderRecord
from assay.watching.session import Recording, recording


def orders(seen: Recording) -> tuple[OrderRecord, ...]:
    facts = seen.facts().find(OrderFacts)
    assert isinstance(facts, OrderFacts), facts
    return facts.optimizers


def loss_of(model: nn.Module) -> Tensor:
    x = torch.randn(8, 4)
    return nn.functional.mse_loss(model(x), x[:, :1])


def test_a_usual_loop_fills_and_uses() -> None:
    model = nn.Linear(4, 1)
    with recording() as seen:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        for _ in range(6):
            optimizer.zero_grad()
            loss_of(model).backward()
            optimizer.step()
    (order,) = orders(seen)
    assert (order.steps, order.seen, order.filled) == (6, 6, 6)
    assert (order.cleared, order.empty, order.again, order.shared) == (0, 0, 0, 0)


def test_gradients_cleared_by_hand_before_the_step_are_gone() -> None:
    model = nn.Linear(4, 1)
    with recording() as seen:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        for _ in range(6):
            loss_of(model).backward()
            for parameter in model.parameters():
                parameter.grad = None
            optimizer.step()
    (order,) = orders(seen)
    assert (order.filled, order.cleared) == (6, 6)
    assert order.clear_place is None
    assert order.step_place is not None


def test_a_closure_says_nothing_of_the_order() -> None:
    model = nn.Linear(4, 1)

    with recording() as seen:
        optimizer = torch.optim.LBFGS(model.parameters(), max_iter=2)

        def closure() -> Tensor:
            optimizer.zero_grad()
            loss = loss_of(model)
            loss.backward()
            return loss

        for _ in range(6):
            optimizer.step(closure)
    (order,) = orders(seen)
    assert (order.seen, order.filled, order.again, order.empty) == (6, 0, 0, 0)


def test_gradients_assigned_by_hand_are_new_ones() -> None:
    model = nn.Linear(4, 1)
    with recording() as seen:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        for number in range(6):
            for parameter in model.parameters():
                parameter.grad = torch.full_like(parameter, float(number + 1))
            optimizer.step()
    (order,) = orders(seen)
    assert (order.again, order.empty) == (0, 0)


def test_steps_that_use_the_same_gradients_are_counted() -> None:
    model = nn.Linear(4, 1)
    with recording() as seen:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        for _ in range(4):
            optimizer.zero_grad()
            loss_of(model).backward()
            optimizer.step()
            optimizer.step()
    (order,) = orders(seen)
    assert (order.seen, order.again) == (8, 4)


def test_an_optimizer_that_never_steps_is_fed() -> None:
    still, written = nn.Linear(4, 1), nn.Linear(4, 1)
    with recording() as seen:
        torch.optim.SGD(still.parameters(), lr=0.01)
        kept = [torch.optim.SGD(model.parameters(), lr=0.01) for model in (still, written)]
        for _ in range(12):
            (loss_of(still) + loss_of(written)).backward()
            for parameter in written.parameters():
                parameter.data -= 0.01
    assert [(order.fed, order.by_hand) for order in orders(seen)][-2:] == [(12, False), (12, True)]
    assert len(kept) == 2


def test_no_optimizer_means_not_applicable() -> None:
    with recording() as seen:
        pass
    absent = seen.facts().find(OrderFacts)
    assert isinstance(absent, Absent)
    assert not absent.applicable
