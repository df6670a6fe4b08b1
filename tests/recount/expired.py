"""MET-12 recounted: acks=all writes that were still above their leader's high watermark when their time was up.

From facts alone: a leader's append begins a wait, a move of its high watermark, the end of its leadership or of its
process ends it. The reaper comes some milliseconds after the deadline (PROD-8), and whoever is paused then comes to it
later: what is decided in such a time counts for certain neither way. A repeated batch waits too, without an append
(PROD-11). So there is a least and a most.
"""

from typing import Final

from simengine.facts.decisive import FollowerStarted, LeaderActivated, ProcessChanged, ReplicaGone
from simengine.facts.kinds import PROCESS_DOWN, PROCESS_PAUSED, PROCESS_STARTING
from simengine.facts.traffic import Appended, HwMoved
from simengine.kafka.group.coordinator import COMMIT_TIMEOUT_US
from simengine.kafka.wire.api import ACKS_ALL
from simengine.world.world import World
from tests.recount.rows import Readers

REAPED_US: Final = 30_000  # twice the reaper's 10 ms, where an earlier deadline has set its timer anew, and some

Copy = tuple[int, int]  # broker, partition


class Expired:
    """Counts each broker's expired writes since its process began, from facts in their order."""

    def __init__(self, world: World) -> None:
        self._brokers = {int(broker.id): broker for broker in world.cluster.brokers}
        self._timeouts = {
            int(p.number): int(p.settings.request_timeout_us)
            for p in world.cluster_parts.producers
            if int(p.settings.acks) == ACKS_ALL
        }
        self._leads: dict[Copy, bool] = {}
        self._waits: dict[Copy, list[tuple[int, int]]] = {}  # (deadline, end)
        self._certain: dict[int, int] = {}
        self._possible: dict[int, int] = {}
        self._paused: dict[int, list[list[int]]] = {}  # [from, until], until -1 while it lasts
        self.readers: Readers = {
            Appended: self._appended,
            FollowerStarted: self._leads_no_more,
            HwMoved: self._hw_moved,
            LeaderActivated: self._leads_now,
            ProcessChanged: self._process_changed,
            ReplicaGone: self._leads_no_more,
        }

    def bounds(self, broker: int, now: int) -> tuple[int, int]:
        """The least and the most that a broker may have counted by now."""
        certain, possible = self._certain.get(broker, 0), self._possible.get(broker, 0)
        for (b, p), waits in self._waits.items():
            for deadline, _ in waits if b == broker and self._leads.get((b, p)) else []:
                is_certain, is_possible = self._verdict(broker, deadline, now)
                certain += is_certain
                possible += is_possible
        return certain, certain + possible + int(self._brokers[broker].duplicates_answered)

    def _leads_now(self, fact: LeaderActivated) -> None:
        self._leads[fact.broker, fact.p] = True

    def _leads_no_more(self, fact: FollowerStarted | ReplicaGone) -> None:
        self._leads[fact.broker, fact.p] = False
        self._decided(fact.t, (fact.broker, fact.p), -1)

    def _hw_moved(self, fact: HwMoved) -> None:
        self._decided(fact.t, (fact.broker, fact.p), fact.hw)

    def _appended(self, fact: Appended) -> None:
        copy = fact.broker, fact.p
        timeout = COMMIT_TIMEOUT_US if fact.client < 0 else self._timeouts.get(fact.client, -1)
        if self._leads.get(copy) and timeout >= 0:
            self._waits.setdefault(copy, []).append((fact.t + timeout, fact.base + fact.count))

    def _decided(self, t: int, copy: Copy, hw: int) -> None:
        """Waits end: those up to a high watermark, or all of them (-1)."""
        waits = self._waits.get(copy)
        if not waits:
            return
        broker = copy[0]
        for deadline, end in waits:
            if hw < 0 or end <= hw:
                is_certain, is_possible = self._verdict(broker, deadline, t)
                self._certain[broker] = self._certain.get(broker, 0) + is_certain
                self._possible[broker] = self._possible.get(broker, 0) + is_possible
        self._waits[copy] = [] if hw < 0 else [wait for wait in waits if wait[1] > hw]

    def _verdict(self, broker: int, deadline: int, t: int) -> tuple[int, int]:
        """True if a wait that lasted until ``t`` had expired by then: certainly, and else possibly."""
        if t < deadline:
            return 0, 0
        for begun, ended in self._paused.get(broker, []):
            if begun <= deadline + REAPED_US and (ended < 0 or deadline <= ended + REAPED_US):
                return 0, 1
        return (1, 0) if t > deadline + REAPED_US else (0, 1)

    def _process_changed(self, fact: ProcessChanged) -> None:
        broker = fact.node
        if broker not in self._brokers:
            return
        pauses = self._paused.setdefault(broker, [])
        if pauses and pauses[-1][1] < 0:
            pauses[-1][1] = fact.t
        if fact.state == PROCESS_PAUSED:
            pauses.append([fact.t, -1])
        elif fact.state in (PROCESS_DOWN, PROCESS_STARTING):
            self._certain.pop(broker, None)
            self._possible.pop(broker, None)
            for copy in [copy for copy in self._waits if copy[0] == broker]:
                del self._waits[copy]
                self._leads[copy] = False
