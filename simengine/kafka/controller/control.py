"""The active controller: what it keeps, how it writes, and how it handles brokers' requests.

A change is worked out on the working image, takes effect there at once, and is answered when the quorum has committed
it (AP-3); whoever loses the leadership first loses the change with it. Implements LIVE-2..4, LIVE-6, REG-1..4,
SHUT-1, SHUT-2, SHUT-4, ISR-8, ELEC-1, ELEC-6, QUO-4, QUO-5.
"""

from typing import final

from mypy_extensions import i64

from simengine.facts.errors import (
    ERR_DUPLICATE_BROKER_REGISTRATION,
    ERR_NONE,
    ERR_STALE_BROKER_EPOCH,
)
from simengine.facts.kinds import (
    REASON_FENCED,
    REASON_REGISTRATION,
    REASON_SHUTDOWN,
    REASON_UNFENCED,
    REG_ACTIVE,
    REG_FENCED,
    REG_NONE,
    REG_SHUTTING_DOWN,
)
from simengine.facts.traffic import heartbeat_noted
from simengine.kafka.controller.active_control import ActiveControl
from simengine.kafka.controller.alter_partition import decide_proposals
from simengine.kafka.controller.assign_directories import assign_directories
from simengine.kafka.controller.control_tasks import CommitTask, FencingCheck, PreferredTask, UncleanTask
from simengine.kafka.controller.control_writes import Reply, Write
from simengine.kafka.controller.election import ELECT_ANY, PartitionChange
from simengine.kafka.controller.fencing import HeartbeatTracker
from simengine.kafka.controller.metadata_polls import MetadataPolls
from simengine.kafka.controller.quorum import Controller, Quorum
from simengine.kafka.shared.causes import Causes
from simengine.kafka.shared.config import ClusterConfig
from simengine.kafka.shared.metadata import MetadataImage, Record, broker_record
from simengine.kafka.wire.controller_api import (
    AlterAnswer,
    AlterRequest,
    AssignDirectoriesAnswer,
    AssignDirectoriesRequest,
    ControllerAnswer,
    ControllerChannel,
    ControllerRequest,
    HeartbeatAnswer,
    HeartbeatRequest,
    MetadataPoll,
    RegisterAnswer,
    RegisterRequest,
)
from simengine.kernel.sim import Sim


