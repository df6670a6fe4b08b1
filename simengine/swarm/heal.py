"""The heal phase: stop all faults, bring a core back, and hold the cluster to the liveness properties (section 1.6).

The core is the whole cluster, or some brokers and a majority of the controllers; the others stay down, or cut, for
good. What cannot come back is excused by computing it from the state, and must then not come back. Here, under their
names: controller_elected, broker_runs, leader_elected, metadata_converges, ap_resolved, isr_full, logs_converge,
write_resolved, reads_drain, reassignment_completes, preferred_returns, no_churn, fate_total, refused_absent.
"""

from typing import Final

from simengine.invariants.violation import demand
from simengine.kafka.metadata import Registration
from simengine.kafka.replica import COMMITTED, FOLLOWER, Replica
from simengine.kernel.facts import (
    ELECTION_LAST_KNOWN,
    PARTITION_CHANGED,
    PROCESS_RUNNING,
    PROCESS_STOPPING,
    REASON_ALTER_PARTITION,
    REASON_PREFERRED,
    REG_ACTIVE,
)
from simengine.swarm.healed import Core, Healed, story_of, where_of
from simengine.swarm.healed_clients import (
    check_calls,
    check_readers,
    check_writes,
    look_around,
    open_calls,
    stop_traffic,
)
from simengine.world import World

BOOT_US: Final = 3_500_000
RECONNECT_US: Final = 31_000_000  # a silent cut may be noticed that late (FET-14, TCP-1)
STOP_US: Final = 1_000_000
REVIVE_MAX_US: Final = 400_000_000  # a controlled shutdown that nobody answers ends after five minutes
QUIET_US: Final = 12_000_000
STEP_US: Final = 5_000_000
DRAIN_MAX_US: Final = 200_000_000
CONVERGE_US: Final = 3_000_000  # metadata_converges: 1.5 s, and what follows from it
SETTLE_TIMES: Final = 5


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
    look_around(healed)
    let_settle(world)
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
    """Start what is down again: it was stopping at the heal, or gave its registration up since (QUO-6).

    True as long as somebody is down, is stopping, or may still give up.
    """
    world = healed.world
    core = [n for n in (*world.cluster.brokers, *world.cluster.controllers) if int(n.id) not in healed.left_out]
    for node in core:
        if not node.up:
            world.act(world.now_us + 1, f"start {int(node.id)}")
    comes_up = any(world.cluster.by_id[b].process != PROCESS_RUNNING for b in healed.brokers)
    is_stopping = any(b.process == PROCESS_STOPPING for b in world.cluster.brokers)
    return comes_up or is_stopping or any(not node.up for node in core)


def let_settle(world: World) -> None:
    """Preferred elections may have happened just now: give metadata its time to converge."""
    for _ in range(SETTLE_TIMES):
        changed_at = max((f.t for f in world.trace.decisive if f.kind == PARTITION_CHANGED), default=0)
        if world.now_us - changed_at >= CONVERGE_US:
            return
        world.run(world.now_us + CONVERGE_US)


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
            healed.excuse()
            continue
        if is_silent_last_known(healed, r):
            healed.excuse()
            continue
        demand(r.leader in healed.brokers, "leader_elected", where_of(r), f"not in the core: {story_of(r)}")
        if is_stuck(healed, healed.leader(r)):
            healed.excuse()
            continue
        up = [m for m in r.synced() if m in healed.brokers and not has_failed(healed, healed.copy(r, m))]
        demand(sorted(r.isr) == sorted(up), "isr_full", where_of(r), f"{story_of(r)}, up {up}")
        if len(up) == len(r.synced()):
            demand(not (r.adding or r.removing), "reassignment_completes", where_of(r), story_of(r))
        check_preferred(healed, r)
        leader = healed.leader(r)
        demand(leader.pending == COMMITTED, "ap_resolved", where_of(r), story_of(r))
        own = f"epoch {int(leader.epoch)}, cache {leader.log.cache.epochs}"
        demand(leader.log.cache.last() == leader.epoch, "logs_converge", where_of(r), own)  # LOG-2
        if len(r.isr) < leader.min_isr:
            healed.excuse()
        if healed.cluster.topics[int(r.topic)].internal:
            continue  # commits go on, and followers are half a second behind (FET-10)
        for member in up:
            check_copy(healed, healed.copy(r, member), leader, where_of(r))


