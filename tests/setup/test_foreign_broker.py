"""Something else stands at Valkey's address, or Valkey hangs: it does not pass for ours, and the page goes on."""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from playground import valkey
from tests.setup.processes import ROOT

SEND = """
import django
django.setup()
from playground.whatif.queue import send
send("x")
print("went on")
"""
SENT_SECONDS_MAX = 30.0  # a visitor waits so long for the page of his experiment, on a busy machine


@pytest.fixture(params=[b"", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
def foreign(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a server that says one thing to everybody, or nothing: a hanging one."""
    held = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    visitor, _ = listener.accept()
                except OSError:
                    return
                held.append(visitor)
                visitor.sendall(request.param)

        threading.Thread(target=serve, daemon=True).start()
        yield f"redis://:secret@127.0.0.1:{listener.getsockname()[1]}/0"
        listener.shutdown(socket.SHUT_RDWR)
    for visitor in held:
        visitor.close()


def test_a_foreign_server_does_not_pass_for_valkey(foreign: str) -> None:
    assert not valkey.answers(foreign)


def test_a_message_to_a_foreign_or_hanging_server_is_given_up(foreign: str, tmp_path: Path) -> None:
    settings = {"DJANGO_SETTINGS_MODULE": "playground.settings", "HIGHWATER_DATA": str(tmp_path)}
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", SEND],
        cwd=ROOT,
        env={**os.environ, **settings, "HIGHWATER_REDIS_URL": foreign},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout == "went on\n", done.stderr
    assert "no message for experiment x" in done.stderr
    assert time.monotonic() - began < SENT_SECONDS_MAX
