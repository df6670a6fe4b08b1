"""A database that cannot be used at a start: one sentence with file and cure, status 1, nothing changed."""

import os
import random
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from playground import database_file
from playground.supervisor.instance import CannotStart
from tests.rooms.site import migrated_database
from tests.setup.processes import ROOT

PAGES = 60
WITHOUT_RIGHTS = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")  # root reads and writes everything else


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder whose database has today's tables and some rows."""
    data = tmp_path_factory.mktemp("sound")
    database_file.make(data)
    (data / database_file.NAME).write_bytes(migrated_database())
    with sqlite3.connect(data / database_file.NAME) as rows:
        rows.execute("CREATE TABLE filler (text)")
        rows.executemany("INSERT INTO filler VALUES (?)", [("x" * 3_000,)] * PAGES)
    rows.close()
    return data


@pytest.fixture
def data(sound: Path, tmp_path: Path) -> Path:
    """A copy of the sound folder, to break."""
    shutil.copytree(sound, tmp_path / "data")
    return tmp_path / "data"


def environment(data: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HIGHWATER", "DJANGO"))}
    return {**kept, "HIGHWATER_DATA": str(data)}


def start(data: Path, *before: str) -> subprocess.CompletedProcess[str]:
    """A start that is expected to be refused."""
    command = [*before, sys.executable, "manage.py", "play", "--port", "0"]
    return subprocess.run(
        command, cwd=ROOT, env=environment(data), capture_output=True, text=True, timeout=60, check=False
    )


def random_third(file: Path) -> None:
    size = file.stat().st_size
    with file.open("r+b") as written:
        written.seek(size // 3)
        written.write(random.Random(1).randbytes(size // 3))


def truncated(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def emptied(file: Path) -> None:
    os.truncate(file, 0)


def no_database(file: Path) -> None:
    file.write_bytes(b"rows of another program\n" * 500)


def newer(file: Path) -> None:
    with sqlite3.connect(file) as rows:
        rows.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('rooms', '0099_later', '2026-01-01')")
    rows.close()


def folder_instead(file: Path) -> None:
    file.unlink()
    file.mkdir()


def log_alone(file: Path) -> None:
    file.rename(file.with_name("highwater.sqlite3-wal"))


BROKEN = [
    (random_third, "is damaged|cannot be used .*damaged"),
    (truncated, "is damaged|cannot be used .*damaged"),
    (emptied, "is empty .0 bytes."),
    (no_database, "is not a SQLite database"),
    (folder_instead, "is no file"),
    (log_alone, "is missing, but highwater.sqlite3-wal beside it"),
]


@pytest.mark.parametrize(("harm", "sentence"), BROKEN)
def test_a_database_that_cannot_be_used_is_refused_and_left_as_it_is(
    data: Path, harm: Callable[[Path], None], sentence: str
) -> None:
    harm(data / database_file.NAME)
    before = contents(data)
    with pytest.raises(CannotStart, match=sentence) as refused:
        database_file.must_be_usable(data)
    assert str(data) in str(refused.value)
    assert contents(data) == before


def contents(data: Path) -> dict[str, bytes]:
    """The files and what is in them. SQLite makes an empty log and its index beside a file that it reads."""
    kept = {entry.name: entry.read_bytes() for entry in data.iterdir() if entry.is_file()}
    return {name: text for name, text in kept.items() if text and not name.endswith("-shm")}


def test_a_sound_database_and_none_at_all_are_taken(data: Path, tmp_path: Path) -> None:
    database_file.must_be_usable(data)
    database_file.must_be_usable(tmp_path)


@pytest.mark.parametrize(("harm", "sentence"), [(random_third, "damaged"), (newer, "newer Highwater")])
def test_such_a_start_ends_with_the_sentence_and_status_1(
    data: Path, harm: Callable[[Path], None], sentence: str
) -> None:
    file = data / database_file.NAME
    harm(file)
    before = file.read_bytes()
    refused = start(data)
    assert refused.returncode == 1
    assert sentence in refused.stderr and "Traceback" not in refused.stderr
    assert file.read_bytes() == before


def test_a_start_without_the_right_to_write_the_file_or_the_folder_is_refused(data: Path) -> None:
    before = WITHOUT_RIGHTS if os.geteuid() == 0 else ()
    (data / database_file.NAME).chmod(0o400)
    of_file = start(data, *before)
    (data / database_file.NAME).chmod(0o600)
    data.chmod(0o500)
    of_folder = start(data, *before)
    data.chmod(0o700)
    for refused in (of_file, of_folder):
        assert refused.returncode == 1
        assert str(data) in refused.stderr and "Traceback" not in refused.stderr
    assert "The database" in of_file.stderr and "is read-only" in of_file.stderr
    assert "The data folder" in of_folder.stderr and "is read-only" in of_folder.stderr


def test_the_file_is_its_owners_and_what_a_failed_first_start_made_is_removed(tmp_path: Path) -> None:
    assert database_file.make(tmp_path)
    assert not database_file.make(tmp_path)
    assert stat.S_IMODE((tmp_path / database_file.NAME).stat().st_mode) == 0o600
    database_file.unmake(tmp_path)
    assert list(tmp_path.iterdir()) == []
