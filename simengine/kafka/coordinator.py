"""The group coordinator of a broker: commits are acks=all writes to ``__consumer_offsets`` (CON-6, CON-7).

The broker that leads the internal partition coordinates the groups. A commit is a record in that partition's log,
replicated like any other; what it says is kept in ``CommitLog``, by its number, as a record's content belongs to the
record. What a group has committed is what stands in the log below the high watermark. Left out: other partitions than
one of ``__consumer_offsets``, compaction, expiry, and the time a new coordinator needs to load.
"""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from simengine.kafka.api import (
    ACKS_ALL,
    ClientChannel,
    CommitAnswer,
    CommitRequest,
    CommittedRequest,
    ProduceBatch,
    ProduceResult,
)
from simengine.kafka.produce import ProduceWait
from simengine.kafka.replica import LEADER, Replica
from simengine.kernel.errors import ERR_COORDINATOR_NOT_AVAILABLE, ERR_NONE, ERR_NOT_LEADER_OR_FOLLOWER

if TYPE_CHECKING:
    from simengine.kafka.broker import Broker

COMMIT_TIMEOUT_US: Final = 5_000_000  # offsets.commit.timeout.ms
NO_CLIENT: Final = -1


@final
class CommitLog:
    """The contents of all commit records of a run, by number; shared by the brokers as records' contents are."""

    __slots__ = ("requests",)

    def __init__(self) -> None:
        self.requests: list[CommitRequest] = []

    def add(self, request: CommitRequest) -> i64:
        """Remember a record's content; its number."""
        self.requests.append(request)
        return len(self.requests) - 1


@final
class Committed:
    """The newest committed offset of one group for one partition."""

    __slots__ = ("epoch", "group", "offset", "p")

    def __init__(self, group: str, p: i64) -> None:
        self.group = group
        self.p: i64 = p
        self.offset: i64 = -1
        self.epoch: i64 = -1


@final
class CommitWait(ProduceWait):
    """A commit that waits for the high watermark."""

    __slots__ = ("request",)

    def __init__(self, channel: ClientChannel, request: CommitRequest, result: ProduceResult, deadline: i64) -> None:
        super().__init__(channel, 0, [result], deadline)
        self.request = request

    def send_answer(self) -> None:
        """Answer as the coordinator: errors of the write become errors of the group protocol."""
        answer_commit(self.channel, self.request, self.results[0].error)


def answer_commit(channel: ClientChannel, request: CommitRequest, error: i64) -> None:
    """NOT_ENOUGH_REPLICAS and REQUEST_TIMED_OUT become COORDINATOR_NOT_AVAILABLE; a lost leadership stays itself."""
    if error not in (ERR_NONE, ERR_NOT_LEADER_OR_FOLLOWER):
        error = ERR_COORDINATOR_NOT_AVAILABLE
    channel.answer(CommitAnswer(False, error, request.partitions, request.offsets, request.epochs))


@final
class GroupCoordinator:
    """What one broker does for groups, while it leads partition ``p`` of ``__consumer_offsets``."""

    __slots__ = ("_applied", "_epoch", "_found", "_records", "broker", "p")

    def __init__(self, broker: "Broker", p: i64, records: CommitLog) -> None:
        self.broker = broker
        self.p: i64 = p
        self._records = records
        self._found: list[Committed] = []
        self._applied: i64 = 0  # offset up to which the log is in _found
        self._epoch: i64 = -1  # leader epoch in which that was so

    def process_ended(self) -> None:
        """The broker process died: what it knew by heart is gone."""
        self._found = []
        self._applied = 0
        self._epoch = -1

    def _leading(self) -> Replica | None:
        replica = self.broker.replica(self.p)
        return replica if replica is not None and replica.role == LEADER else None

    def handle_commit(self, channel: ClientChannel, request: CommitRequest) -> None:
        """Append the commit and answer when it is replicated, at most 5 s later."""
        replica = self._leading()
        if replica is None:
            answer_commit(channel, request, ERR_NOT_LEADER_OR_FOLLOWER)
            return
        n = self._records.add(request)
        result = replica.append(ProduceBatch(self.p, NO_CLIENT, n, 1, -1, -1, -1), ACKS_ALL)
        end = result.offset + 1
        if result.error != ERR_NONE or replica.hw >= end:
            answer_commit(channel, request, result.error)
        else:
            wait = CommitWait(channel, request, result, self.broker.sim.now + COMMIT_TIMEOUT_US)
            wait.add(self.p, end)
            replica.wait_for_hw(wait, end)
            self.broker.add_produce_wait(wait)
        self.broker.flush()

    def handle_committed(self, channel: ClientChannel, request: CommittedRequest) -> None:
        """Answer with what the log below the high watermark says; offset -1 where nothing was committed."""
        replica = self._leading()
        if replica is None:
            nothing: list[int] = [-1] * len(request.partitions)
            channel.answer(CommitAnswer(True, ERR_NOT_LEADER_OR_FOLLOWER, request.partitions, nothing, nothing))
            return
        self._read_log(replica)
        offsets: list[int] = []
        epochs: list[int] = []
        for p in request.partitions:
            found = self._of(request.group, p)
            offsets.append(found.offset)
            epochs.append(found.epoch)
        channel.answer(CommitAnswer(True, ERR_NONE, request.partitions, offsets, epochs))

    def _read_log(self, replica: Replica) -> None:
        """Take in the commits that the high watermark has passed since the last time."""
        if self._epoch != replica.epoch:
            self.process_ended()
            self._epoch = replica.epoch
        log = replica.log
        for k in range(log.index_of(self._applied), len(log.batches)):
            batch = log.batches[k]
            if batch.end > replica.hw:
                break
            request = self._records.requests[batch.n]
            for i in range(len(request.partitions)):
                found = self._of(request.group, request.partitions[i])
                found.offset = request.offsets[i]
                found.epoch = request.epochs[i]
            self._applied = batch.end

    def _of(self, group: str, p: i64) -> Committed:
        for found in self._found:
            if found.p == p and found.group == group:
                return found
        found = Committed(group, p)
        self._found.append(found)
        return found
