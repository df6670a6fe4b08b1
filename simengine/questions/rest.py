"""The rule by which a run is at rest: until its horizon nothing can come but the steady traffic of its clients.

Then the figures of its verdict are known, and the run need not go on to its horizon. ``unrest`` is the rule. It looks
for what is under way: in the calendar, at the controller, in processes, replicas, groups and calls. It does not wait
for some seconds of silence. A run is never at rest with random faults, acks=0, retention, MirrorMaker, several
clusters, slow brokers, messages held by hand, or timeouts hardly longer than what they wait for. The rule does not read
a producer's metadata. ``CallsSince`` says whether each producer has had a call acknowledged since the rest began.
"""

from collections.abc import Iterable
from typing import Final

from simengine.clients.producer.calls import SendCalls
from simengine.clients.producer.producer import Producer
from simengine.facts.decisive import ActionDone
from simengine.facts.kinds import CLIENT_OPEN, PROCESS_DOWN, PROCESS_RUNNING, REG_ACTIVE, REG_SHUTTING_DOWN
from simengine.kafka.broker.broker import Boot, Broker
from simengine.kafka.broker.directories import AssignmentTimer
from simengine.kafka.broker.isr import AlterRetry
from simengine.kafka.broker.lifecycle import RUNNING
from simengine.kafka.cluster.admin import AdminRetry
from simengine.kafka.cluster.cluster import Activated
from simengine.kafka.controller.control_tasks import CommitTask, PreferredTask
from simengine.kafka.controller.quorum import Resignation
from simengine.kafka.replica.replica import LEADER, Partition
from simengine.kafka.shared.metadata import PartitionRegistration
from simengine.kafka.shared.standing import OPEN
from simengine.scenario.verb import FORESEEN
from simengine.scenario.verbs import VERBS
from simengine.verdict.account import PartitionCounters
from simengine.verdict.outage import THETA_US
from simengine.verdict.outcomes import ACKED, CallOutcomes
from simengine.world.cluster_run import ClusterRun
from simengine.world.controller_process import ControllerStarts, ControllerStops
from simengine.world.scheduled import ActionEvent
from simengine.world.world import World

Reason = str  # why a run is not at rest; "": it is

SLACK_US: Final = 1_000_000
"""A timeout must be longer than what it waits for by this, so that it never fires at rest (``_of_settings``)."""

DELAY_US_MAX: Final = 100_000
"""Longest one-way delay at which ``SLACK_US`` is long: a write with acks=all takes fewer than ten of them."""

LINGER_US_MAX: Final = 500_000
"""With a longer linger.ms a call may wait for longer than theta, which counts as no response."""

UNDER_WAY: Final = (
    ActionEvent,
    ControllerStarts,
    ControllerStops,
    Activated,
    Resignation,
    Boot,
    CommitTask,
    AlterRetry,
    AssignmentTimer,
    AdminRetry,
)
"""Events that change the cluster. Periodic checks, traffic and the timers of living peers do not."""


def unrest(world: World, until_us: int) -> Reason:
    """The reason why something but steady traffic may come before ``until_us``; "" where nothing can."""
    if len(world.cluster_runs) != 1 or world.mirrors.processes or world.moves.joined:
        return "clusters and MirrorMaker"
    run = world.only
    reason = (
        _of_document(run, world.now_us) or _of_settings(run) or _of_processes(run) or _of_partitions(run, world.now_us)
    )
    return reason or _of_clients(run) or _of_actions(world) or _of_calendar(world, run, until_us)


def is_drained(world: World) -> bool:
    """True if every call has ended, every copy is full, and nothing can come: the run's figures are its last ones."""
    if unrest(world, world.now_us):
        return False
    accounts = world.only.book.accounts
    return not any(calls.waits.open() for account in accounts for calls in account.calls)


