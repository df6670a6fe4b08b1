"""A leader's state of another replica: its fetched offset, its last fetch, the high watermark sent to it (STATE-4)."""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

if TYPE_CHECKING:
    from simengine.kafka.replica.replica import Partition

UNKNOWN: Final = -1
NEVER: Final = -(1 << 60)  # a time before all times: simulated time begins at 0, when nothing is older than the lag
NOT_FETCHED: Final = -2  # no broker epoch: not the -1 of a fetch before registration, which is exempt (ISR-6)


class FetchSessionHooks:
    """The fetch session of a follower, as the partitions in it know it; ``last_arrival``: when its last fetch came."""

    __slots__ = ("last_arrival",)

    def __init__(self) -> None:
        self.last_arrival: i64 = 0

    def data_arrived(self, remote: "FollowerState", old_leo: i64) -> None:
        """The leader appended to a partition that this follower was level with."""

    def hw_moved(self, remote: "FollowerState") -> None:
        """The leader's high watermark moved."""

    def left_isr(self, remote: "FollowerState") -> None:
        """A partition of the session whose ISR the follower is not in."""

    def leader_gone(self) -> None:
        """A partition of this session is led here no longer."""

    def release(self) -> None:
        """Answer a parked fetch after the event that released it."""


@final
class FollowerState:
    """A leader's state of another replica (STATE-4).

    While the replica is ``covered`` (part of the follower's fetch session) and ``clean`` (it has all the leader has),
    every fetch of the session counts as a fetch of this partition; the figures are brought up to date when that ends.
    """

    __slots__ = (
        "be",
        "broker",
        "caught_up_at",
        "clean",
        "covered",
        "hw_is_news",
        "hw_sent",
        "in_maximal_isr",
        "is_observer",
        "is_outside",
        "is_ready",
        "last_fetch_at",
        "last_leader_leo",
        "leo",
        "replica",
        "session",
        "start",
    )

    def __init__(self, replica: "Partition", broker: i64) -> None:
        self.replica = replica
        self.broker: i64 = broker
        self.leo: i64 = UNKNOWN
        self.start: i64 = UNKNOWN
        self.be: i64 = NOT_FETCHED  # broker epoch of the last fetch
        self.caught_up_at: i64 = NEVER
        self.last_fetch_at: i64 = NEVER
        self.last_leader_leo: i64 = UNKNOWN
        self.in_maximal_isr: bool = False
        self.covered: bool = False
        self.clean: bool = False
        self.is_observer: bool = False  # OBS-1
        self.is_outside: bool = False  # on the session's list of partitions whose ISR the follower is not in
        self.is_ready: bool = False  # on the session's list of partitions with something to send
        self.hw_sent: i64 = UNKNOWN
        self.hw_is_news: bool = False
        self.session: FetchSessionHooks | None = None

    def last_caught_up(self) -> i64:
        """The last time at which the replica had all that the leader had, as far as the leader knows."""
        session = self.session
        if session is not None and self.covered and self.clean:
            return session.last_arrival
        return self.caught_up_at

    def uncover(self) -> None:
        """The follower's session has this partition again when the follower names it."""
        self.covered = False
        self.clean = False

    def start_over(self) -> None:
        """Leader or follower begin anew: what the follower was told is not what it knows."""
        self.uncover()
        self.hw_sent = UNKNOWN
