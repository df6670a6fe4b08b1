"""The heal phase: stop all faults, bring a core back, and hold the cluster to the liveness properties (section 1.6).

The core is the whole cluster, or some brokers and a majority of the controllers; the others stay down, or cut, for
good. What cannot come back is excused by computing it from the state, and must then not come back. Here, under their
names: controller_elected, broker_runs, leader_elected, metadata_converges, ap_resolved, isr_full, logs_converge,
write_resolved, reads_drain, reassignment_completes, preferred_returns, no_churn, fate_total, refused_absent.
"""

from typing import Any, Final

from simengine.invariants.violation import demand
from simengine.kafka.metadata import Registration
from simengine.kafka.replica import COMMITTED, LEADER, Replica
from simengine.kernel.connecting import CONNECTING
from simengine.kernel.facts import (
    CLIENT_OPEN,
    CONFIG_CHANGED,
    ELECTION_LAST_KNOWN,
    PARTITION_CHANGED,
    PROCESS_RUNNING,
    PROCESS_STOPPING,
    REASON_PREFERRED,
    REG_ACTIVE,
)
from simengine.kernel.node import Node
from simengine.verdict.outcomes import REFUSED
from simengine.world import World

BOOT_US: Final = 3_500_000
RECONNECT_US: Final = 31_000_000  # a silent cut may be noticed that late (FET-14, TCP-1)
STOP_US: Final = 1_000_000
REVIVE_MAX_US: Final = 400_000_000  # a controlled shutdown that nobody answers ends after five minutes
QUIET_US: Final = 12_000_000
STEP_US: Final = 5_000_000
DRAIN_MAX_US: Final = 200_000_000
CONVERGE_US: Final = 3_000_000  # metadata_converges: 1.5 s, and what follows from it
PREFERRED_WAIT_MAX_US: Final = 60_000_000  # longer intervals are not waited for
WRITE_US: Final = 10_000_000
LONG_US: Final = 1 << 40
WRITE_SILENT_US: Final = 45_000_000  # a client may first try a silent broker that it takes for the leader (TCP-1)

Core = dict[str, Any]  # brokers, controllers, how the others are left out: "kill" or "cut"


class Healed:
    """A cluster after the heal, and who is in its core."""

    def __init__(self, world: World, core: Core) -> None:
        self.world = world
        self.cluster = world.cluster
        every = [int(b.id) for b in world.cluster.brokers]
        self.brokers = [b for b in every if b in core["brokers"]] or every
        self.controllers = [c for c in [int(c.id) for c in world.cluster.controllers] if c in core["controllers"]]
        self.left_out = [b for b in every if b not in self.brokers]
        self.left_out += [int(c.id) for c in world.cluster.controllers if int(c.id) not in self.controllers]
        self.how = str(core["how"])
        self.is_patient = bool(core.get("is_patient", False))  # wait for a preferred election however long it takes

    @property
    def preferred_us(self) -> int:
        """The interval of preferred elections, 0 when they are off or not waited for."""
        config = self.world.parts.config
        interval = int(config.preferred_interval_us)
        return interval if config.auto_rebalance and (self.is_patient or interval <= PREFERRED_WAIT_MAX_US) else 0

    def registrations(self) -> list[Registration]:
        """The committed state of all partitions."""
        return [r for r in self.cluster.quorum.image.partitions if r is not None]

    def candidates(self, r: Registration) -> list[int]:
        """Who in the core may lead a partition (ELEC-4, ELR-6, UNC-1)."""
        image = self.cluster.quorum.image
        found = [m for m in (r.isr or r.elr) if m in self.brokers]
        if not r.isr and not r.elr:
            found = [m for m in r.last_known if m in self.brokers]
        if not found and image.unclean(r.topic) and self.is_due(r):
            found = [m for m in r.replicas if m in self.brokers]
        return found

    def is_due(self, r: Registration) -> bool:
        """Whether unclean elections have been allowed for as long as their task waits (UNC-2)."""
        key = "unclean.leader.election.enable"
        return self.changed_at(r, key) < self.world.now_us - self.world.parts.config.unclean_interval_us

    def changed_at(self, r: Registration, key: str) -> int:
        """When a setting of a partition's topic was committed last, or long before the run."""
        for fact in reversed(self.world.trace.decisive):
            if fact.kind == CONFIG_CHANGED:
                row = fact.row()
                if row[4] in (-1, int(r.topic)) and str(row[-1]).startswith(key):
                    return int(fact.t)
        return -LONG_US

    def leader(self, r: Registration) -> Replica:
        """The leader's copy; the leader must act."""
        where = where_of(r)
        copy = self.copy(r, int(r.leader))
        demand(copy.role == LEADER and copy.epoch == r.epoch, "metadata_converges", where, story_of(r))
        return copy

    def copy(self, r: Registration, broker: int) -> Replica:
        """A broker's copy; it must be there."""
        replica = self.cluster.by_id[broker].replica(r.p)
        demand(replica is not None, "metadata_converges", where_of(r), f"broker {broker} does not host it")
        assert replica is not None, "demanded above"
        return replica


