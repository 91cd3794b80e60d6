"""Equal inputs carry different labels.

## Why it hurts
No model can be right on both rows: the labels of such rows are a ceiling for every score, and a batch that holds them
can't be memorised. Where columns are fine, equal inputs are copies, so that one of the labels is wrong.

## What is looked at
The training and validation rows with equal inputs (by hashes), and those among them whose label isn't the usual one of
their input; targets of a regression differ from half a standard deviation on. What it means depends on how coarse the
columns are:

- Where equal rows come by nature (different rows often differ in one column only, or would often meet an equal if
  columns were independent, for at least as large a share of the rows as is repeated), they are different things that
  look alike: a note, since what is missing is a column that tells them apart.
- Where they don't, conflicts are a warning from one row in two hundred on, below which they move a score by less than
  the usual noise of labels (Northcutt et al. estimate 3.3 % on average over ten test sets in use, 0.15 % at least);
  fewer are a note.

## Remedy
Look the named rows up; drop or correct the wrong copies, or add the column that tells the rows apart.

## When it is wrong to worry
Labels that are noisy by nature and declared so, such as the answers of several people to one question.

## References
Northcutt, Athalye and Mueller, "Pervasive label errors in test sets destabilize machine learning benchmarks", NeurIPS
Datasets and Benchmarks 2021.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.label_quality import ConflictFacts
from assay.rule import NOTE, WARNING, Finding, Verdict, rule

FEW = 0.005  # of the rows
NATURAL = 0.5  # of the share that is repeated; half, since both are estimates


@rule(severity=WARNING)
def label_conflict(conflicts: ConflictFacts) -> Iterator[Verdict]:
    """Weigh the conflicts by how coarse the columns are."""
    if not conflicts.conflicting:
        return
    repeated = conflicts.repeated / conflicts.rows
    natural = conflicts.natural_share is not None and conflicts.natural_share >= NATURAL * repeated
    first, second, one, other = conflicts.examples[0]
    said = ": the columns don't tell these rows apart" if natural else ""
    yield Finding(
        summary=f"{conflicts.conflicting} of {conflicts.rows} rows carry another label than rows with equal inputs, as "
                f"row {first} ({one}) and row {second} ({other}){said}",
        severity=NOTE if natural or conflicts.share < FEW else WARNING,
        evidence={"conflicting": conflicts.conflicting, "share": conflicts.share, "repeated_rows": conflicts.repeated,
                  "natural_share": conflicts.natural_share, "rows": [list(each) for each in conflicts.examples]},
        impact=f"no model can be right on {conflicts.share:.1%} of these rows",
        fix="look the rows up: drop or correct wrong copies, or add the column that tells them apart",
    )
