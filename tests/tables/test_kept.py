"""A table that is kept as read: the same as reading it, never stale, never trusted where it is damaged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assay import sources
from assay.dataset import Dataset
from assay.errors import DataError
from assay.recipe.schema import TableData

CSV = "city,price,when,who,bought\n" + "".join(
    f"{'Oslo' if i % 3 else 'Bonn'},{i * 1.5 if i % 7 else ''},2024-01-{i % 28 + 1:02d},p{i % 9},{i % 2}\n"
    for i in range(80)
)


def _data(**changed: object) -> TableData:
    told = {"name": "t", "files": ("t.csv",), "target": "bought", "group": "who", "cache": "kept", **changed}
    return TableData.model_validate(told)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "t.csv").write_text(CSV)
    return tmp_path


def _kept(folder: Path) -> list[Path]:
    return sorted((folder / "kept").glob("*.npz"))


def _same(first: Dataset, second: Dataset) -> None:
    for name in ("name", "task", "columns", "classes", "kinds", "categories", "digest", "known", "image"):
        assert getattr(first, name) == getattr(second, name), name
    for name in ("x", "y", "groups", "times", "given"):
        one, other = getattr(first, name), getattr(second, name)
        assert (one is None) == (other is None), name
        if one is not None:
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("changed", [{}, {"target": "price", "group": None, "time": "when"}])
def test_what_is_kept_is_what_is_read(
    folder: Path, changed: dict[str, object], monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = sources.load(_data(**changed, cache=None), folder=folder)
    _same(sources.load(_data(**changed), folder=folder), plain)
    assert len(_kept(folder)) == 1
    monkeypatch.setattr("assay.tables.kept.read_table", lambda *_, **__: pytest.fail("the files were parsed again"))
    _same(sources.load(_data(**changed), folder=folder), plain)


def test_a_changed_file_or_reading_is_read_anew(folder: Path) -> None:
    before = sources.load(_data(), folder=folder)
    (folder / "t.csv").write_text(CSV.replace("Bonn", "Rome"))
    after = sources.load(_data(), folder=folder)
    assert after.categories["city"] != before.categories["city"]
    assert after.fingerprint() != before.fingerprint()
    left_out = sources.load(_data(inputs={"city": "leave_out"}), folder=folder)
    assert "city" not in left_out.columns
    assert len(_kept(folder)) == 3


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 torn", None])
def test_a_damaged_file_is_read_anew(folder: Path, damage: bytes | None) -> None:
    plain = sources.load(_data(), folder=folder)
    [path] = _kept(folder)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2] if damage is None else damage)
    _same(sources.load(_data(), folder=folder), plain)
    _same(sources.load(_data(), folder=folder), plain)


def test_a_folder_that_cant_be_written_is_one_sentence(folder: Path) -> None:
    (folder / "kept").write_text("a file stands where the folder would")
    with pytest.raises(DataError, match=r"data\.cache: .* can't be written: choose a folder of yours"):
        sources.load(_data(), folder=folder)


def test_a_file_that_is_not_there_is_told_as_without_a_cache(folder: Path) -> None:
    with pytest.raises(DataError, match=r"gone\.csv"):
        sources.load(_data(files=("gone.csv",)), folder=folder)
