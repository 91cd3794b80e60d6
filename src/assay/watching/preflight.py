"""First-run checks of a model, one batch and a loss, before anything is trained for long.

    result = assay.preflight(model, (inputs, targets), nn.functional.cross_entropy)
    print(result)
    assert result.ok

A few steps are taken on a copy under the probes of a watch; then, on further copies, the same inputs are evaluated
twice, one example is changed, all inputs are zeroed, and the batch is memorised. The rules that judge a watch judge
what was seen. The model, the batch and every random stream are left bit for bit as they were.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn

from assay.facts.fact import Absent, Fact
from assay.facts.fact_set import FactSet, join
from assay.facts.interventions import BatchMixing, EvaluateTwice, OutputShape, ZeroedInputs
from assay.facts.overfit import OverfitFacts
from assay.facts.splits import LabelFacts
from assay.rule import Finding, Judgement, Rule, judge
from assay.rules import catalogue
from assay.tensors import first_tensor
from assay.traffic import Traffic
from assay.watching.copies import unnoticed
from assay.watching.mixing import evaluate_pass_twice, mix_pass
from assay.watching.one_task import Loss, Task, refuse_unusable, task_of
from assay.watching.session import recording
from assay.watching.tiny_batch import memorised, zeroed

STEPS = 12
"""Steps under probes: `params-no-grad` asks for ten."""

RATE = 1e-3
"""Adam's default, which moves any parameter that has a gradient."""

FAMILIES = frozenset({"loss", "model"})
ALSO = frozenset({
    "eval-augmented", "grad-explodes", "grad-vanishes", "label-range", "params-no-grad", "plateau-at-floor",
})
"""Rules of other families that a model, a batch and a loss show."""

NOT_HERE = frozenset({"head-size", "loss-scale", "weights-not-loaded"})
"""Rules of those families that need a recipe, a loop or a file."""

OTHERWISE = Absent("a preflight has no such thing", applicable=False)
"""Why a fact is missing that neither the probes nor the trials yield."""


@dataclass(frozen=True, kw_only=True)
class Preflight:
    """What came of the checks; printing it shows the findings and what was checked."""

    judgement: Judgement
    facts: FactSet

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong, worst first."""
        return self.judgement.findings

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong at error."""
        return not self.judgement.errors

    def __str__(self) -> str:
        lines = [_line(finding) for finding in self.findings]
        counted = f"{len(self.judgement.passed)} rules passed, {len(self.judgement.not_checked)} not checked"
        lines.append(f"preflight: {'ok' if self.ok else 'failed'}; {len(self.findings)} findings, {counted}")
        lines += [f"  not checked, {why}: {name}" for name, why in self.judgement.not_checked.items()]
        lines += [f"  broken, {name}: {why}" for name, why in self.judgement.broken.items()]
        return "\n".join(lines)


def preflight(model: nn.Module, batch: Any, loss: Loss | None = None, *, allow: Collection[str] = ()) -> Preflight:
    """Check a model on one batch, raising nothing on findings.

    batch   (inputs, targets), where inputs are a tensor, a tuple of positional or a dictionary of named arguments; or,
            without `loss`, whatever the model itself makes a loss of: a dictionary of arguments, as Hugging Face's
            models take, or a batch of a LightningModule's training_step
    loss    a function of (outputs, targets) that gives a number
    allow   names of rules whose findings are set aside

    Raises UnusableInput where the model can't be copied, or fails on the batch.
    """
    with _untouched():
        task = task_of(model, batch, loss)
        labels = _labels(task)
        if isinstance(labels, LabelFacts) and labels.outside:  # no loss of classes can be computed on these
            facts, broken = FactSet.of(labels), dict[str, str]()
        else:
            refuse_unusable(task)
            steps, broken = _steps(task)
            facts = join([steps, _trials(task)])
    rules = [each for each in catalogue() if _asked(each)]
    missing: dict[type[Fact], Absent] = {need.kind: OTHERWISE for each in rules for need in each.needs}
    judgement = judge(rules, FactSet(facts.records, {**missing, **facts.absent}), allow=allow)
    return Preflight(judgement=replace(judgement, broken={**judgement.broken, **broken}), facts=facts)


