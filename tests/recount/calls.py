"""The times of calls, from a run's facts: how long each took, and how long a producer had no success."""

from bisect import insort
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from simengine.facts import kinds as f
from simengine.facts.decisive import ClientChanged
from simengine.facts.errors import ERR_NONE
from simengine.facts.traffic import CallsMade, CallsMoved, CallsSettled
from simengine.verdict.outage import THETA_US
from simengine.world.world import World
from tests.recount.clocks import Silence
from tests.recount.copies import Call
from tests.recount.fates import Recount


class CallTimes:
    """Reads each fact after the recount has; nothing counts from ``until`` on."""

    def __init__(self, world: World, recount: Recount, until: int) -> None:
        self.recount = recount
        self.until = until
        self._cluster = world.cluster
        self.silences: dict[tuple[int, int, int], Silence] = {}  # partition, producer, mode of acks
        self.longest: dict[int, int] = defaultdict(int)  # partition: the longest that a call waited that has ended
        self.vain: dict[tuple[int, int, int], list[tuple[int, int, bool]]] = {}  # responses: first, last, of lost ones
        self.latencies: dict[int, list[int]] = defaultdict(list)  # topic
        self.readers: dict[type[Any], Callable[[Any], None]] = {
            ClientChanged: self._client_changed,
            CallsMade: self._calls_made,
            CallsMoved: self._calls_moved,
            CallsSettled: self._calls_settled,
        }

    def _client_changed(self, fact: ClientChanged) -> None:
        if fact.state != f.CLIENT_CRASHED:
            return
        for (client, p), calls in self.recount.calls.items():
            for call in calls.values() if client == fact.client else ():
                if call.is_abandoned and call.settled_us == fact.t:
                    self._failed(p, client, call, fact.t)

    def _calls_made(self, fact: CallsMade) -> None:
        call = self.recount.calls[fact.client, fact.p][fact.n]
        self._silence(fact.p, fact.client, call.acks).calls(fact.count, fact.t)

    def _calls_moved(self, fact: CallsMoved) -> None:
        """They end in the deleted topic without a success. The new one is without a response to them from now on."""
        calls = self.recount.calls[fact.client, fact.to]
        for call in (calls[i] for i in range(fact.n, fact.n + fact.count)):
            self._failed(fact.p, fact.client, call, fact.t)
            self._silence(fact.to, fact.client, call.acks).calls(1, fact.t)

    def _calls_settled(self, fact: CallsSettled) -> None:
        last = fact.offset + fact.count - 1
        is_success = fact.error == ERR_NONE
        ended = [self.recount.calls[fact.client, fact.p][i] for i in range(fact.n, fact.n + fact.count)]
        for i, call in enumerate(ended):
            self._waited(fact.p, call, fact.t)
            self._silence(fact.p, fact.client, call.acks).waiting -= i < fact.count - 1
        key = fact.p, fact.client, ended[-1].acks
        self._silence(*key).ends(1, is_success, fact.t)
        is_lost = is_success and fact.offset >= 0 and self._is_lost(fact.p, last, fact.epoch, fact.client)
        row = self.vain.setdefault(key, [])
        if is_lost and row and row[-1][2]:
            row[-1] = row[-1][0], fact.t, True
        else:
            row.append((fact.t, fact.t, is_lost))
        if fact.error == ERR_NONE and fact.offset >= 0:
            topic = self._cluster.partition_names[fact.p][0]
            for call in ended:
                insort(self.latencies[topic], fact.t - call.made_us)

    def _is_lost(self, p: int, offset: int, epoch: int, client: int) -> bool:
        """True if an acknowledged record stands neither in the leader's log nor, without a leader, in any."""
        if p in self.recount.deleted:
            return False
        leader = self.recount.leader(p)
        if leader >= 0:
            there = [record[0] for record in self.recount.at(p, offset)]
            return epoch not in there
        logs = [log for (q, _), log in self.recount.logs.items() if q == p]
        return all((log.at(offset) or log.below.get(offset) or (None,))[0] != epoch for log in logs)

    def vain_us(self, p: int) -> int:
        """The longest time in which all responses in a row to a producer were of records that were lost already.

        Stretches longer than theta together, each from its first response to its last.
        """
        longest = 0
        for (q, _, _), row in self.vain.items():
            spans = [min(end, self.until) - start for start, end, is_lost in row if q == p and is_lost]
            longest = max(longest, sum(us for us in spans if us > THETA_US))
        return longest

    def _silence(self, p: int, client: int, acks: int) -> Silence:
        return self.silences.setdefault((p, client, acks), Silence(self.until))

    def _waited(self, p: int, call: Call, t: int) -> None:
        self.longest[p] = max(self.longest[p], min(t, self.until) - call.made_us)

    def _failed(self, p: int, client: int, call: Call, t: int) -> None:
        self._waited(p, call, t)
        self._silence(p, client, call.acks).ends(1, False, t)

    def no_response(self, p: int, now: int) -> int:
        """The longest time of one producer, whatever its mode, without a success."""
        found: dict[int, int] = defaultdict(int)
        for (q, client, _), silence in self.silences.items():
            found[client] += silence.us(now) if q == p else 0
        return max(found.values(), default=0)

    def longest_wait(self, p: int, now: int) -> int:
        """The longest that a call waited or has waited so far."""
        open_calls = [
            min(now, self.until) - call.made_us
            for (_, q), calls in self.recount.calls.items()
            if q == p
            for call in calls.values()
            if call.settled_us < 0 and not call.is_abandoned
        ]
        return max(self.longest[p], *open_calls, 0)

    def latency(self, topic: int, per_thousand: int) -> int:
        """The latency that so many of 1000 acknowledged records do not exceed; -1 without any."""
        known = self.latencies[topic]
        return known[(len(known) * per_thousand + 999) // 1000 - 1] if known else -1
