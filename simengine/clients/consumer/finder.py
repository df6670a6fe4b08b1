"""Finding a consumer's positions: committed offset, reset policy, validation after a change of leader (CON-3..5)."""

from typing import Final, final

from mypy_extensions import i64

from simengine.clients.consumer.position import (
    FETCHING,
    INITIALIZING,
    NO_EPOCH,
    NO_OFFSET,
    RESETTING,
    VALIDATING,
    Assignment,
    Position,
)
from simengine.clients.consumer.reading_client import ReadingClient
from simengine.clients.network.network_client import NetworkClient, Pending
from simengine.clients.network.settings import ConsumerSettings
from simengine.facts.errors import (
    ERR_LOG_TRUNCATION,
    ERR_NO_OFFSET_FOR_PARTITION,
    ERR_NONE,
    ERR_OFFSET_OUT_OF_RANGE_CLIENT,
)
from simengine.facts.kinds import (
    RESET_BY_DURATION,
    RESET_COMMITTED,
    RESET_EARLIEST,
    RESET_LATEST,
    RESET_TRUNCATION,
)
from simengine.kafka.wire.api import BY_TIME, EARLIEST, LATEST, NO_RESET, CommitAnswer, OffsetAnswer, OffsetRequest
from simengine.kernel.connecting import UP

RESET_REASONS: Final[dict[int, int]] = {
    EARLIEST: RESET_EARLIEST,
    LATEST: RESET_LATEST,
    BY_TIME: RESET_BY_DURATION,
}
POLL_US: Final = 200_000  # the application's poll(): it returns nothing where the client knows no more by then
THROWN_RETRY_US: Final = 100_000  # after an exception out of poll() the application pauses, then polls again


@final
class PendingOffset(Pending):
    """A ListOffsets or OffsetsForLeaderEpoch request without answer."""

    __slots__ = ("offset", "position")

    def __init__(self, sent_at: i64, position: Position) -> None:
        super().__init__(sent_at)
        self.position = position
        self.offset: i64 = position.offset


@final
class OffsetFetcher:
    """Asks what has to be known before a partition may be fetched."""

    __slots__ = ("_assignment", "_client", "_consumer", "_has_group", "_settings")

    def __init__(
        self,
        client: NetworkClient,
        consumer: ReadingClient,
        assignment: Assignment,
        settings: ConsumerSettings,
        has_group: bool,
    ) -> None:
        self._client = client
        self._consumer = consumer
        self._assignment = assignment
        self._settings = settings
        self._has_group = has_group

    def step(self, position: Position, unknown: list[int]) -> None:
        """Do for a position what can be done now; ``unknown`` takes partitions to look committed offsets up for."""
        if position.state == INITIALIZING:
            self._initialize(position, unknown)
        if position.state == RESETTING or position.state == VALIDATING:
            self._ask(position)

    def _initialize(self, position: Position, unknown: list[int]) -> None:
        if position.is_asking or position.retry_at > self._client.sim.now:
            return
        if self._has_group:
            position.is_asking = True
            position.asked_at = self._client.sim.now
            unknown.append(int(position.p))
        else:
            self.reset(position)

    def reset(self, position: Position) -> None:
        """No position: take the reset policy, or throw (CON-5).

        Each poll asks for the committed offset anew and throws anew (CON-8), which is stated once for all polls in a
        row: again only after one that ended before the coordinator had answered, and so returned nothing.
        """
        position.is_asking = False
        if self._settings.reset == NO_RESET:
            if position.state == INITIALIZING and self._client.sim.now - position.asked_at > POLL_US:
                position.has_thrown = False
            self._throw(
                position, ERR_NO_OFFSET_FOR_PARTITION if position.offset < 0 else ERR_OFFSET_OUT_OF_RANGE_CLIENT
            )
            position.retry_at = self._client.sim.now + THROWN_RETRY_US
            return
        position.state = RESETTING
        position.reset = self._settings.reset
        position.retry_at = 0

    def _throw(self, position: Position, error: i64) -> None:
        if not position.has_thrown:
            position.has_thrown = True
            self._consumer.threw(position.p, error)

    def _ask(self, position: Position) -> None:
        """Send the question that a position waits for, to the leader."""
        now = self._client.sim.now
        if position.retry_at > now:
            return
        connection = self._client.connection_to(position.leader)
        if connection is None:
            self._client.metadata.request_update()
            return
        if connection.state != UP:
            connection.want()
            return
        # asked again after the request timeout, answered or not, unless the answer settles it (CON-4 as measured)
        position.retry_at = now + self._client.request_timeout_us
        position.is_asking = True
        what = position.reset if position.state == RESETTING else position.epoch
        request = OffsetRequest(position.p, what, position.leader_epoch, now - self._settings.reset_back_us)
        connection.request(request, PendingOffset(now, position))

    def found_committed(self, answer: CommitAnswer) -> None:
        """Committed offsets of positions to be initialized (CON-6, CON-7)."""
        for i in range(len(answer.partitions)):
            position = self._assignment.of(answer.partitions[i])
            if position.state != INITIALIZING:
                continue
            position.is_asking = False
            if answer.offsets[i] < 0:
                self.reset(position)
                continue
            position.committed = answer.offsets[i]
            position.is_late = False
            position.seek(answer.offsets[i], answer.epochs[i])
            self._consumer.repositioned(position.p, NO_OFFSET, position.offset, RESET_COMMITTED)
            position.validate()

    def offset_answered(self, request: PendingOffset, answer: OffsetAnswer) -> bool:
        """A reset or a validation may be complete; false if the position has moved on meanwhile."""
        position = request.position
        is_reset = answer.what < 0
        if not position.is_asking or request.offset != position.offset:
            return False
        if position.state != (RESETTING if is_reset else VALIDATING) or (
            not is_reset and answer.what != position.epoch
        ):
            return False
        position.is_asking = False
        if answer.error != ERR_NONE:
            position.retry_at = self._client.sim.now + self._settings.retry_backoff_us
            self._client.metadata.request_update()
        elif answer.offset < 0 and answer.what == BY_TIME:
            pass  # no record is so young: it stays without a position, and asks again when retry_at has come
        elif is_reset:
            old = position.offset
            self._go_on(position)
            position.seek(answer.offset, NO_EPOCH)
            self._consumer.repositioned(position.p, old, position.offset, RESET_REASONS[answer.what])
            self.count_missed(position, old)
        else:
            self._validated(position, answer)
        return True

    def count_missed(self, position: Position, old: i64) -> None:
        """A reset forward passes over records, and so does one to the end of a partition that a running reader met."""
        first = 0 if position.is_late else old
        position.is_late = False
        if 0 <= first < position.offset:
            self._consumer.missed(position.p, first, position.offset)

    def _validated(self, position: Position, answer: OffsetAnswer) -> None:
        """CON-4."""
        if answer.offset >= position.offset:
            self._go_on(position)
            if position.is_late:
                self.count_missed(position, NO_OFFSET)
            return
        if self._settings.reset == NO_RESET:
            self._consumer.threw(position.p, ERR_LOG_TRUNCATION)
            return  # the position stays, unvalidated; asked again when retry_at has come
        if answer.offset < 0:
            self.reset(position)
            return
        old = position.offset
        self._go_on(position)
        position.seek(answer.offset, answer.epoch)
        self._consumer.repositioned(position.p, old, position.offset, RESET_TRUNCATION)
        if position.is_late:
            self.count_missed(position, NO_OFFSET)

    def _go_on(self, position: Position) -> None:
        position.state = FETCHING
        position.retry_at = 0
