"""Where the user's own code is, when to look, and what is put back."""

from __future__ import annotations

import sys
import sysconfig
import types
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.facts.fact import Place, Schedule
from assay.probe import Clock, Faults, Patches, after, is_library, place_in, place_of_making, user_place
from assay.reporting.findings import place_words
from assay.rule import Where


def test_the_users_line_is_the_innermost_of_their_own() -> None:
    @dataclass
    class Made:
        place: Place | None = field(default_factory=user_place)

    here = user_place()
    assert here is not None
    assert here.file.endswith("test_probe.py")
    through_generated_code = Made().place
    assert through_generated_code is not None
    assert through_generated_code.file == here.file


@pytest.mark.parametrize(("file", "library"), [
    ("<frozen importlib._bootstrap>", True), ("<string>", True), ("<eval_with_key>.13", True), ("<stdin>", False),
    ("<ipython-input-3-abc>", False), ("/home/me/train.py", False),
    (sysconfig.get_paths()["purelib"] + "/torch/nn/functional.py", True),
    (sysconfig.get_paths()["stdlib"] + "/runpy.py", True), (sysconfig.get_paths()["stdlib"] + "-mine/train.py", False),
])
def test_what_is_the_users_own(file: str, library: bool) -> None:
    assert is_library(file) is library


class First:
    def __init__(self) -> None:
        self.place = place_of_making(self)


class Second(First):
    def __init__(self) -> None:
        super().__init__()


class Holder:
    def __init__(self) -> None:
        self.held = Second()


def test_the_line_of_making_is_outside_the_made_objects_own_constructors() -> None:
    expected = user_place()
    place = Second().place
    assert expected is not None
    assert place == Place(expected.file, expected.line + 1)
    inner = Holder().held.place
    assert inner is not None
    assert inner.line == Holder.__init__.__code__.co_firstlineno + 1


@given(st.integers(1, 20), st.integers(0, 300))
def test_the_clock_looks_as_its_schedule_says(dense: int, steps: int) -> None:
    clock = Clock(Schedule(dense=dense))
    for step in range(steps):
        assert clock.looks == (step < dense or step & (step - 1) == 0)
        clock.tick()
    assert clock.steps == steps


def test_a_new_beginning_is_looked_at_closely_a_limited_number_of_times() -> None:
    clock = Clock(Schedule(dense=2))
    for _ in range(100):
        clock.tick()
    assert not clock.looks
    clock.restart()
    seen = []
    for _ in range(4):
        seen.append(clock.looks)
        clock.tick()
    assert seen == [True, True, False, False]
    for _ in range(Clock.RESTARTS):
        clock.restart()
    while clock.looks:
        clock.tick()
    clock.restart()
    assert not clock.looks


def test_patches_are_put_back_in_reverse() -> None:
    class Owner:
        @staticmethod
        def speak() -> str:
            return "a"

    original = Owner.speak
    patches = Patches()
    for letter in "bc":
        patches.replace(Owner, "speak", lambda former, letter=letter: lambda: former() + letter)
    assert Owner.speak() == "abc"
    patches.restore()
    assert Owner.speak is original


def test_a_look_that_fails_is_kept_once_and_contained() -> None:
    faults = Faults()

    def look(number: int) -> None:
        raise ValueError(number)

    contained = faults.contained("eye", look)
    contained(1)
    contained(2)
    assert faults.seen == {"eye": "ValueError: 1"}


def test_a_method_shows_its_object_and_gives_its_own_result() -> None:
    shown: list[object] = []
    assert after(shown.append, str.upper)("a") == "A"
    assert shown == ["a"]


def test_lines_of_a_notebook_are_those_of_its_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = types.SimpleNamespace(compile=types.SimpleNamespace(_filename_map={"/tmp/ipykernel_1/12.py": 3}))
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    assert place_in("/tmp/ipykernel_1/12.py", 5) == Place("cell 3", 5)
    assert place_in("<ipython-input-7-0a1b>", 2) == Place("cell 7", 2)
    assert place_in("/tmp/ipykernel_1/13.py", 1) == Place("/tmp/ipykernel_1/13.py", 1)
    assert place_words(Where(place=Place("cell 3", 5))) == "cell 3, line 5"
