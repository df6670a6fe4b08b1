"""fetch_matched: one fetch in flight per pair, and an answer counts for the fetch that asked for it."""

from typing import TYPE_CHECKING, final

from mypy_extensions import i64

from tests.invariants.violation import demand

if TYPE_CHECKING:
    from simengine.kafka.cluster.cluster import Cluster
    from simengine.kafka.replica.replica_host import ReplicaHost


@final
class FetchChecks:
    """Knows the number of the fetch in flight of every (follower, leader)."""

    __slots__ = ("_in_flight", "_size")

    def __init__(self, cluster: "Cluster") -> None:
        self._size: i64 = 1 + max([int(b.id) for b in cluster.brokers])
        self._in_flight: dict[int, int] = {}

    def process_changed(self, broker: "ReplicaHost") -> None:
        """An ended process waits for no answer."""
        if not broker.up:
            self._in_flight = {pair: n for pair, n in self._in_flight.items() if pair // self._size != broker.id}

    def sent(self, follower: i64, leader: i64, number: i64) -> None:
        """A fetch was sent; one sent before it was answered or given up (FET-1)."""
        pair = int(follower * self._size + leader)
        if pair in self._in_flight:
            story = f"fetch {int(number)} to broker {int(leader)} while {self._in_flight[pair]} waits for its answer"
            demand(False, "fetch_matched", f"broker {int(follower)}", story)
        self._in_flight[pair] = int(number)

    def given_up(self, follower: i64, leader: i64) -> None:
        """The answer will not come (FET-12, FET-14), or nobody waits for it (SHUT-5)."""
        self._in_flight.pop(int(follower * self._size + leader), -1)

    def answered(self, follower: i64, leader: i64, number: i64) -> None:
        """An answer is taken in."""
        asked = self._in_flight.pop(int(follower * self._size + leader), -1)
        if asked != number:
            story = f"the answer to fetch {int(number)} from broker {int(leader)} while {asked} waits for one"
            demand(False, "fetch_matched", f"broker {int(follower)}", story)
