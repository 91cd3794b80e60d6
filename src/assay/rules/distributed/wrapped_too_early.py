"""Parameters are trained that came, or were unfrozen, after the module was wrapped.

## Why it hurts
DistributedDataParallel lists the parameters that need a gradient when it is made. A head that replaces another later,
an adapter that is added, or layers that are unfrozen are not on that list: their gradients are never averaged, and each
rank trains its own.

## What is looked at
Just before each step that is looked at, the parameters of a wrapped module that hold a gradient and that no wrapper of
several ranks knew as trained when it was made. Those that the module tells the wrapper to ignore don't count, nor do
those whose gradients the program reduces over the ranks itself.

## Remedy
Change the model first, wrap it last; wrap it anew after unfreezing.

## When it is wrong to worry
Layers that are frozen after wrapping are fine, and so is a module that is wrapped again after each change.

## References
PyTorch documentation, DistributedDataParallel: the warning never to change parameters after construction.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.distributed import WrapperFacts
from assay.rule import ERROR, Finding, NotApplicable, Verdict, Where, rule


@rule(severity=ERROR)
def wrapped_too_early(wrappers: WrapperFacts) -> Iterator[Verdict]:
    """Look for trained parameters that a wrapper doesn't know, on any rank."""
    by_rank = [record.wrappers for record in wrappers.ranks]
    if not any(by_rank):
        yield NotApplicable("no module was wrapped in DistributedDataParallel")
        return
    for same in zip(*by_rank, strict=False):
        for each in same:
            unknown = each.replaced or each.thawed
            if unknown and each.ranks > 1:
                what = "added" if each.replaced else "unfrozen"
                yield Finding(
                    summary=f"{unknown[0]} was {what} after wrapping: its gradient is not averaged over the ranks",
                    where=Where(place=each.place, module=unknown[0]),
                    evidence={"added": list(each.replaced), "unfrozen": list(each.thawed), "ranks": each.ranks},
                    impact="each rank trains these parameters on its own part of the examples",
                    fix="wrap the module in DistributedDataParallel after its last change",
                )
                break
