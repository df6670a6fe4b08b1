"""A decorator for pages that are the same for everybody: each is written once, for its first reader."""

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from threading import Lock
from typing import TypeVar

Written = TypeVar("Written")


def written_once(write: Callable[..., Written]) -> Callable[..., Written]:
    """`write`, called once for each new key (its arguments). Other threads wait for that text meanwhile."""
    writing = Lock()
    kept = lru_cache(maxsize=1)(write)

    @wraps(write)
    def read(*key: Hashable) -> Written:
        with writing:
            return kept(*key)

    return read
