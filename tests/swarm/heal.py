"""The heal phase: stop all faults, bring a core back, and hold the cluster to docs/liveness-bounds.md.

The core is the whole cluster, or some brokers and a majority of the controllers; the others stay down, or cut, for
good (one without a majority: ``frozen``). What cannot come back is excused by computing it from the state, and must
then not come back. Here, under their names: controller_elected, broker_runs, leader_elected, metadata_converges,
ap_resolved, isr_full, logs_converge, write_resolved, reads_drain, reassignment_completes, preferred_returns, no_churn,
fate_total, refused_absent.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import zip_longest
from typing import Final

from simengine.facts.decisive import PartitionChanged
from simengine.facts.kinds import (
    PROCESS_RUNNING,
    PROCESS_STOPPING,
    REASON_ALTER_PARTITION,
    REASON_PREFERRED,
    REASON_UNCLEAN,
    REG_ACTIVE,
)
from simengine.kafka.log.log import Log
from simengine.kafka.replica.replica import COMMITTED, Partition
from simengine.kafka.shared.metadata import PartitionRegistration
from simengine.kafka.shared.standing import is_below_min
from simengine.world.world import World
from tests.checked import checks_of
from tests.invariants.violation import demand
from tests.swarm.client_debts import debts_of_clients
from tests.swarm.deadlines import Deadlines, Debt
from tests.swarm.debts import debts_of_nodes
from tests.swarm.excused import Excused, check_excused
from tests.swarm.frozen import check_frozen, has_majority
from tests.swarm.healed import CONVERGE_US, RECONNECT_US, Core, Healed, slowest_way_us, story_of, where_of
from tests.swarm.healed_clients import check_calls, check_readers, check_writes, look_around, open_calls, stop_traffic

BOOT_US: Final = 3_500_000
STOP_US: Final = 1_000_000
REVIVE_MAX_US: Final = 400_000_000  # a controlled shutdown that nobody answers ends after five minutes
QUIET_US: Final = 60_000_000
STEP_US: Final = 5_000_000
DRAIN_MAX_US: Final = 200_000_000
SETTLE_MAX_US: Final = 60_000_000
SETTLING: Final = ("isr_full", "ap_resolved", "reads_drain")
UNDOES: Final = {"cut": "heal", "pause": "resume", "power-loss": "start"}


def converge(world: World, core: Core) -> None:
    """Heal a run, let it settle, drain it, and check that everything came back that can."""
    healed = Healed(world, core)
    config = world.cluster_parts.config
    at = heal(healed)
    if not has_majority(healed):
        stop_traffic(world)
        check_frozen(healed)
        return
    healed.looks = [Deadlines(partial(debts_of, healed)).look, Excused(healed).look]
    settle = int(BOOT_US + config.session_us + 2 * config.heartbeat_us + RECONNECT_US + config.lag_us)
    healed.run(at + settle // 2)
    while revive(healed) and world.now_us < at + REVIVE_MAX_US:
        healed.run(world.now_us + settle // 2)
    stop_traffic(world)
    ask_for_elections(healed)
    healed.run(world.now_us + settle // 2)
    drain(healed)
    look_around(healed)
    let_settle(healed)
    check_writes(healed)
    check_excused(healed)
    drain(healed)
    let_settle(healed)  # FET-15: what a preferred election brings about is no churn
    quiet_from, refused = world.now_us, refused_fetches(world, healed.brokers)
    healed.run(quiet_from + QUIET_US + healed.preferred_us)
    let_settle(healed, (*SETTLING, "preferred_returns") if healed.preferred_us else SETTLING)  # it may just have joined
    check_controllers(healed)
    check_partitions(healed)
    check_churn(world, quiet_from, refused, healed.brokers)
    check_calls(healed)
    check_readers(healed)


def debts_of(healed: Healed) -> Iterator[Debt]:
    """All that is owed now."""
    yield from debts_of_nodes(healed)
    yield from debts_of_clients(healed)


def last_silence_us(healed: Healed) -> int:
    """The moment at which the last silence ends, if all of them end now; -1 if there was none.

    Links that are cut, processes that are paused and hosts without power send no resets: TCP-1, FLT-4.
    """
    world = healed.world
    nodes = (*world.cluster.brokers, *world.cluster.controllers)
    if world.cluster_parts.net.cuts > 0 or any(node.paused or node.dark for node in nodes):
        return world.now_us
    if healed.left_out and healed.how == "cut":
        return world.now_us
    done = [(at, action.verb) for at, action in world.timeline if at <= world.now_us]
    undone = [verb for _, verb in done if verb in UNDOES]
    return max((at for at, verb in done if any(verb == UNDOES[silence] for silence in undone)), default=-1)


def heal(healed: Healed) -> int:
    """End all faults now, but leave out who is not in the core; returns the time of the heal."""
    world = healed.world
    silent_us = last_silence_us(healed)
    if silent_us >= 0:
        healed.silence_ends(silent_us)
    at = world.now_us + 1
    world.act(at, "heal")
    for broker in world.cluster.brokers:
        world.act(at, f"slow {int(broker.id)} off")
        world.act(at, f"slow {int(broker.id)} serving off")
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
        clients = [c.name for c in (*world.cluster_parts.producers, *world.cluster_parts.consumers)]
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


def ask_for_elections(healed: Healed) -> None:
    """DIR-3: elect brokers with a replaced disk, as an operator does who sees partitions without a leader."""
    world = healed.world
    image = healed.cluster.quorum.image
    leaderless = [r for r in healed.registrations() if r.leader < 0]
    if any(image.directory_of(b) > 0 for r in leaderless for b in healed.candidates(r)):
        world.act(world.now_us + 1, "elect preferred all")  # no action names a partition of Kafka's own topics


def let_settle(healed: Healed, names: tuple[str, ...] = SETTLING) -> None:
    """An election task may have come round just now: leave time for what follows from it.

    The new leader's followers need four round trips (TCP-1); those outside the ISR, and who reads from there, as long
    as is owed to them. ``names``: the properties whose debts are to be paid.
    """
    world = healed.world
    settled_us = CONVERGE_US + 4 * healed.round_trip_us
    end = world.now_us + SETTLE_MAX_US + healed.preferred_us
    while world.now_us < end:
        changes = (fact for fact in world.trace.decisive if isinstance(fact, PartitionChanged))
        changed_at = max((int(change.t) for change in changes), default=0)
        is_owed = any(debt.name in names for debt in debts_of(healed))
        if world.now_us - changed_at >= settled_us and not is_owed:
            return
        healed.run(world.now_us + CONVERGE_US)


def drain(healed: Healed) -> None:
    """Run until every call has ended and every backlog is fetched, at most a delivery timeout and some.

    A slow link brings little at a time: two answers bring more than what one may hold, as batches are whole.
    """
    world = healed.world
    rounds = 2 * healed.backlog() // int(world.cluster_parts.config.fetch_max_records)
    end = world.now_us + DRAIN_MAX_US + rounds * healed.round_trip_us
    while world.now_us < end and (open_calls(world) or healed.backlog()):
        healed.run(world.now_us + STEP_US)


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
        if healed.is_silent_last_known(r):
            healed.excuse()
            continue
        demand(r.leader in healed.brokers, "leader_elected", where_of(r), f"not in the core: {story_of(r)}")
        if healed.is_stuck(healed.leader(r)) or healed.is_unheard(healed.leader(r)):
            healed.excuse()
            continue
        up = [m for m in r.synced() if m in healed.brokers and not healed.has_failed(healed.copy(r, m))]
        demand(sorted(r.isr) == sorted(up), "isr_full", where_of(r), f"{story_of(r)}, up {up}")
        if len(up) == len(r.synced()):
            demand(not (r.adding or r.removing), "reassignment_completes", where_of(r), story_of(r))
        check_preferred(healed, r)
        leader = healed.leader(r)
        demand(leader.pending == COMMITTED, "ap_resolved", where_of(r), story_of(r))
        own = f"epoch {int(leader.epoch)}, cache {leader.log.cache.epochs}"
        demand(leader.log.cache.last() == leader.epoch, "logs_converge", where_of(r), own)  # LOG-2
        if is_below_min(len(r.isr), leader.min_isr):
            healed.excuse()
        if healed.cluster.topics[int(r.topic)].internal:
            continue  # commits go on, and followers are half a second behind (FET-10)
        for member in up:
            check_copy(healed, healed.copy(r, member), leader, where_of(r))


def check_preferred(healed: Healed, r: PartitionRegistration) -> None:
    """preferred_returns: the first replica leads when it is in the ISR (PREF-1, PREF-2)."""
    if healed.preferred_us and r.replicas[0] in r.isr:
        demand(r.leader == r.replicas[0], "preferred_returns", where_of(r), story_of(r))


def check_copy(healed: Healed, copy: Partition, leader: Partition, where: str) -> None:
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
    is_excused = healed.is_mislabelled(copy) or healed.is_mislabelled(leader)
    start = max(int(log.start), int(main.start)) if log.segments is not None else 0  # each removes for itself (LOG-7)
    batches, others = ([b for b in one.batches if b.end > start] for one in (log, main))
    same = len(batches) == len(others) and all(a is b for a, b in zip(batches, others, strict=True))
    demand(same or is_excused, "logs_converge", who, "different batches")
    records, theirs = epochs_from(log, start), epochs_from(main, start)
    demand(records == theirs or is_excused, "logs_converge", who, f"epochs {records} and {theirs}")
    if not is_below_min(len(leader.isr), leader.min_isr) and not healed.is_frozen(leader):
        demand(copy.hw == main.leo, "logs_converge", who, marks)


def epochs_from(log: Log, start: int) -> list[tuple[int, int]]:
    """The entries of an epoch cache from an offset on: epoch and first offset."""
    cache = zip(log.cache.epochs, log.cache.starts, strict=True)
    entries = [(int(epoch), max(int(first), start)) for epoch, first in cache if first < log.leo]
    return [one for i, one in enumerate(entries) if i + 1 == len(entries) or entries[i + 1][1] > start]


def refused_fetches(world: World, leaders: Iterable[int] | None = None) -> int:
    """The number of followers' fetches that some leaders (none named: all) have refused so far (FET-4)."""
    checks = checks_of(world.only)
    refusals = checks.parts.marks.refusals
    return sum(refusals.values()) if leaders is None else sum(refusals.get(leader, 0) for leader in leaders)


