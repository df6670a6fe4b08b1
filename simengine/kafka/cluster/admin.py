"""Requests of administrators to the active controller: settings, elections, reassignments (topics: ``topic_admin``).

Brokers forward the calls. A call that finds no broker, or no active controller, is retried for a minute (QUO-8: on
activation at once); then it fails (QUO-7). In f095 a setting took effect 14 s after the call, when the first brokers
were back. The client makes a call to one broker, any of those whose port is open. If that broker is paused, or
partitioned from the controllers, the call waits there for half a minute before the client tries another: in f037, with
one of three brokers paused and one partitioned, a setting took effect more than 21 s after the call.
Implements UNC-3, PREF-3, ELR-7, REA-1, REA-5, REA-6.
"""

from typing import TYPE_CHECKING, Final, final

from mypy_extensions import i64

from simengine.facts.decisive import RequestRefused, RequestWaits
from simengine.facts.errors import (
    ERR_ELECTION_NOT_NEEDED,
    ERR_ELIGIBLE_LEADERS_NOT_AVAILABLE,
    ERR_INVALID_REPLICA_ASSIGNMENT,
    ERR_NO_REASSIGNMENT_IN_PROGRESS,
    ERR_NONE,
    ERR_NOT_CONTROLLER,
    ERR_PREFERRED_LEADER_NOT_AVAILABLE,
    ERR_UNKNOWN_TOPIC_OR_PARTITION,
)
from simengine.facts.kinds import (
    REASON_CONFIG,
    REASON_PREFERRED,
    REASON_REASSIGNMENT,
    REASON_UNCLEAN,
    WAIT_BROKER,
    WAIT_CONTROLLER,
    WAIT_CUT,
    WAIT_PAUSED,
)
from simengine.kafka.controller.election import ELECT_ANY, ELECT_CLEAN, ELECT_PREFERRED, PartitionChange, without
from simengine.kafka.shared.config import TopicSettings
from simengine.kafka.shared.metadata import MetadataImage, Record, partition_record, topic_record
from simengine.kernel.calendar import Event
from simengine.kernel.random import Stream

if TYPE_CHECKING:
    from simengine.kafka.broker.broker import Broker
    from simengine.kafka.cluster.cluster import Cluster
    from simengine.kafka.controller.control import ReplicationControlManager
    from simengine.kafka.controller.quorum import Controller


REQUEST_TIMEOUT_US: Final = 30_000_000  # request.timeout.ms
CALL_TIMEOUT_US: Final = 60_000_000  # default.api.timeout.ms; a forwarding broker keeps a request for the same time
NO_BROKER: Final = -1
UNTOLD: Final = -2
RETRY_MIN_US: Final = 100_000  # retry.backoff.ms
RETRY_MAX_US: Final = 1_000_000  # retry.backoff.max.ms, reconnect.backoff.max.ms


@final
class Attempt:
    """A call at one broker process, which forwards it as soon as it can."""

    __slots__ = ("_incarnation", "broker", "given_up_at")

    def __init__(self, broker: "Broker", given_up_at: i64) -> None:
        self.broker = broker
        self._incarnation: i64 = broker.incarnation
        self.given_up_at: i64 = given_up_at  # then the client asks another broker

    def is_lost(self) -> bool:
        """True if the process has ended, and its connections with it."""
        return self._incarnation != self.broker.incarnation


class AdminCall:
    """One call of an administrator's client, from the moment it is made."""

    __slots__ = ("attempts", "cause", "deadline", "is_refused", "p", "text", "told")

    def __init__(self, p: i64, text: str, cause: i64) -> None:
        self.p: i64 = p  # the partition it is about, or -1
        self.text = text  # what it asks for, in words
        self.cause: i64 = cause
        self.deadline: i64 = 0
        self.attempts: list[Attempt] = []
        self.is_refused: bool = False
        self.told: i64 = UNTOLD  # the broker at which a fact has said that it waits

    def run(self, admin: "Admin", control: "ReplicationControlManager") -> None:
        """The active controller has received it."""
        raise AssertionError("a call without effect")


@final
class ElectionCall(AdminCall):
    """PREF-3, UNC-3: elects leaders of partitions. A call for all does not report those that need no election."""

    __slots__ = ("is_of_all", "kind", "partitions")

    def __init__(self, partitions: list[int], kind: i64, cause: i64, is_of_all: bool = False) -> None:
        super().__init__(partitions[0], "elect", cause)
        self.partitions = partitions
        self.kind: i64 = kind
        self.is_of_all = is_of_all

    def is_told(self, error: i64) -> bool:
        """True if the response reports this error of a partition (``ReplicationControlManager.electLeaders``)."""
        if error == ERR_NONE:
            return False
        return not self.is_of_all or (error != ERR_ELECTION_NOT_NEEDED and error != ERR_UNKNOWN_TOPIC_OR_PARTITION)

    def run(self, admin: "Admin", control: "ReplicationControlManager") -> None:
        admin.elect(control, self)


