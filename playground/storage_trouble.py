"""The reason why stored data could not be read or written: one sentence with the cure for each kind of failure.

Read from the text of the error: SQLite and Postgres give the reason there, and Django keeps it. Imports no settings, so
that the supervisor's command and the sockets say the same words as the pages.
"""

import errno
import shutil
import sqlite3
from collections.abc import Iterator
from typing import Final

from django.db import DatabaseError, DataError, IntegrityError, InterfaceError

from playground import environment

SPACE_BYTES_MIN: Final = 64 * 1024  # SQLite takes its shared memory in blocks of 32 KiB
NOTHING_STORED: Final = "Nothing was stored."

FULL: Final = "The server's disk is full. Free some space on it, then try again."
READ_ONLY: Final = (
    "The server's database is read-only. Make its file and the data folder writable, as well as the files "
    "beside it, then try again."
)
LOCKED: Final = "The server's database is locked by another process. Try again when that process has ended."
REMOVED: Final = (
    "The server's database file is not there, or cannot be opened. Put it back, or restart Highwater to begin with an "
    "empty one."
)
EMPTIED: Final = "The server's database has no tables of Highwater. Put the right file back, then restart Highwater."
DAMAGED: Final = "The server's database file is damaged. Stop Highwater and put a good copy of the file back."
UNREADABLE: Final = "The server's disk failed to read or write the database. Look at the disk, then try again."
AWAY: Final = "The server's database does not respond. Try again in a moment."
REFUSED: Final = "The server may not write its data folder. Give it the right to, then try again."

# Lower-case text of an error -> what it means. The first that fits counts.
_BY_TEXT: Final = (
    ("database or disk is full", FULL),
    ("no space left on device", FULL),
    ("disk quota exceeded", FULL),
    ("readonly database", READ_ONLY),
    ("read-only", READ_ONLY),
    ("is locked", LOCKED),
    ("lock timeout", LOCKED),
    ("unable to open database file", REMOVED),
    ("no such table", EMPTIED),
    ("no such column", EMPTIED),
    ("does not exist", EMPTIED),
    ("malformed", DAMAGED),
    ("file is not a database", DAMAGED),
    ("disk i/o error", UNREADABLE),
)
_BY_NUMBER: Final = {
    errno.ENOSPC: FULL,
    errno.EDQUOT: FULL,
    errno.EROFS: READ_ONLY,
    errno.EIO: UNREADABLE,
    errno.EACCES: REFUSED,
    errno.EPERM: REFUSED,
}


def trouble_of(error: BaseException) -> str | None:
    """The sentence for a failure of the database or the disk; None where the error is about something else.

    An error that names neither a known text nor a known number is the database's only if its class says so.
    """
    for one in _with_causes(error):
        if isinstance(one, OSError):
            if one.errno in _BY_NUMBER:
                return _BY_NUMBER[one.errno]
        elif isinstance(one, (DatabaseError, InterfaceError, sqlite3.Error)):
            if isinstance(one, (DataError, IntegrityError)):
                return None  # the values are wrong, not the database
            return _of_database(one)
    return None


def _of_database(error: Exception) -> str:
    text = str(error).lower()
    told = next((sentence for words, sentence in _BY_TEXT if words in text), AWAY)
    return FULL if told == UNREADABLE and _is_full() else told


def _is_full() -> bool:
    """True if the data folder's disk has no space: SQLite calls it an I/O error where it cannot map memory to it."""
    return shutil.disk_usage(environment.data_folder()).free < SPACE_BYTES_MIN


def _with_causes(error: BaseException) -> Iterator[BaseException]:
    """The error, then what it was raised from."""
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__
