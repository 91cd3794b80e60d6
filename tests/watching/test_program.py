"""Running a program: it sees what `python` would show it, and ends as it would have ended."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from assay.errors import UnusableInput
from assay.watching.program import Program, run

PROBE = """
import json, os, sys
import __main__
print(json.dumps({
    "argv": sys.argv, "path0": sys.path[0], "file": os.path.basename(__file__), "name": __name__, "cwd": os.getcwd(),
    "main": __main__.__dict__ is globals(), "spec": str(__spec__), "package": __package__,
    "absolute": os.path.isabs(__file__), "annotations": sorted(name for name in globals() if "annot" in name),
}))
"""


def as_python(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def as_assay(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    code = (
        "import sys\nfrom assay.watching.program import Program, run\n"
        "module = sys.argv[1] == '-m'\nrest = sys.argv[2:] if module else sys.argv[1:]\n"
        "sys.exit(run(Program(rest[0], tuple(rest[1:]), module=module)).exit)\n"
    )
    return as_python("-c", code, *arguments, folder=folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "show.py").write_text(PROBE)
    (inner / "beside.py").write_text("WORD = 'found'\n")
    (inner / "imports.py").write_text("import beside\nprint(beside.WORD)\n")
    return tmp_path


@pytest.mark.parametrize("arguments", [["inner/show.py", "--lr", "1"], ["inner/imports.py"]])
def test_a_script_sees_what_python_shows_it(arguments: list[str], folder: Path) -> None:
    expected, seen = as_python(*arguments, folder=folder), as_assay(*arguments, folder=folder)
    assert seen.returncode == 0, seen.stderr
    assert seen.stdout == expected.stdout
    assert seen.stderr == ""


def test_a_module_sees_what_python_shows_it(folder: Path) -> None:
    expected = as_python("-m", "inner.show", "a", folder=folder)
    seen = as_assay("-m", "inner.show", "a", folder=folder)
    told, wanted = json.loads(seen.stdout), json.loads(expected.stdout)
    assert told["path0"] == wanted["path0"]
    assert {name: told[name] for name in ("file", "name", "cwd", "package")} == {
        name: wanted[name] for name in ("file", "name", "cwd", "package")
    }
    assert told["argv"][1:] == ["a"]
    assert Path(told["argv"][0]).name == "show.py"


@pytest.mark.parametrize(("source", "code"), [
    ("import sys; sys.exit(3)", 3), ("raise SystemExit", 0), ("raise SystemExit('enough')", 1), ("exit(300)", 44),
    ("1/0", 1), ("def broken(:", 1), ("raise ValueError('no') from KeyError('k')", 1),
    ("import sys\ndef f(n):\n    return f(n-1) if n else 1/0\nf(3)", 1),
    ("import sys\nsys.excepthook = lambda *a: print('mine', a[0].__name__)\n1/0", 1),
    ("import atexit\natexit.register(print, 'bye')\nprint('out')", 0),
    ("import threading, time\nthreading.Thread(target=lambda: (time.sleep(.2), print('late'))).start()", 0),
    ("import warnings\nwarnings.warn('old', DeprecationWarning)", 0),
    ("import sys\nprint('out')\nsys.stdout.close()", 0), ("import sys\nsys.stdout = sys.stderr = None", 0),
    ("import sys\nclass Tee:\n    write, flush = sys.stdout.write, sys.stdout.flush\nsys.stdout = Tee()\nprint(1)", 0),
    ("import os, sys\nif os.fork():\n    print(os.wait()[1] >> 8)\nelse:\n    sys.exit(7)", 0),
    ("import atexit, pickle, os, sys\nclass A: pass\nos.chdir('inner')\n"
     "@atexit.register\ndef end(): print(len(pickle.dumps(A())), sys.argv, os.path.basename(os.getcwd()))", 0),
])
def test_a_program_ends_as_it_would_have_ended(source: str, code: int, folder: Path) -> None:
    (folder / "ends.py").write_text(source)
    expected, seen = as_python("ends.py", folder=folder), as_assay("ends.py", folder=folder)
    assert (seen.returncode, seen.stdout) == (expected.returncode, expected.stdout)
    assert seen.returncode == code
    assert seen.stderr == expected.stderr


def test_ctrl_c_is_told_as_python_tells_it(folder: Path) -> None:
    (folder / "stop.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n")
    expected, seen = as_python("stop.py", folder=folder), as_assay("stop.py", folder=folder)
    assert seen.returncode == 130
    assert seen.stderr == expected.stderr


def test_classes_of_the_program_can_be_pickled(folder: Path) -> None:
    (folder / "pickles.py").write_text(
        "import pickle\nclass A: pass\nprint(type(pickle.loads(pickle.dumps(A()))) is A)\n"
    )
    assert as_assay("pickles.py", folder=folder).stdout == "True\n"


def test_a_modules_own_classes_can_be_pickled_when_it_ends(folder: Path) -> None:
    (folder / "inner" / "ends.py").write_text(
        "import atexit, pickle\nclass A: pass\natexit.register(lambda: print(len(pickle.dumps(A()))))\n"
    )
    expected, seen = (each("-m", "inner.ends", folder=folder) for each in (as_python, as_assay))
    assert expected.stdout
    assert (seen.stdout, seen.stderr) == (expected.stdout, expected.stderr)


@pytest.mark.parametrize("end", ["sys.stdout.close()", "sys.stderr.close()", "sys.stderr = None", "os.chdir('inner')"])
def test_the_report_comes_whatever_the_program_left(end: str, folder: Path) -> None:
    (folder / "ends.py").write_text(f"import os, sys\n{end}\n")
    command = ("-m", "assay", "watch", "--json", "found.json", "ends.py")
    seen = as_python(*command, folder=folder)
    assert seen.returncode == 0
    assert "never imported PyTorch" in seen.stderr
    assert json.loads((folder / "found.json").read_text())["program"] == {"exit": 0}


def test_a_forked_child_reports_nothing(folder: Path) -> None:
    (folder / "forks.py").write_text("import os\nif os.fork(): os.wait()\n")
    assert as_python("-m", "assay", "watch", "forks.py", folder=folder).stderr.count("never imported PyTorch") == 1


def test_torch_is_the_programs_to_import(folder: Path) -> None:
    (folder / "late.py").write_text(
        "import os, sys\nassert not [m for m in ('torch', 'numpy') if m in sys.modules]\n"
        "os.environ['OMP_NUM_THREADS'] = '1'\nimport torch\n"
        "print(torch.__spec__.loader.__class__.__name__, torch.__loader__.__class__.__name__)\n"
        "print(torch.nn.functional.cross_entropy.__name__, hasattr(torch.nn.functional.mse_loss, '__wrapped__'))\n"
    )
    seen = as_assay("late.py", folder=folder)
    assert seen.stdout == "SourceFileLoader SourceFileLoader\ncross_entropy True\n", seen.stderr


def test_what_cannot_be_run_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnusableInput, match=r"nowhere\.py can't be run \(there is no such file\)"):
        run(Program(str(tmp_path / "nowhere.py")))
    with pytest.raises(UnusableInput, match="can't be run"):
        run(Program(str(tmp_path)))
    with pytest.raises(UnusableInput, match=r"no module 'nowhere_at_all\.sub'"):
        run(Program("nowhere_at_all.sub", module=True))


def test_a_program_in_this_process_leaves_it_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import sys; sys.path.append('x'); value = 1")
    before = sys.argv, sys.path[:], sys.modules["__main__"], sys.meta_path[:]
    ended = run(Program(str(tmp_path / "a.py")))
    assert ended.exit == 0
    assert (sys.argv, sys.path[:], sys.modules["__main__"], sys.meta_path[:]) == before
