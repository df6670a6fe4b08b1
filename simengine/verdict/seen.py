"""The applications' view of a topic's partitions: stops of producers and readers, and the longest waits."""

from typing import final

from mypy_extensions import i64

from simengine.verdict.account import PartitionCounters
from simengine.verdict.outage import THETA_US, common_us
from simengine.verdict.presence import length
from simengine.verdict.share import PartitionContribution
from simengine.verdict.silences import held_by, silence, silence_cause


@final
class Silence:
    """The longest time in one go in which one client got nothing."""

    __slots__ = ("account", "client", "is_dead", "is_open", "since", "us")

    def __init__(self) -> None:
        self.account: PartitionCounters | None = None  # where; None: everybody got something all the time
        self.us: i64 = 0
        self.client: i64 = -1
        self.since: i64 = -1
        self.is_open: bool = False  # it gets nothing now
        self.is_dead: bool = False  # it is a group whose last member died, which no fact of the servers caused

    def take(self, account: PartitionCounters, client: i64, since: i64, us: i64, is_open: bool) -> None:
        """A client got nothing for so long: kept if nobody got nothing for longer."""
        if us > self.us:
            self.account, self.client, self.since = account, client, since
            self.us, self.is_open, self.is_dead = us, is_open, False


@final
class ClientView:
    """Producers without a response, readers without records, the longest waits."""

    __slots__ = (
        "longest_read_us",
        "longest_wait_us",
        "read_p",
        "read_same_us",
        "read_us",
        "read_waits_us",
        "reads",
        "vain_us",
        "waits_us",
        "write_p",
        "write_same_us",
        "write_us",
        "writes",
    )

    def __init__(self) -> None:
        self.write_us: i64 = 0  # the longest time of one producer and partition ...
        self.write_p: i64 = -1  # ... and that partition
        self.write_same_us: i64 = 0  # ... and how much of it the servers were out
        self.read_us: i64 = 0
        self.read_p: i64 = -1
        self.read_same_us: i64 = 0
        self.vain_us: i64 = 0  # the longest time in which every response was of a record that was lost already
        self.waits_us: i64 = 0  # how long the oldest call has waited now
        self.read_waits_us: i64 = 0
        self.longest_wait_us: i64 = 0
        self.longest_read_us: i64 = 0
        self.writes: Silence = Silence()
        self.reads: Silence = Silence()

    @property
    def longest(self) -> Silence:
        """The silence that the sentence tells of (``moment_words.is_readers``)."""
        is_readers = self.writes.account is None or self.read_us - THETA_US > self.write_us
        return self.reads if is_readers else self.writes

    def cause(self) -> i64:
        """The fact that caused the longest silence; 0 if it is not known."""
        found = self.longest
        account = found.account
        if account is None or found.is_dead:
            return 0
        return silence_cause(account, found.client, found.since, found.is_open)

    def explained_silence(self, goes_on: bool) -> Silence | None:
        """The silence that `moment_words.stop_words` explains: the longest, or with ``goes_on`` the producers' longest.

        None if there is none, if it is of a group whose last member died, or with ``goes_on`` if it has ended.
        """
        found = self.writes if goes_on else self.longest
        return None if found.account is None or found.is_dead or (goes_on and not found.is_open) else found

    def kept_up_by(self, found: Silence) -> i64:
        """The newest fact by which the servers were out during a silence of these; 0 if there is none."""
        if found.account is None:
            return 0
        us = found.us + THETA_US if found is self.reads else found.us
        return held_by(found.account, found.client, found.since, found.since + us)

    def add(self, account: PartitionCounters, share: PartitionContribution) -> None:
        """One more partition, by its kept share."""
        if share.write_us > self.write_us:
            self.write_us, self.write_p, self.write_same_us = share.write_us, account.p, share.write_same_us
        self.writes.take(account, share.client, share.since, share.stretch_us, False)
        self.longest_wait_us = max(self.longest_wait_us, share.longest_wait_us)

    def look(self, account: PartitionCounters, now: i64) -> None:
        """One more partition."""
        for calls in account.calls:
            us = calls.no_response_us(now)
            if us > self.write_us:
                self.write_us, self.write_p, self.write_same_us = us, account.p, silence(account, calls, now)
            since, stretch_us = calls.silence(now)
            self.writes.take(account, calls.client, since, stretch_us, calls.waits.oldest_us(now) >= now - since)
            self.vain_us = max(self.vain_us, calls.vain_us())
            self.waits_us = max(self.waits_us, calls.waits.oldest_us(now))
            self.longest_wait_us = max(self.longest_wait_us, calls.waits.longest_us(now))
        self._look_for_position(account, now)
        if not account.reading.readers:
            return
        account.reading.look_for_unserved(account)
        for reader in account.reading.readers:
            spans = account.reading.starved(reader, now)
            us = length(spans)
            if us > self.read_us:
                self.read_us, self.read_p = us, account.p
                self.read_same_us = common_us(spans, account.reading.out.spans(now))
            since, stretch_us = reader.out.longest_since(now), reader.out.stretch_us(now)
            self.reads.take(account, reader.client, since, stretch_us - THETA_US, reader.out.since == since)
        self.read_waits_us = max(self.read_waits_us, account.reading.waits_us(now))
        self.longest_read_us = max(self.longest_read_us, account.reading.longest_us(account.leader(), now))

    def _look_for_position(self, account: PartitionCounters, now: i64) -> None:
        """Those who had no position to read from."""
        want = account.reading.unread.longest(now)
        if want is None:
            return
        at = min(now, account.closing.us)
        self.read_waits_us = max(self.read_waits_us, account.reading.unread.open_us(now))
        us, since = want.us(at), want.us_since(at)
        if us > self.read_us:
            self.read_us, self.read_p = us, account.p
            self.read_same_us = common_us([(int(since), int(since + us))], account.reading.out.spans(now))
        self.reads.take(account, want.client, since, us - THETA_US, want.is_open_longest(at))
        if self.reads.client == want.client and self.reads.since == since:
            self.reads.is_dead = want.is_of_death(at)
