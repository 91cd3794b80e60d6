"""A softmax runs over the examples of the batch.

## Why it hurts
Attention weights that sum to one over the batch share one unit of attention between all examples: how much an example
sees of itself depends on what else is in the batch, and one example alone gets all the weight everywhere. The network
learns to live with it in training and fails in use.

## What is looked at
One example of a batch is replaced by another, in evaluation mode, on a copy of the model. Outputs of other examples
move, and the first operation within the model whose result mixes them is a softmax, log_softmax or argmax. No threshold
enters beyond rounding. Rows count as examples once they were passed in other company than before.

## Remedy
Give the axis over which the weights should sum to one: `dim=1` or `dim=-1`, mostly.

## When it is wrong to worry
Normalising over the batch outside of the model, as optimal transport and contrastive losses do, isn't looked at.

## References
PyTorch documentation, torch.nn.functional.softmax: "dim: a dimension along which softmax will be computed". The fault
as reported: ctallec/world-models issue 10.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.interventions import BatchMixing
from assay.rule import ERROR, Finding, Verdict, Where, rule

OVER_AN_AXIS = frozenset({"argmax", "log_softmax", "softmax", "softmin"})


@rule(severity=ERROR)
def softmax_axis(mixing: BatchMixing) -> Iterator[Verdict]:
    """Look at which operation mixes examples."""
    if mixing.moved and mixing.operation in OVER_AN_AXIS:
        yield Finding(
            summary=f"{mixing.operation} runs over the examples of the batch",
            where=Where(place=mixing.place, module=mixing.model),
            evidence={"operation": mixing.operation, "moved_rows": list(mixing.moved[:10]), "rows": mixing.rows,
                      "largest_movement": mixing.largest, "spread_of_outputs": mixing.spread},
            impact="an output depends on what else is in the batch",
            fix="give the axis over which the weights should sum to one: dim=1 or dim=-1, mostly",
        )
