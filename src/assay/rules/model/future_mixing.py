"""A model that predicts what comes next sees what comes next.

## Why it hurts
The loss falls far below what the text allows, since the answer only has to be copied. In use, where the future isn't
there, the model has learned next to nothing.

## What is looked at
Models whose targets are their own inputs one step later (99 % of the valid ones, and at most 90 % equal to the input
beside them: sequences that stand still have no future). The second half of the inputs is replaced by that of other
sequences, in evaluation mode, on a copy: outputs of the first half should stay, to a thousandth of their spread.

## Remedy
Give attention its causal mask (`is_causal=True`, or a mask of -inf above the diagonal), pad convolutions on the left
alone, make recurrent layers run one way, and normalise over features, not over steps.

## When it is wrong to worry
Encoders, masked language models and classifiers have other targets and aren't looked at.

## References
Vaswani et al., "Attention is all you need", 2017, section 3.2.3. Karpathy, "A recipe for training neural networks",
2019: "use backprop to chart dependencies".
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.interventions import FutureMixing
from assay.rule import ERROR, Finding, Verdict, Where, rule


@rule(severity=ERROR)
def future_mixing(future: FutureMixing) -> Iterator[Verdict]:
    """Look for outputs that moved with later inputs."""
    if future.moved:
        by = f", through {future.operation}" if future.operation else ""
        yield Finding(
            summary=f"{future.model} predicts its next inputs and sees them: changing the inputs from step "
                    f"{future.changed_from} on moves the outputs of {future.moved} steps before{by}",
            where=Where(place=future.place, module=future.model),
            evidence={"steps": future.steps, "changed_from": future.changed_from, "moved_steps": future.moved,
                      "largest_movement": future.largest, "spread_of_outputs": future.spread,
                      "operation": future.operation},
            impact="the model learns to copy the answer, which isn't there in use",
            fix="give attention its causal mask, pad convolutions on the left alone, run recurrent layers one way",
        )
