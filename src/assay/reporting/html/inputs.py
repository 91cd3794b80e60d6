"""What the model sees: splits, classes, columns as read, and examples exactly as they enter the network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.facts.inputs import ColumnSpread, InputFacts, InputSpread, ShownExample
from assay.facts.splits import SplitFacts, SplitRecord
from assay.reporting.html.element import Markup, fragment, tag
from assay.reporting.html.figures import alike, amount, number, percent, short
from assay.reporting.html.picture import picture
from assay.reporting.html.story import Story

MOST_CLASSES = 24
MOST_COLUMNS = 40
"""Classes and columns that are shown; of more, the first, and the page says how many there are."""

EXAMPLES = 6
"""Columns of the table of examples."""

PALEST, DARKEST = 0.01, 0.99
"""A picture's white and black: these shares of all shown values lie beyond."""


def splits(story: Story) -> Markup | None:
    """The rows of each split, and of each class in them."""
    facts = story.fact(SplitFacts)
    if facts is None:
        return None
    targets = story.fact(InputFacts)
    return fragment(_sizes(facts.splits), _classes(facts), _targets(targets) if targets else None)


def columns(story: Story) -> Markup | None:
    """The table's columns as read, over the training rows; none for pictures, whose columns are pixels."""
    facts = story.fact(InputFacts)
    if facts is None or facts.image is not None:
        return None
    rows = (_column(each) for each in facts.table[:MOST_COLUMNS])
    return fragment(tag("div", rows, class_="columns"), _rest(facts.columns))


def examples(story: Story) -> Markup | None:
    """Training examples as tensors: pictures, or a table with the range of every number."""
    facts = story.fact(InputFacts)
    if facts is None or not facts.examples:
        return None
    return _pictures(facts, facts.image) if facts.image else _values(facts)


def _sizes(parts: Sequence[SplitRecord]) -> Markup:
    total = sum(part.rows for part in parts) or 1
    bars = (tag("i", class_=part.name, style=f"flex:{max(part.rows, 0)}", title=f"{part.name}: {part.rows:,} rows")
            for part in parts)
    said = (tag("span", tag("b", part.name), f" {part.rows:,} · {percent(part.rows / total)}",
                class_=f"key {part.name}") for part in parts)
    return tag("div", tag("div", bars, class_="stack"), tag("p", said, class_="keys"), class_="sizes")


def _classes(facts: SplitFacts) -> Markup | None:
    if not facts.classes or not facts.splits or not facts.splits[0].class_counts:
        return None
    order = list(range(len(facts.classes)))
    if len(order) > MOST_CLASSES:
        order = sorted(order, key=lambda label: -facts.splits[0].class_counts[label])[:MOST_CLASSES]
    most = max(_share(split, label) for split in facts.splits for label in order) or 1.0
    heads = (tag("th", split.name, scope="col") for split in facts.splits)
    head = tag("tr", tag("th", "class"), tag("th", "share of each split", class_="bars"), heads)
    body = (_class(facts, label, most) for label in order)
    cut = tag("p", f"The {len(order)} commonest of {len(facts.classes):,} classes.", class_="remark")
    return fragment(tag("div", tag("table", tag("thead", head), tag("tbody", body)), class_="classes"),
                    cut if len(order) < len(facts.classes) else None)


def _class(facts: SplitFacts, label: int, most: float) -> Markup:
    bars = (tag("i", class_=split.name, style=f"width:{_share(split, label) / most:.2%}",
                title=f"{split.name}: {percent(_share(split, label))}") for split in facts.splits)
    counts = (tag("td", f"{split.class_counts[label]:,}") for split in facts.splits)
    return tag("tr", tag("th", facts.classes[label], scope="row"), tag("td", bars, class_="bars"), counts)


def _share(split: SplitRecord, label: int) -> float:
    return split.class_counts[label] / split.rows if split.rows else 0.0


def _targets(facts: InputFacts) -> Markup | None:
    """A regression's targets in training and validation, bin by bin; the test rows' stay sealed."""
    if not facts.targets or facts.target_range is None:
        return None
    low, high = facts.target_range
    shown = (tag("figure", tag("figcaption", tag("span", f"target in {each.split}", class_=f"key {each.split}")),
                 _histogram(each.counts, each.split), tag("p", number(low), tag("span", number(high)), class_="ends"))
             for each in facts.targets)
    return tag("div", shown, class_="targets")


