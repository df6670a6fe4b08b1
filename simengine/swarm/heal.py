"""The heal phase: stop all faults, restart everything, and hold the cluster to the liveness properties (section 1.6).

controller_elected, broker_runs, leader_elected, ap_resolved, metadata_converges, isr_full, logs_converge,
write_resolved, reads_drain, no_churn, fate_total, refused_absent.
"""

from typing import Final

from simengine.invariants.violation import demand
from simengine.kafka.broker import Broker
from simengine.kafka.replica import COMMITTED, LEADER, Replica
from simengine.kernel.facts import CLIENT_OPEN, PARTITION_CHANGED, PROCESS_RUNNING, REG_ACTIVE
from simengine.world import World

BOOT_US: Final = 3_500_000
RECONNECT_US: Final = 31_000_000  # a silent cut may be noticed that late (FET-14, TCP-1)
QUIET_US: Final = 12_000_000
STEP_US: Final = 5_000_000
DRAIN_MAX_US: Final = 200_000_000


def heal(world: World) -> int:
    """End all faults now; returns the time of the heal."""
    at = world.now_us + 1
    world.act(at, "heal")
    for broker in world.cluster.brokers:
        name = str(int(broker.id))
        world.act(at, f"slow {name} off")
        if broker.paused:
            world.act(at, f"resume {name}")
        world.act(at, f"start {name}")
    for controller in world.cluster.controllers:
        name = str(int(controller.id))
        if controller.paused:
            world.act(at, f"resume {name}")
        world.act(at, f"start {name}")
    return at


