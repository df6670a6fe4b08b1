"""A part that listens at no port answers the supervisor over a socket that it was handed down."""

import contextlib
import os
import socket
import threading
from typing import Final

from playground.supervisor.asking import LivenessQuery

HANDED_DOWN: Final = "HIGHWATER_SUPERVISOR"  # the number of the socket
REQUEST: Final = b"?"


def pair() -> tuple[LivenessQuery, socket.socket]:
    """The question to such a part, and the socket to hand down."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    return LivenessQuery(lambda: _emptied(ours), REQUEST, REQUEST), theirs


def _emptied(ours: socket.socket) -> socket.socket:
    """The socket without what an earlier process answered."""
    with contextlib.suppress(BlockingIOError):
        while ours.recv(512):
            pass
    return ours.dup()


def answer_from_now_on() -> None:
    """Send back what the supervisor sends, in a thread of its own. Without a supervisor it does nothing."""
    if number := os.environ.get(HANDED_DOWN):
        handed = socket.socket(fileno=int(number))
        threading.Thread(target=_answer, args=(handed,), name="answers the supervisor", daemon=True).start()


def _answer(handed: socket.socket) -> None:
    while request := handed.recv(512):
        handed.sendall(request)