@final
class ReplicationControlManager(ActiveControl):
    """The state machine of one controller while it takes itself for the active one."""

    __slots__ = (
        "_closed",
        "_metadata_seen",
        "_shutdown_at",
        "_writes",
        "causes",
        "config",
        "fencing_order",
        "image",
        "next_be",
        "node",
        "polls",
        "quorum",
        "sim",
        "stream",
        "ticks",
        "tracker",
    )

    def __init__(self, node: Controller, quorum: Quorum, config: ClusterConfig, causes: Causes) -> None:
        super().__init__(quorum.epoch)
        self.node = node
        self.quorum = quorum
        self.sim: Sim = node.sim
        self.config = config
        self.causes = causes
        self.image: MetadataImage = quorum.image.copy()
        self.tracker: HeartbeatTracker = HeartbeatTracker(config.session_us)
        self.stream = self.sim.stream(node.name, "choice")
        self.ticks = self.sim.stream(node.name, "ticks")
        self._writes: list[Write] = []
        self.polls: MetadataPolls = MetadataPolls(node, quorum, config)
        self._shutdown_at: dict[int, int] = {}  # broker -> metadata offset of its shutdown record (SHUT-2)
        self._metadata_seen: dict[int, int] = {}
        self._closed: bool = False
        self.next_be: i64 = 0
        self.fencing_order: list[int] = []

    def begin(self, fence_phase: i64, preferred_phase: i64, unclean_phase: i64) -> None:
        """Take over: fresh sessions for unfenced brokers, all periodic tasks from now (QUO-4)."""
        now = self.sim.now
        for broker in sorted(self.image.brokers):
            if self.image.is_unfenced(broker):
                self.tracker.touch(broker, self.image.broker_epoch(broker), now)
        config = self.config
        self.sim.after(fence_phase, FencingCheck(self))
        if config.auto_rebalance:
            self.sim.after(preferred_phase, PreferredTask(self))
        if config.periodic_unclean:
            self.sim.after(unclean_phase, UncleanTask(self))

    def close(self) -> None:
        """Lose the leadership: nothing that is not committed will be."""
        self._closed = True
        self.polls.refuse()
        writes = self._writes
        self._writes = []
        if self.node.up:
            for write in writes:
                for reply in write.replies:
                    reply.refuse()

    @property
    def is_closed(self) -> bool:
        """True if the leadership is lost."""
        return self._closed

    # -- writing

    def write(self, records: list[Record], reply: Reply | None) -> None:
        """Apply records to the working image and send them to the quorum; the reply follows the commit."""
        if not records:
            self._reply_after_pending(reply)
            return
        for record in records:
            self.image.apply(record)
        now = self.sim.now
        due = now + self.quorum.commit_delay(self.node)
        if self._writes and self._writes[-1].due > due:
            due = self._writes[-1].due
        write = Write(records, due)
        if reply is not None:
            write.replies.append(reply)
        self._writes.append(write)
        self.sim.at(due, CommitTask(self))

    def write_and_answer(self, records: list[Record], channel: ControllerChannel, answer: ControllerAnswer) -> None:
        """Write, and answer a request when the quorum has committed it (AP-3)."""
        self.write(records, Reply(channel, answer))

    def _reply_after_pending(self, reply: Reply | None) -> None:
        if reply is None:
            return
        if self._writes:
            self._writes[-1].replies.append(reply)
        else:
            reply.send()

    def retry_commits(self) -> None:
        """The majority is back: what waits for it commits."""
        if self._writes:
            self.sim.after(self.quorum.commit_delay(self.node), CommitTask(self))

    def commit_due(self) -> None:
        """Commit what is due, if a majority can be reached that knows of no newer controller (QUO-1)."""
        self.quorum.depose_outdated(self.node)
        if self._closed or not self._writes or not self.quorum.reaches_majority(self.node):
            return
        now = self.sim.now
        done = 0
        while done < len(self._writes) and self._writes[done].due <= now:
            done += 1
        if done == 0:
            return
        writes = self._writes[:done]
        del self._writes[:done]
        for write in writes:
            self.quorum.commit(write.records)
            self.image.offset = self.quorum.image.offset
            for reply in write.replies:
                reply.send()
        self.polls.release()

    def next_broker_epoch(self) -> i64:
        """The metadata offset a registration record will get (STATE-9); rises with each call."""
        end: i64 = len(self.quorum.log)
        for write in self._writes:
            end += len(write.records)
        if end <= self.next_be:
            end = self.next_be + 1
        self.next_be = end
        return end

    # -- requests

    def handle(self, channel: ControllerChannel, request: ControllerRequest) -> None:
        """Handle a request of a broker."""
        if isinstance(request, HeartbeatRequest):
            self._heartbeat(channel, request)
        elif isinstance(request, MetadataPoll):
            self.polls.take(channel, request)
        elif isinstance(request, AlterRequest):
            self._alter(channel, request)
        elif isinstance(request, RegisterRequest):
            self._register(channel, request)
        elif isinstance(request, AssignDirectoriesRequest):
            self._assign_directories(channel, request)

    def _alter(self, channel: ControllerChannel, request: AlterRequest) -> None:
        if request.be != self.image.broker_epoch(request.broker_id):  # AP-2; -1 of an unregistered broker as well
            self.quorum.hooks.proposal_answered(request.broker_id, -1, ERR_STALE_BROKER_EPOCH)
            channel.answer(AlterAnswer(request.request_id, ERR_STALE_BROKER_EPOCH, []))
            return
        records, decisions = decide_proposals(self.image, self.config, request)
        for decision in decisions:
            self.quorum.hooks.proposal_answered(request.broker_id, decision.p, decision.error)
        self.write_and_answer(records, channel, AlterAnswer(request.request_id, ERR_NONE, decisions))

    def _assign_directories(self, channel: ControllerChannel, request: AssignDirectoriesRequest) -> None:
        """DIR-2."""
        if request.be != self.image.broker_epoch(request.broker_id):
            channel.answer(AssignDirectoriesAnswer(request.request_id, ERR_STALE_BROKER_EPOCH))
            return
        cause = self.causes.process_of(request.broker_id)
        records = assign_directories(self.image, self.config, request, cause)
        self.write_and_answer(records, channel, AssignDirectoriesAnswer(request.request_id, ERR_NONE))

    def _register(self, channel: ControllerChannel, request: RegisterRequest) -> None:
        """REG-2..4."""
        if self.config.legacy:
            self._register_legacy(channel, request)
            return
        broker = request.broker_id
        now = self.sim.now
        known = self.image.brokers.get(broker)
        if known is not None and known.incarnation == request.incarnation_id:  # its answer was lost: nothing is new
            self.tracker.touch(broker, known.be, now)
            self.write_and_answer([], channel, RegisterAnswer(request.request_id, ERR_NONE, known.be))
            return
        if known is not None and self.tracker.has_valid_session(broker, now):
            channel.answer(RegisterAnswer(request.request_id, ERR_DUPLICATE_BROKER_REGISTRATION, -1))
            return
        known_be: i64 = -1 if known is None else known.be
        clean = known_be >= 0 and known_be == request.clean_be
        be = self.next_broker_epoch()
        cause = self.causes.process_of(broker)
        records = [broker_record(broker, be, REG_FENCED, cause, request.incarnation_id, request.directory)]
        if known_be >= 0:
            records.extend(self._leave_all(broker, REASON_REGISTRATION, not clean, self.causes.end_of(broker)))
        self.tracker.touch(broker, be, now)
        self._shutdown_at.pop(int(broker), -1)
        self._metadata_seen[int(broker)] = -1
        self.write_and_answer(records, channel, RegisterAnswer(request.request_id, ERR_NONE, be))

    def _register_legacy(self, channel: ControllerChannel, request: RegisterRequest) -> None:
        """LEG-2: a process that comes back is at once what it was, in every ISR it was in."""
        broker = request.broker_id
        known = self.image.broker_state(broker)
        be = self.next_broker_epoch()
        self.tracker.touch(broker, be, self.sim.now)
        state = REG_FENCED if known == REG_NONE else known
        cause = self.causes.process_of(broker)
        record = broker_record(broker, be, state, cause, request.incarnation_id, request.directory)
        self.write_and_answer([record], channel, RegisterAnswer(request.request_id, ERR_NONE, be))

    def _heartbeat(self, channel: ControllerChannel, request: HeartbeatRequest) -> None:
        broker = request.broker_id
        if request.be != self.image.broker_epoch(broker):
            channel.answer(HeartbeatAnswer(request.request_id, ERR_STALE_BROKER_EPOCH, True, False))
            return
        self.note_heartbeat(broker, request.be)
        self._metadata_seen[int(broker)] = int(request.metadata_offset)
        state = self.image.broker_state(broker)
        records: list[Record] = []
        may_shut_down = False
        if request.want_shutdown:
            may_shut_down = self._advance_shutdown(broker, request.be, state, records)
        elif state == REG_FENCED and not request.want_fence and request.metadata_offset >= request.be:
            records = self.unfence(broker, request.be, self.causes.heard(broker, self.node.id))
        elif state == REG_ACTIVE and request.want_fence and not self.config.legacy:
            records = self._fence(broker, REASON_FENCED, self.causes.of(broker))
        is_fenced = state == REG_FENCED and not records
        answer = HeartbeatAnswer(request.request_id, ERR_NONE, is_fenced, may_shut_down)
        self.write_and_answer(records, channel, answer)

    def note_heartbeat(self, broker: i64, be: i64) -> None:
        """LIVE-2: the arrival counts, whatever becomes of the request."""
        self.tracker.touch(broker, be, self.sim.now)
        if self.quorum.active is self.node:
            heartbeat_noted(self.sim.trace, broker=broker, be=be)
            self.quorum.hooks.heard(broker, self.sim.now)

    def late_heartbeat(self, broker: i64, cause: i64) -> None:
        """FLT-8: a heartbeat that a dead process had sent into a cut arrives after the heal."""
        be = self.image.broker_epoch(broker)
        if be < 0:
            return
        self.note_heartbeat(broker, be)
        if self.image.broker_state(broker) == REG_FENCED:
            self.write(self.unfence(broker, be, cause), None)

    # -- fencing and shutdown

    def unfence(self, broker: i64, be: i64, cause: i64) -> list[Record]:
        """LIVE-6, ELEC-6: active again, and offered to leaderless partitions in the same step."""
        records = [self._restated(broker, REG_ACTIVE, cause)]
        for base in self.image.partitions:
            if base is None or base.leader != -1:
                continue
            change = PartitionChange(base, self.image, self.config, ELECT_ANY)
            change.assume_active = broker
            record = change.build(REASON_UNFENCED, cause)
            if record is not None:
                records.append(record)
        return records

    def _fence(self, broker: i64, reason: i64, cause: i64) -> list[Record]:
        """LIVE-4: one commit: out of every ISR, new leaders, fenced."""
        records = self._leave_all(broker, reason, False, cause)
        records.append(self._restated(broker, REG_FENCED, cause))
        return records

    def _restated(self, broker: i64, state: i64, cause: i64) -> Record:
        """A registered broker in another state."""
        known = self.image.brokers[broker]
        return broker_record(broker, known.be, state, cause, known.incarnation, known.directory)

    def fence_one(self) -> bool:
        """LIVE-3: fence one stale broker; which of several is chance. Whether there was one."""
        stale = self.tracker.stale(self.sim.now)
        if not stale:
            return False
        broker = stale[self.stream.below(len(stale))]
        for first in self.fencing_order:
            if first in stale:
                broker = first
                break
        cause = self.causes.cause_of_silence(
            broker, self.node.id, self.tracker.last_at(broker), self.config.heartbeat_us
        )
        self.tracker.forget(broker)
        if self.image.broker_state(broker) == REG_FENCED:
            self.write([self._restated(broker, REG_FENCED, cause)], None)
        else:
            if self.quorum.active is self.node:
                self.quorum.hooks.fencing_decided(broker, self.sim.now)
            self.write(self._fence(broker, REASON_FENCED, cause), None)
        return True

    def _leave_all(self, broker: i64, reason: i64, unclean: bool, cause: i64) -> list[Record]:
        """ISR-8: take a broker out of all ISRs and leaderships (and, if its restart was unclean, out of the ELRs)."""
        records: list[Record] = []
        for base in self.image.partitions:
            if base is None:
                continue
            in_isr = broker in base.isr
            if not in_isr and not (unclean and broker in base.elr) and base.leader != broker:
                continue
            change = PartitionChange(base, self.image, self.config, ELECT_ANY)
            change.assume_inactive = broker
            if in_isr:
                change.target_isr = [m for m in base.isr if m != broker]
            if unclean:
                change.unclean_shutdown = broker
            record = change.build(reason, cause)
            if record is not None:
                records.append(record)
        return records

    def _leads_any(self, broker: i64) -> bool:
        for base in self.image.partitions:
            if base is not None and base.leader == broker:
                return True
        return False

    def _advance_shutdown(self, broker: i64, be: i64, state: i64, records: list[Record]) -> bool:
        """SHUT-1, SHUT-2: whether the broker may exit now."""
        cause = self.causes.process_of(broker)
        if state == REG_FENCED:  # it may exit at once, and is fenced once more
            records.append(self._restated(broker, REG_FENCED, cause))
            return True
        # what a predecessor of this controller waited for is in no record
        if state == REG_ACTIVE or int(broker) not in self._shutdown_at:
            leads = self._leads_any(broker)
            records.extend(self._leave_all(broker, REASON_SHUTDOWN, False, cause))
            if not leads:
                records.append(self._restated(broker, REG_FENCED, cause))
                return True
            if state == REG_ACTIVE:
                records.append(self._restated(broker, REG_SHUTTING_DOWN, cause))
            self._shutdown_at[int(broker)] = int(self.next_broker_epoch()) + len(records) - 1
            return False
        if self._leads_any(broker) or self._lowest_active_offset() < self._shutdown_at[int(broker)]:
            return False
        records.append(self._restated(broker, REG_FENCED, cause))
        return True

    def _lowest_active_offset(self) -> i64:
        """The oldest metadata that an active broker has reported in its heartbeat."""
        lowest: i64 = 1 << 60
        for broker in sorted(self.image.brokers):
            if self.image.is_active(broker):
                seen = self._metadata_seen.get(broker, -1)
                if seen < lowest:
                    lowest = seen
        return lowest
