"""The package's public face: every name is there, documented, loaded when used, and no module's."""

from __future__ import annotations

import ast
import pkgutil
import subprocess
import sys

import pytest

import assay
from tests.syntax import PACKAGE

MODULES = {module.name for module in pkgutil.iter_modules([str(PACKAGE)])}


def test_no_public_name_is_a_module_s() -> None:
    assert MODULES & {*assay.__all__} == set()


def test_the_names_stand_in_order_and_once() -> None:
    assert assay.__all__ == sorted(set(assay.__all__))
    assert {*assay.__all__} <= {*dir(assay)}


@pytest.mark.parametrize("name", [name for name in assay.__all__ if name != "__version__"])
def test_a_public_name_is_there_and_documented(name: str) -> None:
    assert getattr(assay, name).__doc__


def test_type_checkers_see_what_is_loaded() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text())
    guarded = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    seen = {alias.asname or alias.name: node.module for node in guarded for alias in node.names
            if (node.module or "").startswith("assay")}
    assert seen == assay._HOMES
    assert {*seen, "__version__"} == {*assay.__all__}


def test_the_version_is_the_distribution_s() -> None:
    assert assay.__version__.count(".") == 2


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'wacth'"):
        _ = assay.wacth  # type: ignore[attr-defined]


def test_importing_assay_loads_nothing_of_it() -> None:
    program = "import sys, assay; print([name for name in sys.modules if name.startswith('assay.')])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "[]\n"
