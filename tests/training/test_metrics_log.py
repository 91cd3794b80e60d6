from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import RunFolderError
from assay.training.metrics_log import CsvLog, read_log


@given(value=st.floats(allow_nan=False))
def test_numbers_read_back_as_the_same_numbers(tmp_path_factory: pytest.TempPathFactory, value: float) -> None:
    path = tmp_path_factory.mktemp("log") / "metrics.csv"
    log = CsvLog(path, ("step", "value"))
    log.append({"step": 1, "value": value})
    log.close()
    assert read_log(path) == ({"step": 1, "value": value},)


def test_what_a_row_does_not_name_stays_empty(tmp_path: Path) -> None:
    log = CsvLog(tmp_path / "metrics.csv", ("step", "loss", "score"))
    log.append({"step": 1, "loss": math.nan})
    log.append({"step": 2, "score": 0.5})
    assert (tmp_path / "metrics.csv").read_text() == "step,loss,score\n1,nan,\n2,,0.5\n"
    assert read_log(tmp_path / "metrics.csv")[1] == {"step": 2, "score": 0.5}


def test_a_new_name_becomes_a_column(tmp_path: Path) -> None:
    log = CsvLog(tmp_path / "metrics.csv", ("step",))
    log.append({"step": 1})
    log.append({"step": 2, "val_acc": 0.5})
    log.append({"step": 3})
    assert (tmp_path / "metrics.csv").read_text() == "step,val_acc\n1,\n2,0.5\n3,\n"


def test_a_resumed_log_is_cut_back_and_loses_a_torn_line(tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    log = CsvLog(path, ("step",))
    for step in (1, 2, 3):
        log.append({"step": step})
    log.close()
    with path.open("a") as file:
        file.write("4")
    log = CsvLog(path, ("other",), keep=2)
    log.append({"step": 9})
    assert path.read_text() == "step\n1\n2\n9\n"


def test_a_log_that_is_shorter_than_its_checkpoint_says_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    path.write_text("step\n1\n2")
    with pytest.raises(RunFolderError, match="holds 1 rows where its checkpoint was saved after 2"):
        CsvLog(path, ("step",), keep=2)
    with pytest.raises(RunFolderError, match="can't be read"):
        CsvLog(tmp_path / "none.csv", ("step",), keep=2)
