"""The last layer is frozen at its random values while other layers are trained.

## Why it hurts
The model must reach its targets through a random projection. It learns something, slowly and worse, and the loss looks
like that of a hard task: mostly a filter on names that unfroze the wrong layers.

## What is looked at
The layer whose output the model puts out, at training passes. It counts where its weight doesn't require gradients at
three passes or more, its values were never loaded, held by an optimizer or changed, other parameters of the model are
trained, and what is frozen besides shows that this is no frozen model with something small in front: either norms alone
are trained, or every other frozen weight had been loaded or trained before, or there is none.

## Remedy
Set requires_grad_(True) on the last layer and hand it to the optimizer.

## When it is wrong to worry
Frozen models that were loaded or trained before (probes, prompts, adapters) are silent. A random projection that is
fixed on purpose is rare: allow the rule.

## References
PyTorch forum 84911: only norms were trained and the head was frozen, one of TrainCheck's errors (OSDI 2025).
Hoffer et al., Fix your classifier, 2018: one that is fixed on purpose.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.heads import HeadFacts, HeadRecord
from assay.rule import WARNING, Finding, NotChecked, Verdict, Where, rule

LOOKS = 3


@rule(severity=WARNING)
def frozen_head(heads: HeadFacts) -> Iterator[Verdict]:
    """Look for a random last layer that nothing trains."""
    if all(head.looks < LOOKS for head in heads.heads):
        yield NotChecked(f"no model was looked at for {LOOKS} training passes")
    for head in heads.heads:
        if head.looks >= LOOKS and not head.trainable and not head.known and head.trained and _unmeant(head):
            yield Finding(
                summary=f"the last layer of {head.model}, {head.name}, is frozen at its random values",
                where=Where(place=head.place, module=head.name),
                evidence={"passes_looked_at": head.looks, "trained_by_kind": head.trained,
                          "other_frozen_weights": head.frozen, "of_these_loaded_or_trained": head.frozen_known},
                impact="all that is learned must pass through a random projection",
                fix=f"set {head.name}.requires_grad_(True) and hand it to the optimizer",
            )


def _unmeant(head: HeadRecord) -> bool:
    """Whether the head is frozen beside layers that are trained, rather than as part of a frozen model."""
    return head.trained.keys() == {"norm"} or head.frozen == head.frozen_known
