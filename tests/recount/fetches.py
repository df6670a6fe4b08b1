"""The longest time that consumers' fetches had no response, from the messages alone: no fact says when one is given up.

A fetch that follows one without a response goes on waiting.

A fetch names its partitions in no fact: what a consumer waits for on one broker may be any of those it reads.
"""

from typing import Final

from simengine.facts.kinds import MSG_CONSUMER_ANSWER, MSG_CONSUMER_FETCH
from simengine.facts.traffic import Flight, FlightEnded
from simengine.world.world import World

LATE_US: Final = 500_000  # a fetch may be parked for fetch.max.wait.ms, and its response is under way for a while
Span = tuple[int, int]


class Fetches:
    """Reads flights; all moments in us."""

    def __init__(self, world: World) -> None:
        consumers = world.cluster_parts.consumers
        self._limit = {int(one.number): int(one.settings.max_wait_us) + LATE_US for one in consumers}
        self._sent: dict[
            tuple[int, int], int
        ] = {}  # consumer, broker: when the oldest fetch without a response was sent
        self._answers: dict[int, tuple[int, int, int]] = {}  # flight: consumer, when the fetch was sent, arrival
        self._answered: set[tuple[int, int]] = set()  # of them those whose response has come or is under way
        self._over: dict[int, list[Span]] = {}  # by consumer

    def flies(self, fact: Flight) -> None:
        """A fetch is sent, or its response."""
        if fact.msg == MSG_CONSUMER_FETCH:
            key = -1 - fact.src, fact.dst
            if key in self._answered:
                self._answered.discard(key)
                del self._sent[key]
            self._sent.setdefault(key, fact.t)
        elif fact.msg == MSG_CONSUMER_ANSWER:
            key = -1 - fact.dst, fact.src
            if key in self._sent:
                self._answers[fact.seq] = key[0], self._sent[key], fact.arrive
                self._answered.add(key)
                if fact.arrive >= 0:
                    self._ends(key[0], self._sent[key], fact.arrive)

    def flight_ended(self, fact: FlightEnded) -> None:
        """A response arrives later than announced."""
        if fact.flight in self._answers and fact.arrive >= 0:
            consumer, sent, _ = self._answers[fact.flight]
            self._ends(consumer, sent, fact.arrive)

    def _ends(self, consumer: int, sent: int, t: int) -> None:
        if t - sent > self._limit.get(consumer, 0):
            self._over.setdefault(consumer, []).append((sent, t))

    def waits(self, consumer: int, now: int) -> list[Span]:
        """The longest intervals in which a consumer's fetch waited too long."""
        waiting = [(sent, now) for (client, _), sent in self._sent.items() if client == consumer]
        limit = self._limit.get(consumer, 0)
        return [*self._over.get(consumer, []), *((sent, end) for sent, end in waiting if end - sent > limit)]