@contextmanager
def _untouched() -> Iterator[None]:
    """Nothing drawn, printed or warned of, whether or not the caller has gradients switched off."""
    with unnoticed(Traffic()), torch.enable_grad():
        yield


def _asked(rule: Rule) -> bool:
    return (rule.family in FAMILIES or rule.name in ALSO) and rule.name not in NOT_HERE


def _steps(task: Task) -> tuple[FactSet, dict[str, str]]:
    """What the probes see of a few steps on a copy, and of one pass in evaluation mode."""
    with recording() as seen:
        copy = task.copy()  # here, so that the probes know its parts
        optimizer = torch.optim.Adam([each for each in copy.parameters() if each.requires_grad], lr=RATE)
        for _ in range(STEPS):
            optimizer.zero_grad()
            task.loss(copy).backward()
            optimizer.step()
        with torch.no_grad():
            task.outputs(copy.eval())
    return seen.facts(), seen.broken


def _trials(task: Task) -> FactSet:
    """What is seen on copies, in evaluation mode and memorising a tiny batch."""
    tried: list[tuple[type[Fact], Callable[[], Fact | Absent]]] = [
        (EvaluateTwice, lambda: _twice(task)),
        (BatchMixing, lambda: _mixed(task)),
        (OutputShape, lambda: _shape(task)),
        (ZeroedInputs, lambda: zeroed(task)),
        (OverfitFacts, lambda: memorised(task)),
    ]
    found = FactSet()
    for kind, trial in tried:
        try:
            fact = trial()
        except Exception as fault:  # noqa: BLE001  # whatever a model makes of being tried
            fact = Absent(f"the model can't be tried: {type(fault).__name__}: {fault}")
        found = found.joined(FactSet(absent={kind: fact}) if isinstance(fact, Absent) else FactSet.of(fact))
    return found


def _twice(task: Task) -> EvaluateTwice | Absent:
    with torch.no_grad():
        return evaluate_pass_twice(task.copy().eval(), task.arguments)


def _mixed(task: Task) -> BatchMixing | Absent:
    if not task.rows_are_examples:
        return Absent("the targets aren't one an example, so that rows may depend on each other by design")
    with torch.no_grad():
        return mix_pass(task.copy().eval(), task.arguments)


def _shape(task: Task) -> OutputShape | Absent:
    with torch.no_grad():
        outputs = first_tensor([task.outputs(task.copy().eval())])
    if outputs is None or len(outputs) != task.arguments.rows:
        return Absent("the model gives no row for each example")
    shape = tuple(outputs.shape)
    return OutputShape(output=shape, needed=shape, varies=bool((outputs != outputs[:1]).any()))


def _labels(task: Task) -> LabelFacts | Absent:
    """The labels, where the loss refuses them for lying outside of the outputs' classes."""
    targets = task.targets
    if not isinstance(targets, Tensor) or targets.dim() != 1 or targets.is_floating_point() or not len(targets):
        return Absent("the targets are no class ids", applicable=False)
    try:
        task.loss(task.copy())
    except IndexError:
        outputs = first_tensor([task.outputs(task.copy())])
    except Exception:  # noqa: BLE001  # whatever else fails is told elsewhere
        return Absent("the model fails on the batch")
    else:
        return Absent("the loss takes every label")
    classes = 0 if outputs is None or outputs.dim() < 2 else outputs.shape[1]
    outside = torch.nonzero((targets < 0) | (targets >= classes)).flatten().tolist() if classes else []
    return LabelFacts(
        classes=classes, smallest=float(targets.min()), largest=float(targets.max()),
        outside=tuple((row, float(targets[row])) for row in outside[:10]), outside_rows=len(outside),
    )


def _line(finding: Finding) -> str:
    place = finding.where.place if finding.where else None
    where = f" ({place.file}:{place.line})" if place else ""
    impact = "" if finding.impact is None else f"\n    impact: {finding.impact}"
    return f"{finding.severity}: {finding.summary}{where}{impact}\n    fix: {finding.fix}\n    rule: {finding.rule}"
