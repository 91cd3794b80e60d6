"""The best is chosen the wrong way round, or patience never begins anew.

## Why it hurts
A checkpoint that keeps the lowest accuracy keeps the first epoch; early stopping that waits for accuracy to fall stops
while training goes well; a scheduler that takes progress for a plateau cuts the rate until nothing moves.

## What is looked at
The name of the monitored quantity against the mode of ModelCheckpoint, EarlyStopping and Hugging Face's arguments; the
name of what is handed to ReduceLROnPlateau, from the line that steps it; and comparisons such as `if acc < best_acc:
best_acc = acc` in the program's own text. Only names whose sense is beyond doubt count: accuracy, F1, AUC, precision,
recall and their like want more, loss, error, perplexity and their like want less. A quantity named for a loss of which
a negative value was seen may be one to maximise, and a largest loss that is kept without weights may be an attack's:
these are notes.

Patience is read from the text too: a count that is raised in the `else` of such a comparison and ends the training
once it is large, while nothing in the loop (of a class: in no method but `__init__`) ever sets it back, is a warning.

## Remedy
Set the mode, or turn the comparison; set the count back where a new best is kept.

## When it is wrong to worry
A name that says both or neither (`score`, `neg_loss`, `acc_loss`) is silent, and so is a comparison that looks for the
worst. Whoever means to stop after so many bad epochs in all can allow the line.

## References
Lightning documentation, ModelCheckpoint: mode. The fault as reported: cookiecutter-pyml issue 119.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.selection import ChoiceFacts, ComparisonRecord, MonitorRecord
from assay.metric_sense import sense_of
from assay.rule import ERROR, NOTE, WARNING, Finding, NotApplicable, Verdict, Where, rule

SHOWN = 8
WORDS = {"min": "lowest", "max": "highest"}


@rule(severity=ERROR)
def monitor_wrong(selection: ChoiceFacts) -> Iterator[Verdict]:
    """Hold what each keeps against what its name wants."""
    if not selection.monitors and not selection.comparisons:
        yield NotApplicable("nothing is monitored or compared with a best so far")
    for each in selection.monitors:
        if sense_of(each.monitor) not in (None, each.mode):
            yield _reversed(each)
    for comparison in selection.comparisons:
        if sense_of(f"{comparison.value} {comparison.best}") not in (None, comparison.keeps):
            yield _turned(comparison)
    for count in selection.patience:
        yield Finding(
            summary=f"{count.name} counts every epoch that doesn't improve {count.best}, and a new best never sets it "
                    "back",
            where=Where(place=count.place), severity=WARNING, evidence={"count": count.name, "best": count.best},
            impact="training ends after so many bad epochs in all, however well it goes in between",
            fix=f"set {count.name} = 0 where the new best is kept",
        )


def _reversed(each: MonitorRecord) -> Finding:
    meant = "max" if each.mode == "min" else "min"
    negative = meant == "min" and any(value < 0 for value in each.values)
    return Finding(
        summary=f"{each.kind} looks for the {WORDS[each.mode]} {each.monitor}",
        where=Where(place=each.place), severity=NOTE if negative else ERROR,
        evidence={"monitor": each.monitor, "mode": each.mode, "values": list(each.values[:SHOWN])},
        impact=_impact(each), fix=f"set mode={meant!r} (Hugging Face's arguments: greater_is_better={meant == 'max'})",
    )


def _impact(each: MonitorRecord) -> str:
    if not each.values:
        return "the worst counts as the best"
    best, kept = (max, min) if each.mode == "min" else (min, max)
    return f"{kept(each.values):.4g} counts as the best, where {best(each.values):.4g} was seen"


def _turned(each: ComparisonRecord) -> Finding:
    return Finding(
        summary=f"{each.best} keeps the {WORDS[each.keeps]} {each.value}",
        where=Where(place=each.place), severity=ERROR if each.weights or each.keeps == "min" else NOTE,
        evidence={"value": each.value, "best": each.best, "keeps": each.keeps,
                  "weights_kept": each.weights},
        impact="the worst counts as the best", fix="turn the comparison, and begin with a value that any score beats",
    )
