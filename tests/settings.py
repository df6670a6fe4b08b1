"""Django's settings under test: data in a folder of this run's own, the Redis-protocol server on a port of its own."""

import atexit
import os
import shutil
import socket
import tempfile


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


_data = tempfile.mkdtemp(prefix="highwater-test-")
_owner = os.getpid()


def _remove_data() -> None:
    if os.getpid() == _owner:  # not when a forked child ends
        shutil.rmtree(_data, ignore_errors=True)


atexit.register(_remove_data)
os.environ["HIGHWATER_DATA"] = _data
os.environ["HIGHWATER_REDIS_URL"] = f"redis://127.0.0.1:{_free_port()}/0"
os.environ.pop("HIGHWATER_DATABASE_URL", None)

from playground import database_file  # noqa: E402
from playground.settings import *  # noqa: E402, F403

WHITENOISE_AUTOREFRESH = True

database_file.make(DATA_DIR)  # noqa: F405  # Django's commands look at the file before a test database is made
