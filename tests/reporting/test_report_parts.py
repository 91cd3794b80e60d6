"""Numbers, axes, curves and pictures of the report."""

from __future__ import annotations

import base64
import math
import struct
import zlib
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assay.reporting.html.curves import read_curves
from assay.reporting.html.figures import alike, metric_words, moment, number, percent, short
from assay.reporting.html.panel import MOST_POINTS, thinned
from assay.reporting.html.picture import picture
from assay.reporting.html.scale import Scale, drawable, scale_for
from tests.reporting.run_folders import Made, make_run


@pytest.mark.parametrize(("value", "written"), [
    (0.0, "0"), (1797.0, "1,797"), (0.98234, "0.9823"), (-3.0354, "−3.035"), (1.0000002, "1"), (12345.6, "12,346"),
    (0.000123456, "0.0001235"), (1e308, "1e+308"), (-1.2e-7, "−1.2e−07"), (math.nan, "not a number"),
    (math.inf, "∞"), (-math.inf, "−∞"),
])
def test_a_number(value: float, written: str) -> None:
    assert number(value) == written


@given(st.floats())
def test_every_number_can_be_written(value: float) -> None:
    assert number(value)
    assert short(value)
    assert alike([value])(value)


def test_what_is_compared_has_the_same_decimals() -> None:
    form = alike([73.4616, 51.3865, None, math.nan])
    assert [form(value) for value in (73.4616, 51.0, None, math.nan)] == ["73.46", "51.00", "–", "–"]
    assert alike([0.0182, 0.98])(0.0182) == "0.0182"


@pytest.mark.parametrize(("share", "written"), [
    (0.0, "0 %"), (0.0001, "< 0.1 %"), (0.055, "5.5 %"), (0.6, "60 %"), (1.0, "100 %"),
])
def test_a_share(share: float, written: str) -> None:
    assert percent(share) == written


def test_words() -> None:
    assert metric_words("val_macro_f1") == "validation macro F1"
    assert metric_words("train_loss") == "training loss"
    assert moment("2026-11-30T16:59:51.788+00:00") == "30 November 2026, 16:59 UTC"
    assert moment("<when>") == "<when>"


@example([1.0, 6.402291351827256e290], True)
@given(st.lists(st.floats(allow_nan=True), max_size=6), st.booleans())
def test_an_axis_holds_all_that_can_be_drawn(values: list[float], may_be_log: bool) -> None:
    scale = scale_for(values, may_be_log=may_be_log)
    known = [value for value in values if drawable(value)]
    if scale is None:
        return
    assert all(-1e-6 <= scale.at(value) <= 1 + 1e-6 for value in known)
    ticks = scale.ticks()
    assert len(ticks) <= 9
    assert all(-1e-6 <= scale.at(tick) <= 1 + 1e-6 for tick in ticks)


def test_a_loss_that_falls_far_is_shown_by_its_logarithm() -> None:
    scale = scale_for([2.0, 0.001], may_be_log=True)
    assert scale is not None
    assert scale.log
    assert scale.ticks() == pytest.approx((1.0, 0.1, 0.01, 0.001)[::-1])
    assert Scale(low=1.0, high=100.0, log=True).at(10.0) == pytest.approx(0.5)
    assert not scale_for([2.0, 0.0], may_be_log=True).log  # type: ignore[union-attr]


def test_steps_stand_within_their_epoch(tmp_path: Path) -> None:
    path = tmp_path / "single" / "seed-4" / "metrics.csv"
    path.parent.mkdir(parents=True)
    path.write_text("epoch,step,loss,val_loss\n0,5,2.0,\n0,10,1.5,\n0,10,,1.0\n1,15,1.0,\n1,20,,nan\n")
    (seed,) = read_curves(tmp_path, {"single": {"seed": 4, "epoch": 0}})
    assert seed.series["loss"] == ((0.5, 2.0), (1.0, 1.5), (1.5, 1.0))
    assert seed.series["val_loss"][0] == (1.0, 1.0)
    assert math.isnan(seed.series["val_loss"][1][1])
    assert (seed.best, seed.scores(), seed.epochs) == (1, {"loss": 1.0}, 2.0)


def test_seeds_come_in_order_and_their_scores_are_those_of_the_best_epoch(tmp_path: Path) -> None:
    folder = make_run(tmp_path, Made(seeds=12))
    told = {"seeds": {"seeds": [{"seed": seed, "epoch": 6} for seed in range(12)]}}
    curves = read_curves(folder, told)
    assert [each.seed for each in curves] == list(range(12))
    assert curves[11].scores()["macro_f1"] == pytest.approx(0.9 - 0.5 * 0.5**6)


def test_long_curves_are_thinned_and_keep_their_end() -> None:
    points = tuple((float(at), 0.0) for at in range(10_000))
    kept = thinned(points)
    assert len(kept) <= MOST_POINTS + 1
    assert kept[-1] == points[-1]
    assert thinned(points[:3]) == points[:3]


def test_a_picture_is_a_png_of_its_pixels() -> None:
    uri = picture((0.0, 1.0, 2.0, math.nan, -5.0, 9.0), shape=(2, 3), limits=(0.0, 2.0))
    data = base64.b64decode(uri.removeprefix("data:image/png;base64,"))
    assert struct.unpack(">II", data[16:24]) == (3, 2)
    length = struct.unpack(">I", data[33:37])[0]
    assert zlib.decompress(data[41 : 41 + length]) == bytes([0, 255, 128, 0, 0, 255, 255, 0])
