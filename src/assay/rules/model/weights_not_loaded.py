"""A lenient load left most weights as they were.

## Why it hurts
With `strict=False`, names that don't match are skipped in silence. A prefix ("module.", "model.") is enough to skip
them all: training then starts from random weights and calls them pretrained.

## What is looked at
The names that the dictionary and the module have in common. None in common, with names on both sides, is an error;
less than half of either is a warning: a new head, a backbone or adapters alone leave one of the two sides nearly
complete. So is a module that is handed nothing but its own weights right after a file was read.

## Remedy
Make the names agree, load strictly, and look at what load_state_dict returns.

## When it is wrong to worry
A part of a large checkpoint may be meant for a small part of another model: say so with `--allow weights-not-loaded`.

## References
PyTorch documentation, torch.nn.Module.load_state_dict: missing_keys and unexpected_keys.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.saves import LoadRecord, SavesFacts
from assay.rule import ERROR, WARNING, Finding, NotApplicable, Verdict, Where, rule

MOST = 0.5


@rule(severity=ERROR)
def weights_not_loaded(saves: SavesFacts) -> Iterator[Verdict]:
    """Look at what the names have in common; one finding a line."""
    if not saves.loads:
        yield NotApplicable("nothing was loaded into a module")
    seen: set[object] = set()
    for load in saves.loads:
        if load.place not in seen and (load.idle or _mismatched(load)):
            seen.add(load.place)
            yield _finding(load)


def _mismatched(load: LoadRecord) -> bool:
    return bool(load.given and load.own) and load.matched < MOST * load.given and load.matched < MOST * load.own


def _finding(load: LoadRecord) -> Finding:
    return Finding(
        summary=f"nothing of the file that was read reaches {load.model}: it is handed its own weights" if load.idle
                else f"{load.matched} of {load.own} tensors of {load.model} were loaded, the others' names don't match",
        where=Where(place=load.place), severity=WARNING if load.idle or load.matched else ERROR,
        evidence={"given": load.given, "own": load.own, "matched": load.matched,
                  "only_given": list(load.unmatched_given), "only_own": list(load.unmatched_own)},
        impact="the other weights keep their values from before",
        fix="make the names agree, such as by removing a prefix, and load with strict=True",
    )
