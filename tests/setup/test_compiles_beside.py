"""`make run` where the engine is not compiled: pages come at once, the compiler works beside, its work is taken up.

In a copy of the project that compiles one module, so that it takes seconds.
"""

import re
import shutil
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from simengine import form
from tests.setup.processes import ROOT, Instance, all_gone, eventually, named
from tools import build_engine

COPIED: Final = ("manage.py", "playground", "simengine", "static", "templates", "tools", "pyproject.toml")
LIST: Final = re.compile(r"^compiled = \[.*?^\]", re.DOTALL | re.MULTILINE)
ONE_MODULE: Final = 'compiled = ["simengine/kernel/random.py"]'
NOTICE: Final = 'id="compiling"'
COMPILER: Final = "build_engine.py"
COMPILE_SECONDS_MAX: Final = 300.0


@pytest.fixture
def compiler() -> None:
    """Fails with the cure where there is no C compiler: the tests that use it would show nothing."""
    assert build_engine.missing() is None, build_engine.missing()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    listed = folder / "pyproject.toml"
    text, changed = LIST.subn(ONE_MODULE, listed.read_text())
    assert changed == 1
    listed.write_text(text.replace("opt_level = 3", "opt_level = 0"))
    return folder


@pytest.fixture
def running(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Instance]:
    monkeypatch.delenv(form.CHOICE, raising=False)
    shutil.rmtree(project / "build", ignore_errors=True)
    instance = Instance(["manage.py", "play", "--port", "0"], tmp_path, root=project)
    try:
        yield instance
    finally:
        instance.end()


def got(instance: Instance, path: str) -> str:
    line = next(line for line in instance.lines if "Highwater is at" in line)
    with urllib.request.urlopen(line.split()[3] + path, timeout=30) as answer:
        return str(answer.read().decode())


@pytest.mark.usefixtures("compiler")
def test_the_page_comes_while_the_engine_is_compiled_and_says_so_until_it_is(
    running: Instance, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running.line_with("engine    interpreted, about thirty times slower, until it is compiled beside the rest")
    assert eventually(lambda: named(running.below(), COMPILER) != [], 60)
    (compiler,) = named(running.below(), COMPILER)
    assert eventually(lambda: compiler.nice() == 19, 10), "`nice` lowers it and then becomes it"
    monkeypatch.setattr(form, "BUILD_LOCK", project / "build" / "engine.lock")
    assert eventually(form.is_being_built, 60)
    compiler.suspend()  # as slow as needed for a look at the page
    running.line_with("Highwater is at")
    assert NOTICE in got(running, "/import")
    assert got(running, "/alive") == "highwater, engine interpreted, being compiled\n"
    compiler.resume()
    worker = running.part("celery")
    said = running.line_with("; new rooms and experiments use it", COMPILE_SECONDS_MAX)
    assert re.match(r"  engine    compiled in \d+ s;", said)
    assert got(running, "/alive") == "highwater, engine compiled\n"
    assert NOTICE not in got(running, "/import")
    running.line_with("worker    up after")
    assert running.part("celery") != worker
    assert "SIGKILL" not in "".join(running.lines)


@pytest.mark.usefixtures("compiler")
def test_ctrl_c_ends_the_compiler_too(running: Instance) -> None:
    running.line_with("until it is compiled")
    assert eventually(lambda: named(running.below(), COMPILER) != [], 60)
    below = running.below()
    assert running.end() == 0
    assert all_gone(below, 1.0) == []


@pytest.fixture
def no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "nice").symlink_to(str(shutil.which("nice")))
    monkeypatch.setenv("PATH", str(programs))


@pytest.mark.usefixtures("no_compiler")
def test_without_a_c_compiler_the_start_says_what_to_install_and_the_page_comes(running: Instance) -> None:
    running.line_with("engine    interpreted: no C compiler", 60)
    if not any("Highwater is at" in line for line in running.lines):  # either may come first
        running.line_with("Highwater is at")
    assert got(running, "/alive") == "highwater, engine interpreted\n"
