"""MET-11 recounted: what a follower was told of its leader's high watermark, less its log end.

What it was told stands in no fact, but when it appends it has just been told: in the answer that arrived last, which
bears the leader's high watermark of the moment when it was sent. A leader that is slow to serve has read it earlier
(FLT-9): not before the follower followed it. Answers without records may have told more since, up to what the leader
has now. So there is a least and a most.
"""

from bisect import bisect_right
from typing import Final

from simengine.facts.kinds import (
    APPENDED,
    FLIGHT,
    FLIGHT_ENDED,
    FOLLOWER_STARTED,
    HW_MOVED,
    LEADER_ACTIVATED,
    MSG_FETCH_ANSWER,
    SERVING_CHANGED,
)
from simengine.swarm.recount_rows import Readers, Row

Copy = tuple[int, int]  # broker, partition
NEVER: Final = 1 << 62


class Lags:
    """What followers know of their leaders' high watermarks, from facts in their order."""

    def __init__(self) -> None:
        self._leader_of: dict[Copy, int] = {}
        self._followers: dict[Copy, list[int]] = {}  # of each leader's copy
        self._told: dict[Copy, int] = {}
        self._most: dict[Copy, int] = {}  # the highest mark that its leader has had since it follows it
        self._marks: dict[Copy, tuple[list[int], list[int]]] = {}  # facts, and the high watermarks since each of them
        self._answers: dict[tuple[int, int], dict[int, int]] = {}  # (leader, follower): fact of the flight -> arrival
        self._flights: dict[int, tuple[int, int]] = {}
        self._slow_until: dict[int, int] = {}  # brokers that are or were slow to serve: us of the end, or NEVER
        self._least: dict[Copy, int] = {}  # the mark of its leader when a copy began to follow it
        self._held: dict[int, bool] = {}  # flights of answers that may have waited to be served
        self.readers: Readers = {
            APPENDED: self._appended,
            FLIGHT: self._flies,
            FLIGHT_ENDED: self._flight_ended,
            FOLLOWER_STARTED: self._follower_started,
            SERVING_CHANGED: self._serving_changed,
            HW_MOVED: self._hw_moved,
            LEADER_ACTIVATED: self._leader_activated,
        }

    def _hw_moved(self, row: Row) -> None:
        self._marked((row[4], row[5]), row[0], row[6])

    def _leader_activated(self, row: Row) -> None:
        self._marked((row[4], row[5]), row[0], row[9])
        self._follows((row[4], row[5]), -1)

    def _follower_started(self, row: Row) -> None:
        self._follows((row[4], row[5]), row[7])

    def _flies(self, row: Row) -> None:
        if row[4] == MSG_FETCH_ANSWER:
            self._answers.setdefault((row[5], row[6]), {})[row[0]] = row[7]
            self._flights[row[0]] = (row[5], row[6])
            if row[1] <= self._slow_until.get(row[5], -1):  # what waits is sent at the moment at which the limit goes
                self._held[row[0]] = True

    def _serving_changed(self, row: Row) -> None:
        self._slow_until[row[4]] = NEVER if row[5] >= 0 else row[1]

    def _flight_ended(self, row: Row) -> None:
        if row[4] in self._flights:
            self._answers[self._flights[row[4]]][row[4]] = row[6]

    def bounds(self, copy: Copy) -> tuple[int, int, int] | None:
        """A copy's leader, and the least and the most that it may have told; None before the first seen answer."""
        leader = self._leader_of.get(copy)
        if leader is None or copy not in self._told:
            return None
        return leader, self._told[copy], self._most[copy]

    def _follows(self, copy: Copy, leader: int) -> None:
        """A copy follows a leader from now on, or nobody (-1)."""
        broker, p = copy
        old = self._leader_of.pop(copy, -1)
        if old >= 0:
            self._followers[old, p].remove(broker)
        self._told.pop(copy, None)
        if leader >= 0:
            self._leader_of[copy] = leader
            self._followers.setdefault((leader, p), []).append(broker)
            self._most[copy] = self._least[copy] = self._mark_of((leader, p))

    def _mark_of(self, copy: Copy) -> int:
        """The high watermark of a copy, -1 if nothing has been said of it."""
        return self._marks[copy][1][-1] if copy in self._marks else -1

    def _marked(self, copy: Copy, fact: int, hw: int) -> None:
        facts, marks = self._marks.setdefault(copy, ([], []))
        facts.append(fact)
        marks.append(hw)
        for follower in self._followers.get(copy, []):
            self._most[follower, copy[1]] = max(self._most[follower, copy[1]], hw)

    def _appended(self, row: Row) -> None:
        """A follower appends what the answer brought that arrived last."""
        t, copy = row[1], (row[4], row[5])
        leader = self._leader_of.get(copy)
        if leader is None or (leader, copy[1]) not in self._marks:
            return
        answers = self._answers.get((leader, copy[0]), {})
        arrived = [fact for fact, at in answers.items() if 0 <= at <= t]
        if not arrived:
            return
        last = max(arrived, key=lambda fact: (answers[fact], fact))
        for fact in arrived:
            if fact != last:
                del answers[fact], self._flights[fact]
                self._held.pop(fact, None)
        facts, marks = self._marks[leader, copy[1]]
        at = bisect_right(facts, last)
        if last in self._held:
            self._told.setdefault(copy, self._least[copy])
        elif at:
            self._told[copy] = marks[at - 1]
