"""Timed tasks of a fetcher: the timeout of a fetch, the end of a back-off, the end of a slow intake."""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from simengine.kafka.wire.fetch_api import FetchAnswer
from simengine.kernel.node import Task

if TYPE_CHECKING:
    from simengine.kafka.replica.fetcher import Fetcher


class FetcherTask(Task):
    """Something that one incarnation of the follower's process does for a fetcher at a time."""

    __slots__ = ("fetcher",)

    def __init__(self, fetcher: "Fetcher") -> None:
        super().__init__(fetcher.broker)
        self.fetcher = fetcher


@final
class FetchTimeout(FetcherTask):
    """``request.timeout.ms`` of a fetch; one pending event per fetcher (FET-14)."""

    __slots__ = ()

    def run(self) -> None:
        self.fetcher.timed_out(self)


@final
class FetchBackoffOver(FetcherTask):
    """``replica.fetch.backoff.ms`` has passed for a partition or for the connection."""

    __slots__ = ()

    def run(self) -> None:
        self.fetcher.backoff_over()


@final
class SlowIntake(FetcherTask):
    """A slow broker has taken in the bytes of an answer, at one pace.

    A pause holds up what is done with them, not their coming in.
    """

    __slots__ = ("_left", "_per_s", "_since", "answer", "due")

    def __init__(self, fetcher: "Fetcher", answer: FetchAnswer, left: i64) -> None:
        super().__init__(fetcher)
        self.answer = answer
        self._left: i64 = left
        self._per_s: i64 = fetcher.broker.intake_per_s  # 0: as fast as they come
        self._since: i64 = fetcher.broker.sim.now
        self.due: i64 = self._since + (left // self._per_s if self._per_s > 0 else 0)

    def left(self) -> i64:
        """The amount that is still to come in, in millionths of a record."""
        return self._left - (self.fetcher.broker.sim.now - self._since) * self._per_s

    def run(self) -> None:
        self.fetcher.taken_in(self)
