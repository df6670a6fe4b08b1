"""The archive for executors: what is in it suffices, and its name says what is in it."""

import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from playground.whatif.pipeline import archive, engine
from playground.whatif.pipeline.archive import MANIFEST, packed

ASK = """
import sys
sys.path[:0] = [sys.argv[1]]
from playground.whatif.pipeline import engine, run_one
import pydantic, yaml
assert all(module.__file__.startswith(sys.argv[1]) for module in (engine, pydantic, yaml)), pydantic.__file__
print(engine.own_engine())
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return packed((tmp_path_factory.mktemp("archive"),))


def test_the_engine_in_it_is_the_one_that_runs_here(made: Path, tmp_path: Path) -> None:
    with tarfile.open(made) as tar:
        tar.extractall(tmp_path, filter="data")
    told = subprocess.run(
        [sys.executable, "-c", ASK, str(tmp_path)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert told.stdout.strip() == engine.own_engine(), told.stderr
    manifest = json.loads((tmp_path / MANIFEST).read_text())
    assert f"{manifest['form']} {manifest['engine']}" == engine.own_engine()
    assert manifest["python"] == archive.python_of()


def test_what_is_packed_already_is_found_and_other_sources_have_another_name(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert packed((made.parent, tmp_path)) == made
    monkeypatch.setattr(archive, "SOURCES", archive.SOURCES[1:])
    other = packed((made.parent, tmp_path))
    assert (other.parent, other.name != made.name) == (tmp_path, True)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("PythonException: x.OtherEngine: The executor on a has b, Highwater has c", "The executor on a has b"),
        (
            "[PYTHON_VERSION_MISMATCH] Python in worker has different version: 3.12 than that in driver: 3.11, PySpark",
            "The executors have Python 3.12, Highwater has 3.11",
        ),
        ('java.io.IOException: Cannot run program "python9": error=2', "The executors have no python9"),
        ("ModuleNotFoundError: No module named 'pyarrow'", "The Python of the executors cannot import pyarrow"),
    ],
)
def test_the_error_for_an_unfit_machine_names_the_cure(said: str, words: str) -> None:
    told = engine.misfit(RuntimeError(f"Job aborted due to stage failure\n{said}\n\tat java"))
    assert told.startswith(words)
    assert f"needs Highwater's Python ({archive.python_of()}) with pyarrow and numpy; HIGHWATER_SPARK_PYTHON" in told
    assert engine.misfit(RuntimeError("No space left on device")) == ""


def test_a_folder_that_cannot_be_written_stops_no_build(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(archive, "packed", lambda: packed((tmp_path / "file" / "archive",)))
    archive.main()
    assert "engine: no archive for Spark clusters" in capsys.readouterr().out
