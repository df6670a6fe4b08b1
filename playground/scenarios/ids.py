"""Short ids that stand in links: unguessable, easy to read aloud, never reused."""

import secrets
from typing import Final

ID_LENGTH: Final = 10
# no 0/O, 1/l/I: links get copied by hand
ALPHABET: Final = "23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"


def new_id() -> str:
    """An id of ID_LENGTH characters: 58 bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))
