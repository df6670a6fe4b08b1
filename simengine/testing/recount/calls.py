"""The times of calls, from a run's facts: how long each took, and how long a producer had no success."""

from bisect import insort
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from simengine.facts import kinds as f
from simengine.facts.decisive import ClientChanged
from simengine.facts.errors import ERR_NONE
from simengine.facts.traffic import CallsMade, CallsMoved, CallsSettled
from simengine.testing.recount.clocks import Silence
from simengine.testing.recount.copies import Call
from simengine.testing.recount.fates import Recount
from simengine.world import World


class CallTimes:
    """Reads each fact after the recount has; nothing counts from ``until`` on."""

    def __init__(self, world: World, recount: Recount, until: int) -> None:
        self.recount = recount
        self.until = until
        self._cluster = world.cluster
        self.silences: dict[tuple[int, int, int], Silence] = {}  # partition, producer, mode of acks
        self.longest: dict[int, int] = defaultdict(int)  # partition: the longest that a call waited that has ended
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
        """They end in the deleted topic without a success, and wait in the new one from now on."""
        calls = self.recount.calls[fact.client, fact.to]
        for call in (calls[i] for i in range(fact.n, fact.n + fact.count)):
            self._failed(fact.p, fact.client, call, fact.t)
            self._silence(fact.to, fact.client, call.acks).calls(1, fact.t)

    def _calls_settled(self, fact: CallsSettled) -> None:
        last = fact.offset + fact.count - 1
        is_success = fact.error == ERR_NONE and (fact.offset < 0 or self._counts(fact.p, last, fact.epoch))
        ended = [self.recount.calls[fact.client, fact.p][i] for i in range(fact.n, fact.n + fact.count)]
        for i, call in enumerate(ended):
            self._waited(fact.p, call, fact.t)
            self._silence(fact.p, fact.client, call.acks).waiting -= i < fact.count - 1
        self._silence(fact.p, fact.client, ended[-1].acks).ends(1, is_success, fact.t)
        if fact.error == ERR_NONE and fact.offset >= 0:
            topic = self._cluster.partition_names[fact.p][0]
            for call in ended:
                insort(self.latencies[topic], fact.t - call.made_us)

    def _counts(self, p: int, offset: int, epoch: int) -> bool:
        """Whether an answer is a success: of the newest epoch, or of a record that the elected broker has."""
        leader, newest = self.recount.committed[p]
        if newest == epoch:
            return True
        process = self.recount.process.get(leader, f.PROCESS_RUNNING)
        runs = leader >= 0 and process not in (f.PROCESS_DOWN, f.PROCESS_STARTING)
        return runs and (self.recount.log(p, leader).at(offset) or (None,))[0] == epoch

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
