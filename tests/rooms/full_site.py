"""The web process on a disk that a test fills: while the file `full` is in the data folder, SQLite takes no more pages.

SQLite refuses a page above `max_page_count` with the error that it has for a full disk. That needs no rights.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db.backends.signals import connection_created

from playground import environment

FULL = "full"
LOCK_MS = 200  # how long a writer waits for a locked database; 20 s as it is served
PAGES_MAX = 1_073_741_823  # more than a test writes


def _bound(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    is_full = (Path(environment.data_folder()) / FULL).exists()
    raw = context["connection"].connection
    raw.execute(f"PRAGMA busy_timeout = {LOCK_MS}")
    raw.execute(f"PRAGMA max_page_count = {1 if is_full else PAGES_MAX}")  # never below what the file has
    return execute(sql, params, many, context)


def _watch(connection: Any, **_: Any) -> None:
    connection.execute_wrappers.append(_bound)


if __name__ == "__main__":
    from playground import serve  # not for those who only ask for FULL: it reads the settings

    connection_created.connect(_watch)
    sys.exit(serve.main(sys.argv[1:]))