def _of_document(run: ClusterRun, now: int) -> Reason:
    doc = run.doc
    if any(entry.at_us > now for entry in doc.timeline):
        return "an action is to come"  # also told by the calendar, which is looked at last
    delays = [doc.network.latency_us + doc.network.jitter_us]
    for link in doc.network.links:
        jitter = doc.network.jitter_us if link.jitter_us is None else link.jitter_us
        delays.append(jitter + (doc.network.latency_us if link.latency_us is None else link.latency_us))
    if doc.faults is not None:
        return "random faults"
    return "long delays" if max(delays) > DELAY_US_MAX else ""


def _of_settings(run: ClusterRun) -> Reason:
    """A timeout so short that it may fire although nothing is wrong; "" if there is none."""
    for config in (broker.config for broker in run.cluster.brokers):
        if min(config.lag_us, config.fetch_timeout_us) < config.fetch_wait_us + SLACK_US:
            return "a short timeout of fetches"
        if config.session_us < config.heartbeat_us + SLACK_US:
            return "a short session of brokers"
    for made in (producer.settings for producer in run.parts.producers):
        if made.linger_us > LINGER_US_MAX:
            return "a long linger.ms"
        if min(made.request_timeout_us, made.delivery_timeout_us - made.linger_us) < 2 * SLACK_US:
            return "a short timeout of calls"
    for read in (consumer.settings for consumer in run.parts.consumers):
        if read.session_timeout_us < read.heartbeat_us + SLACK_US:
            return "a short session of consumers"
        if read.request_timeout_us < read.max_wait_us + SLACK_US:
            return "a short timeout of reads"
    return ""


def _of_processes(run: ClusterRun) -> Reason:
    """Every process runs and is known to, or is down for good and known to be gone; all have the newest metadata."""
    cluster = run.cluster
    quorum = cluster.quorum
    if quorum.active is None:
        return "no active controller"
    for controller in cluster.controllers:
        if controller.paused or controller.stopping or controller.pending_boot:
            return "a controller's process"
    newest = len(quorum.log) - 1
    for broker in cluster.brokers:
        state = quorum.image.broker_state(broker.id)
        if broker.process == PROCESS_DOWN:
            if state in (REG_ACTIVE, REG_SHUTTING_DOWN):
                return "a dead broker is not fenced"
        elif broker.process != PROCESS_RUNNING or broker.lifecycle.state != RUNNING or state != REG_ACTIVE:
            return "a broker's process"
        elif broker.applied != newest:
            return "metadata on its way"
        elif broker.serving.per_s or not _groups_rest(broker):
            return "a group, or a slow broker"
    return ""


def _groups_rest(broker: Broker) -> bool:
    return broker.coordinator is None or broker.coordinator.groups.are_stable()


def _of_partitions(run: ClusterRun, now: int) -> Reason:
    cluster = run.cluster
    alive = {int(broker.id) for broker in cluster.brokers if broker.process == PROCESS_RUNNING}
    for account in run.book.accounts:
        registration = cluster.quorum.image.partition(account.p)
        if registration is None or registration.adding or registration.removing:
            return "a topic or a reassignment"
        if registration.leader not in alive or not _is_whole(account, registration, alive, now):
            return "a partition"
    return ""


def _is_whole(account: PartitionCounters, registration: PartitionRegistration, alive: set[int], now: int) -> bool:
    """True if a partition is written and read, and every living replica of it is in sync and fetches."""
    leader = account.leader()
    if leader is None or leader.role != LEADER or leader.log.segments is not None:
        return False
    living = {broker for broker in registration.replicas if broker in alive} - set(registration.observers)
    if set(registration.isr) != living or set(leader.maximal_isr) != living or set(leader.isr) != living:
        return False
    if account.state != OPEN or not account.is_well or account.reading.out.since >= 0:
        return False
    if 0 <= account.stands_since < now - SLACK_US or account.hidden_records(now):
        return False
    if any(want.since >= 0 for want in account.reading.unread.wants):
        return False
    if any(calls.waits.oldest_us(now) > THETA_US for calls in account.calls):
        return False
    return _is_fetched(leader, living, now)


