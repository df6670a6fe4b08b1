"""An offset sync: which offset of a source partition was copied to which offset of the remote partition (MM-4)."""

from typing import final

from mypy_extensions import i64


@final
class OffsetSync:
    """The record at ``upstream`` of source partition ``p`` stands at ``downstream`` of the remote partition."""

    __slots__ = ("downstream", "p", "upstream")

    def __init__(self, p: i64, upstream: i64, downstream: i64) -> None:
        self.p: i64 = p
        self.upstream: i64 = upstream
        self.downstream: i64 = downstream
