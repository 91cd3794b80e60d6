"""Draws docs/report*.png: reports as a browser shows them. Run as `python docs/report_pictures.py`.

It climbs on digits, and with a network that applies softmax twice, and takes pictures with Chromium by Playwright.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from assay.drafting import draft
from assay.reporting.html.page import write_report
from assay.running import run
from assay.sources import find

DOCS = Path(__file__).resolve().parent


@dataclass(frozen=True, kw_only=True)
class Picture:
    """One picture: of which run, from the top of which section, in which window."""

    name: str
    run: str
    section: str | None = None
    width: int = 1280
    height: int = 900
    scheme: str = "light"


PICTURES = (
    Picture(name="report", run="digits"),
    Picture(name="report-training", run="digits", section="curves", height=1010, scheme="dark"),
    Picture(name="report-inputs", run="digits", section="splits", height=1000),
    Picture(name="report-stopped", run="softmax_twice"),
    Picture(name="report-narrow", run="digits", width=400, height=900, scheme="dark"),
)


def reports() -> dict[str, Path]:
    """The reports by the name of their run, in the working directory."""
    source, digits = find("digits")
    Path("digits.yaml").write_text(draft(digits, source=source).text(), encoding="utf-8")
    shutil.copytree(DOCS.parent / "examples" / "own_module", ".", dirs_exist_ok=True)
    return {name: write_report(run(f"{name}.yaml").folder) for name in ("digits", "softmax_twice")}


def take(browser: Browser, picture: Picture, page: Path) -> None:
    """Take one picture of a page."""
    context = browser.new_context(
        viewport={"width": picture.width, "height": picture.height}, device_scale_factor=1.5,
        color_scheme="dark" if picture.scheme == "dark" else "light", reduced_motion="reduce",
    )
    shown = context.new_page()
    shown.goto(page.resolve().as_uri())
    if picture.section is not None:
        shown.evaluate("name => document.getElementById(name).scrollIntoView({behavior: 'instant'})", picture.section)
    shown.screenshot(path=DOCS / f"{picture.name}.png")
    context.close()


def main() -> None:
    """Make the reports, then their pictures."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        made = reports()
        for picture in PICTURES:
            take(browser, picture, made[picture.run])
        browser.close()


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
