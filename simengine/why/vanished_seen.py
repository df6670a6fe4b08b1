"""What the traffic of a run tells of the records that were sent with acks=0 and vanished: their requests and copies."""

from dataclasses import dataclass

from simengine.facts.errors import ERR_NONE
from simengine.facts.kinds import APPENDED, CALLS_SETTLED, FLIGHT, FLIGHT_DROPPED, FLIGHT_ENDED, MSG_PRODUCE
from simengine.why.evidence import Row
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

    kinds: tuple[int, ...] = (CALLS_SETTLED, APPENDED, FLIGHT, FLIGHT_ENDED)

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

    def feed(self, row: Row) -> None:
        """Note what concerns a vanished call."""
        kind = row[2]
        if kind == FLIGHT:
            if row[4] == MSG_PRODUCE:
                self._sent(row)
        elif kind == FLIGHT_ENDED:
            self._did_not_arrive(row)
        elif kind == CALLS_SETTLED:
            client, p, n, count, offset, _, error = row[4:11]
            if error == ERR_NONE and offset < 0:
                for call in range(n, n + count):
                    if (client, p, call) in self.calls:
                        self.calls[client, p, call] = self._newest.get(client)
        elif kind == APPENDED:
            broker, p, base, count, _, client, n = row[4:11]
            for i in range(count):
                if (client, p, n + i) in self.calls:
                    self.copies.setdefault((client, p, n + i), []).append(Copy(row[0], row[1], broker, base + i))

    def _sent(self, row: Row) -> None:
        seq, t, _, _, _, src, dst, arrive = row[:8]
        last = self._last.get((src, dst))
        since = last.since if last is not None and last.is_under_way(t) else seq
        sent = Sent(seq, t, dst, arrive, t, since, last.seq if last is not None else 0)
        self._newest[-1 - src] = self._last[src, dst] = self._flights[seq] = sent

    def _did_not_arrive(self, row: Row) -> None:
        flight, how, arrive = row[4:7]
        sent = self._flights.get(flight)
        if sent is None:
            return
        if how == FLIGHT_DROPPED:
            sent.is_dropped = True
        elif arrive < 0:
            sent.stuck = row[1]
        sent.arrive = arrive
