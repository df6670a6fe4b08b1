"""The name of a worker process, and a check that another one on this machine still lives.

A name is `host:process:token`; the token tells two processes apart that got the same number.
"""

import os
import secrets
import socket
from pathlib import Path
from typing import Final

HOST: Final = socket.gethostname()
NAME_MAX: Final = 80


def own_name() -> str:
    """A name for this process; call once and keep it."""
    return f"{HOST[:40]}:{os.getpid()}:{secrets.token_hex(4)}"


def is_dead_here(name: str, own: str) -> bool:
    """True if `name` was a process of this machine that is gone; False when that cannot be told."""
    parts = name.rsplit(":", 2)
    if len(parts) != 3 or parts[0] != HOST[:40] or name == own or not parts[1].isdigit():
        return False
    process = int(parts[1])
    if process == os.getpid():
        return True
    return not _lives(process)


def _lives(process: int) -> bool:
    """True if a process runs; one that ended and waits for its parent (a zombie) does not."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return True  # no /proc here: signal 0 found it
    return state not in ("Z", "X")
