"""What the lines around a line say: read from small programs as people write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.facts.fact import Place
from assay.statements import Around, Term, calls


def at(folder: Path, text: str) -> Place:
    """The line of the text that ends with a mark."""
    file = folder / "program.py"
    file.write_text(text, encoding="utf-8")
    line = next(number for number, each in enumerate(text.splitlines(), 1) if each.endswith("# here"))
    return Place(str(file), line)


@pytest.mark.parametrize(("line", "name"), [
    ("loss.backward()", "loss"), ("(loss / 4).backward(retain_graph=True)", "loss"),
    ("scaler.scale(loss).backward()", "loss"), ("self.manual_backward(total)", "total"),
    ("accelerator.backward(loss)", "loss"), ("torch.autograd.backward([first])", "first"), ("fit(model)", None),
])
def test_the_name_that_a_backward_pass_begins_from(tmp_path: Path, line: str, name: str | None) -> None:
    assert Around(at(tmp_path, f"{line}  # here")).root() == name


def test_the_last_value_of_a_name_and_the_last_that_fits(tmp_path: Path) -> None:
    lines = "def step():", "loss = a()", "loss = loss.clamp(max=1)", "loss *= 2", "loss.backward()  # here"
    place = at(tmp_path, "\n    ".join(lines))
    around = Around(place)
    last, cut = around.last_before("loss"), around.last_before("loss", lambda each: calls(each, frozenset({"clamp"})))
    assert (last, cut) == (Place(place.file, 4), Place(place.file, 3))
    assert around.last_before("other") is None


@pytest.mark.parametrize(("step", "line"), [
    ("    return (f(b) - b).mean()", 3), ("    loss = self.error(b)\n        return loss", 6),
    ("    return {'loss': f(b)}", 3), ("    return other.error(b)", 3),
])
def test_where_a_loop_of_a_library_finds_the_loss(tmp_path: Path, step: str, line: int) -> None:
    own = "    def error(self, b):\n        return b.sum()"
    head = f"class Model:\n    def training_step(self, b):\n    {step}\n{own}"
    place = at(tmp_path, f"{head}\ntrainer.fit(Model())  # here")
    assert Around(place).handed_over() == Place(place.file, line)


@pytest.mark.parametrize("text", [
    "trainer.fit(model)", "def training_step(b):\n    if b: return 1\n    return 2\nfit()",
])
def test_a_step_of_several_ends_or_none_is_no_place(tmp_path: Path, text: str) -> None:
    assert Around(at(tmp_path, f"{text}  # here")).handed_over() is None


@pytest.mark.parametrize(("line", "kept"), [
    ("total += loss", True), ("total = total + loss", True), ("history.append(loss)", True),
    ("total += loss.item()", False), ("history.append(float(loss))", False), ("best = loss", False),
])
def test_what_keeps_a_value(tmp_path: Path, line: str, kept: bool) -> None:
    assert (Around(at(tmp_path, f"loss.backward()  # here\n{line}\n")).kept("loss") is not None) is kept


def test_what_a_step_returns_is_kept_by_its_caller(tmp_path: Path) -> None:
    place = at(tmp_path, "def step():\n    loss.backward()  # here\n    return loss\ntotal += step()\n")
    assert Around(place).kept("loss") == Place(place.file, 4)


@pytest.mark.parametrize(("after", "line"), [
    ("loss = b()", 2), ("loss = loss + b()", None), ("print(loss)\nloss = b()", None), ("loss += b()", None),
    ("if late:\n    loss = b()", None),
])
def test_overwritten_before_it_is_read(tmp_path: Path, after: str, line: int | None) -> None:
    term = Term(at(tmp_path, f"loss = a()  # here\n{after}\n"))
    found = term.overwritten("loss")
    assert (found.line if found else None) == line


@pytest.mark.parametrize(("after", "unread"), [
    ("loss = main", True), ("loss + 0.1 * aux", True), ("loss.add(aux)", True), ("loss.add_(aux)", False),
    ("print(aux.item())", False), ("def show():\n    return aux", False),
])
def test_never_read(tmp_path: Path, after: str, unread: bool) -> None:
    term = Term(at(tmp_path, f"aux = a()  # here\n{after}\n"))
    assert term.variable() == "aux"
    assert term.unread("aux") is unread


@pytest.mark.parametrize(("after", "added"), [
    ("loss = main + 0.5 * aux\nloss.backward()", True), ("main += aux\nmain.backward()", True),
    ("total += aux\nmain.backward()", False), ("loss = main + aux.item()\nloss.backward()", False),
])
def test_added_to_what_backward_begins_from(tmp_path: Path, after: str, added: bool) -> None:
    assert (Term(at(tmp_path, f"aux = a()  # here\n{after}\n")).added("aux") is not None) is added


def test_a_file_that_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    around = Around(Place(str(tmp_path / "missing.py"), 3))
    assert (around.root(), around.last_before("loss"), around.kept("loss")) == (None, None, None)
