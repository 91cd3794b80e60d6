from __future__ import annotations

import numpy as np
import pytest

from assay import sources
from assay.errors import DataError
from assay.recipe.schema import DataBlock
from assay.sources import sklearn


@pytest.mark.parametrize(
    ("name", "task", "shape", "classes"),
    [
        ("digits", "multiclass", (1797, 64), 10), ("wine", "multiclass", (178, 13), 3),
        ("breast_cancer", "binary", (569, 30), 2), ("iris", "multiclass", (150, 4), 3),
        ("diabetes", "regression", (442, 10), 0),
    ],
)
def test_each_table_has_its_known_form(name: str, task: str, shape: tuple[int, int], classes: int) -> None:
    dataset = sources.load(DataBlock(source="sklearn", name=name))
    assert (dataset.task, dataset.x.shape, len(dataset.classes)) == (task, shape, classes)
    assert dataset.x.dtype == np.float64
    assert len(dataset.columns) == shape[1]
    if classes:
        assert dataset.y.dtype == np.int64
        assert set(dataset.y) == set(range(classes))
    else:
        assert dataset.y.dtype == np.float64


def test_reading_again_gives_the_same_data() -> None:
    assert sklearn.read("wine").fingerprint() == sklearn.read("wine").fingerprint()


def test_one_changed_value_changes_the_fingerprint() -> None:
    dataset = sklearn.read("iris")
    before = dataset.fingerprint()
    dataset.x[7, 2] += 1e-9
    assert dataset.fingerprint() != before


def test_any_source_s_data_set_is_found_by_its_name() -> None:
    source, dataset = sources.find("iris")
    assert (source, dataset.name) == ("sklearn", "iris")


def test_an_unknown_name_is_told_with_the_nearest_and_all_there_are() -> None:
    listed = "Choose one of breast_cancer, diabetes, digits, iris, wine."
    with pytest.raises(DataError, match="no data set is named 'digit'; did you mean digits") as caught:
        sources.load(DataBlock(source="sklearn", name="digit"))
    assert listed in str(caught.value)
    with pytest.raises(DataError, match="no data set is named 'zzz'; Choose one of"):
        sources.find("zzz")
