"""What is taken for what: the confusion matrix of all seeds together, and each class's recall, seed by seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.facts.task import TaskFacts
from assay.reporting.html.element import Markup, fragment, tag
from assay.reporting.html.figures import amount, percent
from assay.reporting.html.story import Story

MOST_CLASSES = 24
"""Classes of a matrix that can still be read; of more, the worst are listed."""

MOST_PAIRS = 12

UPRIGHT = 3
"""Characters of a class's name that fit above its column without turning."""

Matrix = Sequence[Sequence[int]]


@dataclass(frozen=True, kw_only=True)
class Confusion:
    """Matrices [true][predicted] and recalls by class, one of each a seed; a recall is None where it is undefined."""

    classes: Sequence[str]
    matrices: Sequence[Matrix]
    recalls: Sequence[Sequence[float | None]]

    def total(self) -> Matrix:
        """All seeds' matrices added up."""
        return [[sum(cells) for cells in zip(*rows, strict=True)] for rows in zip(*self.matrices, strict=True)]

    def mean_recall(self, label: int) -> float | None:
        """Over the seeds in which it is defined."""
        known = [recall[label] for recall in self.recalls]
        defined = [each for each in known if each is not None]
        return sum(defined) / len(defined) if defined else None


def validation_confusion(story: Story) -> Markup | None:
    """Of the best epoch of each seed, on the validation rows."""
    task = story.fact(TaskFacts)
    return confusion(_trained(story), task.classes if task else (), rows="Validation rows")


def _trained(story: Story) -> Sequence[Mapping[str, Any]]:
    """What is known of each seed: all of them where they were trained, else the first."""
    seeds, single = (story.stages.get(name) for name in ("seeds", "single"))
    if seeds is not None:
        told: Sequence[Mapping[str, Any]] = seeds.result["seeds"]
        return told
    return [] if single is None else [single.result]


def confusion(seeds: Sequence[Mapping[str, Any]], classes: Sequence[str], *, rows: str) -> Markup | None:
    """Of several seeds' results on `rows`; None where there is nothing to confuse."""
    known = [each for each in seeds if each.get("per_class_recall")]
    if not known:
        return None
    matrices = [each["confusion_matrix"] for each in known if each.get("confusion_matrix")]
    count = len(known[0]["per_class_recall"])
    names = list(classes) if len(classes) == count else [str(number) for number in range(count)]
    recalls = [[_share(value) for value in each["per_class_recall"]] for each in known]
    found = Confusion(classes=names, matrices=matrices, recalls=recalls)
    whole = bool(matrices) and count <= MOST_CLASSES
    parts = [_matrix(found)] if whole else [_pairs(found) if matrices else None, _recalls(found)]
    return fragment(*parts, tag("p", _caption(found, rows), class_="remark"))


def _share(value: Any) -> float | None:
    """The ledger writes not-a-number as text."""
    return float(value) if isinstance(value, int | float) and value == value else None


def _caption(found: Confusion, rows: str) -> str:
    seeds = len(found.recalls)
    said = "at its best epoch" if seeds == 1 else f"{amount(seeds, 'seed')} added up, each at its best epoch"
    whole = found.matrices and len(found.classes) <= MOST_CLASSES
    reading = "A row is a true class, a column what was predicted; the shade is the share of the row. " if whole else ""
    return f"{reading}Recall is the share of a class that was found, a dot a seed. {rows}, {said}."


def _matrix(found: Confusion) -> Markup:
    total = found.total()
    head = tag("tr", tag("th", "true ↓ predicted →", class_="corner"),
               (tag("th", tag("span", name), scope="col", title=name) for name in found.classes),
               tag("th", "recall", scope="col", class_="recall"))
    body = (tag("tr", tag("th", name, scope="row", title=name), _cells(found, total, label),
                tag("td", tag("div", _track(found, label), _mean(found, label)), class_="recall"))
            for label, name in enumerate(found.classes))
    dense = "matrix dense" if len(found.classes) > 12 else "matrix"
    dense += " upright" if max(map(len, found.classes)) <= UPRIGHT else ""
    return tag("div", tag("table", tag("thead", head), tag("tbody", body), class_=dense), class_="wide")


def _cells(found: Confusion, total: Matrix, label: int) -> Iterator[Markup]:
    row = total[label]
    for other, count in enumerate(row):
        share = count / sum(row) if sum(row) else 0.0
        title = f"{found.classes[label]} taken for {found.classes[other]}: {count} of {sum(row)}, {percent(share)}"
        kind = "right" if other == label else "wrong"
        # a rare mistake must still be seen: the shade begins at a tenth
        shade = f"--share:{0.1 + 0.9 * share:.3f}" if count else None
        yield tag("td", f"{count:,}" if count else "", class_=kind, style=shade, title=title)


def _pairs(found: Confusion) -> Markup:
    return tag("div", tag("h3", "Most often confused"), tag("ol", _mistakes(found, found.total())), class_="pairs")


def _mistakes(found: Confusion, total: Matrix) -> Iterator[Markup]:
    wrong = [(count, label, other) for label, row in enumerate(total) for other, count in enumerate(row)
             if label != other and count]
    for count, label, other in sorted(wrong, key=lambda each: (-each[0], each[1:]))[:MOST_PAIRS]:
        share = percent(count / sum(total[label]))
        yield tag("li", tag("b", found.classes[label]), " taken for ", tag("b", found.classes[other]),
                  f": {count:,} of {sum(total[label]):,} ({share})")


def _recalls(found: Confusion) -> Markup:
    labels = list(range(len(found.classes)))
    if len(labels) > MOST_CLASSES:
        labels = sorted(labels, key=lambda label: (found.mean_recall(label) is None, found.mean_recall(label)))
    shown = labels[:MOST_CLASSES]
    worst = f"Recall of the {len(shown)} worst of {len(labels):,} classes"
    title = worst if len(shown) < len(labels) else "Recall by class"
    return tag("div", tag("h3", title), tag("div", (_recall(found, label) for label in shown), class_="strips"),
               class_="recalls")


def _recall(found: Confusion, label: int) -> Markup:
    return tag("div", tag("span", found.classes[label], class_="who", title=found.classes[label]),
               _track(found, label), _mean(found, label), class_="strip")


def _track(found: Confusion, label: int) -> Markup:
    """A bar to the mean recall, and a dot a seed."""
    known = [recall[label] for recall in found.recalls]
    dots = (tag("i", class_="dot model", style=f"left:{each:.2%}", title=percent(each))
            for each in known if each is not None)
    bar = tag("i", class_="fill", style=f"left:0;width:{found.mean_recall(label) or 0.0:.2%}")
    return tag("div", bar, dots, class_="track")


def _mean(found: Confusion, label: int) -> Markup:
    mean = found.mean_recall(label)
    return tag("span", "–" if mean is None else percent(mean), class_="much")
