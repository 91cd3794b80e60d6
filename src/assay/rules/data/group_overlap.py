"""One group stands in two splits: the same patient, user or document is trained on and judged by.

## Why it hurts
Rows of one group resemble each other in ways that other groups don't share: a patient's anatomy, a writer's hand, a
sensor's offset. A model that recognises the group is right on its other rows without having learned the task, and
fails on the first group that it hasn't seen. The score says nothing about new groups.

## What is looked at
The group column that the recipe states (`data.group`), as a set of values in each split. No threshold enters: a group
was stated because its rows must stay together, so that a single one in two splits is an error. It is a note where the
rows were divided by time, since known groups are then met again on purpose.

## Remedy
Split by group: `data.split.kind: grouped`, or `stratified_grouped` to keep the shares of the classes too.

## When it is wrong to worry
Where the model will be used on the very groups that it was trained on, such as known customers: state no group.

## References
Kaufman et al., "Leakage in data mining: formulation, detection, and avoidance", ACM TKDD 6, 2012.
Saeb et al., "The need to approximate the use-case in clinical machine learning", GigaScience 6, 2017.
"""

from __future__ import annotations

from collections.abc import Iterator

from assay.facts.leakage import GroupFacts, SharedGroups
from assay.rule import ERROR, NOTE, Finding, Verdict, rule


@rule(severity=ERROR)
def group_overlap(groups: GroupFacts) -> Iterator[Verdict]:
    """One finding for each pair of splits that shares groups."""
    for shared in groups.shared:
        yield _finding(groups, shared)


def _finding(groups: GroupFacts, shared: SharedGroups) -> Finding:
    by_time = groups.split_by == "time"
    met = "group stands" if shared.groups == 1 else "groups stand"
    return Finding(
        summary=f"{shared.groups} of {groups.groups} {met} in {shared.first} and {shared.second}: {shared.rows} "
                f"{shared.second} rows" + (", met again later, as a split by time has it" if by_time else ""),
        severity=NOTE if by_time else ERROR,
        evidence={"groups": shared.groups, "of": groups.groups, "rows": shared.rows, "share": shared.share,
                  "first_groups": list(shared.examples), "split_by": groups.split_by},
        impact=f"{shared.share:.1%} of the {shared.second} score is on groups that {shared.first} knows",
        fix="split by group (data.split.kind: grouped or stratified_grouped)",
    )
