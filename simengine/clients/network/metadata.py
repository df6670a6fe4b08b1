"""A client's metadata: the leaders that it knows, and their refresh (PC-5, PC-6, LIVE-7).

A refresh asks the least loaded broker over an ordinary connection, so it waits in the same queue as everything else
there (PROD-12). Refreshes are kept apart by a back-off that grows while answers bring nothing new. A partition without
a leader keeps the client asking. Producer and consumer use the same class, as in Kafka.
"""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from simengine.clients.network.settings import doubled
from simengine.kafka.wire.api import FoundPartition, MetadataAnswer, MetadataRequest
from simengine.kernel.connecting import CONNECTING, DOWN, UP
from simengine.kernel.node import Node, Task

if TYPE_CHECKING:
    from simengine.clients.network.network_client import Connection, NetworkClient

REBOOTSTRAP_US: Final = 300_000_000  # metadata.recovery.rebootstrap.trigger.ms
NO_LEADER: Final = -1
UNWANTED: Final = -2  # in the place of an epoch


@final
class ClientMetadata:
    """Leader and leader epoch of the partitions that a client uses, as it knows them."""

    __slots__ = (
        "_allowed_at",
        "_attempted_since",
        "_backoff_max_us",
        "_backoff_us",
        "_client",
        "_equivalent",
        "_failures",
        "_is_stale",
        "_recovery",
        "_refreshed_at",
        "_timer",
        "_wants_connection",
        "asked",
        "epochs",
        "leaders",
        "max_age_us",
        "nodes",
        "tried",
        "wanted",
        "wants_racks",
    )

    def __init__(self, client: "NetworkClient") -> None:
        self._client = client
        self.max_age_us: i64 = 0
        self._backoff_us: i64 = 0
        self._backoff_max_us: i64 = 0
        self.leaders: list[int] = []  # by partition; NO_LEADER where unknown
        self.epochs: list[int] = []  # by partition; -1 where unknown
        self.wanted: list[int] = []
        self.wants_racks: bool = False
        self.nodes: list[int] = []  # positions of the brokers that it knows; none yet: the bootstrap brokers
        self.asked: Connection | None = None  # where the refresh under way was sent
        self.tried: Connection | None = None  # what was opened last for a refresh
        self._is_stale: bool = False
        self._wants_connection: bool = False
        self._failures: i64 = 0
        self._equivalent: i64 = 0
        self._allowed_at: i64 = 0
        self._refreshed_at: i64 = 0
        self._attempted_since: i64 = -1  # since when a refresh is due and has not succeeded; -1: none is due
        self._timer: RefreshTimer | None = None
        self._recovery: RecoveryTimer | None = None

    def pace(self, max_age_us: i64, backoff_us: i64, backoff_max_us: i64) -> None:
        """Go by metadata.max.age.ms, retry.backoff.ms and retry.backoff.max.ms."""
        self.max_age_us = max_age_us
        self._backoff_us = backoff_us
        self._backoff_max_us = backoff_max_us

    def forget(self) -> None:
        """A new process knows nothing."""
        for p in self.wanted:
            self.leaders[p] = NO_LEADER
            self.epochs[p] = -1
        self.nodes = []
        self.asked = None
        self.tried = None
        self._is_stale = False
        self._wants_connection = False
        self._failures = 0
        self._equivalent = 0
        self._allowed_at = 0
        self._attempted_since = -1
        self._timer = None
        self._recovery = None

    def want(self, partitions: list[int]) -> None:
        """Keep these partitions in view from now on, beside those wanted before."""
        wanted = list(self.wanted)
        for p in partitions:
            while len(self.leaders) <= p:
                self.leaders.append(NO_LEADER)
                self.epochs.append(UNWANTED)
            if self.epochs[p] == UNWANTED:
                self.epochs[p] = -1
                wanted.append(p)
        if len(wanted) > len(self.wanted):
            self.wanted = wanted
            self._equivalent = 0
            self.request_update()

    def want_only(self, partitions: list[int]) -> None:
        """Keep these partitions in view from now on, and no others."""
        for p in self.wanted:
            if p not in partitions:
                self.leaders[p] = NO_LEADER
                self.epochs[p] = UNWANTED
        self.wanted = [p for p in self.wanted if self.epochs[p] != UNWANTED]
        self.want(partitions)

    def adopt(self, found: FoundPartition) -> None:
        """Keep a partition in view that an answer has named (`MetadataAnswer.found`)."""
        if found.p < len(self.epochs) and self.epochs[found.p] != UNWANTED:
            return
        self.want([int(found.p)])
        self.leaders[found.p] = int(found.leader)
        self.epochs[found.p] = int(found.epoch)

    def _forget_deleted(self, answer: MetadataAnswer) -> bool:
        """Take note of topics that are gone; whether that is news. One of a topic that is there again is let go."""
        changed = False
        for p in answer.gone:
            changed = changed or self.epochs[p] >= 0
            if self.epochs[p] != UNWANTED:
                self.leaders[p] = NO_LEADER
                self.epochs[p] = -1
        if answer.ended:
            for p in answer.ended:
                self.epochs[p] = UNWANTED
            self.wanted = [p for p in self.wanted if self.epochs[p] != UNWANTED]
        return changed

    def knows(self, p: i64) -> bool:
        """True if the client has heard of the partition, with a leader or without."""
        return p < len(self.epochs) and self.epochs[p] >= 0

    def request_update(self) -> None:
        """Refresh as soon as the back-off allows (PC-5)."""
        if not self._is_stale and self.wanted:
            self._is_stale = True
            self._arm()

    def learn(self, p: i64, leader: i64, epoch: i64) -> bool:
        """Take a leader that an error answer named (KIP-951); whether it was news (PC-6)."""
        if leader < 0 or epoch <= self.epochs[p]:
            return False
        self.leaders[p] = leader
        self.epochs[p] = epoch
        return True

    # -- refreshing

    def _arm(self) -> None:
        if self.asked is not None:
            return
        at = self._allowed_at if self._is_stale else self._refreshed_at + self.max_age_us
        sim = self._client.sim
        at = max(at, sim.now)
        if self._timer is not None and self._timer.time <= at:
            return
        self._timer = RefreshTimer(self, self._client.node)
        sim.at(at, self._timer)

    def timer_fired(self, timer: "RefreshTimer") -> None:
        """Refresh, if this timer was not replaced and the time has come."""
        if timer is not self._timer:
            return
        self._timer = None
        now = self._client.sim.now
        if not self._is_stale and now >= self._refreshed_at + self.max_age_us:
            self._is_stale = True
            self._equivalent = 0
        self.try_refresh()

    def is_due(self) -> bool:
        """True if a refresh waits for a connection that takes it: it goes before every other request."""
        return self._is_stale and self.asked is None and self._client.sim.now >= self._allowed_at

    def try_refresh(self) -> None:
        """Send the request if one is due and a broker can take it; else see to it that this happens later."""
        if self.asked is not None:
            return
        if not self._is_stale or self._client.sim.now < self._allowed_at:
            self._arm()
            return
        if self._attempted_since < 0:
            self._attempted_since = self._client.sim.now
            self._watch()
        connection = self._client.least_loaded()
        if connection is None:
            if self._client.is_connected():
                return  # none of the connections takes another request: it stays due until one does
            self._rebootstrap()
            self._allowed_at = self._client.next_retry_at()
            self._arm()
        elif connection.state == UP:
            self._wants_connection = False
            self.asked = connection
            connection.ask_metadata(MetadataRequest(self.wanted, self.wants_racks))
        else:
            self._wants_connection = True
            if connection.state == DOWN:
                self.tried = connection
                connection.open()
            assert connection.state == CONNECTING, "a broker to ask must be connected or connecting"

    def _rebootstrap(self) -> None:
        """metadata.recovery.strategy=rebootstrap: no known broker can be reached; begin anew, epochs too (f067)."""
        self.nodes = []
        for p in self.wanted:
            self.leaders[p] = NO_LEADER
            self.epochs[p] = -1
        self._client.on_rebootstrap()

    def _watch(self) -> None:
        """See to it that refreshes that fail for too long are noticed; one timer at a time."""
        if self._recovery is None:
            self._recovery = RecoveryTimer(self, self._client.node)
            self._client.sim.at(self._attempted_since + REBOOTSTRAP_US + 1_000, self._recovery)

    def recover(self, timer: "RecoveryTimer") -> None:
        """KIP-1102: no refresh has succeeded for five minutes; let go of every known broker, and begin anew.

        Where some broker that a client knows can always be tried next, this is the only way to those it does not know.
        """
        if timer is not self._recovery:
            return
        self._recovery = None
        now = self._client.sim.now
        if self._attempted_since < 0:
            return
        if now - self._attempted_since > REBOOTSTRAP_US:
            self._client.let_go()
            self._rebootstrap()
            self._attempted_since = now
            self.request_update()
        self._watch()

    def connection_changed(self) -> None:
        """A connection came up or went down: a refresh may have waited for that."""
        if self._wants_connection:
            self._wants_connection = False
            self.try_refresh()

    def connection_lost(self) -> None:
        """A connection broke or could not be made: look around (PC-5).

        Where a refresh was due already, this was a failed try for it and the next one waits: a client that has lost
        all brokers looks at one broker a second, not at all of them at once (PC-13; f059).
        """
        if self._is_stale and self.asked is None and self._client.sim.now >= self._allowed_at:
            self.refresh_failed()
        else:
            self.request_update()

    def refresh_failed(self) -> None:
        """The request died with its connection, or there was none to send it on."""
        self.asked = None
        self._failures += 1
        self._equivalent = 0
        self._is_stale = True
        self._allowed_at = self._client.sim.now + self._backoff(self._failures)
        self._arm()

    def refreshed(self, answer: MetadataAnswer) -> bool:
        """Take an answer; whether any leader or epoch changed."""
        first = not self.nodes
        self.asked = None
        self.tried = None
        self._attempted_since = -1
        self._is_stale = False
        self._failures = 0
        self._equivalent += 1
        self._refreshed_at = self._client.sim.now
        if answer.alive:
            self.nodes = self._client.positions(answer.alive)
        changed = self._take(answer) or first
        if answer.gone and self._forget_deleted(answer):
            changed = True
        if changed:
            self._equivalent = 0
        # the first repetition waits 100 ms, then the pause grows with every answer that brings nothing new
        self._allowed_at = self._refreshed_at + self._backoff(max(self._equivalent, 1))
        self._arm()
        return changed

    def _take(self, answer: MetadataAnswer) -> bool:
        changed = False
        for i in range(len(answer.partitions)):
            p = answer.partitions[i]
            leader = answer.leaders[i]
            epoch = answer.epochs[i]
            if self.epochs[p] == UNWANTED:
                continue  # let go since the request was sent
            if epoch >= self.epochs[p] and (epoch > self.epochs[p] or leader != self.leaders[p]):
                self.leaders[p] = leader
                self.epochs[p] = epoch
                changed = True
            if leader == NO_LEADER or self.leaders[p] == NO_LEADER or epoch < 0:
                self._is_stale = True  # LEADER_NOT_AVAILABLE, UNKNOWN_TOPIC_OR_PARTITION, an answer too old: ask again
        return changed

    def _backoff(self, attempt: i64) -> i64:
        """100 ms, doubled with every attempt up to 1 s, +-20 %, or what the client was told; 1 ms at least."""
        pause = doubled(self._backoff_us, attempt, self._backoff_max_us)
        pause = self._client.stream.between(pause - pause // 5, pause + pause // 5)
        return max(min(pause, self._backoff_max_us), 1_000)


@final
class RefreshTimer(Task):
    """The time for the next metadata refresh has come."""

    __slots__ = ("metadata",)

    def __init__(self, metadata: ClientMetadata, node: Node) -> None:
        super().__init__(node)
        self.metadata = metadata

    def run(self) -> None:
        self.metadata.timer_fired(self)


@final
class RecoveryTimer(Task):
    """Refreshes may have failed for too long."""

    __slots__ = ("metadata",)

    def __init__(self, metadata: ClientMetadata, node: Node) -> None:
        super().__init__(node)
        self.metadata = metadata

    def run(self) -> None:
        self.metadata.recover(self)
