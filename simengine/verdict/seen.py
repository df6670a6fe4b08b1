"""What the applications saw of a topic's partitions: the stops of its producers and readers, and the longest waits."""

from typing import final

from mypy_extensions import i64

from simengine.verdict.account import Account
from simengine.verdict.outage import THETA_US, common_us
from simengine.verdict.share import Share


@final
class Seen:
    """What the applications saw: producers without a response, readers without records, the longest waits."""

    __slots__ = (
        "client",
        "is_open",
        "longest_read_us",
        "longest_wait_us",
        "read_p",
        "read_same_us",
        "read_us",
        "read_waits_us",
        "silent",
        "silent_us",
        "since",
        "vain_us",
        "waits_us",
        "write_p",
        "write_same_us",
        "write_us",
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
        self.silent: Account | None = None  # where a client got nothing for longest ...
        self.silent_us: i64 = 0  # ... for how long ...
        self.client: i64 = -1  # ... which client ...
        self.since: i64 = -1  # ... and since when
        self.is_open: bool = False  # it gets nothing now

    def cause(self) -> i64:
        """What the longest silence goes back to, as far as anybody knows."""
        return 0 if self.silent is None else self.silent.silences(self.client, self.since, self.is_open)

    def add(self, account: Account, share: Share) -> None:
        """One more partition, by its kept share."""
        if share.write_us > self.write_us:
            self.write_us, self.write_p, self.write_same_us = share.write_us, account.p, share.write_same_us
            self._is_silent(account, share.client, share.since, share.write_us, False)
        self.longest_wait_us = max(self.longest_wait_us, share.longest_wait_us)

    def _is_silent(self, account: Account, client: i64, since: i64, us: i64, is_open: bool) -> None:
        """A client got nothing for so long: kept if nobody got nothing for longer."""
        if us > self.silent_us:
            self.silent, self.client, self.since = account, client, since
            self.silent_us, self.is_open = us, is_open

    def look(self, account: Account, now: i64) -> None:
        """One more partition."""
        for calls in account.calls:
            us = calls.no_response_us(now)
            if us > self.write_us:
                self.write_us, self.write_p, self.write_same_us = us, account.p, account.silence(calls, now)
                since = calls.silent_since(now)
                self._is_silent(account, calls.client, since, us, calls.waits.oldest_us(now) >= now - since)
            self.vain_us = max(self.vain_us, calls.vain_us())
            self.waits_us = max(self.waits_us, calls.waits.oldest_us(now))
            self.longest_wait_us = max(self.longest_wait_us, calls.waits.longest_us(now))
        self._look_for_position(account, now)
        if not account.reading.readers:
            return
        account.reading.look_for_unserved(account.cluster, account.p)
        for reader in account.reading.readers:
            us = reader.out.us(now)
            if us > self.read_us:
                self.read_us, self.read_p = us, account.p
                self.read_same_us = common_us(reader.out.spans(now), account.reading.out.spans(now))
                since = reader.out.longest_since(now)
                self._is_silent(account, reader.client, since, us - THETA_US, reader.out.since == since)
        self.read_waits_us = max(self.read_waits_us, account.reading.waits_us(now))
        self.longest_read_us = max(self.longest_read_us, account.reading.longest_us(account.leader(), now))

    def _look_for_position(self, account: Account, now: i64) -> None:
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
            self._is_silent(account, want.client, since, us - THETA_US, want.is_open_longest(at))
