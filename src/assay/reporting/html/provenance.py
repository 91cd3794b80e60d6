"""The record: versions, commit, hardware, fingerprints and command, so that a number can be traced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assay.reporting.html.element import Child, Markup, fragment, tag
from assay.reporting.html.figures import amount, moment
from assay.reporting.html.story import Story

FILES = 8
"""Files of a commit's differences that are named; record.json holds the whole difference."""


def provenance(story: Story) -> Markup:
    """What the run stands on; what could not be found out is said."""
    if not story.record:
        return tag("p", "record.json is missing: nothing is known of the machine and the code.")
    try:
        return _told(story)
    except (KeyError, TypeError, AttributeError):
        return tag("p", "record.json has another form than was written: it tells nothing of the machine and the code.")


def _told(story: Story) -> Markup:
    return fragment(tag("dl", _lines(story), class_="record"), tag("h3", "Versions"),
                    tag("p", _versions(story.record), class_="names"))


def _lines(story: Story) -> Iterator[Markup]:
    record, hardware = story.record, story.record["hardware"]
    yield _line("command", tag("code", " ".join(record["command"])))
    yield _line("in", tag("code", record["folder"]))
    yield from _code(record["source"])
    yield _line("recipe", tag("code", record["recipe"]))
    yield _line("data", tag("code", record["data"]) if record["data"] else "no fingerprint: people's own data module")
    yield _line("seeds", ", ".join(map(str, record["seeds"])))
    yield _line("machine", f"{hardware['processor']}, {amount(hardware['cores'], 'core')}, "
                           f"{hardware['memory'] / 2**30:.1f} GiB of memory, {hardware['system']}")
    yield _line("GPU", _known(hardware["gpus"]))
    yield _line("ledger", f"{amount(len(story.entries), 'entry', 'entries')}, checksums whole, the last of ",
                moment(story.entries[-1].at), ": ", tag("code", story.entries[-1].checksum))


def _code(source: Mapping[str, Any]) -> Iterator[Markup]:
    if "unknown" in source:
        yield _line("commit", f"not known ({source['unknown']})")
        return
    changed = [line.removeprefix("+++ b/") for line in source["diff"].splitlines() if line.startswith("+++ b/")]
    yield _line("commit", tag("code", source["commit"]), "" if changed else ", nothing changed since")
    if changed:
        yield _line("uncommitted", f"{amount(len(changed), 'file')} changed: {_listed(changed)}")
    if source["untracked"]:
        yield _line("untracked", f"{amount(len(source['untracked']), 'file')}: {_listed(source['untracked'])}")


def _listed(files: list[str]) -> str:
    more = f" and {len(files) - FILES} more" if len(files) > FILES else ""
    return ", ".join(files[:FILES]) + more


def _known(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"none known ({value.get('unknown', '')})"
    return "; ".join(value) or "none"


def _versions(record: Mapping[str, Any]) -> Iterator[Markup]:
    yield tag("code", f"Python {record['python']}")
    for package, version in record["versions"].items():
        yield tag("code", f"{package} {version}")


def _line(name: str, *value: Child) -> Markup:
    return tag("div", tag("dt", name), tag("dd", *value))
