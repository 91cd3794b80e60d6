"""The report in headless Chromium: nothing goes wrong, nothing is fetched, nothing scrolls sideways, all can be read.

These tests skip where no Chromium or no Playwright is found; `apt-get install chromium` and the dev extra bring them.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from assay.reporting.html.page import write_report
from tests.reporting.run_folders import HOSTILE, Made, make_run

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next((path for name in NAMES if (path := shutil.which(name))), "")
pytestmark = pytest.mark.skipif(not CHROMIUM, reason="no Chromium is installed")

WIDE, NARROW = 1280, 400
RUNS = {
    "passed": Made(),
    "pictures": Made(image=(2, 3), seeds=1),
    "stopped": Made(faulty=True, upto="data", verdicts={"data": "failed"}),
    "waived": Made(faulty=True, verdicts={"data": "waived"}, why="known gaps"),
    "hostile": Made(names=HOSTILE, faulty=True, why=HOSTILE[0], verdicts={"smoke": "waived"}),
    "many": Made(names=[f"a class of number {number}" for number in range(200)], seeds=9),
}

FITS = "document.documentElement.scrollWidth <= window.innerWidth"
SMALL = """[...document.querySelectorAll('.part, .part h2, header, h1, nav a, .body > *')]
    .filter((each) => { const box = each.getBoundingClientRect(); return box.width < 2 || box.height < 2; })
    .map((each) => each.outerHTML.slice(0, 120))"""
OUTSIDE = """[...document.querySelectorAll('.body *')].filter((each) => {
    const box = each.getBoundingClientRect();
    return box.width && box.right > window.innerWidth + 1 && !each.closest('.scores, .wide, .examples, .strip, svg');
}).map((each) => each.outerHTML.slice(0, 160))"""

CONTRAST = """() => {
  const pen = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgb = (colour, over) => {
    pen.fillStyle = over; pen.fillRect(0, 0, 1, 1); pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1);
    return `rgb(${[...pen.getImageData(0, 0, 1, 1).data].slice(0, 3).join(' ')})`;
  };
  const light = (colour) => {
    const part = (value) => { const s = value / 255; return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; };
    const [r, g, b] = colour.match(/\\d+/g).map(Number);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const behind = (each) =>
    each ? rgb(getComputedStyle(each).backgroundColor, behind(each.parentElement)) : 'rgb(0 0 0)';
  const faint = [];
  for (const each of document.querySelectorAll('body *')) {
    const own = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || !each.getClientRects().length || each.closest('svg, script, style')) continue;
    const ground = behind(each);
    const [a, b] = [light(rgb(getComputedStyle(each).color, ground)), light(ground)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) faint.push([ratio.toFixed(2), each.outerHTML.slice(0, 120)]);
  }
  return faint;
}"""


@dataclass
class Seen:
    """An open page, and everything that went wrong on it."""

    page: Any
    wrong: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("runs")
    return {name: write_report(make_run(root / name, made)) for name, made in RUNS.items()}


def opened(browser: Any, path: Path, *, width: int = WIDE, scheme: str = "light") -> Seen:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True)
    seen = Seen(context.new_page())
    seen.page.on("console", lambda message: seen.wrong.append(f"console: {message.text}"))
    seen.page.on("pageerror", lambda fault: seen.wrong.append(f"error: {fault}"))
    seen.page.on("dialog", lambda dialog: (seen.wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    seen.page.on("request", lambda request: seen.wrong.append(f"request: {request.url}")
                 if not request.url.startswith(("file:", "data:")) else None)
    seen.page.goto(path.as_uri())
    return seen


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("run", RUNS)
def test_it_opens_without_a_fault_and_fits(run: str, width: int, browser: Any, reports: dict[str, Path]) -> None:
    seen = opened(browser, reports[run], width=width)
    assert seen.wrong == []
    assert seen.page.evaluate(FITS)
    assert seen.page.evaluate(SMALL) == []
    assert seen.page.evaluate(OUTSIDE) == []
    names = seen.page.eval_on_selector_all(".part h2", "all => all.map((each) => each.innerText)")
    assert {"The ladder", "Findings", "Choices", "Rules", "Record"} <= set(names)
    assert all(seen.page.is_visible(f".part:nth-of-type({number})") for number in range(1, len(names) + 1))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("run", ["hostile", "waived", "stopped"])
def test_every_text_stands_out(run: str, scheme: str, browser: Any, reports: dict[str, Path]) -> None:
    """At the 4.5 : 1 that WCAG 2.2 asks of text."""
    seen = opened(browser, reports[run], scheme=scheme)
    assert seen.page.evaluate(CONTRAST) == []


def test_the_contrast_of_faint_text_would_be_seen(browser: Any, reports: dict[str, Path]) -> None:
    seen = opened(browser, reports["passed"])
    seen.page.evaluate("document.querySelector('h1').style.color = '#bbb'")
    assert len(seen.page.evaluate(CONTRAST)) == 1


def test_hostile_names_are_shown_as_text(browser: Any, reports: dict[str, Path]) -> None:
    seen = opened(browser, reports["hostile"])
    assert HOSTILE[0] in seen.page.inner_text("body")
    assert seen.wrong == []


def test_light_and_dark_follow_the_system_until_the_button_is_pressed(browser: Any, reports: dict[str, Path]) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    light = opened(browser, reports["passed"]).page.evaluate(paper)
    page = opened(browser, reports["passed"], scheme="dark").page
    dark = page.evaluate(paper)
    assert light != dark
    page.click("#theme")
    assert page.evaluate(paper) == light
    page.click("#theme")
    assert page.evaluate(paper) == dark


def test_the_pointer_reads_the_values_of_an_epoch(browser: Any, reports: dict[str, Path]) -> None:
    seen = opened(browser, reports["passed"])
    plot = seen.page.locator(".seed").first.locator(".plot")
    plot.first.hover()
    told = seen.page.locator(".seed").first.locator("output").all_inner_texts()
    assert told[0].startswith("epoch 6: training")
    assert "validation" in told[0]
    assert len(told) == 3
    assert all(told)
    seen.page.mouse.move(0, 0)
    assert seen.page.locator(".seed output").first.inner_text() == ""
    assert seen.wrong == []


def test_every_seed_is_a_dot(browser: Any, reports: dict[str, Path]) -> None:
    page = opened(browser, reports["many"]).page
    assert page.locator("#scores .dot.model").count() == RUNS["many"].seeds
    assert page.locator("#curves .seed").count() == RUNS["many"].seeds


def test_pictures_are_pictures(browser: Any, reports: dict[str, Path]) -> None:
    page = opened(browser, reports["pictures"]).page
    sizes = page.eval_on_selector_all("img", "all => all.map((each) => [each.naturalWidth, each.naturalHeight])")
    assert sizes == [[3, 2]] * 3


def test_on_paper_it_is_light_and_without_buttons(browser: Any, reports: dict[str, Path]) -> None:
    page = opened(browser, reports["passed"], scheme="dark").page
    page.emulate_media(media="print")
    assert not page.is_visible("#theme")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