def check_churn(world: World, since: int, refused: int, leaders: Iterable[int] | None = None) -> None:
    """no_churn: nothing changes but by the ticks of the election tasks, and no fetch is refused but for such a change.

    Of the leaders in the core, where they are named: two brokers that stay cut off may quarrel for ever.
    """
    changes = [fact for fact in world.trace.decisive if isinstance(fact, PartitionChanged)]
    late = [k for k, change in enumerate(changes) if change.t > since]
    for k in late:
        change = changes[k]
        of_p = [other for other in changes[: k + 1] if other.p == change.p]
        if not follows_election(world, of_p) and not is_overtaken(world, change.p, change.reason):
            demand(False, "no_churn", f"partition {change.p}", str(change.row()))
    more = refused_fetches(world, leaders) - refused
    demand(more == 0 or bool(late), "no_churn", "the followers", f"{more} fetches were refused")


def follows_election(world: World, changes: list[PartitionChanged]) -> bool:
    """True if the last of a partition's changes is an election of one of the tasks, or what its members make of that.

    Those outside join the new leader (ISR-5, UNC-2; seed 7401852), which may complete a reassignment (REA-3); who is
    in needs four round trips to its first fetch (TCP-1), and falls out before where that is longer than L (ISR-2).
    """
    config = world.cluster_parts.config
    is_slow = 8 * slowest_way_us(world) + config.fetch_wait_us > config.lag_us
    newest_first = changes[::-1]
    for change, before in zip_longest(newest_first, newest_first[1:]):
        if change.reason in (REASON_PREFERRED, REASON_UNCLEAN):
            return True
        if change.reason != REASON_ALTER_PARTITION or before is None:
            return False
        if not is_slow and any(m in change.replicas and m not in change.isr for m in before.isr):
            return False
    return False


def is_overtaken(world: World, p: int, reason: int) -> bool:
    """ISR-2: commits go on after the heal, and a follower two of whose fetches take longer than L then falls out."""
    if reason != REASON_ALTER_PARTITION or not world.cluster.topics[world.cluster.partition_names[p][0]].internal:
        return False
    config = world.cluster_parts.config
    return 2 * (2 * slowest_way_us(world) + config.fetch_wait_us) > config.lag_us
