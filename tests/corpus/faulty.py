"""Faulty tables: each is sound but for one planted fault, and names the rules that find it or the refusal it gets."""

from __future__ import annotations

from tests.corpus.faulty_files import catalogue as files
from tests.corpus.faulty_rows import catalogue as rows
from tests.corpus.faulty_values import catalogue as values

FAULTY = (*files.cases, *values.cases, *rows.cases)
