"""The two forms of the engine: chosen by a word, named by the hash of their sources, never stale."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from simengine import form
from tools import build_engine

ASK = "import simengine; print(simengine.engine_form())"


def ask(choice: str | None) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key != form.CHOICE}
    if choice is not None:
        environment[form.CHOICE] = choice
    return subprocess.run(
        [sys.executable, "-c", ASK], cwd=form.ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_the_word_interpreted_chooses_the_sources() -> None:
    assert ask("interpreted").stdout == "interpreted\n"


def test_an_unknown_word_is_refused_with_the_allowed_ones() -> None:
    assert "allowed are compiled, interpreted" in ask("fast").stderr


def test_the_compiled_form_runs_where_a_compiler_is_and_the_interpreted_form_elsewhere() -> None:
    if build_engine.missing() is None:
        assert build_engine.main([]) == 0
        assert ask(None).stdout == "compiled\n"
        assert ask("compiled").stdout == "compiled\n"
    else:
        assert ask(None).stdout == "interpreted\n"


def test_one_changed_byte_in_a_source_names_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "broker.py"
    source.write_text("EPOCH = 1\n")
    monkeypatch.setattr(form, "ROOT", tmp_path)
    before = form.source_hash(["broker.py"])
    source.write_text("EPOCH = 2\n")
    assert form.source_hash(["broker.py"]) != before


def test_another_level_of_the_c_compiler_names_another_folder() -> None:
    assert form.source_hash([], "0") != form.source_hash([], "3")


def test_the_list_holds_the_engine_and_never_the_documents() -> None:
    modules = form.plan().modules
    assert "simengine.kernel.calendar" in modules
    assert not [name for name in modules if name.startswith("simengine.scenario")]


def test_without_a_c_compiler_the_cure_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "apt-get install gcc" in str(build_engine.missing())


def test_a_finder_finds_only_its_own_modules(tmp_path: Path) -> None:
    finder = form.CompiledFinder(tmp_path, ["simengine.kernel.calendar"])
    spec = finder.find_spec("simengine.kernel.calendar")
    assert spec is not None
    assert spec.origin == str(tmp_path / f"simengine/kernel/calendar{form.SUFFIX}")
    assert finder.find_spec("simengine.facts.trace") is None
