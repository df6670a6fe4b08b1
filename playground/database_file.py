"""The SQLite file of an instance: looked at before a start, never made anew while an instance runs.

A start refuses a file that it cannot use and leaves it as it is. Only a start makes the file: the connections that
`settings` describes open one that exists, so a file that is removed is missed and not replaced by an empty one.
"""

import os
import sqlite3
from pathlib import Path
from typing import Final

from playground.storage_trouble import trouble_of
from playground.supervisor.instance import CannotStart

NAME: Final = "highwater.sqlite3"
HEADER: Final = b"SQLite format 3\x00"
CHECKED_BYTES_MAX: Final = 1 << 30  # of a larger file only its first page and its tables are looked at
LOCK_SECONDS: Final = 5.0
CURE: Final = "Put a good copy in its place. Or move it away, and the next start begins with an empty one."

Identity = tuple[int, int]  # device and inode


def name(data: Path) -> str:
    """The SQLite address that a connection opens: the file for reading and writing, which must exist."""
    return f"{(data / NAME).as_uri()}?mode=rw"


def identity(data: Path) -> Identity | None:
    """The device and inode of the file at the database's path now; None where there is none."""
    try:
        found = (data / NAME).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def make(data: Path) -> bool:
    """Make an empty file, readable by its owner only, where there is none; whether it was made."""
    if (data / NAME).exists():
        return False
    (data / NAME).touch(mode=0o600)
    return True


def unmake(data: Path) -> None:
    """Remove the file that this start made and could not fill, so that the next start makes it again."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        (data / f"{NAME}{suffix}").unlink(missing_ok=True)


def must_be_usable(data: Path) -> None:
    """Look at the file, if there is one, without changing it. Raises CannotStart with the file, why, and the cure."""
    file = data / NAME
    if not os.access(data, os.W_OK | os.X_OK):
        raise CannotStart(f"The data folder {data} is read-only. Make it writable, or name another: HIGHWATER_DATA.")
    if not file.exists():
        _must_have_no_log(data)
        return
    _must_be_a_database(file)
    try:
        found = _problem(file)
    except sqlite3.Error as problem:
        reason = trouble_of(problem)
        raise CannotStart(f"The database {file} cannot be used ({problem}). {reason}") from None
    if found:
        raise CannotStart(f"The database {file} is damaged ({found}). Nothing was changed in it. {CURE}")


def _must_have_no_log(data: Path) -> None:
    """SQLite would drop a log whose file is missing, and the rows in it."""
    log = data / f"{NAME}-wal"
    if log.exists() and log.stat().st_size:
        raise CannotStart(
            f"The database {data / NAME} is missing, but {log.name} beside it holds rows of it. Put the file back. Or "
            f"move {log.name} away, and the next start begins with an empty database."
        )


def _must_be_a_database(file: Path) -> None:
    if not file.is_file():
        raise CannotStart(f"The database {file} is no file. Move it away, and the next start makes one.")
    if not os.access(file, os.R_OK | os.W_OK):
        raise CannotStart(f"The database {file} is read-only. Make it readable and writable for this user.")
    if not file.stat().st_size:
        raise CannotStart(f"The database {file} is empty (0 bytes): it has lost its rows. {CURE}")
    with file.open("rb") as bytes_of_file:
        if bytes_of_file.read(len(HEADER)) != HEADER:
            raise CannotStart(f"The file {file} is not a SQLite database. Nothing was changed in it. {CURE}")


def _problem(file: Path) -> str:
    """The first fault that SQLite finds in the file's structure; empty for a sound one. Raises sqlite3.Error."""
    connection = sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=LOCK_SECONDS)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if file.stat().st_size > CHECKED_BYTES_MAX:
            return ""
        said = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    finally:
        connection.close()
    return "" if said == "ok" else " ".join(said.split())
