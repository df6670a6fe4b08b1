"""The group coordinator of a broker: commits are acks=all writes to ``__consumer_offsets`` (CON-6, CON-7).

The broker that leads the internal partition coordinates the groups. A commit is a record in that partition's log,
replicated like any other; what it says is kept in ``CommitLog``, by its number, as a record's content belongs to the
record; so are the members of each group (``groups``). What a group has committed is what stands in the log below the
high watermark; its members are those of the newest record of all. Groups are loaded and given up with the role, not
when somebody next asks for something. Offsets that nobody uses expire (CON-10). Left out: other partitions than one of
``__consumer_offsets``, compaction, that an empty group is deleted with its last offset, that a new coordinator knows
since when a group is empty, and the time that it needs to load.
"""

from typing import Final, final

from mypy_extensions import i64

from simengine.facts.decisive import OffsetsExpired
from simengine.facts.errors import ERR_COORDINATOR_NOT_AVAILABLE, ERR_NONE, ERR_NOT_LEADER_OR_FOLLOWER
from simengine.kafka.group.groups import Group, Groups, GroupWait
from simengine.kafka.replica.produce_purgatory import ProducePurgatory
from simengine.kafka.replica.produce_wait import DelayedProduce
from simengine.kafka.replica.replica import LEADER, Partition
from simengine.kafka.replica.replica_host import ReplicaHost
from simengine.kafka.wire.api import (
    ACKS_ALL,
    ClientChannel,
    CommitAnswer,
    CommitRequest,
    CommittedRequest,
    ProduceBatch,
    ProduceResult,
)
from simengine.kernel.node import Task

COMMIT_TIMEOUT_US: Final = 5_000_000  # offsets.commit.timeout.ms
NO_CLIENT: Final = -1


@final
class CommitLog:
    """The contents of all commit records of a run, by number; shared by the brokers as records' contents are."""

    __slots__ = ("groups", "members", "requests", "times")

    def __init__(self) -> None:
        self.requests: list[CommitRequest | None] = [None]  # numbers begin with 1
        self.groups: list[Group | None] = [None]
        self.times: list[int] = [0]
        self.members: i64 = 0

    def add(self, request: CommitRequest | None, group: Group | None, at: i64 = 0) -> i64:
        """Remember a record's content: a commit, or the members of a group, and its time; its number."""
        self.requests.append(request)
        self.groups.append(group)
        self.times.append(int(at))
        return len(self.requests) - 1


@final
class CommittedOffset:
    """The newest committed offset of one group for one partition."""

    __slots__ = ("at", "epoch", "group", "offset", "p")

    def __init__(self, group: str, p: i64) -> None:
        self.group = group
        self.p: i64 = p
        self.offset: i64 = -1
        self.epoch: i64 = -1
        self.at: i64 = 0  # when it was committed, us


@final
class ExpiryCheck(Task):
    """CON-10: a coordinator looks for offsets that nobody uses any more."""

    __slots__ = ("coordinator",)

    def __init__(self, coordinator: "GroupCoordinator") -> None:
        super().__init__(coordinator.broker)
        self.coordinator = coordinator

    def run(self) -> None:
        """Look."""
        self.coordinator.look_for_old(self)


@final
class CommitWait(DelayedProduce):
    """A commit that waits for the high watermark."""

    __slots__ = ("request",)

    def __init__(self, channel: ClientChannel, request: CommitRequest, result: ProduceResult, deadline: i64) -> None:
        super().__init__(channel, 0, [result], deadline)
        self.request = request

    def send_answer(self) -> None:
        """Answer as the coordinator: errors of the write become errors of the group protocol."""
        if self.conn == self.channel.conn:
            answer_commit(self.channel, self.request, self.results[0].error)


def answer_commit(channel: ClientChannel, request: CommitRequest, error: i64) -> None:
    """NOT_ENOUGH_REPLICAS and REQUEST_TIMED_OUT become COORDINATOR_NOT_AVAILABLE; a lost leadership stays itself."""
    if error not in (ERR_NONE, ERR_NOT_LEADER_OR_FOLLOWER):
        error = ERR_COORDINATOR_NOT_AVAILABLE
    channel.answer(CommitAnswer(False, error, request.partitions, request.offsets, request.epochs))


