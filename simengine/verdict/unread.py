"""Consumers and groups that have no position in a partition: they get nothing, whatever state the servers are in.

A consumer has no position until it has found its committed offset, or the one that ``auto.offset.reset`` names. Members
of a group read for each other: the group has none where no member that owns the partition has found one.
"""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64, mypyc_attr

from simengine.verdict.outage import THETA_US, Closing

if TYPE_CHECKING:
    from simengine.verdict.deliveries import ReaderPosition

JOINS_US: Final = 5_000_000  # a group that begins, or takes in a member, reads nothing for up to so long


@mypyc_attr(acyclic=True)
@final
class Want:
    """One consumer without a group's help, or one group: its open consumers, and for how long none had a position.

    A group whose last member died has none; one whose members were closed wants none.
    """

    __slots__ = (
        "began_dead",
        "client",
        "clients",
        "group",
        "is_dead",
        "longest_dead",
        "longest_since",
        "longest_us",
        "members",
        "since",
        "spans",
    )

    def __init__(self, client: i64, group: str) -> None:
        self.client: i64 = client  # the first of them
        self.group = group  # "": a consumer that reads by itself
        self.clients: list[int] = []  # that are open ...
        self.members: list[int] = [int(client)]  # ... and those that ever were
        self.is_dead: bool = False  # its last member died
        self.since: i64 = -1  # since when none has one, though records are there; -1: one has
        self.spans: tuple[tuple[int, int], ...] = ()  # such times that are over, if longer than a join
        self.longest_us: i64 = 0  # of such times that are over the longest ...
        self.longest_since: i64 = -1  # ... when it began ...
        self.longest_dead: bool = False  # ... and if the last member's death began it
        self.began_dead: bool = False  # likewise of the time that goes on

    def set(self, is_missing: bool, now: i64) -> None:
        """None of them has a position from now on, or one has."""
        if is_missing:
            if self.since < 0:
                self.since = now
            if self.since == now:  # the position goes a moment before the member does
                self.began_dead = self.is_dead
        elif self.since >= 0:
            if self._counted(now - self.since):
                self.spans += ((int(self.since), int(now)),)
            if now - self.since > self.longest_us:
                self.longest_us, self.longest_since = now - self.since, self.since
                self.longest_dead = self.began_dead
            self.since = -1

    def open_us(self, now: i64) -> i64:
        """The time (µs) for which none has had a position up to now; 0 while that is no more than a join takes."""
        return self._counted(now - self.since) if self.since >= 0 else 0

    def us(self, now: i64) -> i64:
        """The longest time in which none had one, 0 where that is no more than a join takes."""
        return max(self._counted(self.longest_us), self.open_us(now))

    def all_spans(self, now: i64) -> list[tuple[int, int]]:
        """All times in which none had one that are longer than a join takes, the one that goes on included."""
        found = list(self.spans)
        if self.open_us(now) > 0:
            found.append((int(self.since), int(now)))
        return found

    def is_open_longest(self, now: i64) -> bool:
        """True if the longest time without a position goes on."""
        return self.open_us(now) > 0 and self.open_us(now) >= self.longest_us

    def us_since(self, now: i64) -> i64:
        """The moment at which the longest time without a position began."""
        return self.since if self.is_open_longest(now) else self.longest_since

    def is_of_death(self, now: i64) -> bool:
        """True if the death of the last member began the longest time without a position."""
        return self.began_dead if self.is_open_longest(now) else self.longest_dead

    def is_graver(self, other: "Want", now: i64) -> bool:
        """True if this one has had no position for longer: now, or, if both have one now, at any time."""
        mine, others = self.open_us(now), other.open_us(now)
        return mine > others if mine or others else self.us(now) > other.us(now)

    def _counted(self, us: i64) -> i64:
        return us if us > (JOINS_US if self.group else THETA_US) else 0


@mypyc_attr(acyclic=True)
@final
class PartitionReaders:
    """All who are to read one partition. Nothing counts after its ``closing``, or before records are there."""

    __slots__ = ("_closing", "has_records", "is_missing", "wants")

    def __init__(self, closing: Closing) -> None:
        self.wants: tuple[Want, ...] = ()
        self.is_missing: bool = False  # for some of them
        self._closing = closing
        self.has_records: bool = False

    def opened(self, client: i64, group: str, readers: "list[ReaderPosition]", now: i64) -> None:
        """A consumer begins; ``group``: whose members read for each other, "": it reads by itself."""
        for want in self.wants:
            if want.group == group and (group or want.client == client):
                break
        else:
            want = Want(client, group)
            self.wants += (want,)
        if client not in want.clients:
            want.clients.append(int(client))
        if client not in want.members:
            want.members.append(int(client))
        want.is_dead = False
        self.look(readers, now)

    def closed(self, client: i64, is_dead: bool, readers: "list[ReaderPosition]", now: i64) -> None:
        """A consumer ends: it was closed, or it died."""
        for want in self.wants:
            if client in want.clients:
                want.clients.remove(int(client))
                want.is_dead = is_dead and not want.clients and want.group != ""
        self.look(readers, now)

    def appended(self, readers: "list[ReaderPosition]", now: i64) -> None:
        """Records are there to be read."""
        self.has_records = True
        self.look(readers, now)

    def look(self, readers: "list[ReaderPosition]", now: i64) -> None:
        """Some may have found or lost their positions."""
        self.is_missing = False
        for want in self.wants:
            has_one = not (want.clients or want.is_dead) or not self.has_records
            for reader in readers:
                if reader.reads and reader.client in want.clients:
                    has_one = True
            want.set(not has_one, min(now, self._closing.us))
            self.is_missing = self.is_missing or not has_one

    def spans_of(self, client: i64, now: i64) -> list[tuple[int, int]]:
        """The times in which a consumer had no position, nor had any member of its group."""
        for want in self.wants:
            if client in want.members:
                return want.all_spans(min(now, self._closing.us))
        return []

    def us(self, now: i64) -> i64:
        """The longest time in which somebody had no position; 0 where that is no more than a join takes."""
        longest = self.longest(now)
        return 0 if longest is None else longest.us(min(now, self._closing.us))

    def open_us(self, now: i64) -> i64:
        """For how long somebody has had none now; 0 where that is no more than a join takes."""
        found: i64 = 0
        for want in self.wants:
            found = max(found, want.open_us(min(now, self._closing.us)))
        return found

    def longest(self, now: i64) -> Want | None:
        """The one that had no position for longest in one go; None: nobody."""
        found: Want | None = None
        at = min(now, self._closing.us)
        for want in self.wants:
            if want.us(at) > 0 and (found is None or want.us(at) > found.us(at)):
                found = want
        return found

    def worst(self, now: i64) -> Want | None:
        """The one that has or had no position for longest, those that have none now first; None: nobody."""
        found: Want | None = None
        at = min(now, self._closing.us)
        for want in self.wants:
            if want.us(at) > 0 and (found is None or want.is_graver(found, at)):
                found = want
        return found
