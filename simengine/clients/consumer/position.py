"""A consumer's position in one partition, and the steps that it needs before it may fetch (CON-2..CON-5, FFR-3).

The steps are those of the Java client: a position is looked up (committed offset, else the reset policy), fetched from,
and validated again whenever the leader or leader epoch known to the client changes.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.kafka.wire.api import ConsumerPosition

INITIALIZING: Final = 0  # no position yet: ask for the committed offset, if there is a group
RESETTING: Final = 1  # ListOffsets is to be asked
VALIDATING: Final = 2  # the end offset of the last record's epoch is to be asked (CON-3)
FETCHING: Final = 3
REVOKED: Final = 4  # another member of the group has the partition

NO_OFFSET: Final = -1
NO_EPOCH: Final = -1


@final
class Position:
    """One partition of a consumer."""

    __slots__ = (
        "asked_at",
        "asked_on",
        "commit_stated",
        "committed",
        "epoch",
        "has_thrown",
        "is_asking",
        "is_ended",
        "is_gone",
        "is_late",
        "leader",
        "leader_epoch",
        "offset",
        "p",
        "preferred",
        "preferred_until",
        "reset",
        "retry_at",
        "state",
        "stated",
        "unserved_at",
        "wire",
    )

    def __init__(self, p: i64) -> None:
        self.p: i64 = p
        self.committed: i64 = NO_OFFSET
        self.is_ended: bool = False  # its topic was deleted and created again: another partition is in its place
        self.is_late: bool = False  # a new partition, noticed while the consumer ran: it has no position there yet
        self.is_gone: bool = False  # its topic was deleted, as far as the client knows
        self.stated: i64 = -2  # what facts have said of position (-2: nothing) and commit
        self.commit_stated: i64 = -1
        self.wire: ConsumerPosition = ConsumerPosition(p, 0, NO_EPOCH)  # as the next fetch states it
        self.forget()

    def forget(self) -> None:
        """A new process, or a new owner: nothing is known."""
        self.state: i64 = INITIALIZING
        self.asked_on: i64 = -1  # the broker that the newest fetch with this position was made for
        self.unserved_at: i64 = -1  # since when its fetches that were given up had no response; -1: one had
        self.offset: i64 = NO_OFFSET
        self.epoch: i64 = NO_EPOCH  # leader epoch of the last record read, or of the commit
        self.leader: i64 = -1  # leader and leader epoch that the position was validated against
        self.leader_epoch: i64 = NO_EPOCH
        self.preferred: i64 = -1  # FFR-3
        self.preferred_until: i64 = 0
        self.reset: i64 = 0  # policy to reset by: EARLIEST, LATEST or BY_TIME
        self.retry_at: i64 = 0
        self.is_asking: bool = False  # a question about this position is under way
        self.asked_at: i64 = 0  # since when, if it is one for the committed offset
        self.has_thrown: bool = False  # every poll throws the same exception, which was stated already

    def seek(self, offset: i64, epoch: i64) -> None:
        """Continue at an offset, whose predecessor was written in ``epoch`` (-1: not known)."""
        self.offset = offset
        self.epoch = epoch
        self.has_thrown = False
        self.restate()

    def restate(self) -> None:
        """State the position anew for fetches to come; those under way keep what they said, and are not listened to."""
        self.asked_on = -1
        self.wire = ConsumerPosition(self.p, self.offset, self.leader_epoch)

    def passed(self, offset: i64, epoch: i64) -> None:
        """Records up to ``offset`` were read; the fetch that said the old position is over."""
        self.offset = offset
        self.epoch = epoch
        self.wire.offset = offset

    def follow_leader(self, leader: i64, leader_epoch: i64) -> bool:
        """Take note of who leads now; whether that changed (CON-3)."""
        if leader == self.leader and leader_epoch == self.leader_epoch:
            return False
        self.leader = leader
        self.leader_epoch = leader_epoch
        self.preferred = -1
        if self.state == FETCHING or self.state == VALIDATING:
            self.validate()
            self.restate()
        return True

    def validate(self) -> None:
        """Check the position before fetching on, where that is possible."""
        self.is_asking = False
        self.retry_at = 0
        can_ask = self.epoch >= 0 and self.leader_epoch >= 0
        self.state = VALIDATING if can_ask else FETCHING

    def source(self, now: i64) -> i64:
        """The broker to fetch from (-1: not known): the preferred replica while that holds, else the leader."""
        if self.preferred >= 0:
            if now < self.preferred_until:
                return self.preferred
            self.preferred = -1
        return self.leader


@final
class Assignment:
    """The positions of one consumer, one per partition that it may read."""

    __slots__ = ("_index", "positions")

    def __init__(self, partitions: list[int]) -> None:
        self.positions: list[Position] = []
        self._index: list[int] = []  # by partition; -1: not assigned
        self.assign(partitions)

    def assign(self, partitions: list[int]) -> None:
        """Only these partitions, at positions that are to be found."""
        self.positions = []
        self._index = []
        for p in partitions:
            self.add(p)

    def add(self, p: i64) -> Position:
        """The position in a partition, made if there is none."""
        while len(self._index) <= p:
            self._index.append(-1)
        if self._index[p] < 0:
            self._index[p] = len(self.positions)
            self.positions.append(Position(p))
        return self.positions[self._index[p]]

    def has(self, p: i64) -> bool:
        """True if the consumer names the partition, owned or not."""
        return p < len(self._index) and self._index[p] >= 0

    def of(self, p: i64) -> Position:
        """The position in a partition that it has."""
        return self.positions[self._index[p]]

    def partitions(self) -> list[int]:
        """All partitions that the consumer reads or would like to read."""
        return [int(position.p) for position in self.positions if not position.is_ended]

    def owned(self) -> list[Position]:
        """The positions that can be committed: those known and not given up."""
        return [
            position
            for position in self.positions
            if position.offset >= 0 and position.state != REVOKED and not position.is_gone
        ]
