"""The web process: uvicorn on a listening socket that the supervisor holds and hands down by its number.

`websockets-sansio` without per-message deflate is what serves 500 viewers with a third of a core; uvicorn's own
defaults disconnect them in masses.
"""

import gc
import socket
import sys
from typing import Final

import uvicorn

from playground import environment, open_files
from playground.connection import HEADER_BYTES_MAX, BoundedConnection
from playground.connections import Connections
from playground.engine.questions import questions
from playground.handshake import AnsweredHandshake

FRAME_BYTES_MAX: Final = 64 * 1024  # of a message from a browser: commands are small JSON
IDLE_SECONDS: Final = 5  # between two requests of a connection
STOP_SECONDS: Final = 2


def config() -> uvicorn.Config:
    """The configuration of the server; the tests serve the site in the same way."""
    proxies = environment.words(environment.PROXIES)
    BoundedConnection.open = Connections(open_files.raise_limit(), proxies)
    return uvicorn.Config(
        "playground.asgi:application",
        http=BoundedConnection,
        ws=AnsweredHandshake,
        ws_per_message_deflate=False,
        ws_max_size=FRAME_BYTES_MAX,
        lifespan="off",
        log_level="warning",
        access_log=False,
        h11_max_incomplete_event_size=HEADER_BYTES_MAX,
        server_header=False,
        timeout_keep_alive=IDLE_SECONDS,
        proxy_headers=bool(proxies),  # of anybody else: whoever sends such a header would choose his own address
        forwarded_allow_ips=proxies,
        timeout_graceful_shutdown=STOP_SECONDS,
    )


def main(argv: list[str]) -> int:
    """Serve until SIGTERM; `argv` holds the number of the listening socket."""
    listener = socket.socket(fileno=int(argv[0]))
    server = uvicorn.Server(config())
    server.config.load()
    gc.collect()
    gc.freeze()  # what was imported stays: a collection that looked through it held all sockets for 35 ms
    questions.warm()  # else the first question waits for a process to start
    server.run(sockets=[listener])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