def converge(world: World) -> None:
    """Heal a run, let it settle, drain it, and check that everything came back."""
    config = world.parts.config
    at = heal(world)
    settle = int(BOOT_US + config.session_us + 2 * config.heartbeat_us + RECONNECT_US + config.lag_us)
    world.run(at + settle // 2)
    stop_traffic(world)
    world.run(at + settle)
    drain(world)
    quiet_from = world.now_us
    world.run(quiet_from + QUIET_US)
    check_controllers(world)
    check_partitions(world)
    check_churn(world, quiet_from)
    check_calls(world)
    check_readers(world)


def stop_traffic(world: World) -> None:
    """No more calls."""
    for producer in world.parts.producers:
        if producer.state == CLIENT_OPEN:
            for calls in producer.calls:
                if calls.rate_milli:
                    topic, number = world.cluster.partition_names[int(calls.p)]
                    name = world.cluster.topics[topic].name
                    world.act(world.now_us + 1, f"rate {producer.name} 0 {name}-{number}")


def drain(world: World) -> None:
    """Run until every call has ended, at most a delivery timeout and some."""
    end = world.now_us + DRAIN_MAX_US
    while world.now_us < end and open_calls(world):
        world.run(world.now_us + STEP_US)


def open_calls(world: World) -> int:
    """Calls that have not ended."""
    return sum(int(c.queued + c.in_flight) for producer in world.parts.producers for c in producer.calls)


def check_controllers(world: World) -> None:
    """controller_elected, broker_runs."""
    control = world.cluster.control()
    demand(control is not None, "controller_elected", "the quorum", "no active controller after the heal")
    image = world.cluster.quorum.image
    for broker in world.cluster.brokers:
        state = f"process {int(broker.process)} registration {int(image.broker_state(broker.id))}"
        runs = broker.process == PROCESS_RUNNING and image.broker_state(broker.id) == REG_ACTIVE
        demand(runs, "broker_runs", f"broker {int(broker.id)}", state)


def check_partitions(world: World) -> None:
    """leader_elected, isr_full, metadata_converges, ap_resolved, logs_converge."""
    for r in world.cluster.quorum.image.partitions:
        if r is None:
            continue
        where = f"partition {int(r.p)}"
        story = f"leader {int(r.leader)} E {int(r.epoch)} ISR {r.isr} ELR {r.elr} last {r.last_known} of {r.replicas}"
        if r.leader < 0 and not (r.isr or r.elr or r.last_known):
            continue  # excused: a change of M cleared the last candidates (ELR-7); only an unclean election helps
        demand(r.leader >= 0, "leader_elected", where, story)
        demand(sorted(r.isr) == sorted(r.replicas), "isr_full", where, story)
        leader = replica_of(world.cluster.by_id[int(r.leader)], int(r.p), where)
        demand(leader.role == LEADER and leader.epoch == r.epoch, "metadata_converges", where, story)
        demand(leader.pending == COMMITTED, "ap_resolved", where, story)
        if world.cluster.topics[int(r.topic)].internal:
            continue  # commits go on, and followers are half a second behind (FET-10)
        for member in r.replicas:
            check_copy(replica_of(world.cluster.by_id[member], int(r.p), where), leader, where)


def replica_of(broker: Broker, p: int, where: str) -> Replica:
    """A broker's copy; it must be there."""
    replica = broker.replica(p)
    demand(replica is not None, "metadata_converges", where, f"broker {int(broker.id)} does not host it")
    assert replica is not None, "demanded above"
    return replica


def check_copy(copy: Replica, leader: Replica, where: str) -> None:
    """One copy agrees with the leader in metadata, log, epoch cache and high watermark."""
    who = f"{where} on broker {int(copy.broker.id)}"
    story = f"epoch {int(copy.epoch)} leader {int(copy.leader)} PE {int(copy.pe)}, leader's PE {int(leader.pe)}"
    demand(copy.epoch == leader.epoch and copy.leader == leader.broker.id, "metadata_converges", who, story)
    log, main = copy.log, leader.log
    marks = f"LEO {int(log.leo)} of {int(main.leo)}, HW {int(copy.hw)} of {int(leader.hw)}"
    demand(log.leo == main.leo, "logs_converge", who, marks)
    same = len(log.batches) == len(main.batches) and all(a is b for a, b in zip(log.batches, main.batches, strict=True))
    demand(same, "logs_converge", who, "different batches")
    records = [(e, s) for e, s in zip(log.cache.epochs, log.cache.starts, strict=True) if s < log.leo]
    theirs = [(e, s) for e, s in zip(main.cache.epochs, main.cache.starts, strict=True) if s < main.leo]
    demand(records == theirs, "logs_converge", who, f"epochs {records} and {theirs}")
    if len(leader.isr) >= leader.min_isr:
        demand(copy.hw == main.leo, "logs_converge", who, marks)


def check_churn(world: World, since: int) -> None:
    """no_churn: nothing changes any more (but for a preferred tick)."""
    for fact in reversed(world.trace.decisive):
        if fact.t <= since:
            break
        demand(
            fact.kind != PARTITION_CHANGED or fact.row()[8] == 6,
            "no_churn",
            f"partition {fact.row()[4]}",
            str(fact.row()),
        )


def check_calls(world: World) -> None:
    """write_resolved, fate_total, refused_absent."""
    left = open_calls(world)
    demand(left == 0, "write_resolved", "the producers", f"{left} calls have not ended")
    verdict = world.verdict()
    demand(verdict["balance_ok"] is True, "fate_total", "the verdict", str(verdict["sentence"]))


def check_readers(world: World) -> None:
    """reads_drain: positions reach the high watermark."""
    for consumer in world.parts.consumers:
        if consumer.state != CLIENT_OPEN:
            continue
        for position in consumer.reader().assignment.positions:
            r = world.cluster.quorum.image.partition(position.p)
            if r is None or r.leader < 0 or position.stated < 0 or position.has_thrown:
                continue
            leader = replica_of(world.cluster.by_id[int(r.leader)], int(position.p), "a reader")
            story = f"position {int(position.stated)} HW {int(leader.hw)}"
            where = f"consumer {consumer.name} partition {int(position.p)}"
            demand(position.stated >= leader.hw or leader.hw == 0, "reads_drain", where, story)