def _is_fetched(leader: Partition, living: set[int], now: int) -> bool:
    """True if each living follower was level with its leader a moment ago."""
    oldest = now - leader.broker.config.fetch_wait_us - SLACK_US
    for remote in leader.remotes:
        if int(remote.broker) not in living:
            continue
        session = remote.session
        is_level = session is not None and remote.covered and remote.clean
        at = session.last_arrival if session is not None and is_level else remote.caught_up_at
        if at < oldest:
            return False
    return True


def _of_clients(run: ClusterRun) -> Reason:
    for producer in run.parts.producers:
        if producer.state == CLIENT_OPEN and producer.settings.acks == 0 and producer.rate_milli() > 0:
            return "acks=0: no answer tells whether a record was written"
        if producer.state == CLIENT_OPEN and (producer.blocked is not None or not producer.has_room()):
            return "a producer that waits"
        if any(calls.is_retried for calls in producer.calls):
            return "calls that are tried again"
    return ""


def _of_actions(world: World) -> Reason:
    for fact in world.trace.decisive:
        if isinstance(fact, ActionDone) and FORESEEN not in VERBS[fact.verb].traits:
            return "an action that leaves something behind"
    nodes = world.net.nodes
    if world.net.cuts and any(world.net.is_cut(a, b) for a in nodes for b in nodes):
        return "a link that is cut"
    return ""


def _of_calendar(world: World, run: ClusterRun, until_us: int) -> Reason:
    for event in world.sim.calendar.waiting():
        if isinstance(event, UNDER_WAY):
            return f"{type(event).__name__} is under way"
        if isinstance(event, PreferredTask) and event.time <= until_us and _would_move(run):
            return "a preferred election"
    return ""


def _would_move(run: ClusterRun) -> bool:
    """True if the next election of preferred leaders may change one (PREF-1)."""
    image = run.cluster.quorum.image
    found: Iterable[PartitionRegistration | None] = (image.partition(account.p) for account in run.book.accounts)
    return any(one is not None and one.leader != one.replicas[0] and one.replicas[0] in one.isr for one in found)


class CallsSince:
    """The ends of a run's calls since this was made."""

    def __init__(self, world: World) -> None:
        self._run = world.only
        self._then = {key: (len(calls.runs), _in_last(calls)) for key, calls in self._calls().items()}

    def _calls(self) -> dict[tuple[int, int], CallOutcomes]:
        """By partition and producer."""
        return {(int(one.p), int(calls.client)): calls for one in self._run.book.accounts for calls in one.calls}

    def have_failed(self) -> bool:
        """True if some call ended in another way than acknowledged."""
        for key, calls in self._calls().items():
            runs, in_last = self._then.get(key, (0, 0))
            if any(run.outcome != ACKED for run in calls.runs[runs:]):
                return True
            if runs and calls.runs[runs - 1].outcome != ACKED and int(calls.runs[runs - 1].count) != in_last:
                return True
        return False

    def are_acknowledged_everywhere(self) -> bool:
        """True if each producer has had a call acknowledged on each partition that it calls at a rate."""
        known = self._calls()
        for producer in self._run.parts.producers:
            for key in ((int(calls.p), int(producer.number)) for calls in _at_a_rate(producer)):
                calls = known.get(key)
                if calls is None or (len(calls.runs), _in_last(calls)) == self._then.get(key, (0, 0)):
                    return False
        return True


def _in_last(calls: CallOutcomes) -> int:
    return int(calls.runs[-1].count) if calls.runs else 0


def calls_to_come(producer: Producer, until_us: int) -> dict[int, int]:
    """By partition, how many calls a producer makes at its rate from now to ``until_us``, both included."""
    return {int(calls.p): int(calls.due_until(until_us)) for calls in _at_a_rate(producer)}


def _at_a_rate(producer: Producer) -> list[SendCalls]:
    if producer.state != CLIENT_OPEN:
        return []
    return [calls for calls in producer.calls if calls.rate_milli > 0 and not calls.is_over]