def where_of(r: Registration) -> str:
    """A partition in words."""
    return f"partition {int(r.p)}"


def story_of(r: Registration) -> str:
    """The committed state of a partition in words."""
    state = f"leader {int(r.leader)} E {int(r.epoch)} ISR {r.isr} ELR {r.elr} last {r.last_known} of {r.replicas}"
    return f"{state} adding {r.adding} removing {r.removing}"


def converge(world: World, core: Core) -> None:
    """Heal a run, let it settle, drain it, and check that everything came back that can."""
    healed = Healed(world, core)
    config = world.parts.config
    at = heal(healed)
    settle = int(BOOT_US + config.session_us + 2 * config.heartbeat_us + RECONNECT_US + config.lag_us)
    world.run(at + settle // 2)
    while revive(healed) and world.now_us < at + REVIVE_MAX_US:
        world.run(world.now_us + settle // 2)
    stop_traffic(world)
    world.run(world.now_us + settle // 2)
    drain(healed)
    check_writes(healed)
    quiet_from = world.now_us
    world.run(quiet_from + QUIET_US + healed.preferred_us)
    let_settle(world)
    check_controllers(healed)
    check_partitions(healed)
    check_churn(world, quiet_from)
    check_calls(healed)
    check_readers(healed)


def heal(healed: Healed) -> int:
    """End all faults now, but leave out who is not in the core; returns the time of the heal."""
    world = healed.world
    at = world.now_us + 1
    world.act(at, "heal")
    for broker in world.cluster.brokers:
        world.act(at, f"slow {int(broker.id)} off")
    for node in (*world.cluster.brokers, *world.cluster.controllers):
        name = str(int(node.id))
        if node.paused:
            world.act(at, f"resume {name}")
        if int(node.id) not in healed.left_out:
            world.act(at, f"start {name}")
            world.act(at + STOP_US, f"start {name}")  # a controller that is just stopping
        elif healed.how == "kill":
            world.act(at, f"kill {name}")
    inside = [str(node) for node in (*healed.brokers, *healed.controllers)]
    if healed.left_out and healed.how == "cut":
        clients = [c.name for c in (*world.parts.producers, *world.parts.consumers)]
        world.act(at + 1, f"cut {','.join(map(str, healed.left_out))}|{','.join((*inside, *clients))}")
    return at


def revive(healed: Healed) -> bool:
    """Start what is down again: it was stopping at the heal, or gave its registration up since (QUO-6)."""
    world = healed.world
    core = [n for n in (*world.cluster.brokers, *world.cluster.controllers) if int(n.id) not in healed.left_out]
    for node in core:
        if not node.up:
            world.act(world.now_us + 1, f"start {int(node.id)}")
    return any(not node.up for node in core) or any(b.process == PROCESS_STOPPING for b in world.cluster.brokers)


def let_settle(world: World) -> None:
    """A preferred election may have happened just now: give metadata its time to converge."""
    changed_at = max((f.t for f in world.trace.decisive if f.kind == PARTITION_CHANGED), default=0)
    if world.now_us - changed_at < CONVERGE_US:
        world.run(world.now_us + CONVERGE_US)


def stop_traffic(world: World) -> None:
    """No more calls."""
    for producer in world.parts.producers:
        if producer.state == CLIENT_OPEN:
            for calls in producer.calls:
                if calls.rate_milli:
                    world.act(world.now_us + 1, f"rate {producer.name} 0 {name_of(world, int(calls.p))}")


def name_of(world: World, p: int) -> str:
    """A partition as documents name it."""
    topic, number = world.cluster.partition_names[p]
    return f"{world.cluster.topics[topic].name}-{number}"


def drain(healed: Healed) -> None:
    """Run until every call has ended and every backlog is fetched, at most a delivery timeout and some."""
    world = healed.world
    end = world.now_us + DRAIN_MAX_US
    while world.now_us < end and (open_calls(world) or has_backlog(healed)):
        world.run(world.now_us + STEP_US)


def has_backlog(healed: Healed) -> bool:
    """Whether a follower of the core is still behind: a slow link brings little at a time, and its ISR may flap."""
    for r in healed.registrations():
        ends = [copy.log.leo for b in healed.brokers if (copy := healed.cluster.by_id[b].replica(r.p)) is not None]
        if r.leader in healed.brokers and ends and min(ends) != max(ends):
            return True
    return False


def open_calls(world: World) -> int:
    """Calls that have not ended."""
    return sum(int(c.queued + c.in_flight) for producer in world.parts.producers for c in producer.calls)


def check_writes(healed: Healed) -> None:
    """write_resolved: where there is a leader and M members, a new call with acks=all succeeds."""
    world = healed.world
    tried: list[tuple[Any, int]] = []
    for producer in world.parts.producers:
        if producer.state != CLIENT_OPEN or producer.settings.acks >= 0 or producer.waits_in_vain():
            continue
        for calls in producer.calls:
            r = world.cluster.quorum.image.partition(calls.p)
            if r is not None and r.leader in healed.brokers and len(r.isr) >= healed.leader(r).min_isr:
                world.act(world.now_us + 1, f"send {producer.name} {name_of(world, int(calls.p))} 1")
                tried.append((producer, int(producer.acked) + sum(other is producer for other, _ in tried) + 1))
    # PROD-12: the requests on one connection are answered one after the other
    most = max((sum(other is producer for other, _ in tried) for producer, _ in tried), default=1)
    world.run(world.now_us + WRITE_US * most + (WRITE_SILENT_US if healed.left_out else 0))
    for producer, expected in tried:
        if waits_for_silence(healed, producer) or producer.waits_in_vain():
            continue
        story = f"{int(producer.acked)} acknowledged, {expected} expected, {open_calls(world)} open"
        demand(producer.acked >= expected, "write_resolved", f"producer {producer.name}", story)


def waits_for_silence(healed: Healed, client: Node) -> bool:
    """Excused: a client that is connecting to some node asks no other for metadata (PC-7, TCP-1).

    Where the leaders that it knows are silent for good, one attempt follows the other, and it may never ask.
    """
    return any(c.state == CONNECTING and int(c.server.id) in healed.left_out for c in client.channels)


def check_controllers(healed: Healed) -> None:
    """controller_elected, broker_runs."""
    control = healed.cluster.control()
    demand(control is not None, "controller_elected", "the quorum", "no active controller after the heal")
    image = healed.cluster.quorum.image
    for b in healed.brokers:
        broker = healed.cluster.by_id[b]
        state = f"process {int(broker.process)} registration {int(image.broker_state(b))}"
        runs = broker.process == PROCESS_RUNNING and image.broker_state(b) == REG_ACTIVE
        demand(runs, "broker_runs", f"broker {b}", state)


def check_partitions(healed: Healed) -> None:
    """leader_elected, isr_full, metadata_converges, ap_resolved, logs_converge, and the rest of one partition."""
    for r in healed.registrations():
        if r.leader < 0:
            demand(not healed.candidates(r), "leader_elected", where_of(r), story_of(r))
            excuse(healed)
            continue
        if is_silent_last_known(healed, r):
            excuse(healed)
            continue
        demand(r.leader in healed.brokers, "leader_elected", where_of(r), f"not in the core: {story_of(r)}")
        up = [m for m in r.synced() if m in healed.brokers]
        demand(sorted(r.isr) == sorted(up), "isr_full", where_of(r), f"{story_of(r)}, up {up}")
        if len(up) == len(r.synced()):
            demand(not (r.adding or r.removing), "reassignment_completes", where_of(r), story_of(r))
        check_preferred(healed, r)
        leader = healed.leader(r)
        demand(leader.pending == COMMITTED, "ap_resolved", where_of(r), story_of(r))
        if len(r.isr) < leader.min_isr:
            excuse(healed)
        if healed.cluster.topics[int(r.topic)].internal:
            continue  # commits go on, and followers are half a second behind (FET-10)
        for member in up:
            check_copy(healed, healed.copy(r, member), leader, where_of(r))


def excuse(healed: Healed) -> None:
    """A partition cannot come back: nobody who may lead it, or fewer than M members, are in the core."""
    checks = healed.world.checks
    assert checks is not None, "the swarm runs with checks"
    checks.parts.marks.add("excused partition")


def check_preferred(healed: Healed, r: Registration) -> None:
    """preferred_returns: the first replica leads when it is in the ISR (PREF-1, PREF-2)."""
    if healed.preferred_us and r.replicas[0] in r.isr:
        demand(r.leader == r.replicas[0], "preferred_returns", where_of(r), story_of(r))


def is_mislabelled(healed: Healed, copy: Replica) -> bool:
    """Whether the epochs in a copy's cache may begin at wrong offsets (LOG-3, REG-5)."""
    checks = healed.world.checks
    assert checks is not None, "the swarm runs with checks"
    return bool(checks.parts.logs.shadow(copy).is_mislabelled)


def check_copy(healed: Healed, copy: Replica, leader: Replica, where: str) -> None:
    """One copy agrees with the leader in metadata, log, epoch cache and high watermark."""
    who = f"{where} on broker {int(copy.broker.id)}"
    story = f"epoch {int(copy.epoch)} leader {int(copy.leader)} PE {int(copy.pe)}, leader's PE {int(leader.pe)}"
    agrees = copy.epoch == leader.epoch and copy.leader == leader.broker.id and copy.pe == leader.pe
    demand(agrees, "metadata_converges", who, story)
    log, main = copy.log, leader.log
    marks = f"LEO {int(log.leo)} of {int(main.leo)}, HW {int(copy.hw)} of {int(leader.hw)}"
    demand(log.leo == main.leo, "logs_converge", who, marks)
    same = len(log.batches) == len(main.batches) and all(a is b for a, b in zip(log.batches, main.batches, strict=True))
    demand(same, "logs_converge", who, "different batches")
    records = [(e, s) for e, s in zip(log.cache.epochs, log.cache.starts, strict=True) if s < log.leo]
    theirs = [(e, s) for e, s in zip(main.cache.epochs, main.cache.starts, strict=True) if s < main.leo]
    # LOG-3, REG-5: who led again in its old epoch after a power failure may label what it fetches then from there on
    is_excused = is_mislabelled(healed, copy) or is_mislabelled(healed, leader)
    demand(records == theirs or is_excused, "logs_converge", who, f"epochs {records} and {theirs}")
    if len(leader.isr) >= leader.min_isr and not is_frozen(healed, leader):
        demand(copy.hw == main.leo, "logs_converge", who, marks)


def is_frozen(healed: Healed, leader: Replica) -> bool:
    """HW-9: M was lowered after everything that moves a high watermark; it waits for the next append."""
    r = healed.cluster.quorum.image.partition(leader.p)
    assert r is not None, "it leads"
    changed_at = healed.changed_at(r, "min.insync.replicas") + CONVERGE_US
    appended_at = int(leader.log.batches[-1].time) if leader.log.batches else 0
    return leader.hw < leader.log.leo and appended_at < changed_at


def is_silent_last_known(healed: Healed, r: Registration) -> bool:
    """KAFKA-19522: 4.0 elects a last-known leader that is fenced, and then waits for it (ELR-6)."""
    if healed.cluster.config.last_known_must_be_active or r.leader in healed.brokers:
        return False
    changes = [fact.row() for fact in healed.world.trace.decisive if fact.kind == PARTITION_CHANGED]
    last = next(row for row in reversed(changes) if row[4] == int(r.p) and row[5] == int(r.leader) and row[9] != 0)
    return last[9] == ELECTION_LAST_KNOWN


def check_churn(world: World, since: int) -> None:
    """no_churn: nothing changes any more, but for a preferred tick."""
    for fact in reversed(world.trace.decisive):
        if fact.t <= since:
            break
        row = fact.row()
        is_churn = fact.kind == PARTITION_CHANGED and row[8] != REASON_PREFERRED
        demand(not is_churn, "no_churn", f"partition {row[4]}", str(row))


def check_calls(healed: Healed) -> None:
    """write_resolved, fate_total, refused_absent."""
    world = healed.world
    waiting = [p for p in world.parts.producers if not waits_for_silence(healed, p) and not p.waits_in_vain()]
    left = sum(int(c.queued + c.in_flight) for producer in waiting for c in producer.calls)
    demand(left == 0, "write_resolved", "the producers", f"{left} calls have not ended")
    verdict = world.verdict()
    demand(verdict["balance_ok"] is True, "fate_total", "the verdict", str(verdict["sentence"]))
    for broker in world.cluster.brokers:
        for copy in broker.hosted:
            check_refused(world, copy)


def check_refused(world: World, copy: Replica) -> None:
    """refused_absent: what no broker can have appended stands in no log, on no disk."""
    refused = {
        (int(calls.client), n)
        for calls in world.book.account(copy.p).calls
        for run in calls.runs
        if run.outcome == REFUSED
        for n in range(int(run.n), int(run.n + run.count))
    }
    for batch in copy.log.batches if refused else []:
        for n in range(int(batch.n), int(batch.n + batch.count)):
            where = f"partition {int(copy.p)} on broker {int(copy.broker.id)}"
            story = f"call {n} of client {int(batch.client)} was refused, and stands at {int(batch.base)}"
            demand((int(batch.client), n) not in refused, "refused_absent", where, story)


def check_readers(healed: Healed) -> None:
    """reads_drain: positions reach the high watermark, and nothing is asked of a leader that is not there."""
    world = healed.world
    for consumer in world.parts.consumers:
        if consumer.state != CLIENT_OPEN or waits_for_silence(healed, consumer):
            continue
        for position in consumer.reader().assignment.positions:
            r = world.cluster.quorum.image.partition(position.p)
            if r is None or r.leader < 0 or position.stated < 0 or position.has_thrown:
                continue
            leader = healed.leader(r)
            if leader.hw < leader.epoch_start:
                continue  # HW-7, HW-10: hidden while the ISR is below M
            story = f"position {int(position.stated)} HW {int(leader.hw)}"
            where = f"consumer {consumer.name} partition {int(position.p)}"
            demand(position.stated >= leader.hw or leader.hw == 0, "reads_drain", where, story)
