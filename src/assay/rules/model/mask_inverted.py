"""Attention is given a mask that leaves the wrong keys.

## Why it hurts
A mask by the other convention leaves the padding and hides the words: each output is then made of padding alone, or of
what comes later. The loss falls a little all the same, by the labels' frequencies and the residual connections.

## What is looked at
One run of a copy of each model that is given sequences. Padding is an id, or a vector of zeros, that ends (or begins)
rows in unequal numbers and stands nowhere else. A mask must not leave exactly the padding, nor exactly what comes after
each position, nor no key at all for any query. It must not add zeros and ones to the scores in the pattern of padding
or of a triangle, or put scores near zero in their place, which hides nothing. All of these are equalities; scores below
-9000 count as hidden, since masks put in -1e4 or less.

## Remedy
`key_padding_mask` of nn.MultiheadAttention and nn.Transformer, and their `attn_mask`, are true where a key is to be
*ignored*; `attn_mask` of scaled_dot_product_attention is true where it is to be *attended to*; a mask of numbers is
added to the scores, so that 0 keeps and -inf hides; `attention_mask` of Hugging Face is 1 at words.

## When it is wrong to worry
Rows of a batch that are padding throughout, which nothing reads. Learned biases of attention are no masks.

## References
PyTorch documentation, torch.nn.MultiheadAttention and torch.nn.functional.scaled_dot_product_attention.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.attention import AttentionFacts, MaskFault
from assay.rule import ERROR, Finding, Verdict, Where, rule

WRONG: dict[MaskFault, str] = {
    "padding alone": "leaves the padding and hides everything else",
    "future alone": "leaves what comes after each position and hides the rest",
    "nothing": "leaves no key for any query",
    "adds one": "adds zeros and ones to the scores, which hides nothing",
    "score for hidden": "puts a number near zero in place of the scores to be hidden, which hides nothing",
}


@rule(severity=ERROR)
def mask_inverted(attention: AttentionFacts) -> Iterator[Verdict]:
    """Every line whose mask leaves the wrong keys."""
    told = set()
    for call in attention.calls:
        if call.fault is None or (call.place, call.fault) in told:
            continue
        told.add((call.place, call.fault))
        yield Finding(
            summary=f"the mask of {call.function} in {call.model} {WRONG[call.fault]}",
            where=Where(place=call.place, module=call.model),
            evidence={"function": call.function, "keys": call.keys, "share_of_padding": call.padded,
                      "leaves": call.fault},
            impact="attention sees what it should ignore, and ignores what it should see",
            fix="turn the mask round: true ignores in nn.MultiheadAttention and nn.Transformer, and attends in "
                "scaled_dot_product_attention; numbers are added, 0 keeps and -inf hides",
        )
