"""Whether a run is at rest: until its horizon nothing can come but the steady traffic of its clients.

Then the figures of its verdict are known, and the run need not go on to its horizon. ``unrest`` is the rule. It asks
for no silence of some seconds, but whether anything is under way: in the calendar, at the controller, in a process, in
a replica, in a group, in a call. What it cannot foresee is no rest: random faults, retention, MirrorMaker, several
clusters, slow machines, messages that somebody holds, delays as long as a timeout.
"""

from collections.abc import Iterable
from typing import Final

from simengine.clients.producer import Producer
from simengine.cluster_run import ClusterRun
from simengine.controller_process import ControllerStarts, ControllerStops
from simengine.facts.decisive import ActionDone
from simengine.facts.kinds import CLIENT_OPEN, PROCESS_DOWN, PROCESS_RUNNING, REG_ACTIVE, REG_SHUTTING_DOWN
from simengine.kafka.admin import AdminRetry
from simengine.kafka.broker import Boot, Broker
from simengine.kafka.cluster import Activated
from simengine.kafka.control_tasks import CommitTask, PreferredTask
from simengine.kafka.directories import AssignmentTimer
from simengine.kafka.isr import AlterRetry
from simengine.kafka.lifecycle import RUNNING
from simengine.kafka.metadata import Registration
from simengine.kafka.quorum import Resignation
from simengine.kafka.replica import LEADER, Replica
from simengine.scenario.actions import parse
from simengine.scheduled import ActionEvent
from simengine.standing import OPEN
from simengine.verdict.account import Account
from simengine.verdict.outage import THETA_US
from simengine.world import World

Reason = str  # why a run is not at rest; "": it is

SLACK_US: Final = 1_000_000
"""So much later than it has to come anything may come. Timeouts are at least so much longer than what they wait for."""

DELAY_US_MAX: Final = 100_000
"""Longest one-way delay at which ``SLACK_US`` is long: an acks=all write takes some ten of them."""

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
"""Events after which the cluster is another one. Periodic looks, traffic and timers of peers are not among them."""

FORESEEN: Final = frozenset(
    "kill stop start pause resume kill-rack start-rack power-loss kill-site start-site cut heal acks rate open close "
    "elect reassign config send".split()
)
"""Verbs of actions whose end this rule sees. Others leave something behind that it does not look at."""


def unrest(world: World, until_us: int) -> Reason:
    """Why something but steady traffic may come before ``until_us``; "" where nothing can."""
    if len(world.runs) != 1 or world.mirrors.processes or world.moves.joined:
        return "clusters and MirrorMaker"
    run = world.only
    reason = _of_document(run) or _of_processes(run) or _of_partitions(run, world.now_us)
    return reason or _of_clients(run) or _of_actions(world) or _of_calendar(world, run, until_us)


def is_drained(world: World) -> bool:
    """Whether every call has ended, every copy is full, and nothing can come: the run's figures are its last ones."""
    if unrest(world, world.now_us):
        return False
    accounts = world.only.book.accounts
    return not any(calls.waits.open() for account in accounts for calls in account.calls)


def _of_document(run: ClusterRun) -> Reason:
    doc = run.doc
    delays = [doc.network.latency_us + doc.network.jitter_us]
    for link in doc.network.links:
        jitter = doc.network.jitter_us if link.jitter_us is None else link.jitter_us
        delays.append(jitter + (doc.network.latency_us if link.latency_us is None else link.latency_us))
    if doc.faults is not None:
        return "random faults"
    return "long delays" if max(delays) > DELAY_US_MAX else ""


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


def _is_whole(account: Account, registration: Registration, alive: set[int], now: int) -> bool:
    """Whether a partition is written and read, and every living replica of it is in sync and fetches."""
    leader = account.leader()
    if leader is None or leader.role != LEADER or leader.log.segments is not None:
        return False
    living = {broker for broker in registration.replicas if broker in alive} - set(registration.observers)
    if set(registration.isr) != living or set(leader.maximal) != living or set(leader.isr) != living:
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


def _is_fetched(leader: Replica, living: set[int], now: int) -> bool:
    """Whether each living follower was level with its leader a moment ago."""
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
            return "acks=0, of whose records nobody hears"
        if producer.state == CLIENT_OPEN and (producer.blocked is not None or not producer.has_room()):
            return "a producer that waits"
        if any(calls.is_retried for calls in producer.calls):
            return "calls that are tried again"
    return ""


def _of_actions(world: World) -> Reason:
    for fact in world.trace.decisive:
        if isinstance(fact, ActionDone) and parse(fact.text).verb not in FORESEEN:
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
    """Whether the next election of preferred leaders may change one (PREF-1)."""
    image = run.cluster.quorum.image
    found: Iterable[Registration | None] = (image.partition(account.p) for account in run.book.accounts)
    return any(one is not None and one.leader != one.replicas[0] and one.replicas[0] in one.isr for one in found)


def calls_to_come(producer: Producer, until_us: int) -> dict[int, int]:
    """By partition, how many calls a producer makes at its rate from now to ``until_us``, both included."""
    if producer.state != CLIENT_OPEN:
        return {}
    return {int(calls.p): int(calls.due_until(until_us)) for calls in producer.calls if calls.rate_milli > 0}
