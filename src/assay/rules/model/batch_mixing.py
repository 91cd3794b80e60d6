"""One example's output depends on another example's input.

## Why it hurts
A view where a permute was meant, or a softmax over the batch, lets examples leak into each other. The loss still
falls, since the network learns to live with it, but an output now depends on what else happens to be in the batch,
and in use, one example at a time, it is another one.

## What is looked at
One example of a batch is replaced by another, in evaluation mode, on a copy; the outputs of all others should stay.
They count as moved beyond 1e-4 of the outputs' spread: single precision rounds at 6e-8, and sums of some thousand terms
in another order reach 1e-6. In a watch, rows count as examples once they were passed in other company than before,
and the operation whose result first mixes them is named. Where that is none of those that lay values out, normalise
them or run over a sequence, mixing may be meant (minibatch statistics, as in some discriminators): then it is a note.

## Remedy
Look for view or reshape where permute or transpose was meant, for dim=0 in a softmax, mean or norm, and for
sequences laid out as (time, batch) in a layer that expects (batch, time).

## When it is wrong to worry
Batch norm mixes in training mode, by design; it is judged in evaluation mode, where it doesn't. Contrastive losses
mix after the outputs, which isn't looked at. A model that attends over its batch on purpose: allow it by name.

## References
Karpathy, "A recipe for training neural networks", 2019: "use backprop to chart dependencies".
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.interventions import BatchMixing
from assay.rule import ERROR, NOTE, Finding, Verdict, Where, rule

NORMS = frozenset({"batch_norm", "instance_norm"})
"""Without running statistics they take the batch's own, in every mode."""

SLIPS = frozenset({
    "argmax", "flatten", "flip", "gru", "log_softmax", "lstm", "multi_head_attention_forward", "normalize", "reshape",
    "rnn_relu", "rnn_tanh", "scaled_dot_product_attention", "softmax", "softmin", "unflatten", "view",
})
"""Operations that mix examples where an axis was taken for another."""


@rule(severity=ERROR, implied_by=("softmax-axis",))
def batch_mixing(mixing: BatchMixing) -> Iterator[Verdict]:
    """Look for outputs that moved with another example's input."""
    if not mixing.moved or mixing.operation in NORMS:
        return
    by = f", through {mixing.operation}" if mixing.operation else ""
    yield Finding(
        summary=f"changing one example moves the outputs of {len(mixing.moved)} of {mixing.rows - 1} others{by}",
        severity=NOTE if mixing.operation is not None and mixing.operation not in SLIPS else None,
        where=Where(place=mixing.place, module=mixing.model) if mixing.place else None,
        evidence={"changed_row": mixing.changed, "moved_rows": list(mixing.moved[:10]),
                  "largest_movement": mixing.largest, "spread_of_outputs": mixing.spread,
                  "operation": mixing.operation},
        impact="an output depends on what else is in the batch: one other example moves it by up to "
               f"{mixing.largest / mixing.spread:.2g} of the outputs' spread" if mixing.spread else
               "an output depends on what else is in the batch",
        fix="look for view where permute was meant, for (time, batch) where (batch, time) is expected, and for a "
            "softmax, mean or norm over dim 0",
    )
