"""The last heartbeat of each broker at the active controller (LIVE-2, LIVE-3, REG-2, SHUT-4, QUO-4).

Heartbeats alone count: a broker that copies too slowly stays active (FLT-1), one that copies well but does not reach
the controllers is fenced (FLT-6).
"""

from typing import final

from mypy_extensions import i64


@final
class HeartbeatTracker:
    """The time of each broker's last heartbeat. An entry goes when it has run out, fenced broker or not (SHUT-4)."""

    __slots__ = ("_at", "_be", "_brokers", "session_us")

    def __init__(self, session_us: i64) -> None:
        self.session_us: i64 = session_us
        self._brokers: list[int] = []
        self._at: list[int] = []
        self._be: list[int] = []

    def touch(self, broker: i64, be: i64, now: i64) -> None:
        """Note a heartbeat of a broker in the incarnation ``be``."""
        for i in range(len(self._brokers)):
            if self._brokers[i] == broker:
                self._at[i] = now
                self._be[i] = be
                return
        self._brokers.append(broker)
        self._at.append(now)
        self._be.append(be)

    def forget(self, broker: i64) -> None:
        """Drop the entry of a broker."""
        for i in range(len(self._brokers)):
            if self._brokers[i] == broker:
                del self._brokers[i]
                del self._at[i]
                del self._be[i]
                return

    def has_valid_session(self, broker: i64, now: i64) -> bool:
        """True if the broker's last heartbeat is at most one session old (REG-2)."""
        for i in range(len(self._brokers)):
            if self._brokers[i] == broker:
                return now - self._at[i] <= self.session_us
        return False

    def last_at(self, broker: i64) -> i64:
        """Time of the last heartbeat, -1 if there is none."""
        for i in range(len(self._brokers)):
            if self._brokers[i] == broker:
                return self._at[i]
        return -1

    def next_end(self, now: i64) -> i64:
        """The moment at which the first session ends if no more heartbeats come; at most one session from now."""
        first = now
        for at in self._at:
            if at < first:
                first = at
        return first + self.session_us

    def stale(self, now: i64) -> list[int]:
        """The brokers that have been silent for more than a session, in order of their entries."""
        found: list[int] = []
        for i in range(len(self._brokers)):
            if now - self._at[i] > self.session_us:
                found.append(self._brokers[i])
        return found