def _histogram(counts: Sequence[int], kind: str) -> Markup:
    most = max(counts, default=0) or 1
    bars = (tag("rect", tag("title", amount(count, "row")), x=f"{at + 0.06:.2f}", width="0.88",
                y=f"{100 - 100 * count / most:.1f}", height=f"{100 * count / most:.1f}")
            for at, count in enumerate(counts))
    return tag("svg", bars, viewBox=f"0 0 {max(1, len(counts))} 100", preserveAspectRatio="none", role="img",
               aria_label=f"{amount(len(counts), 'bin')}, the fullest of {amount(most, 'row')}", class_=f"bins {kind}")


def _column(column: ColumnSpread) -> Markup:
    missing = tag("span", f"{percent(column.missing)} missing", class_="missing") if column.missing else None
    return tag(
        "div", tag("p", tag("b", column.name), missing, class_="name"),
        _histogram(column.counts, "train") if column.counts else tag("span"),
        tag("p", _range(column), class_="ends"),
    )


def _range(column: ColumnSpread) -> Iterator[Markup]:
    if column.kind == "category":
        named = ", ".join(f"{name} {count:,}" for name, count in zip(column.levels, column.counts, strict=True))
        more = f" and {column.distinct - len(column.levels)} more" if column.distinct > len(column.levels) else ""
        yield tag("span", named + more, class_="levels")
    elif column.smallest is None or column.middle is None or column.largest is None:
        yield tag("span", "no value at all")
    else:
        ends = (column.smallest, column.middle, column.largest)
        yield from (tag("span", _day(end) if column.kind == "date" else number(end)) for end in ends)


def _day(days: float) -> str:
    from datetime import date, timedelta

    try:
        return (date(1970, 1, 1) + timedelta(days=days)).isoformat()
    except OverflowError:
        return f"{number(days)} days"


def _rest(count: int) -> Markup:
    shown = f"The first {MOST_COLUMNS} of {count:,} columns. " if count > MOST_COLUMNS else ""
    said = "Training rows as read: smallest, median and largest under each; categories by their rows."
    return tag("p", shown + said, class_="remark")


def _pictures(facts: InputFacts, shape: tuple[int, int]) -> Markup:
    values = sorted(value for example in facts.examples for value in example.values)
    limits = (values[int(PALEST * (len(values) - 1))], values[int(DARKEST * (len(values) - 1))])
    by_label: dict[str, list[Markup]] = {}
    for example in facts.examples:
        by_label.setdefault(example.label, []).append(_picture(example, shape, limits))
    groups = (tag("figure", tag("div", pictures), tag("figcaption", label)) for label, pictures in by_label.items())
    said = (f"{shape[0]} × {shape[1]} numbers each, after preprocessing: white is {short(limits[0])} and less, "
            f"black {short(limits[1])} and more.")
    return fragment(tag("div", groups, class_="pictures"), tag("p", said, class_="remark"))


def _picture(example: ShownExample, shape: tuple[int, int], limits: tuple[float, float]) -> Markup:
    said = f"row {example.row}, label {example.label}"
    return tag("img", src=picture(example.values, shape=shape, limits=limits), alt=said, title=said,
               width=str(shape[1]), height=str(shape[0]))


def _values(facts: InputFacts) -> Markup:
    shown = _evenly(facts.examples)
    names = (tag("th", example.label, tag("small", f"row {example.row}"), scope="col") for example in shown)
    head = tag("tr", tag("th", "input"), tag("th", "from", class_="range"), tag("th", "to", class_="range"), names)
    body = (_input(spread, at, shown) for at, spread in enumerate(facts.inputs[:MOST_COLUMNS]))
    table = tag("div", tag("table", tag("thead", head), tag("tbody", body)), class_="examples")
    cut = f"The first {MOST_COLUMNS} of {facts.width:,} inputs. " if facts.width > MOST_COLUMNS else ""
    said = f"{cut}Each column is one training example with its label; ranges are over all {facts.rows:,} training rows."
    return fragment(table, tag("p", said, class_="remark"))


def _evenly(shown: Sequence[ShownExample]) -> list[ShownExample]:
    """A few of them, spread over the classes, or over the targets, that they are ordered by."""
    step = max(1.0, len(shown) / EXAMPLES)
    return [shown[int(at * step)] for at in range(min(EXAMPLES, len(shown)))]


def _input(spread: InputSpread, at: int, shown: Sequence[ShownExample]) -> Markup:
    values = [spread.smallest, spread.largest, *(example.values[at] for example in shown)]
    form = alike(values[:2], digits=1 if all(value.is_integer() for value in values) else 3)
    cells = (tag("td", form(example.values[at])) for example in shown)
    return tag("tr", tag("th", spread.name, scope="row"), tag("td", form(spread.smallest), class_="range"),
               tag("td", form(spread.largest), class_="range"), cells)
