"""A sequence model is trained to copy its input, or its targets are shifted twice.

## Why it hurts
A model that predicts what comes next needs targets that lie one position ahead of its inputs. With none ahead the
answer stands in the input: the loss falls to nothing, and what is generated repeats itself. With two ahead, mostly
because both the program and the model shift, it learns to skip a token.

## What is looked at
Target ids beside the ids that the model is given, at sampled steps: at least 99 % of the targets equal the input at the
same position, or two ahead, and fewer the one ahead (masked objectives change far more than 1 % of the inputs). Then
the graph is asked once which inputs the scores at a position hang on, by the gradient at the embeddings. Only a model
that looks back, and never ahead, is meant to predict what comes next: the targets must lie one position ahead of the
last input that their scores hang on.

## Remedy
Give the model `tokens[:, :-1]` and the loss `tokens[:, 1:]`; give a model that shifts by itself (Hugging Face's causal
models do) the tokens themselves as labels.

## When it is wrong to worry
Autoencoders and masked language models see the whole sequence; there copying is the task, and the rule is silent. So it
is where tags equal tokens by nature and where ids reach the model other than by an embedding, which can't be followed.

## References
Radford et al. (2018), Improving Language Understanding by Generative Pre-Training, equation 1; Hugging Face
documentation, Causal language modeling: labels are shifted inside the model.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.sequences import SequenceCall, SequenceFacts
from assay.rule import ERROR, Finding, NotApplicable, Verdict, Where, rule


@rule(severity=ERROR)
def token_shift(sequences: SequenceFacts) -> Iterator[Verdict]:
    """Look at how far targets lie ahead of what their scores hang on."""
    compared = [call for call in sequences.calls if call.equal is not None]
    if not compared:
        yield NotApplicable("no targets are ids beside ids that a model was given")
    seen: set[object] = set()
    for call in compared:
        if call.ahead not in (None, 1) and call.place not in seen:
            seen.add(call.place)
            yield _shifted(call, call.ahead or 0)


def _shifted(call: SequenceCall, ahead: int) -> Finding:
    copied = ahead < 1
    return Finding(
        summary=f"{call.name} asks for tokens that the model is given at the same position: it learns to copy"
        if copied else f"the targets of {call.name} lie {ahead} tokens ahead: they are shifted twice",
        where=Where(place=call.place, step=call.step),
        evidence={"targets_equal_input_by_offset": {str(offset): share for offset, share in (call.equal or {}).items()},
                  "positions_ahead": ahead},
        impact="the loss falls to nothing without the model learning what comes next" if copied
        else "the model learns to predict the token after the next",
        fix="shift by one: inputs tokens[:, :-1], targets tokens[:, 1:]" if copied
        else "shift once: where the model shifts by itself, give it the tokens themselves as labels",
    )
