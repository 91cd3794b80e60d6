"""Values are text that needs a reading, or numbers that stand for something else.

## Why it hurts
"1.234,50", "12 kg", "5 %" and "03/04/2021" each have more than one reading, and -999 for "unknown" is a number like any
other to a mean. A reader that guesses in silence turns thousands into units; one that gives up turns a column of
numbers into a column of categories. A total at the foot of a table is a row that is no example.

## What is looked at
What reading the table showed: numbers with units, currency, thousands separators, decimal commas or percent signs;
dates in one form or several; values such as -999 far outside a column; text among numbers; total rows and repeated
headers. What was read, be it that the recipe states how, is a note that quotes one value and its reading. What could
not be read is a warning, since such values count as missing; a total row or a repeated header that stays among the rows
is an error. No threshold enters here.

## Remedy
Check the reading that is quoted. State it in the recipe (`missing`, `inputs`), or write plain numbers and ISO dates.

## When it is wrong to worry
A note says what was done. Where that is right, nothing is left to do.

## References
Wickham, "Tidy data", Journal of Statistical Software 59, 2014.
Hynes, Sculley and Terry, "The data linter: lightweight, automated sanity checking for ML data sets", NeurIPS 2017
workshop on ML systems.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.table import Form, Reading, TableFacts
from assay.rule import ERROR, NOTE, WARNING, Finding, Severity, Verdict, rule

NO_EXAMPLES = ("total row", "repeated header")
WORDS: dict[Form, str] = {
    "unit": "with a unit", "currency": "with a currency sign", "thousands separator": "with a thousands separator",
    "decimal comma": "with a decimal comma", "percent": "with a per cent sign", "date": "that are dates",
    "mixed dates": "that are dates of several forms", "sentinel": "that stand for an unknown one",
    "total row": "in the row of a total", "repeated header": "that repeat the header",
    "text among numbers": "of text among numbers",
}


@rule(severity=ERROR)
def column_format(table: TableFacts) -> Iterator[Verdict]:
    """Say how each form was read, or that it was not."""
    for reading in table.readings:
        if reading.read_as is None:
            yield _finding(reading, said="could not be read", severity=_loudness(reading))
        else:
            read = "" if reading.form in NO_EXAMPLES else "read "
            stated = ", as the recipe states" if reading.stated else ""
            yield _finding(reading, said=f"{read}{reading.read_as}{stated}", severity=NOTE)


def _loudness(reading: Reading) -> Severity:
    return ERROR if reading.form in NO_EXAMPLES else WARNING


def _finding(reading: Reading, *, said: str, severity: Severity) -> Finding:
    many = f"{reading.count} values" if reading.count != 1 else "one value"
    rows = f" from row {reading.rows[0]} on" if len(reading.rows) > 1 else "".join(f" in row {r}" for r in reading.rows)
    shown = f" ({', '.join(repr(each) for each in reading.examples[:2])}{rows})" if reading.examples else ""
    return Finding(
        summary=f"column {reading.column} has {many} {WORDS[reading.form]}{shown}: {said}",
        severity=severity,
        evidence={"column": reading.column, "form": reading.form, "count": reading.count, "rows": list(reading.rows),
                  "examples": list(reading.examples), "read_as": reading.read_as},
        fix="check that this is what the values mean, and state it in the recipe" if severity is NOTE else
            "mend these values in the file, or name them under data.missing if they mean that nothing is known",
    )
