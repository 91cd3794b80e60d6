"""Trainable parameters that a loss reaches are in no optimizer.

## Why it hurts
They get gradients and keep their random initial values. The rest learns to live with it, so the loss falls, only not as
far: a layer replaced after the optimizer was made, a parameter group that was built and not handed over.

## What is looked at
Per model, the parameters that require gradients, that the graph of a loss led to before an optimizer stepped, and that
no optimizer of the program ever held, in a model of which other parameters are optimised. A whole model of which none
is held counts where it is called in training mode in a row with one that is trained, whose output it is given or which
is given its own, as long as its name doesn't say that it is fixed: then it is a warning, since it may be meant.

## Remedy
Make the optimizer after the model is complete, from all its parameters; set requires_grad to False for what shall stay.

## When it is wrong to worry
Frozen parameters, parameters of a second optimizer, averaged copies, models that are left alone as a whole beside what
is trained (style transfer, a teacher), and parameters that the program writes to by itself are silent. Parameters whose
values were loaded (load_state_dict) may be left out on purpose, a pretrained body under a new head: then it is a note.

## References
PyTorch documentation, torch.optim: parameters need to be specified as collections; TrainCheck (OSDI 2025), AC-2665.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.fact import Unknown
from assay.facts.model import ModelFacts, ModelRecord, ParameterRecord
from assay.facts.optimizer import OptimizerFacts, OptimizerRecord
from assay.facts.structure import LeftOutModel, LeftOutModels
from assay.metric_sense import words_of
from assay.rule import ERROR, NOTE, WARNING, Finding, NotChecked, Verdict, Where, rule

NAMED = 8

FIXED = frozenset({
    "critic", "discriminator", "dynamics", "env", "environment", "feature", "features", "fixed", "frozen", "judge",
    "oracle", "perceptual", "physics", "projection", "random", "renderer", "reward", "sensor", "simulator", "target",
    "teacher", "true", "vgg", "victim", "world",
})
"""Words in the names of models that take part in a loss and are fixed, though nobody may have frozen them."""


@rule(severity=ERROR)
def params_not_optimised(
    models: ModelFacts, optimizers: OptimizerFacts, alone: LeftOutModels | None,
) -> Iterator[Verdict]:
    """Look for parameters that are reached and not held."""
    whole = [each for each in (alone.models if alone else ()) if each.reached and not each.changed and not _fixed(each)]
    if whole:
        yield _whole(whole, optimizers)
    for model in models.models:
        if not any(each.optimised for each in model.parameters):
            continue
        open_ones = [each for each in model.parameters if each.trainable and not each.optimised]
        left_out = [each for each in open_ones if each.reached is True and each.moved is not True]
        fresh = [each for each in left_out if not each.loaded]
        if left_out:
            yield _left_out(model, fresh or left_out, optimizers, meant=not fresh)
        elif any(isinstance(each.reached, Unknown) for each in open_ones):
            yield NotChecked(next(each.reached.why for each in open_ones if isinstance(each.reached, Unknown)))


def _fixed(model: LeftOutModel) -> bool:
    return bool((words_of(model.name) | words_of(model.kind)) & FIXED)


def _whole(models: list[LeftOutModel], optimizers: OptimizerFacts) -> Finding:
    left = models[0]
    names = ", ".join(dict.fromkeys(each.name for each in models))
    numbers = sum(each.numbers for each in models)
    stepped = [each for each in optimizers.optimizers if each.steps]
    joined = "goes into" if left.before else "is given the output of"
    return Finding(
        summary=f"no optimizer holds any parameter of {names}, which {joined} {left.partner}, and that is trained",
        severity=WARNING,
        where=Where(place=stepped[0].place or stepped[0].step_place if stepped else left.place, module=left.name),
        evidence={"classes": [each.kind for each in models[:NAMED]], "numbers": numbers,
                  "reached_by_the_loss": True, "changed": False},
        impact=f"{numbers} numbers keep their random initial values",
        fix="hand its parameters to the optimizer too; set requires_grad_(False) on it if it shall stay as it is",
    )


def _left_out(
    model: ModelRecord, left_out: list[ParameterRecord], optimizers: OptimizerFacts, *, meant: bool,
) -> Finding:
    names = [each.name for each in left_out]
    stepped = [each for each in optimizers.optimizers if each.steps] or list(optimizers.optimizers)
    last: OptimizerRecord | None = stepped[-1] if stepped else None
    shown = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
    return Finding(
        summary=f"{len(names)} trainable parameters of {model.kind} are in no optimizer: {shown}",
        severity=NOTE if meant else ERROR,
        where=Where(place=last.place or last.step_place if last else None, module=names[0]),
        evidence={"left_out": names, "optimised": sum(each.optimised for each in model.parameters),
                  "reached_by_the_loss": True},
        impact=f"they keep the values that were loaded; {sum(map(_size, left_out))} numbers never learn" if meant
               else f"{sum(map(_size, left_out))} numbers keep their random initial values",
        fix="set requires_grad_(False) on them if they shall stay, which also spares their gradients" if meant
            else "make the optimizer after the model is complete and hand it all parameters; set requires_grad_(False) "
                 "on those that shall stay",
    )


def _size(parameter: ParameterRecord) -> int:
    size = 1
    for extent in parameter.shape:
        size *= extent
    return size
