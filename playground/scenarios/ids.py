"""Short ids that stand in links: unguessable, easy to read aloud, never reused."""

import secrets
from hashlib import sha256
from typing import Final

ID_LENGTH: Final = 10
# no 0/O, 1/l/I: links get copied by hand
ALPHABET: Final = "23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"


def new_id() -> str:
    """An id of ID_LENGTH characters: 58 bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))


def id_of(text: str) -> str:
    """The id of a text: the same for the same text, so that it is stored once."""
    digest = sha256(text.encode()).digest()
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:ID_LENGTH])
