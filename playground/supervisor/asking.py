"""Asks a part for a sign of life without waiting for it, and counts how long it has been silent.

Silence is counted from look to look, and no look counts for more than STEP_SECONDS_MAX: while the machine was suspended
or the supervisor stopped, nobody asked, so that time says nothing about the part.
"""

import errno
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

ASK_SECONDS: Final = 5.0  # from an answer to the next question
SILENT_SECONDS_MAX: Final = 30.0  # of a part that was up and was asked; after that it hangs
LOOK_SECONDS: Final = 1.0  # between two looks at a part that was asked
STEP_SECONDS_MAX: Final = 2 * LOOK_SECONDS
ANSWER_BYTES: Final = 512
NOT_A_FAILURE: Final = (0, errno.EINPROGRESS, errno.ECONNREFUSED)  # refused: the part does not listen yet


@dataclass(frozen=True)
class LivenessQuery:
    """A question to a part, over a connection that does not wait."""

    connect: Callable[[], socket.socket]  # raises OSError where the supervisor has no socket left
    request: bytes
    answer: bytes  # how the answer of a part that is up begins

    def is_up(self, answer: bytes) -> bool:
        """True for the answer of a part that is up."""
        return answer.startswith(self.answer)


def connection_to(host: str, port: int) -> socket.socket:
    """A connection that may not stand yet. Raises OSError where none can be begun."""
    connection = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    connection.setblocking(False)
    problem = connection.connect_ex((host, port))
    if problem not in NOT_A_FAILURE:
        connection.close()
        raise OSError(problem, "a part cannot be asked")
    return connection


class PolledProcess:
    """One part that is asked again and again, through all its restarts."""

    def __init__(self, question: LivenessQuery) -> None:
        self.question = question
        self.silent_seconds = 0.0  # since it was asked or, before it was up, since it was started
        self._connection: socket.socket | None = None
        self._is_sent = False
        self._ask_at = self._looked_at = 0.0  # on the monotonic clock

    def ask_in(self, seconds: float) -> None:
        """Forget what was asked, and ask anew so many seconds from now."""
        self.close()
        self.silent_seconds = 0.0
        self._ask_at = time.monotonic() + seconds

    def look(self) -> bytes | None:
        """Ask if it is time, and return the answer if there is one.

        A connection that the part closed is an empty answer: a process that hangs closes nothing.
        """
        now = time.monotonic()
        if now < self._ask_at:
            return None
        step = min(now - max(self._looked_at, self._ask_at), STEP_SECONDS_MAX)
        self._looked_at = now
        if self._connection is None:
            try:
                self._connection = self.question.connect()
            except OSError:
                return None  # the part was not asked
        self.silent_seconds += step
        return self._exchange(self._connection)

    def _exchange(self, connection: socket.socket) -> bytes | None:
        was_sent = self._is_sent
        try:
            if not was_sent:
                connection.send(self.question.request)
                self._is_sent = True
            answer = connection.recv(ANSWER_BYTES)
        except BlockingIOError:
            return None
        except OSError:  # reset by the part; or it did not listen, and is asked again at the next look
            self.close()
            return b"" if was_sent else None
        self.close()
        return answer

    def reads(self) -> list[socket.socket]:
        """The connection of a question that was sent: readable when the part answers."""
        return [self._connection] if self._connection is not None and self._is_sent else []

    def writes(self) -> list[socket.socket]:
        """The connection of a question that is to be sent: writable when it stands."""
        return [self._connection] if self._connection is not None and not self._is_sent else []

    def seconds_to_look(self) -> float:
        """Time until the next look if nothing happens."""
        left = self._ask_at - time.monotonic()
        return left if left > 0 else LOOK_SECONDS

    def close(self) -> None:
        """Give the connection back."""
        if self._connection is not None:
            self._connection.close()
        self._connection, self._is_sent = None, False
