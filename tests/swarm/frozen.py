"""A core without a majority of the voters: nothing that needs a controller happens any more (QUO-6, QUO-3).

Property: frozen_without_quorum. No record is committed; where a leader and all whom it counts on run on, produce goes
on; where one of them is gone, or nobody leads, nothing is acknowledged under acks=all and no high watermark moves. The
first are written to before the others: on one connection a request that waits in vain holds up all others (PROD-12).
"""

from typing import Final

from simengine.clients.producer.producer import Producer
from simengine.facts.kinds import CLIENT_OPEN, PROCESS_DOWN, PROCESS_RUNNING
from simengine.kafka.replica.replica import FOLLOWER, LEADER, NOBODY
from simengine.kafka.shared.metadata import PartitionRegistration
from simengine.kafka.shared.standing import is_below_min
from simengine.verdict.outcomes import ACKED
from tests.checked import checks_of
from tests.invariants.violation import demand
from tests.swarm.healed import Healed, story_of, where_of
from tests.swarm.healed_clients import has_few_retries, is_astray, is_too_hasty, name_of

NAME: Final = "frozen_without_quorum"
MARK: Final = "core without a majority of the voters (QUO-6)"
SETTLE_US: Final = 75_000_000  # a leader of the quorum resigns (QUO-3); requests that were on their way have timed out
TRY_US: Final = 45_000_000


def has_majority(healed: Healed) -> bool:
    """True if the core's controllers are more than half of all voters."""
    return 2 * len(healed.controllers) > len(healed.cluster.controllers)


def check_frozen(healed: Healed) -> None:
    """Let the controllers give up, write where produce goes on, then everywhere else, and see what comes of it.

    Raises Violation.
    """
    world = healed.world
    checks = checks_of(world.only)
    checks.parts.marks.add(MARK)
    healed.run(world.now_us + SETTLE_US)
    quorum = healed.cluster.quorum
    known = len(quorum.log)
    demand(quorum.active is None or quorum.active.control is None, NAME, "the quorum", "somebody is active")
    shut = [r for r in healed.registrations() if not goes_on(healed, r) and is_over(healed, r)]
    before = {int(r.p): standing(healed, r) for r in shut}
    tried = write_on(healed)
    healed.run(world.now_us + TRY_US)
    for producer, expected in tried:
        story = f"{int(producer.acked)} acknowledged, {expected} expected"
        demand(producer.acked >= expected, NAME, f"producer {producer.name}", story)
    write_in_vain(healed)
    healed.run(world.now_us + TRY_US)
    demand(len(quorum.log) == known, NAME, "the quorum", f"{len(quorum.log) - known} records were committed")
    for r in shut:
        story = f"mark, acknowledged {before[int(r.p)]} -> {standing(healed, r)}, {story_of(r)}"
        demand(standing(healed, r) == before[int(r.p)], NAME, where_of(r), story)


def goes_on(healed: Healed, r: PartitionRegistration) -> bool:
    """True if a partition's leader acts, and all whom it counts on copy from it (HW-1, HW-2)."""
    leader = healed.cluster.by_id[int(r.leader)].replica(r.p) if r.leader >= 0 else None
    if leader is None or leader.role != LEADER or leader.epoch != r.epoch or not is_up(healed, int(r.leader)):
        return False
    if is_below_min(len(leader.isr), leader.min_isr) or healed.is_stuck(leader):
        return False
    for m in leader.maximal_isr:
        copy = healed.cluster.by_id[m].replica(r.p)
        if m == r.leader:
            continue
        if copy is None or copy.role != FOLLOWER or copy.fetched_from == NOBODY or not is_up(healed, m):
            return False
        if not healed.follows(r, copy):
            return False
    return True


def is_over(healed: Healed, r: PartitionRegistration) -> bool:
    """True if nobody takes itself for a partition's leader, or each who does counts on somebody who is gone.

    Who has not heard that it leads no more is told by nobody now, and goes on with its members: also with one that was
    started anew and waits for its registration (REG-5), until that gives up.
    """
    alive = [b for b in healed.brokers if not is_gone(healed, b)]
    copies = [copy for b in alive if (copy := healed.cluster.by_id[b].replica(r.p)) is not None]
    return all(any(is_gone(healed, m) for m in copy.isr) for copy in copies if copy.role == LEADER)


