"""Each failure of the database or the disk has a sentence of its own, which says what to do."""

import errno
import os
import sqlite3

import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, DataError, IntegrityError, OperationalError, ProgrammingError

from playground import storage_trouble
from playground.storage_trouble import trouble_of


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OperationalError("database or disk is full"), storage_trouble.FULL),
        (OperationalError('could not extend file "base/1": No space left on device'), storage_trouble.FULL),
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), storage_trouble.FULL),
        (OSError(errno.EDQUOT, os.strerror(errno.EDQUOT)), storage_trouble.FULL),
        (OSError(errno.EROFS, os.strerror(errno.EROFS)), storage_trouble.READ_ONLY),
        (OperationalError("attempt to write a readonly database"), storage_trouble.READ_ONLY),
        (OperationalError("database is locked"), storage_trouble.LOCKED),
        (OperationalError("database table is locked: scenarios_scenario"), storage_trouble.LOCKED),
        (OperationalError("unable to open database file"), storage_trouble.REMOVED),
        (OperationalError("no such table: scenarios_scenario"), storage_trouble.EMPTIED),
        (ProgrammingError('relation "scenarios_scenario" does not exist'), storage_trouble.EMPTIED),
        (DatabaseError("database disk image is malformed"), storage_trouble.DAMAGED),
        (DatabaseError("file is not a database"), storage_trouble.DAMAGED),
        (sqlite3.DatabaseError("file is not a database"), storage_trouble.DAMAGED),
        (OperationalError("disk I/O error"), storage_trouble.UNREADABLE),
        (OperationalError("connection refused"), storage_trouble.AWAY),
        (PermissionError(errno.EACCES, os.strerror(errno.EACCES)), storage_trouble.REFUSED),
    ],
)
def test_a_failure_has_its_sentence(error: Exception, sentence: str) -> None:
    assert trouble_of(error) == sentence


def test_what_sqlite_calls_an_io_error_on_a_disk_without_space_is_a_full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new connection cannot map its shared memory there, and says no more than this."""
    monkeypatch.setattr(storage_trouble, "SPACE_BYTES_MIN", 1 << 60)
    assert trouble_of(OperationalError("disk I/O error")) == storage_trouble.FULL


def test_a_cause_that_names_the_disk_is_found() -> None:
    wrapped = RuntimeError("the rows were not written")
    wrapped.__cause__ = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert trouble_of(wrapped) == storage_trouble.FULL


@pytest.mark.parametrize(
    "error",
    [DataError("value too long"), IntegrityError("UNIQUE constraint failed"), ValidationError("no"), KeyError("x")],
)
def test_wrong_values_are_not_the_fault_of_the_database(error: Exception) -> None:
    assert trouble_of(error) is None
