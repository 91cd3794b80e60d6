"""What a model takes and gives: enough to use it without the data that it was trained on."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from assay.dataset import ColumnKind, Dataset
from assay.errors import RunFolderError
from assay.facts.table import TableFacts
from assay.ledger import write_document
from assay.preparation import Preprocessing
from assay.recipe.schema import DataBlock, TableData

SIGNATURE = "signature.json"


class Signature(BaseModel):
    """How rows become inputs, and what the outputs are called.

    classes         in the order of the ids; the labels for multilabel tasks, empty for regression
    preprocessing   as fitted on the training rows
    width           columns of a table without a header, the target and those that don't enter included
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = 1
    classes: tuple[str, ...]
    preprocessing: Preprocessing
    width: int | None = None

    @property
    def kinds(self) -> dict[str, ColumnKind]:
        """Of the columns that a row must have, by name."""
        return {column.column: column.kind for column in self.preprocessing.columns}


def signature_of(dataset: Dataset, preprocessing: Preprocessing, data: DataBlock) -> Signature:
    """The signature of whatever is trained on this table."""
    headless = isinstance(data, TableData) and not data.header
    return Signature(
        classes=dataset.classes, preprocessing=preprocessing, width=_width(dataset, data) if headless else None,
    )


def write_signature(run: Path, signature: Signature) -> str:
    """Write it into a run's folder, and give the digest by which it is known. Raises RunFolderError."""
    text = signature.model_dump_json(indent=1) + "\n"
    write_document(run / SIGNATURE, text)
    return _digest(text)


def read_signature(run: Path, *, digest: str | None) -> Signature:
    """The signature in a run's folder, if it is the one that the run's ledger knows by its digest.

    Raises RunFolderError where it isn't, or there is none.
    """
    path = run / SIGNATURE
    if digest is None:
        raise RunFolderError(
            f"{run} doesn't say how rows become the model's inputs: its data are a data module of your own, or an "
            "older assay made it. Start a new run, or load the network alone with assay.load."
        )
    try:
        text = path.read_text(encoding="utf-8")
        if _digest(text) != digest:
            raise RunFolderError(f"{path} was changed since the run started: put it back, or start a new run.")
        return Signature.model_validate_json(text)
    except (OSError, UnicodeDecodeError) as fault:
        raise RunFolderError(f"{path} can't be read ({fault}): put it back, or start a new run.") from fault
    except ValidationError as fault:
        raise RunFolderError(f"{path} is in a form that this assay doesn't know: use the one that wrote it.") from fault


def _digest(text: str) -> str:
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def _width(dataset: Dataset, data: TableData | DataBlock) -> int:
    assert isinstance(data, TableData)
    known = dataset.known.find(TableFacts)
    left_out = [each.column for each in known.left_out] if isinstance(known, TableFacts) else []
    targets = [data.target] if isinstance(data.target, str) else list(data.target)
    others = [name for name in (data.group, data.time, data.split_column) if name]
    return len({*dataset.columns, *left_out, *targets, *others})