def is_up(healed: Healed, broker: int) -> bool:
    """True if a broker's process serves."""
    return bool(healed.cluster.by_id[broker].process == PROCESS_RUNNING)


def is_gone(healed: Healed, broker: int) -> bool:
    """True if a broker has no process."""
    return bool(healed.cluster.by_id[broker].process == PROCESS_DOWN)


def standing(healed: Healed, r: PartitionRegistration) -> tuple[int, int]:
    """The highest high watermark of a partition, and how many calls with acks=all are acknowledged."""
    copies = [healed.cluster.by_id[b].replica(r.p) for b in r.replicas]
    runs = [run for calls in healed.world.book.account(int(r.p)).calls for run in calls.runs if run.outcome == ACKED]
    mark = max((int(copy.hw) for copy in copies if copy is not None), default=0)
    return mark, sum(int(run.count) for run in runs if run.acks < 0)


def writers(healed: Healed) -> list[Producer]:
    """The producers that write with acks=all."""
    every = healed.world.cluster_parts.producers
    return [p for p in every if p.state == CLIENT_OPEN and p.settings.acks < 0]


def write_on(healed: Healed) -> list[tuple[Producer, int]]:
    """Make a call wherever produce goes on; the producers that must have so many acknowledged by then.

    Not those that may have to look for the leader first: it may be that nobody whom they know is there to tell (PC-7).
    """
    world = healed.world
    is_silent = any(broker.dark or broker.paused for broker in healed.cluster.brokers)
    tried: list[tuple[Producer, int]] = []
    for producer in writers(healed):
        able = not is_silent and must_get_through(healed, producer)
        expected = int(producer.acked)
        for calls in producer.calls:
            r = world.cluster.quorum.image.partition(calls.p)
            if r is not None and goes_on(healed, r):
                world.act(world.now_us + 1, f"send {producer.name} {name_of(world, int(calls.p))} 1")
                expected += int(knows_leader(producer, r) and not is_held_up(healed, producer, r))
        if able and expected > producer.acked:
            tried.append((producer, expected))
    return tried


def write_in_vain(healed: Healed) -> None:
    """Make a call on every partition where produce does not go on."""
    world = healed.world
    for producer in writers(healed):
        for calls in producer.calls:
            r = world.cluster.quorum.image.partition(calls.p)
            if r is not None and not goes_on(healed, r):
                world.act(world.now_us + 1, f"send {producer.name} {name_of(world, int(calls.p))} 1")


def knows_leader(producer: Producer, r: PartitionRegistration) -> bool:
    """True if a producer sends to the leader of a partition."""
    sender = producer.sender()
    return sender is not None and bool(sender.metadata.leaders[int(r.p)] == r.leader)


def is_held_up(healed: Healed, producer: Producer, r: PartitionRegistration) -> bool:
    """PROD-12: whether older calls of a producer wait in vain on the connection to a partition's leader.

    The request that they are in is answered after 30 s, as the client gives up those behind it, which were sent at the
    same time; and so again with their next attempts (open point 4; seeds 7101771, 7102344).
    """
    image = healed.cluster.quorum.image
    sender = producer.sender()
    for calls in producer.calls:
        other = image.partition(calls.p)
        if other is None or sender is None or sender.metadata.leaders[int(calls.p)] != r.leader:
            continue
        if calls.queued + calls.in_flight and not goes_on(healed, other):
            return True
    return False


def must_get_through(healed: Healed, producer: Producer) -> bool:
    """True if a producer's calls to leaders that go on have no excuse to fail."""
    sender = producer.sender()
    if sender is None or is_astray(healed, sender) or has_few_retries(producer):
        return False
    return not producer.is_stuck_out_of_order() and not is_too_hasty(healed, producer)