def check_preferred(healed: Healed, r: Registration) -> None:
    """preferred_returns: the first replica leads when it is in the ISR (PREF-1, PREF-2)."""
    if healed.preferred_us and r.replicas[0] in r.isr:
        demand(r.leader == r.replicas[0], "preferred_returns", where_of(r), story_of(r))


def is_mislabelled(healed: Healed, copy: Replica) -> bool:
    """Whether the epochs in a copy's cache may begin at wrong offsets (LOG-3, REG-5)."""
    checks = healed.world.checks
    assert checks is not None, "the swarm runs with checks"
    return bool(checks.parts.logs.shadow(copy).is_mislabelled)


def is_stuck(healed: Healed, leader: Replica) -> bool:
    """LOG-3, LOG-8, REG-5, TRUNC-3: a follower of a log with wrong epoch starts cuts what it just fetched, for ever."""
    log = leader.log
    return is_mislabelled(healed, leader) and any(log.epoch_at(batch.base) != batch.epoch for batch in log.batches)


def has_failed(healed: Healed, copy: Replica) -> bool:
    """LOG-3, REG-5, FET-3: a copy that has lost its epochs was sent what it cannot append, and fetches no more."""
    return copy.role == FOLLOWER and copy.fetcher is None and is_mislabelled(healed, copy)


def check_copy(healed: Healed, copy: Replica, leader: Replica, where: str) -> None:
    """One copy agrees with the leader in metadata, log, epoch cache and high watermark."""
    who = f"{where} on broker {int(copy.broker.id)}"
    story = f"epoch {int(copy.epoch)} leader {int(copy.leader)} PE {int(copy.pe)}, leader's PE {int(leader.pe)}"
    agrees = copy.epoch == leader.epoch and copy.leader == leader.broker.id and copy.pe == leader.pe
    demand(agrees, "metadata_converges", who, story)
    log, main = copy.log, leader.log
    marks = f"LEO {int(log.leo)} of {int(main.leo)}, HW {int(copy.hw)} of {int(leader.hw)}"
    demand(log.leo == main.leo, "logs_converge", who, marks)
    # LOG-3, REG-5: who led again in its old epoch after a power failure may label what it fetches then from there on,
    # and where the epochs begin at wrong offsets nobody finds a fork (TRUNC-2)
    is_excused = is_mislabelled(healed, copy) or is_mislabelled(healed, leader)
    same = len(log.batches) == len(main.batches) and all(a is b for a, b in zip(log.batches, main.batches, strict=True))
    demand(same or is_excused, "logs_converge", who, "different batches")
    records = [(e, s) for e, s in zip(log.cache.epochs, log.cache.starts, strict=True) if s < log.leo]
    theirs = [(e, s) for e, s in zip(main.cache.epochs, main.cache.starts, strict=True) if s < main.leo]
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
        if (
            fact.kind == PARTITION_CHANGED
            and row[8] != REASON_PREFERRED
            and not is_overtaken(world, int(str(row[4])), int(str(row[8])))
        ):
            demand(False, "no_churn", f"partition {row[4]}", str(row))


def is_overtaken(world: World, p: int, reason: int) -> bool:
    """ISR-2: commits go on after the heal, and a follower two of whose fetches take longer than L then falls out."""
    if reason != REASON_ALTER_PARTITION or not world.cluster.topics[world.cluster.partition_names[p][0]].internal:
        return False
    network, config = world.doc.network, world.parts.config
    ways = [(network.latency_us, network.jitter_us), *((k.latency_us, k.jitter_us) for k in network.links)]
    slowest = max((latency or 0) + (network.jitter_us if jitter is None else jitter) for latency, jitter in ways)
    return 2 * (2 * slowest + config.fetch_wait_us) > config.lag_us
