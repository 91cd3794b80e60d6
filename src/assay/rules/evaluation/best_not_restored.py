"""The weights that were kept as the best are the living ones, and went on changing.

## Why it hurts
`state_dict()` copies nothing: what it gives shares memory with the weights. Kept as it is, "the best epoch" is whatever
training made of it since. Loading it back changes nothing, and the numbers reported for the best epoch are the last's.

## What is looked at
One tensor of every state dict that is taken, and how often it had been written to. A dictionary that is loaded back
into the very module whose memory it shares, after further writes, restores nothing: an error. One that was taken in
the middle of training, and is saved or loaded elsewhere after further steps, holds other weights than when it was
taken: a warning, since a program may mean the living weights. And in the program's own text, two ways of keeping the
best in vain, told as warnings: `best_model = model`, another name of a model that its loop trains on, and a copy of the
best weights under a name that nothing reads, where no file is written either.

## Remedy
Keep a copy: `copy.deepcopy(model.state_dict())`, or `{name: value.clone() for name, value in ...}`.

## When it is wrong to worry
A dictionary that is saved or loaded at once, copied, or taken once before training as a view of the living weights, is
silent. So is one of the module's own that was updated with some of another's.

## References
PyTorch tutorial, Saving and Loading Models: state_dict() returns a reference to the state and not a copy. The fault as
reported: PyPOTS issue 667.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.saves import AliasRecord, SavesFacts
from assay.facts.selection import ChoiceFacts, KeptRecord
from assay.rule import ERROR, WARNING, Finding, Verdict, Where, rule

WHAT = {
    "restored": "and loaded back into itself, which restores nothing",
    "loaded": "and loaded into another model",
    "saved": "and written to a file",
}


@rule(severity=ERROR)
def best_not_restored(selection: ChoiceFacts, saves: SavesFacts | None) -> Iterator[Verdict]:
    """Look for state dicts that were used after the weights behind them had moved on; one finding a line."""
    seen: set[object] = set()
    yield from map(_in_vain, selection.kept_in_vain)
    for alias in sorted(saves.aliases if saves else (), key=lambda alias: alias.use != "restored"):
        if alias.taken not in seen:
            seen.add(alias.taken)
            yield _kept(alias)


def _kept(alias: AliasRecord) -> Finding:
    steps = alias.later - alias.step
    return Finding(
        summary=f"{alias.model}'s state_dict() is kept without a copy over {steps} steps {WHAT[alias.use]}",
        where=Where(place=alias.taken or alias.used, step=alias.step),
        severity=ERROR if alias.use == "restored" else WARNING,
        evidence={"taken_at_step": alias.step, "used_at_step": alias.later, "use": alias.use,
                  "used_at": f"{alias.used.file}:{alias.used.line}" if alias.used else None,
                  "shares_memory_with_the_weights": True},
        impact="the kept weights are those of the last step, not of the step when they were kept",
        fix="keep a copy: copy.deepcopy(model.state_dict())",
    )


def _in_vain(kept: KeptRecord) -> Finding:
    alias = kept.alias_of is not None
    return Finding(
        summary=f"{kept.name} is only another name of {kept.alias_of}, which goes on training" if alias
                else f"the best weights are kept as {kept.name}, which nothing reads: the last weights are used",
        where=Where(place=kept.place), severity=WARNING,
        evidence={"kept_as": kept.name, "alias_of": kept.alias_of, "read": alias},
        impact="what counts as the best model is the last one",
        fix=f"keep a copy: copy.deepcopy({kept.alias_of})" if alias
            else f"load {kept.name} back before the final evaluation",
    )
