"""The web process with small limits of time and memory, so that a test reaches them with little."""

import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playground import environment, serve
from tests.rooms.site import Browser, Site

HEADER_S = 1.0
IDLE_S = 1
GRACE_S = 1.0
LINGER_S = 1.0
HELD_AN_ADDRESS = 4 * 1024 * 1024
SOON_S = 5.0  # what a test adds to a limit on a busy machine


@contextmanager
def serving(data: Path, **variables: str) -> Iterator[Site]:
    """A site of this module, once it answers; ended afterwards."""
    running = Site(data, module="tests.faults.bounded_site")
    running.environment |= variables
    running.start()
    try:
        Browser(running).ready()
        yield running
    finally:
        running.stop()


def lower() -> None:
    """Put the small limits in the place of the real ones."""
    from playground import body_limit, connection, held_bodies

    connection.HEADER_S = HEADER_S  # type: ignore[misc]
    serve.IDLE_SECONDS = IDLE_S  # type: ignore[misc]
    body_limit.GRACE_S, body_limit.LINGER_S = GRACE_S, LINGER_S  # type: ignore[misc]
    held_bodies.HELD_AN_ADDRESS_MAX = HELD_AN_ADDRESS  # type: ignore[misc]


if __name__ == "__main__":
    if found := environment.words("BOUNDED_FILES"):  # the soft and the hard limit of open files
        resource.setrlimit(resource.RLIMIT_NOFILE, (int(found[0]), int(found[1])))
    lower()
    sys.exit(serve.main(sys.argv[1:]))
