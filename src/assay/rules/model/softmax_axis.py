"""A softmax runs over the examples of the batch, or along an axis of size one.

## Why it hurts
Attention weights that sum to one over the batch share one unit of attention between all examples: how much an example
sees of itself depends on what else is in the batch, and one example alone gets all the weight everywhere. The network
learns to live with it in training and fails in use. Along an axis of size one, every weight is 1: attention that pools
becomes a sum, and the layer that scores is never trained.

## What is looked at
One example of a batch is replaced by another, in evaluation mode, on a copy of the model. Outputs of other examples
move, and the first operation within the model whose result mixes them is a softmax, log_softmax or argmax. No threshold
enters beyond rounding. Rows count as examples once they were passed in other company than before.

The graph below each model's output is looked through for a softmax along an axis of size one. It counts where a layer
with one output gave the scores, so that the axis can't be longer in another batch; where another axis of theirs is
longer, beside the first; and where the weights are spread over values that they multiply.

## Remedy
Give the axis over which the weights should sum to one: `dim=1` or `dim=-1`, mostly.

## When it is wrong to worry
Normalising over the batch outside of the model, as optimal transport and contrastive losses do, isn't looked at.
Attention to a single key, or a mixture of one component, has weights of 1 too: there the scores are products of queries
and keys, or have nothing that they are spread over.

## References
PyTorch documentation, torch.nn.functional.softmax: "dim: a dimension along which softmax will be computed". The fault
as reported: ctallec/world-models issue 10.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.attention import LoneSoftmax, LoneSoftmaxFacts
from assay.facts.interventions import BatchMixing
from assay.rule import ERROR, Finding, NotChecked, Verdict, Where, rule

OVER_AN_AXIS = frozenset({"argmax", "log_softmax", "softmax", "softmin"})


@rule(severity=ERROR)
def softmax_axis(mixing: BatchMixing | None, lone: LoneSoftmaxFacts | None) -> Iterator[Verdict]:
    """Look at which operation mixes examples, and at softmaxes of a single number."""
    found = lone.found if lone is not None else ()
    if mixing is not None and mixing.moved and mixing.operation in OVER_AN_AXIS:
        yield Finding(
            summary=f"{mixing.operation} runs over the examples of the batch",
            where=Where(place=mixing.place, module=mixing.model),
            evidence={"operation": mixing.operation, "moved_rows": list(mixing.moved[:10]), "rows": mixing.rows,
                      "largest_movement": mixing.largest, "spread_of_outputs": mixing.spread},
            impact="an output depends on what else is in the batch",
            fix="give the axis over which the weights should sum to one: dim=1 or dim=-1, mostly",
        )
    yield from map(_of_one, found)
    if mixing is None:
        yield NotChecked("no example of a model's batch was exchanged for another")
    elif lone is None:
        yield NotChecked("no softmax along an axis of size one could be looked for in a model's graph")


def _of_one(lone: LoneSoftmax) -> Finding:
    return Finding(
        summary=f"a softmax runs along axis {lone.axis} of {list(lone.shape)}, which has size one: every weight is 1",
        where=Where(place=lone.place, module=lone.model),
        evidence={"shape_of_scores": list(lone.shape), "axis": lone.axis, "longer_axes": list(lone.axes)},
        impact="the layer that scores is never trained, and nothing is weighed",
        fix=f"give the axis over which the weights should sum to one: dim={lone.axes[0]}, mostly",
    )
