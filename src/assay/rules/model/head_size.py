"""The model's outputs don't match the number of classes or targets.

## Why it hurts
With fewer outputs than classes the loss crashes at the first label beyond them, or on some devices reads foreign
memory. With more, the surplus outputs take probability that no label ever claims, and may be predicted in use.

## What is looked at
In a run of assay's own, the shape of the output for one batch, against the one that the task needs: [n, C] for C
classes, [n] for two classes with one logit and for a regression (a trailing axis of size one counts as none). Fewer or
otherwise shaped outputs are an error; more outputs than classes are a warning. No threshold enters.
In a watched program, which outputs its labels ever name, in training and evaluation, to the end. It is a warning where
two or more of the last outputs are never named though all before them are, over twenty labels an output: a class that
is four times rarer than the others would be met with 99 % certainty, two of them with near certainty.

## Remedy
Give the last layer as many outputs as there are classes (one for two classes with one logit, or for one target).

## When it is wrong to worry
A head that leaves room for classes to come. One output more is often a class for the background or the unknown, and
heads are filled up to a multiple of 8 or 64 for speed: both are silent in a watch, and so are models of tokens.

## References
PyTorch documentation, torch.nn.CrossEntropyLoss: input of shape (N, C).
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.interventions import OutputShape
from assay.facts.label_spans import LabelSpan, LabelSpans
from assay.rule import ERROR, WARNING, Finding, NotApplicable, Verdict, Where, rule

SURPLUS, LABELS_AN_OUTPUT = 2, 20
FILLED_UP_TO = (8, 64)


@rule(severity=ERROR)
def head_size(shape: OutputShape | None, labels: LabelSpans | None) -> Iterator[Verdict]:
    """Compare the output's shape with the task's, or the outputs with the labels."""
    if shape is None and labels is None:
        yield NotApplicable("no output stands against classes or targets")
    if shape is not None:
        yield from _against_task(shape)
    for span in labels.spans if labels is not None else ():
        if span.classes == span.highest + 1 <= span.outputs - SURPLUS and not _filled_up(span):
            yield from _never_named(span)


def _never_named(span: LabelSpan) -> Iterator[Finding]:
    if span.labels < LABELS_AN_OUTPUT * span.outputs or span.classes < 2:
        return
    yield Finding(
        summary=f"the model has {span.outputs} outputs, of which labels name the first {span.classes} alone",
        where=Where(place=span.head or span.place), severity=WARNING,
        evidence={"outputs": span.outputs, "classes_met": span.classes, "labels_read": span.labels},
        impact=f"{span.outputs - span.classes} outputs belong to no class",
        fix=f"give the last layer {span.classes} outputs",
    )


def _filled_up(span: LabelSpan) -> bool:
    """Whether the number of outputs is the classes' own, filled up to a multiple."""
    return any(span.outputs == -(-span.classes // size) * size for size in FILLED_UP_TO)


def _against_task(shape: OutputShape) -> Iterator[Finding]:
    output, needed = _without_last_one(shape.output), _without_last_one(shape.needed)
    if output == needed:
        return
    surplus = len(output) == len(needed) == 2 and output[0] == needed[0] and output[1] > needed[1]
    wanted = needed[1] if len(needed) > 1 else 1
    yield Finding(
        summary=f"the model gives outputs of shape {list(shape.output)} where the task needs {list(shape.needed)}",
        severity=WARNING if surplus else ERROR,
        evidence={"output": list(shape.output), "needed": list(shape.needed)},
        impact=f"{output[1] - needed[1]} outputs belong to no class" if surplus else None,
        fix=f"give the last layer {wanted} output{'s' if wanted > 1 else ''}",
    )


def _without_last_one(shape: tuple[int, ...]) -> tuple[int, ...]:
    return shape[:-1] if len(shape) > 1 and shape[-1] == 1 else shape
