"""Well-known tables, where they lie beside the checkout: what is inferred of them is what people know of them."""

from __future__ import annotations

import pytest

from assay.recipe.schema import TableData
from assay.tables.survey import Survey, survey
from tests.syntax import ROOT

DATA = ROOT.parent / "shared" / "data"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not DATA.is_dir(), reason="the well-known tables don't lie beside this checkout"),
]


def seen(file: str, target: str, *, header: bool = True) -> Survey:
    data = TableData(name="table", files=(file,), target=target, header=header)
    return survey(data, folder=DATA, task=None)


def left_out(found: Survey) -> set[str]:
    return {name for name, kind in found.data.inputs.items() if kind == "leave_out"}


def test_titanic_s_copies_are_left_out() -> None:
    found = seen("titanic/titanic.csv", "survived")
    assert found.dataset.task == "binary"
    assert left_out(found) == {"alive", "class", "embark_town"}


def test_penguins_are_three_species() -> None:
    found = seen("penguins/penguins.csv", "species")
    assert found.dataset.classes == ("Adelie", "Chinstrap", "Gentoo")
    assert left_out(found) == set()


def test_wine_s_scores_may_be_classes_or_amounts() -> None:
    found = seen("wine-quality/winequality-red.csv", "c12", header=False)
    assert (found.dataset.task, found.certain_task, found.dataset.x.shape) == ("multiclass", False, (1599, 11))


def test_houses_have_prices_and_no_group() -> None:
    found = seen("california-housing/housing.csv", "median_house_value")
    assert (found.dataset.task, found.dataset.x.shape) == ("regression", (20640, 9))
    assert found.data.group is None


def test_question_marks_among_adults_are_missing() -> None:
    found = seen("adult/adult-test.csv", "c15", header=False)
    assert found.data.missing == ("?",)
    assert found.dataset.classes == ("<=50K.", ">50K.")
