"""Facts survive being written and read, and what can't be read is told in a sentence."""

from __future__ import annotations

import dataclasses
import importlib
import json
import math
import pkgutil
import typing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import assay.facts
from assay.errors import DefectError, RunFolderError
from assay.facts.encoding import from_plain, kinds, read_facts, to_plain, write_facts
from assay.facts.fact import Absent, Fact, Unknown
from assay.facts.fact_set import FactSet
from assay.facts.loss import LossFacts
from assay.facts.plain import plain
from assay.facts.task import TaskFacts

TASK = TaskFacts(kind="multiclass", outputs=3, classes=("a", "b", "c"), selects="macro_f1", sense="max")


def any_of(hint: object) -> st.SearchStrategy[object]:
    """Values of a field's type; short collections, since it is the types that matter."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple and arguments[1:] == (...,):
        return st.lists(any_of(arguments[0]), max_size=2).map(tuple)
    if origin is dict:
        return st.dictionaries(any_of(arguments[0]), any_of(arguments[1]), max_size=2)
    if origin is tuple:
        return st.tuples(*map(any_of, arguments))
    if arguments and origin is not typing.Literal:
        return st.one_of(*map(any_of, arguments))
    if dataclasses.is_dataclass(hint):
        hints = typing.get_type_hints(hint)
        return st.builds(hint, **{field.name: any_of(hints[field.name]) for field in dataclasses.fields(hint)})
    return st.from_type(hint)


def test_the_package_knows_its_kinds() -> None:
    assert {"TaskFacts", "LossFacts", "OptimizerFacts", "ModelFacts", "ResumeFacts"} <= kinds().keys()
    assert "Fact" not in kinds()


@pytest.mark.parametrize("name", sorted(kinds()))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_every_kind_survives_the_round_trip(name: str, data: st.DataObject) -> None:
    fact = data.draw(any_of(kinds()[name]))
    text = json.dumps(to_plain(fact), allow_nan=False)
    assert repr(from_plain(name, json.loads(text))) == repr(fact)  # repr, since NaN is unequal to itself


def test_a_set_of_facts_survives_with_the_reasons_for_what_is_missing(tmp_path: Path) -> None:
    facts = FactSet.of(TASK, absent={LossFacts: Absent("no loss", applicable=False)})
    write_facts(tmp_path / "smoke" / "facts.jsonl", facts)
    assert read_facts(tmp_path / "smoke" / "facts.jsonl") == facts


def test_a_kind_of_a_newer_version_is_told(tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    path.write_text('{"kind": "TomorrowFacts", "fact": {}}\n')
    with pytest.raises(RunFolderError, match=r"facts.jsonl, line 1: There is no kind of fact named 'TomorrowFacts'"):
        read_facts(path)


@pytest.mark.parametrize(("change", "said"), [
    ({"outputs": "3"}, "'3' is no int"),
    ({"outputs": True}, "True is no int"),
    ({"kind": "ranking"}, "'ranking' is none of 'binary'"),
    ({"label_entropy": []}, r"\[\] is no number"),
    ({"classes": "abc"}, "'abc' is no list"),
    ({"invented": 1}, "TaskFacts has no invented"),
])
def test_a_value_that_does_not_fit_is_told(change: dict[str, object], said: str) -> None:
    with pytest.raises(RunFolderError, match=said):
        from_plain("TaskFacts", {**to_plain(TASK), **change})  # type: ignore[dict-item]


def test_a_missing_field_is_told() -> None:
    with pytest.raises(RunFolderError, match="TaskFacts lacks selects"):
        from_plain("TaskFacts", {"kind": "binary", "outputs": 1, "sense": "max"})


@pytest.mark.parametrize("line", ["not json", "[1]", '{"fact": {}}', '"text"'])
def test_a_damaged_file_is_told_with_its_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "facts.jsonl"
    write_facts(path, FactSet.of(TASK))
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(RunFolderError, match="line 2"):
        read_facts(path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(RunFolderError, match="can't be read"):
        read_facts(tmp_path / "facts.jsonl")


def test_a_field_of_a_type_that_has_no_encoding_is_our_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    made = dataclasses.make_dataclass("SetFacts", [("names", set)], bases=(Fact,), frozen=True, kw_only=True)
    monkeypatch.setitem(kinds(), "SetFacts", made)
    with pytest.raises(DefectError, match="can't be written and read back"):
        from_plain("SetFacts", {"names": []})


class Strange:
    def __repr__(self) -> str:
        return "<strange>"


@pytest.mark.parametrize(("value", "expected"), [
    (math.nan, "nan"), (-math.inf, "-inf"), ((1, 2.5), [1, 2.5]), ({"b", "a"}, ["a", "b"]), ({1: True}, {"1": True}),
    (Unknown("compiled"), {"unknown": "compiled"}), (Strange(), "<strange>"), (b"raw", "b'raw'"),
])
def test_plain_values(value: object, expected: object) -> None:
    assert plain(value) == expected


def test_arrays_and_their_scalars_are_plain() -> None:
    numpy = pytest.importorskip("numpy")
    values = {"array": numpy.array([[1.0, math.nan]]), "half": numpy.float32(0.5), "flag": numpy.bool_(True)}
    assert plain(values) == {"array": [[1.0, "nan"]], "half": 0.5, "flag": True}


def test_no_two_kinds_share_a_name() -> None:
    names = [each.name for each in pkgutil.iter_modules(assay.facts.__path__)]
    modules = [importlib.import_module(f"assay.facts.{name}") for name in names]
    found = {value for module in modules for value in vars(module).values()
             if isinstance(value, type) and issubclass(value, Fact)}
    called = [kind.__name__ for kind in found]
    assert sorted(name for name in set(called) if called.count(name) > 1) == []
