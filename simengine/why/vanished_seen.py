"""What the traffic of a run tells of the records that were sent with acks=0 and vanished: their requests and copies."""

from dataclasses import dataclass

from simengine.facts.errors import ERR_NONE
from simengine.facts.kinds import FLIGHT_DROPPED, MSG_PRODUCE
from simengine.facts.traffic import Appended, CallsSettled, Flight, FlightEnded
from simengine.world import World

Call = tuple[int, int, int]  # producer, partition, number


@dataclass(slots=True)
class Sent:
    """A request: its fact, when it was sent where, when it arrives (-1: never)."""

    seq: int
    t: int
    dst: int
    arrive: int
    stuck: int  # when what never arrives met what held it
    since: int  # the fact of the oldest request that was on its way on the same connection
    last: int  # the fact of the producer's request to this broker before it; 0: none
    is_dropped: bool = False  # its connection is gone

    def is_under_way(self, t: int) -> bool:
        """Whether it may arrive after a moment, or what came back when it did may: nothing new is known of it."""
        back = self.arrive - self.t if self.stuck == self.t else 0
        return not self.is_dropped and (self.arrive < 0 or self.arrive + back > t)


@dataclass(frozen=True, slots=True)
class Copy:
    """A record's append to a broker's log."""

    seq: int
    t: int
    broker: int
    offset: int


class Vanished:
    """Watches the requests and appends of vanished calls."""

    kinds: tuple[int, ...] = (CallsSettled.KIND, Appended.KIND, Flight.KIND, FlightEnded.KIND)

    def __init__(self, world: World) -> None:
        ids = {str(producer.id): index for index, producer in enumerate(world.doc.producers)}
        self.calls: dict[Call, Sent | None] = {}
        self.copies: dict[Call, list[Copy]] = {}  # oldest first: the leader that the client sent it to, then followers
        self._newest: dict[int, Sent] = {}  # of each producer
        self._last: dict[tuple[int, int], Sent] = {}  # of each producer to each broker
        self._flights: dict[int, Sent] = {}
        for row in world.record_fates():
            if row["fate"] == "handed over, vanished":
                first, p = int(str(row["call"])), int(str(row["partition"]))
                client = ids[str(row["client"])]
                self.calls |= {(client, p, n): None for n in range(first, first + int(str(row["count"])))}

    def sent_us(self, client: int, p: int) -> list[int]:
        """When a producer sent the vanished records of a partition, in order."""
        mine = (sent for (who, where, _), sent in self.calls.items() if (who, where) == (client, p))
        return sorted(sent.t for sent in mine if sent is not None)

    def feed(self, fact: object) -> None:
        """Note what concerns a vanished call."""
        if isinstance(fact, Flight):
            if fact.msg == MSG_PRODUCE:
                self._sent(fact)
        elif isinstance(fact, FlightEnded):
            self._did_not_arrive(fact)
        elif isinstance(fact, CallsSettled):
            if fact.error == ERR_NONE and fact.offset < 0:
                for n in range(fact.n, fact.n + fact.count):
                    if (fact.client, fact.p, n) in self.calls:
                        self.calls[fact.client, fact.p, n] = self._newest.get(fact.client)
        elif isinstance(fact, Appended):
            for i in range(fact.count):
                call = (fact.client, fact.p, fact.n + i)
                if call in self.calls:
                    self.copies.setdefault(call, []).append(Copy(fact.seq, fact.t, fact.broker, fact.base + i))

    def _sent(self, fact: Flight) -> None:
        seq, t, src, dst = fact.seq, fact.t, fact.src, fact.dst
        last = self._last.get((src, dst))
        since = last.since if last is not None and last.is_under_way(t) else seq
        sent = Sent(seq, t, dst, fact.arrive, t, since, last.seq if last is not None else 0)
        self._newest[-1 - src] = self._last[src, dst] = self._flights[seq] = sent

    def _did_not_arrive(self, fact: FlightEnded) -> None:
        sent = self._flights.get(fact.flight)
        if sent is None:
            return
        if fact.how == FLIGHT_DROPPED:
            sent.is_dropped = True
        elif fact.arrive < 0:
            sent.stuck = fact.t
        sent.arrive = fact.arrive
