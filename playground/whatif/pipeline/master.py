"""Checks that a standalone Spark master responds, before Spark tries: Spark takes a minute to say that none does."""

import socket
from typing import Final

STANDALONE: Final = "spark://"  # and host:port, of several masters with a comma between
SECONDS_MAX: Final = 10.0


def must_answer(master: str) -> None:
    """Connect to a standalone master, or to one of several. Raises OSError in words; other masters are not asked."""
    if not master.startswith(STANDALONE):
        return
    refused: list[str] = []
    for place in master.removeprefix(STANDALONE).split(","):
        host, _, port = place.rpartition(":")
        try:
            socket.create_connection((host, int(port)), SECONDS_MAX).close()
        except (OSError, ValueError) as problem:
            refused.append(f"{place} ({getattr(problem, 'strerror', None) or problem})")
        else:
            return
    raise OSError(f"nobody answers at {' or '.join(refused)}")