@final
class GroupCoordinator:
    """The consumer groups of one broker, while it leads partition ``p`` of ``__consumer_offsets``."""

    __slots__ = ("_applied", "_check", "_found", "_is_active", "_purgatory", "_records", "broker", "groups", "p")

    def __init__(self, broker: ReplicaHost, purgatory: ProducePurgatory, p: i64, records: CommitLog) -> None:
        self.broker = broker
        self._purgatory = purgatory
        self.p: i64 = p
        self._records = records
        self._found: list[CommittedOffset] = []
        self._applied: i64 = 0  # offset up to which the log is in _found
        self._is_active: bool = False  # it has loaded its groups, and has led ever since
        self._check: ExpiryCheck | None = None
        self.groups: Groups = Groups(self)

    def process_ended(self) -> None:
        """The broker process died, or leads no longer: what it knew by heart is gone."""
        self._found = []
        self._applied = 0
        self._is_active = False
        self._check = None
        self.groups.forget()

    def role_changed(self, replica: Partition) -> None:
        """This broker has taken up or given up a leadership: of the groups as well, if it is that partition's.

        Members that wait to join must hear at once that they ask the wrong broker, and sessions begin now (seed
        5000429).
        """
        if replica.p == self.p:
            self.lead()

    def lead(self) -> Partition | None:
        """This broker's replica of the offsets partition, if it leads; a new leader first reads the log.

        Who leads on in another epoch goes on with what it has by heart: its log has lost nothing meanwhile.
        """
        replica = self.broker.replica(self.p)
        if replica is None or replica.role != LEADER:
            if self._is_active:
                self.process_ended()
            return None
        if not self._is_active:
            self._is_active = True
            self._load_groups(replica)
            self._read_log(replica)
            self._arm()
        return replica

    def topic_name(self, p: i64) -> str:
        """The name of a partition's topic, also of one that was deleted."""
        return self.broker.topics[self.broker.partition_names[p][0]].name

    def is_deleted(self, p: i64) -> bool:
        """True if this broker knows that the partition was deleted with its topic."""
        return self.broker.partition_names[p][0] in self.broker.image.removed

    def next_member(self) -> i64:
        """An id that no member had before."""
        self._records.members += 1
        return self._records.members

    def write_group(self, groups: Groups, group: Group, channel: ClientChannel) -> None:
        """Append the members of a group; ``Groups.completed`` follows when that is replicated, or cannot be."""
        replica = self.lead()
        assert replica is not None, "only the leader completes a rebalance"
        n = self._records.add(None, group.snapshot())
        result = replica.append(ProduceBatch(self.p, NO_CLIENT, n, 1, -1, -1, -1), ACKS_ALL)
        if result.error != ERR_NONE or replica.hw > result.offset:
            groups.completed(group, result.error)
        else:
            wait = GroupWait(groups, group, channel, result, self.broker.sim.now + COMMIT_TIMEOUT_US)
            wait.add(result, result.offset + 1)
            replica.wait_for_hw(wait, result.offset + 1)
            self._purgatory.add(wait)
        self.broker.flush()

    def handle_commit(self, channel: ClientChannel, request: CommitRequest) -> None:
        """Append the commit and answer when it is replicated, at most 5 s later; or refuse it (CON-9)."""
        replica = self.lead()
        if replica is None:
            answer_commit(channel, request, ERR_NOT_LEADER_OR_FOLLOWER)
            return
        refusal = self.groups.check_commit(request)
        if refusal != ERR_NONE:
            channel.answer(CommitAnswer(False, refusal, request.partitions, request.offsets, request.epochs))
            return
        n = self._records.add(request, None, self.broker.sim.now)
        result = replica.append(ProduceBatch(self.p, NO_CLIENT, n, 1, -1, -1, -1), ACKS_ALL)
        end = result.offset + 1
        if result.error != ERR_NONE or replica.hw >= end:
            answer_commit(channel, request, result.error)
        else:
            wait = CommitWait(channel, request, result, self.broker.sim.now + COMMIT_TIMEOUT_US)
            wait.add(result, end)
            replica.wait_for_hw(wait, end)
            self._purgatory.add(wait)
        self.broker.flush()

    def handle_committed(self, channel: ClientChannel, request: CommittedRequest) -> None:
        """Answer with what the log below the high watermark says; offset -1 where nothing was committed."""
        replica = self.lead()
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

    def committed(self) -> list[CommittedOffset]:
        """The offsets that OffsetFetch would return now, of all groups; none while this broker does not coordinate.

        Changes nothing: what the log has since the last look is read into copies.
        """
        replica = self.broker.replica(self.p)
        if replica is None or replica.role != LEADER or not self._is_active:
            return []
        newest = {(one.group, int(one.p)): one for one in self._found}
        log = replica.log
        for k in range(log.index_of(self._applied), len(log.batches)):
            batch = log.batches[k]
            if batch.end > replica.hw:
                break
            request = self._records.requests[batch.n] if batch.client == NO_CLIENT else None
            if request is not None:
                for i in range(len(request.partitions)):
                    one = CommittedOffset(request.group, request.partitions[i])
                    one.offset = request.offsets[i]
                    newest[(one.group, int(one.p))] = one
        return list(newest.values())

    def _load_groups(self, replica: Partition) -> None:
        """Take up the groups from the log, also from above the high watermark: a leader's log loses nothing."""
        newest: dict[str, Group] = {}
        for batch in replica.log.batches:
            if batch.client == NO_CLIENT:
                group = self._records.groups[batch.n]
                request = self._records.requests[batch.n]
                if group is not None:
                    newest[group.name] = group
                elif request is not None:
                    self.groups.load_offsets(request.group)
        for group in newest.values():
            self.groups.load(group)

    def _read_log(self, replica: Partition) -> None:
        """Take in the commits that the high watermark has passed since the last time."""
        log = replica.log
        for k in range(log.index_of(self._applied), len(log.batches)):
            batch = log.batches[k]
            if batch.end > replica.hw:
                break
            self._applied = batch.end
            if batch.client == NO_CLIENT:
                request = self._records.requests[batch.n]
                if request is not None:
                    self._apply(request, self._records.times[batch.n])

    def _apply(self, request: CommitRequest, at: i64) -> None:
        for i in range(len(request.partitions)):
            found = self._of(request.group, request.partitions[i])
            found.offset = request.offsets[i]
            found.epoch = request.epochs[i]
            found.at = at

    def _of(self, group: str, p: i64) -> CommittedOffset:
        for found in self._found:
            if found.p == p and found.group == group:
                return found
        found = CommittedOffset(group, p)
        self._found.append(found)
        return found

    # -- expiry

    def _arm(self) -> None:
        check = ExpiryCheck(self)
        self._check = check
        self.broker.sim.at(self.broker.sim.now + self.broker.config.groups.offsets_check_us, check)

    def look_for_old(self, check: ExpiryCheck) -> None:
        """CON-10: forget the offsets that are too old, group by group; then wait for the next look."""
        if self._check is not check:
            return
        replica = self.lead()
        if replica is None:
            return
        self._read_log(replica)
        for group in self.groups.all():
            old = [found for found in self._found if found.group == group.name and self._is_old(found, group)]
            if old:
                self._forget(group.name, [int(found.p) for found in old], replica)
        self.broker.flush()
        self._arm()

    def _is_old(self, found: CommittedOffset, group: Group) -> bool:
        since = group.old_since(found.p, found.at)
        kept_us = self.broker.config.groups.offsets_kept_us
        return found.offset >= 0 and since >= 0 and self.broker.sim.now - since >= kept_us

    def _forget(self, group: str, partitions: list[int], replica: Partition) -> None:
        """Write tombstones; where the log takes none, the next look tries again."""
        none = [-1 for _ in partitions]
        n = self._records.add(CommitRequest(group, partitions, none, none), None, self.broker.sim.now)
        result = replica.append(ProduceBatch(self.p, NO_CLIENT, n, 1, -1, -1, -1), ACKS_ALL)
        if result.error == ERR_NONE:
            fact = OffsetsExpired(0, broker=self.broker.id, p=self.p, count=len(partitions), text=group)
            self.broker.sim.trace.state(fact)
