"""MET-11 recounted: what a follower was told of its leader's high watermark, less its log end.

What it was told stands in no fact, but when it appends it has just been told: in the answer that arrived last, which
bears the leader's high watermark of the moment when it was sent. A leader that is slow to serve has read it earlier
(FLT-9): not before the follower followed it. Answers without records may have told more since, up to what the leader
has now. So there is a least and a most.
"""

from bisect import bisect_right
from typing import Final

from simengine.facts.decisive import FollowerStarted, LeaderActivated, ServingChanged
from simengine.facts.kinds import MSG_FETCH_ANSWER
from simengine.facts.traffic import Appended, Flight, FlightEnded, HwMoved
from tests.recount.rows import Readers

Copy = tuple[int, int]  # broker, partition
NEVER: Final = 1 << 62


class Lags:
    """The high watermarks of leaders that their followers know, from facts in their order."""

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
            Appended: self._appended,
            Flight: self._flies,
            FlightEnded: self._flight_ended,
            FollowerStarted: self._follower_started,
            ServingChanged: self._serving_changed,
            HwMoved: self._hw_moved,
            LeaderActivated: self._leader_activated,
        }

    def _hw_moved(self, fact: HwMoved) -> None:
        self._marked((fact.broker, fact.p), fact.seq, fact.hw)

    def _leader_activated(self, fact: LeaderActivated) -> None:
        self._marked((fact.broker, fact.p), fact.seq, fact.hw)
        self._follows((fact.broker, fact.p), -1)

    def _follower_started(self, fact: FollowerStarted) -> None:
        self._follows((fact.broker, fact.p), fact.leader)

    def _flies(self, fact: Flight) -> None:
        if fact.msg == MSG_FETCH_ANSWER:
            way = fact.src, fact.dst
            self._answers.setdefault(way, {})[fact.seq] = fact.arrive
            self._flights[fact.seq] = way
            if fact.t <= self._slow_until.get(fact.src, -1):  # what waits is sent when the limit is lifted
                self._held[fact.seq] = True

    def _serving_changed(self, fact: ServingChanged) -> None:
        self._slow_until[fact.broker] = NEVER if fact.per_s >= 0 else fact.t

    def _flight_ended(self, fact: FlightEnded) -> None:
        if fact.flight in self._flights:
            self._answers[self._flights[fact.flight]][fact.flight] = fact.arrive

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

    def _appended(self, fact: Appended) -> None:
        """A follower appends what the answer brought that arrived last."""
        copy = fact.broker, fact.p
        leader = self._leader_of.get(copy)
        if leader is None or (leader, copy[1]) not in self._marks:
            return
        answers = self._answers.get((leader, copy[0]), {})
        arrived = [flight for flight, at in answers.items() if 0 <= at <= fact.t]
        if not arrived:
            return
        last = max(arrived, key=lambda flight: (answers[flight], flight))
        for flight in arrived:
            if flight != last:
                del answers[flight], self._flights[flight]
                self._held.pop(flight, None)
        facts, marks = self._marks[leader, copy[1]]
        at = bisect_right(facts, last)
        if last in self._held:
            self._told.setdefault(copy, self._least[copy])
        elif at:
            self._told[copy] = marks[at - 1]
