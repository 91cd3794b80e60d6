"""The group of verbs: lazy, and every way of ending has its exit code and its sentence."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from click.testing import CliRunner, Result

from assay import cli
from assay.errors import DataError, DefectError, RecipeError

Give = Callable[..., None]


@pytest.fixture
def verb(monkeypatch: pytest.MonkeyPatch) -> Give:
    """Puts a command in the place of the verb `plan`."""

    def give(body: Callable[[], object], *parameters: click.Parameter) -> None:
        command = click.Command("plan", callback=body, params=list(parameters))
        monkeypatch.setitem(sys.modules, "assay.cli.plan", SimpleNamespace(command=command))  # type: ignore[arg-type]

    return give


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(cli.main, arguments)


def raising(fault: BaseException) -> Callable[[], None]:
    def body() -> None:
        raise fault

    return body


def test_help_lists_every_verb_with_its_line() -> None:
    said = invoke("--help")
    assert said.exit_code == 0
    for name, line in cli.VERBS.items():
        assert f"{name} " in said.stdout
        assert line in " ".join(said.stdout.split())


def test_no_arguments_show_the_help() -> None:
    assert invoke().output == invoke("--help").output


def test_the_version_is_told() -> None:
    assert invoke("--version").stdout.startswith("assay 0.")


@pytest.mark.parametrize("name", cli.VERBS)
def test_every_verb_is_a_documented_command(name: str) -> None:
    said = invoke(name, "--help")
    assert said.exit_code == 0, said.output
    assert len(said.stdout.split("Options:")[0].splitlines()) > 2


@pytest.mark.parametrize(("word", "sentence"), [
    ("wach", "There is no verb 'wach': did you mean 'watch'? See `assay --help`."),
    ("zzz", f"There is no verb 'zzz': the verbs are {', '.join(cli.VERBS)}. See `assay --help`."),
    ("--loud", "No such option"),
])
def test_what_is_no_verb_is_one_sentence_and_2(word: str, sentence: str) -> None:
    said = invoke(word)
    assert said.exit_code == 2
    assert said.stdout == ""
    assert said.stderr.startswith(sentence)
    assert len(said.stderr.splitlines()) == 1


def test_a_wrong_option_of_a_verb_names_that_verb_s_help(verb: Give) -> None:
    verb(lambda: None)
    said = invoke("plan", "--jsn")
    assert said.exit_code == 2
    assert said.stderr.endswith("See `assay plan --help`.\n")


@pytest.mark.parametrize(("returned", "code"), [(None, 0), (0, 0), (1, 1)])
def test_what_a_verb_returns_is_the_exit_code(verb: Give, returned: object, code: int) -> None:
    verb(lambda: returned)
    assert invoke("plan").exit_code == code


@pytest.mark.parametrize("how", [sys.exit, lambda code: click.get_current_context().exit(code)], ids=["sys", "click"])
def test_a_verb_may_exit_with_a_watched_program_s_code(verb: Give, how: Callable[[int], None]) -> None:
    verb(lambda: how(7))
    assert invoke("plan").exit_code == 7


def test_unusable_input_is_its_sentence_and_2(verb: Give) -> None:
    verb(raising(DataError("There is no data set named 'digit': did you mean 'digits'?")))
    said = invoke("plan")
    assert (said.exit_code, said.stdout) == (2, "")
    assert said.stderr == "There is no data set named 'digit': did you mean 'digits'?\n"


def test_every_problem_of_a_recipe_is_told(verb: Give) -> None:
    verb(raising(RecipeError(["recipe.yaml, line 1: one.", "recipe.yaml, line 2: two."])))
    said = invoke("plan")
    assert said.exit_code == 2
    assert said.stderr == "recipe.yaml, line 1: one.\nrecipe.yaml, line 2: two.\n"


def test_ctrl_c_says_that_nothing_is_lost(verb: Give) -> None:
    verb(raising(KeyboardInterrupt()))
    said = invoke("plan")
    assert said.exit_code == 130
    assert said.stderr.strip() == "Stopped: everything that was finished is kept."


@pytest.mark.parametrize("fault", [DefectError("no evidence"), EOFError("file cut short"), KeyError("x"),
                                   FileNotFoundError(errno.ENOENT, "No such file or directory", "x")])
def test_our_own_defects_are_not_dressed_up_as_the_user_s(verb: Give, fault: Exception) -> None:
    verb(raising(fault))
    said = invoke("plan")
    assert said.exception is fault


def test_what_the_file_system_refuses_is_one_sentence_and_2(verb: Give) -> None:
    verb(raising(PermissionError(errno.EACCES, "Permission denied", "kept/run-001")))
    said = invoke("plan")
    assert (said.exit_code, said.stdout) == (2, "")
    assert said.stderr == (
        "kept/run-001 can't be used (Permission denied): give the rights, make room, or choose another place.\n"
    )
    verb(raising(OSError(errno.ENOSPC, "No space left on device")))
    assert invoke("plan").stderr.startswith("A file can't be used (No space left on device)")


def test_a_name_that_is_too_long_for_a_file_is_told() -> None:
    said = invoke("run", "x" * 300)
    assert said.exit_code == 2
    assert "File name too long" in said.stderr


def test_a_real_ctrl_c_ends_with_130_and_no_traceback() -> None:
    program = (
        "import sys, time, types, click\n"
        "def body(): print('on', flush=True); time.sleep(60)\n"
        "sys.modules['assay.cli.plan'] = types.SimpleNamespace(command=click.Command('plan', callback=body))\n"
        "from assay.cli import main; main(['plan'])\n"
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "on\n"
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=30)
    assert child.returncode == 130
    assert said.strip() == "Stopped: everything that was finished is kept."


@pytest.mark.parametrize("arguments", ["['plan']", "['--help']"])
def test_a_reader_that_went_away_ends_it_quietly(arguments: str) -> None:
    program = (
        "import sys, types, click\n"
        "def body():\n"
        "    for _ in range(100_000): print('a line of some length, so that the pipe fills')\n"
        "sys.modules['assay.cli.plan'] = types.SimpleNamespace(command=click.Command('plan', callback=body))\n"
        f"from assay.cli import main; main({arguments})\n"
    )
    reader, writer = os.pipe()
    os.close(reader)
    child = subprocess.Popen([sys.executable, "-c", program], stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    _, said = child.communicate(timeout=60)
    assert said == ""
    assert child.returncode == 141


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream_is_no_defect(closed: str, tmp_path: Path) -> None:
    command = f"{sys.executable} -m assay rule --json {tmp_path / 'rules.json'} {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads((tmp_path / "rules.json").read_text())["verb"] == "rule"


def test_python_m_assay_is_assay() -> None:
    done = subprocess.run([sys.executable, "-m", "assay", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("assay ")
