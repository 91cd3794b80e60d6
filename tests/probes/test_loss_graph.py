"""The loss's graph: what is recorded of which calls, and what a program may do that must not be disturbed."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.autograd.graph import GradientEdge

from assay.facts.fact import Absent, Schedule, Unknown
from assay.facts.loss import LossCall, LossFacts
from assay.facts.model import ModelFacts
from assay.probes.loss_functions import LOSSES
from assay.traffic import Scored
from assay.watching.session import Recording, recording, watch


@pytest.fixture
def model() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))


X, Y = torch.linspace(-1, 1, 24).reshape(6, 4), torch.tensor([0, 1, 2, 0, 1, 1])


def losses(seen: Recording) -> LossFacts:
    facts = seen.facts().find(LossFacts)
    assert isinstance(facts, LossFacts), facts
    assert not seen.broken
    return facts


def only_call(seen: Recording) -> LossCall:
    (call,) = losses(seen).calls
    return call


def test_a_call_is_recorded_with_what_it_was_given(model: nn.Sequential) -> None:
    with recording() as seen:
        loss = F.cross_entropy(model(X), Y)
        loss.backward()
    call = only_call(seen)
    scores = model(X).detach()
    assert (call.name, call.step, call.classes, call.weighted) == ("cross_entropy", 0, 3, False)
    assert call.chain == ("NllLoss", "LogSoftmax", "Addmm")
    assert call.value == pytest.approx(loss.item())
    assert (call.input_shape, call.target_shape, call.target_kind) == ((6, 3), (6,), "int64")
    assert call.input_range == pytest.approx((scores.min().item(), scores.max().item()))
    assert call.row_sums == pytest.approx((scores.sum(1).min().item(), scores.sum(1).max().item()))
    assert call.target_range == (0, 2)
    shares = [2 / 6, 3 / 6, 1 / 6]
    assert call.label_entropy == pytest.approx(-sum(share * math.log(share) for share in shares))
    assert call.place is not None
    assert call.place.file.endswith("test_loss_graph.py")


def test_only_what_reached_a_backward_pass_is_recorded(model: nn.Sequential) -> None:
    with recording() as seen:
        F.cross_entropy(model(X), Y)
        with torch.no_grad():
            F.mse_loss(model(X), torch.zeros(6, 3))
        F.cross_entropy(2 * model(X), Y).backward()
    assert only_call(seen).chain == ("NllLoss", "LogSoftmax", "Mul", "Addmm")


def test_all_terms_of_a_sum_are_found_in_order(model: nn.Sequential) -> None:
    with recording() as seen:
        scores = model(X)
        total = F.cross_entropy(scores, Y) + 0.1 * F.mse_loss(scores, torch.ones(6, 3)) + scores.pow(2).mean()
        total.backward()
    assert sorted(call.name for call in losses(seen).calls) == ["cross_entropy", "mse_loss"]


def test_ignored_targets_are_left_out(model: nn.Sequential) -> None:
    with recording() as seen:
        F.cross_entropy(model(X), torch.tensor([-100, 1, 1, -100, 1, 1])).backward()
    call = only_call(seen)
    assert call.target_range == (1, 1)
    assert call.label_entropy == 0


@pytest.mark.parametrize("settings", [
    {"weight": torch.tensor([1.0, 2.0, 3.0])}, {"label_smoothing": 0.1}, {"reduction": "sum"},
])
def test_a_loss_without_a_simple_expectation_is_weighted(model: nn.Sequential, settings: dict[str, object]) -> None:
    with recording() as seen:
        F.cross_entropy(model(X), Y, **settings).backward()  # type: ignore[arg-type]  # settings by name
    call = only_call(seen)
    assert call.weighted
    assert isinstance(call.chain, tuple)
    assert call.chain[:3] == ("NllLoss", "LogSoftmax", "Addmm")


def test_a_loss_by_hand_is_seen_through_its_graph(model: nn.Sequential) -> None:
    with recording() as seen:
        (model(X) - torch.zeros(6, 3)).pow(2).mean().backward()
    call = only_call(seen)
    assert (call.name, call.chain) == ("backward", ("Mean", "Pow", "Sub", "Addmm"))
    assert call.broadcast is None


def test_layout_alone_is_left_out_of_the_chain() -> None:
    head = nn.Linear(4, 3)
    with recording() as seen:
        shares = head(X).softmax(1).unsqueeze(0).transpose(1, 2)
        F.cross_entropy(shares, Y.unsqueeze(0)).backward()
    assert only_call(seen).chain == ("NllLoss", "LogSoftmax", "Softmax", "Addmm")


def test_a_reentrant_checkpoint_hides_the_chain_but_not_the_parameters() -> None:
    torch.manual_seed(0)
    first, head = nn.Linear(4, 4), nn.Linear(4, 3)
    model = nn.Sequential(first, head)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with recording() as seen:
        again = nn.Sequential(first, head)
        scores = torch.utils.checkpoint.checkpoint(head, first(X), use_reentrant=True)
        F.cross_entropy(scores, Y).backward()
        optimizer.step()
    chain = only_call(seen).chain
    assert isinstance(chain, Unknown)
    assert "checkpoint" in chain.why
    facts = seen.facts().find(ModelFacts)
    assert isinstance(facts, ModelFacts)
    assert [each.reached for each in facts.models[0].parameters] == [True] * len(list(again.parameters()))


def test_an_opaque_node_ends_the_chain() -> None:
    class CompiledFunction(torch.autograd.Function):
        @staticmethod
        def forward(ctx: object, x: Tensor) -> Tensor:
            return x * 2

        @staticmethod
        def backward(ctx: object, gradient: Tensor) -> Tensor:
            return gradient * 2

    with recording() as seen:
        F.cross_entropy(CompiledFunction.apply(nn.Linear(4, 3)(X)), Y).backward()
    chain = only_call(seen).chain
    assert isinstance(chain, Unknown)
    assert "compiled" in chain.why


def test_a_compiled_loss_is_not_checked_and_compiles_as_often_as_without() -> None:
    counters = torch._dynamo.utils.counters

    def compiled_steps() -> dict[str, int]:
        torch._dynamo.reset()
        counters.clear()
        torch.manual_seed(0)
        head = nn.Linear(4, 3)
        compiled = torch.compile(lambda x: F.cross_entropy(head(x).softmax(1), Y), backend="aot_eager")
        optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
        for _ in range(8):
            compiled(X).backward()
            optimizer.step()
            optimizer.zero_grad()
        return {**counters["stats"], **counters["graph_break"]}

    with watch() as seen:
        inside = compiled_steps()
    assert inside == compiled_steps()
    judgement = seen.judgement
    assert judgement.broken == {}
    assert judgement.findings == ()
    for rule in ("loss-on-probabilities", "loss-broadcast"):
        assert "compiled region" in judgement.not_checked[rule]


def test_roots_that_can_be_read_once_still_reach_the_program(model: nn.Sequential) -> None:
    with recording() as seen:
        torch.autograd.backward(F.cross_entropy(model(X), Y) for _ in range(2))
    assert len(losses(seen).calls) == 2
    twice = model[0].weight.grad.clone()
    model.zero_grad()
    torch.autograd.backward([F.cross_entropy(model(X), Y) for _ in range(2)])
    assert torch.equal(twice, model[0].weight.grad)


def test_a_backward_pass_may_start_from_an_edge_of_the_graph(model: nn.Sequential) -> None:
    with recording() as seen:
        loss = F.cross_entropy(model(X), Y)
        torch.autograd.backward(GradientEdge(loss.grad_fn, 0), torch.ones(()))
    assert only_call(seen).name == "cross_entropy"
    assert model[0].weight.grad is not None


@pytest.mark.parametrize(("first", "second", "reduction", "met"), [
    ("prediction[:, None]", "target[None]", "none", False),  # all pairs, of which the nearest are chosen
    ("prediction[:, None]", "target", "mean", True), ("prediction[:, None]", "target", "none", False),
    ("prediction.view(-1, 1)", "target", "none", True), ("prediction.view(-1, 1)", "prediction * 2", "mean", False),
])
def test_shapes_that_are_to_broadcast_are_no_broadcast(first: str, second: str, reduction: str, met: bool) -> None:
    prediction, target = torch.randn(6, requires_grad=True) * 1, torch.randn(6)
    names = {"prediction": prediction, "target": target}
    with recording() as seen, pytest.warns(UserWarning, match="target size"):
        F.mse_loss(eval(first, names), eval(second, names), reduction=reduction).sum().backward()
    assert (only_call(seen).broadcast is not None) is met


def test_no_backward_pass_means_not_applicable() -> None:
    with recording() as seen:
        pass
    absent = seen.facts().find(LossFacts)
    assert isinstance(absent, Absent)
    assert not absent.applicable


def test_calls_are_sampled_and_bounded(model: nn.Sequential) -> None:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    with recording(Schedule(dense=2)) as seen:
        for _ in range(20):
            for _ in range(3):
                F.cross_entropy(model(X), Y).backward()
            optimizer.step()
            optimizer.zero_grad()
    facts = losses(seen)
    assert sorted({call.step for call in facts.calls}) == [0, 1, 2, 4, 8, 16]
    assert facts.backwards == facts.values == 60
    with recording() as endless:
        for _ in range(100):
            F.cross_entropy(model(X), Y).backward()
    assert len(losses(endless).calls) < 20


def test_a_loss_that_is_not_finite_is_seen_between_samples(model: nn.Sequential) -> None:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
    with recording(Schedule(dense=1)) as seen:
        for step in range(12):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(X), Y)
            (loss * float("nan") if step == 6 else loss).backward()
            if step != 6:
                optimizer.step()
    facts = losses(seen)
    assert facts.not_finite == 1
    assert facts.first_not_finite is not None
    assert facts.first_not_finite.step == 6


X3 = torch.rand(6, 3, generator=torch.Generator().manual_seed(0))
GIVEN: dict[str, tuple[object, ...]] = {
    "cosine_embedding_loss": (torch.ones(6, 3), torch.ones(6)),
    "ctc_loss": (torch.tensor([[1, 2]]), torch.tensor([6]), torch.tensor([2])),
    "gaussian_nll_loss": (torch.full((6, 3), 0.5), torch.ones(6, 3)),
    "margin_ranking_loss": (torch.ones(6, 3), torch.ones(6, 3)),
    "multilabel_margin_loss": (torch.zeros(6, 3, dtype=torch.int64),),
    **dict.fromkeys(("cross_entropy", "nll_loss", "multi_margin_loss"), (Y,)),
    "triplet_margin_loss": (torch.ones(6, 3), torch.zeros(6, 3)),
    "triplet_margin_with_distance_loss": (torch.ones(6, 3), torch.zeros(6, 3)),
}
"""What each loss is given besides its first argument, of shape (6, 3)."""


@pytest.mark.parametrize("name", LOSSES)
def test_every_wrapped_loss_gives_its_own_value_and_is_put_back(name: str) -> None:
    original = getattr(F, name)
    x = (X3.unsqueeze(1) if name == "ctc_loss" else X3).clone().requires_grad_()
    others = GIVEN.get(name, (torch.full((6, 3), 0.5),))
    with recording() as seen:
        value = getattr(F, name)(x, *others)
        value.backward()
    assert value.item() == original(x, *others).item()
    assert only_call(seen).name == name
    assert getattr(F, name) is original
    assert torch.autograd.backward.__module__ == "torch.autograd"
    assert not hasattr(torch.autograd.backward, "__wrapped__")


def test_targets_by_keyword_and_roots_by_keyword(model: nn.Sequential) -> None:
    with recording() as seen:
        loss = F.mse_loss(target=torch.zeros(6, 3), input=model(X))
        torch.autograd.backward(tensors=loss)
    assert only_call(seen).name == "mse_loss"


def test_a_scripted_loss_still_compiles_and_trains(model: nn.Sequential) -> None:
    def scripted(x: Tensor, y: Tensor) -> Tensor:
        return F.cross_entropy(x, y)

    with recording() as seen:
        loss = torch.jit.script(scripted)(model(X), Y)  # type: ignore[no-untyped-call]  # torch's own
        loss.backward()
    assert not seen.broken
    assert loss.item() == F.cross_entropy(model(X), Y).item()


def test_functional_transforms_are_left_alone(model: nn.Sequential) -> None:
    def loss_of(weight: Tensor) -> Tensor:
        return F.mse_loss(X @ weight, torch.zeros(6, 2))

    weight = torch.ones(4, 2)
    with recording() as seen:
        inside = torch.func.vmap(torch.func.grad(loss_of))(weight.expand(3, 4, 2))
    assert not seen.broken
    assert torch.equal(inside, torch.func.vmap(torch.func.grad(loss_of))(weight.expand(3, 4, 2)))


def test_tracing_records_none_of_the_looks() -> None:
    def traced(x: Tensor, weight: Tensor) -> Tensor:
        return F.mse_loss(x @ weight, torch.zeros(6, 2))

    given = X, torch.ones(4, 2, requires_grad=True)
    with recording():
        inside = torch.jit.trace(traced, given)  # type: ignore[no-untyped-call]  # torch's own
    outside = torch.jit.trace(traced, given)  # type: ignore[no-untyped-call]  # torch's own
    assert str(inside.graph).count("aten::") == str(outside.graph).count("aten::")


@pytest.mark.parametrize("function", [F.cross_entropy, F.ctc_loss, F.cosine_embedding_loss, F.triplet_margin_loss])
def test_the_first_argument_of_every_loss_is_its_input(function: Callable[..., Tensor]) -> None:
    given = tuple(range(4))
    scored = Scored(
        function=function, positional=given[:2 if function is F.cross_entropy else 4], keywords={}, value=X,
        recorded=True, step=0, latest=None,
    )
    assert scored.arguments["input"] == 0


def rows(made: str, model: nn.Sequential) -> LossCall:
    names = {"model": model, "X": X, "torch": torch}
    with recording() as seen:
        F.nll_loss(eval(made, names), Y).backward()
    return only_call(seen)


@pytest.mark.parametrize(("made", "chain", "logged"), [
    ("model(X).log_softmax(1)", ("NllLoss", "LogSoftmax", "Addmm"), True),
    ("model(X)[torch.arange(6)]", ("NllLoss", "Addmm"), False),
    ("torch.cat(model(X).softmax(1).split(2))", ("NllLoss", "Softmax", "Addmm"), False),
    ("model(X).exp() / model(X).exp().sum(1, keepdim=True)", ("NllLoss", "Div"), False),
    ("(lambda e: e / e.sum(1, keepdim=True))(model(X).exp())", ("NllLoss", "Softmax", "Addmm"), False),
    ("(lambda s: (s / s.sum(1, keepdim=True)).log())(model(X).sigmoid())", ("NllLoss", "Log", "Shares"), True),
])
def test_what_made_the_input_of_a_likelihood(
    model: nn.Sequential, made: str, chain: tuple[str, ...], logged: bool,
) -> None:
    call = rows(made, model)
    assert isinstance(call.chain, tuple)
    assert call.chain[:len(chain)] == chain
    assert call.logged is logged
    assert call.log_sums is not None
    assert (max(map(abs, call.log_sums)) < 1e-5) is logged


@pytest.mark.parametrize(("cut", "whole", "uncut"), [
    ("loss.clamp(max=0.5)", True, True), ("-(-2 * loss.clamp(0, 0.5))", True, True),
    ("each.clamp(max=0.5).mean()", False, True), ("loss.clamp(min=0.5)", None, None),
    ("(loss * loss.clamp(max=0.5))", None, None), ("torch.minimum(loss, torch.tensor(0.5))", None, None),
])
def test_a_loss_that_was_cut(model: nn.Sequential, cut: str, whole: bool | None, uncut: bool | None) -> None:
    with recording() as seen:
        each = F.cross_entropy(model(X), Y, reduction="none")
        loss = F.cross_entropy(model(X), Y)
        eval(cut, {"loss": loss, "each": each, "torch": torch}).backward()
    cuts = losses(seen).clamped
    assert [(each.whole, each.bound, each.uncut is not None) for each in cuts] == (
        [] if whole is None else [(whole, 0.5, uncut)])