@final
class Reassignment(AdminCall):
    """REA-1, REA-5: new replicas of a partition; an empty target cancels (REA-6)."""

    __slots__ = ("target",)

    def __init__(self, p: i64, target: list[int], cause: i64) -> None:
        super().__init__(p, "reassign" if target else "reassign cancel", cause)
        self.target = target

    def run(self, admin: "Admin", control: "ReplicationControlManager") -> None:
        if self.target:
            admin.reassign(control, self)
        else:
            admin.cancel_reassignment(control, self)


@final
class Admin:
    """Carries administrators' calls to the active controller, for up to a minute each (QUO-8)."""

    __slots__ = ("_choices", "_retry_is_set", "_stream", "_waiting", "cluster")

    def __init__(self, cluster: "Cluster") -> None:
        self.cluster = cluster
        self._waiting: list[AdminCall] = []
        self._retry_is_set: bool = False
        self._stream: Stream = cluster.sim.stream(cluster.site.prefix + "administrator", "retry")
        self._choices: Stream = cluster.sim.stream(cluster.site.prefix + "administrator", "broker")

    def submit(self, call: AdminCall) -> None:
        """Make a call: it runs now, or is retried until its time is over."""
        call.deadline = self.cluster.sim.now + CALL_TIMEOUT_US
        self._waiting.append(call)
        self.carry()

    def carry(self) -> None:
        """Give waiting calls to the active controller, through brokers that can reach it."""
        waiting = self._waiting
        self._waiting = []
        now = self.cluster.sim.now
        for call in waiting:
            control = self._control_for(call)
            if control is not None:
                call.run(self, control)
            elif now >= call.deadline:
                self.refuse(call, ERR_NOT_CONTROLLER)
            else:
                self._waiting.append(call)
        if self._waiting and not self._retry_is_set:
            self._retry_is_set = True
            self.cluster.sim.calendar.push(AdminRetry(self), now + self._stream.between(RETRY_MIN_US, RETRY_MAX_US))

    def retry(self) -> None:
        """Try again what waits."""
        self._retry_is_set = False
        self.carry()

    def _control_for(self, call: AdminCall) -> "ReplicationControlManager | None":
        """The active controller, if a broker that has the call can carry it there.

        A broker that the client gave up still has the call: a paused process finds it in its socket when it resumes, a
        forwarder goes on looking for the controller. Left out: the call may then be carried out twice.
        """
        now = self.cluster.sim.now
        call.attempts = [attempt for attempt in call.attempts if not attempt.is_lost()]
        if not call.attempts or now >= call.attempts[-1].given_up_at:
            broker = self._choose(call.attempts[-1].broker if call.attempts else None)
            if broker is not None:
                call.attempts.append(Attempt(broker, now + REQUEST_TIMEOUT_US))
        active = self.cluster.quorum.active
        if active is not None:
            for attempt in call.attempts:
                if self._reaches(attempt.broker, active):
                    return self.cluster.control()
        self._tell_that_it_waits(call, active)
        return None

    def _tell_that_it_waits(self, call: AdminCall, active: "Controller | None") -> None:
        """State once at each broker that the call waits: its caller sees nothing happen for up to a minute."""
        at = call.attempts[-1].broker if call.attempts else None
        where: i64 = NO_BROKER if at is None else at.id
        if call.told == where:
            return
        call.told = where
        why = (
            WAIT_BROKER if at is None else WAIT_PAUSED if at.paused else WAIT_CONTROLLER if active is None else WAIT_CUT
        )
        self.cluster.sim.trace.state(
            RequestWaits(call.cause, p=self._stated(call.p), broker=where, why=why, text=call.text)
        )

    def _choose(self, given_up: "Broker | None") -> "Broker | None":
        """A broker that takes connections; ``given_up`` only if there is no other."""
        found = [broker for broker in self.cluster.brokers if broker.listening]
        others = [broker for broker in found if broker is not given_up]
        candidates = others if others else found
        if not candidates:
            return None
        return candidates[self._choices.below(len(candidates))]

    def _reaches(self, broker: "Broker", active: "Controller") -> bool:
        net = self.cluster.net
        return not broker.paused and not net.is_cut(broker, active) and not net.is_cut(active, broker)

    def refuse(self, call: AdminCall, error: i64) -> None:
        """The call failed."""
        call.is_refused = True
        self._refuse(call.p, error, call.text, call.cause)

    def _refuse(self, p: i64, error: i64, text: str, cause: i64) -> None:
        self.cluster.sim.trace.state(RequestRefused(cause, p=self._stated(p), error=error, text=text))

    def _stated(self, p: i64) -> i64:
        """The partition as facts name it; for a call about none, its cluster."""
        return p if p >= 0 else self.cluster.site.nobody()

    # -- settings

    def set_topic(
        self, control: "ReplicationControlManager", topic: i64, settings: TopicSettings, text: str, cause: i64
    ) -> None:
        """Change the settings of a topic, or of the cluster (topic -1); ``text`` is "key=value"."""
        records = [topic_record(topic, settings, text, cause)]
        if text.startswith("min.insync.replicas="):
            self._clear_elrs(control.image, topic, settings, cause, records)
        control.write(records, None)

    def _clear_elrs(
        self, image: MetadataImage, topic: i64, settings: TopicSettings, cause: i64, records: list[Record]
    ) -> None:
        """ELR-7: clear the ELR when min.insync.replicas is set.

        A topic's value clears it only if it differs from the value before. The cluster's value clears it whenever it is
        set, also for topics with a value of their own: Kafka looks at the record, not at the resulting M.
        """
        if topic >= 0 and topic < len(image.topics) and image.topics[topic].min_insync == settings.min_insync:
            return
        for base in image.partitions:
            if base is None or (topic >= 0 and base.topic != topic) or not (base.elr or base.last_known):
                continue
            cleared = base.copy()
            cleared.elr = []
            cleared.last_known = []
            cleared.pe = base.pe + 1
            records.append(partition_record(cleared, REASON_CONFIG, 0, cause))

    # -- elections

    def elect(self, control: "ReplicationControlManager", call: ElectionCall) -> None:
        """PREF-3, UNC-3."""
        reason = REASON_PREFERRED if call.kind == ELECT_PREFERRED else REASON_UNCLEAN
        records: list[Record] = []
        for p in call.partitions:
            error = self._elect_one(control, p, call.kind, reason, call.cause, records)
            if call.is_told(error):
                self._refuse(p, error, call.text, call.cause)
        control.write(records, None)

    def _elect_one(
        self, control: "ReplicationControlManager", p: i64, kind: i64, reason: i64, cause: i64, records: list[Record]
    ) -> i64:
        base = control.image.partition(p)
        if base is None:
            return ERR_UNKNOWN_TOPIC_OR_PARTITION
        needed = base.leader != base.replicas[0] if kind == ELECT_PREFERRED else base.leader == -1
        if not needed:
            return ERR_ELECTION_NOT_NEEDED
        record = PartitionChange(base, control.image, control.config, kind).build(reason, cause)
        moved = record is not None and record.partition is not None and record.partition.leader != base.leader
        if not moved or record is None:
            return ERR_PREFERRED_LEADER_NOT_AVAILABLE if kind == ELECT_PREFERRED else ERR_ELIGIBLE_LEADERS_NOT_AVAILABLE
        records.append(record)
        return ERR_NONE

    # -- reassignment

    def reassign(self, control: "ReplicationControlManager", call: Reassignment) -> None:
        """REA-1, REA-2, REA-5: adding first, like any follower that has nothing yet; removing when all are in sync."""
        target = call.target
        base = control.image.partition(call.p)
        if base is None:
            self.refuse(call, ERR_UNKNOWN_TOPIC_OR_PARTITION)
            return
        for broker in target:
            if broker not in control.image.brokers:
                self.refuse(call, ERR_INVALID_REPLICA_ASSIGNMENT)
                return
        adding, removing = sorted(without(target, base.replicas)), sorted(without(base.replicas, target))
        change = PartitionChange(base, control.image, control.config, ELECT_CLEAN)
        change.replicas = target + removing
        if adding:  # else those of a reassignment that is under way stay
            change.adding = adding
        if removing:
            change.removing = removing
        record = change.build(REASON_REASSIGNMENT, call.cause)
        if record is not None:
            control.write([record], None)

    def cancel_reassignment(self, control: "ReplicationControlManager", call: Reassignment) -> None:
        """REA-6."""
        base = control.image.partition(call.p)
        if base is None or not (base.adding or base.removing):
            self.refuse(call, ERR_NO_REASSIGNMENT_IN_PROGRESS)
            return
        isr = without(base.isr, base.adding)
        if not isr and not control.image.unclean(base.topic):
            self.refuse(call, ERR_INVALID_REPLICA_ASSIGNMENT)
            return
        change = PartitionChange(base, control.image, control.config, ELECT_ANY)
        change.replicas = without(base.replicas, base.adding)
        change.adding = []
        change.removing = []
        change.target_isr = isr if isr else change.replicas[:1]
        record = change.build(REASON_REASSIGNMENT, call.cause)
        if record is not None:
            control.write([record], None)

    def controller_activated(self) -> None:
        """A controller is active: run what waited for one (QUO-8)."""
        self.carry()


@final
class AdminRetry(Event):
    """An administrator's client tries again."""

    __slots__ = ("_admin",)

    def __init__(self, admin: Admin) -> None:
        super().__init__()
        self._admin = admin

    def fire(self) -> None:
        self._admin.retry()
