"""The needs of a run: what the engine process that holds it must have."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Need:
    """``key``: the run's document, for what is remembered of it. ``bytes``: of memory, estimated.

    ``is_large``: one operation on it may take so long that a small run would be seen to stand.
    """

    key: str = ""
    is_large: bool = False
    bytes: int = 0
