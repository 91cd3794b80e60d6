"""The numbers that enter the network are unscaled, or were scaled twice.

## Why it hurts
The weights of a first layer are drawn for inputs of size one, and one rate serves all of them. Inputs in the thousands
drown the others, saturate or kill the first units and make steps explode; inputs in the hundredths hardly move it.

## What is looked at
The training inputs as they enter, without flags, one-hot columns and codes. It is a warning where

- the largest column has a root mean square above 100, or above 10 and more than 1,000 times that of the smallest: the
  steps that gradient descent needs grow with the square of that ratio (LeCun et al.), here a million;
- all columns have one below 0.01, as pixels that were divided by 255 twice.

Pixels from 0 to 16 or counts in the tens stay below, and so does all that was standardised.

## Remedy
`data.scale: standardise`, fitted on the training rows; divide by 255 once.

## When it is wrong to worry
A network of your own that scales its inputs first, by a norm layer or fixed constants.

## References
LeCun, Bottou, Orr and Müller, "Efficient BackProp", 1998, section 4.3.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.scaling import InputColumn, InputScaleFacts
from assay.rule import WARNING, Finding, Verdict, rule

HUGE, LARGE, RATIO, TINY = 100.0, 10.0, 1000.0, 0.01


@rule(severity=WARNING)
def input_scale(inputs: InputScaleFacts) -> Iterator[Verdict]:
    """Look at the columns of the largest and the smallest size."""
    largest, smallest = inputs.largest, inputs.smallest
    ratio = largest.root_mean_square / max(smallest.root_mean_square, 1e-300)
    if largest.root_mean_square > HUGE or (largest.root_mean_square > LARGE and ratio > RATIO):
        yield _finding(inputs, largest, said="unscaled", fix="let data.scale: standardise scale them")
    elif largest.root_mean_square < TINY:
        yield _finding(inputs, largest, said="tiny, as if scaled twice", fix="scale once: data.scale: standardise does")


def _finding(inputs: InputScaleFacts, column: InputColumn, *, said: str, fix: str) -> Finding:
    return Finding(
        summary=f"inputs enter {said}: {column.name} lies between {column.smallest:g} and {column.largest:g}",
        evidence={
            each.name: {"root_mean_square": each.root_mean_square, "deviation": each.deviation,
                        "smallest": each.smallest, "largest": each.largest}
            for each in (inputs.largest, inputs.smallest)
        } | {"columns": inputs.columns, "scale": inputs.scale},
        fix=fix,
    )
