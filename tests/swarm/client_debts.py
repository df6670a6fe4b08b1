"""The debts of clients in a healed cluster: write_resolved of single calls, reads_drain of positions, commits, groups.

What a client cannot do yet because it still looks for brokers outside the core (TCP-1, PC-7) is not owed: a look at it
ends such debts, and ``look_around`` says how long that may go on.
"""

from collections.abc import Iterator
from typing import Final

from simengine.clients.consumer.consumer import Consumer
from simengine.clients.consumer.position import FETCHING, INITIALIZING, REVOKED, Position
from simengine.clients.network.settings import SUBSCRIBED
from simengine.facts.kinds import CLIENT_OPEN
from tests.swarm.deadlines import Debt
from tests.swarm.healed import Healed
from tests.swarm.healed_clients import is_astray, waits_for_silence

CALL_US: Final = 1_000_000
READ_US: Final = 10_000_000
JOIN_MARGIN_US: Final = 5_000_000  # a join is given up so long after max.poll.interval.ms
FIRST_JOIN_US: Final = 3_000_000  # group.initial.rebalance.delay.ms


def debts_of_clients(healed: Healed) -> Iterator[Debt]:
    """The debts to producers, consumers and groups now."""
    yield from debts_of_producers(healed)
    groups: dict[str, list[Consumer]] = {}
    for consumer in healed.world.cluster_parts.consumers:
        if consumer.state != CLIENT_OPEN:
            continue
        if consumer.settings.mode == SUBSCRIBED:
            groups.setdefault(consumer.settings.group, []).append(consumer)
        reader = consumer.reader()
        owed = [
            debt for x in reader.assignment.positions if (debt := debt_of_position(healed, consumer, x)) is not None
        ]
        if owed and not is_astray(healed, reader) and not waits_for_silence(healed, reader):
            yield from owed
    for name, members in groups.items():
        yield from debts_of_group(healed, name, members)


def debts_of_producers(healed: Healed) -> Iterator[Debt]:
    """write_resolved: every call ends within its delivery timeout, whatever became of the brokers (PC-3).

    One in which ``send`` blocks has no batch yet, and may block for max.block.ms before (PC-14).
    """
    for producer in healed.world.cluster_parts.producers:
        if producer.state != CLIENT_OPEN:
            continue
        settings = producer.settings
        bound = int(settings.delivery_timeout_us + settings.linger_us) + CALL_US
        if producer.blocked is not None:
            bound += int(settings.max_block_us)
        for calls in producer.calls:
            left = int(calls.queued + calls.in_flight)
            if left:
                where = f"producer {producer.name} partition {int(calls.p)}"
                yield Debt("write_resolved", where, (int(calls.made),), 0, bound, f"{left} calls have not ended")


def debt_of_position(healed: Healed, consumer: Consumer, position: Position) -> Debt | None:
    """reads_drain: a position is found, then it reaches the high watermark, and the group's commit follows (CON-7).

    The mark is that of the replica it is fetched from, whose own wait for the leader's is owed by that one (FFR-4). A
    commit is a write with acks=all, and waits for the members of its own ISR (CON-6).
    """
    leader = healed.acting_leader(position.p)
    if leader is None or position.state == REVOKED or position.has_thrown:
        return None
    if leader.hw < leader.epoch_start:
        return None  # HW-7, HW-10: hidden while the ISR is below M
    served = healed.cluster.by_id[int(position.preferred)].replica(position.p) if position.preferred >= 0 else None
    offset, hw = int(position.offset), int(leader.hw if served is None else min(served.hw, leader.hw))
    is_read = position.state == FETCHING and offset >= hw
    if is_read and (consumer.settings.auto_commit_us <= 0 or position.commit_stated == offset):
        return None
    commits = consumer.reader().commits
    coordinator = healed.acting_leader(commits.offsets_p) if commits.offsets_p >= 0 else None
    if position.state == INITIALIZING and commits.offsets_p >= 0 and coordinator is None:
        return None  # CON-6: where a new process begins is a commit, which only the leader of the offsets knows
    where = f"consumer {consumer.name} partition {int(position.p)}"
    bound = READ_US + 2 * healed.round_trip_us
    if not is_read:
        cause = ("position", int(position.state), offset, int(leader.epoch))
        story = f"state {int(position.state)} position {offset} HW {hw}"
        return Debt("reads_drain", where, cause, healed.free_us, bound, story)
    if not healed.can_commit(coordinator):
        return None
    bound += int(consumer.settings.auto_commit_us)
    story = f"committed {int(position.commit_stated)} position {offset}"
    return Debt("reads_drain", where, ("commit", offset), healed.free_us, bound, story)


def debts_of_group(healed: Healed, name: str, members: list[Consumer]) -> Iterator[Debt]:
    """reads_drain: every partition that a group reads has one owner among its members.

    A member that is gone holds a rebalance up until its session is over, which begins anew with each coordinator, at
    its election: whoever waits at the one before is told at once (CON-6). The others learn of it with a heartbeat; an
    empty group waits for more; the outcome is written with acks=all. A join that was lost in a silence is given up
    after max.poll.interval.ms and 5 s. The rebalance timeout is no part of this: it is for members that do not join
    although they live, and none here does that.
    """
    readers = [member.reader() for member in members]
    coordinator = healed.acting_leader(readers[0].commits.offsets_p)
    if coordinator is None or not healed.can_commit(coordinator):
        return
    if any(is_astray(healed, reader) or waits_for_silence(healed, reader) for reader in readers):
        return
    settings = members[0].settings
    bound = int(settings.session_timeout_us + settings.heartbeat_us) + FIRST_JOIN_US + READ_US
    bound += 2 * healed.round_trip_us
    since = healed.free_us + int(settings.max_poll_us) + JOIN_MARGIN_US if healed.free_us else 0
    cause = (int(coordinator.broker.id), int(coordinator.epoch), ",".join(member.name for member in members))
    for p in readers[0].assignment.partitions():
        if healed.cluster.quorum.image.partition(p) is None:
            continue  # it was deleted with its topic
        held = [(m.name, m.reader().assignment) for m in members]
        owners = [name for name, has in held if has.has(p) and has.of(p).state != REVOKED]
        if len(owners) != 1:
            where = f"group {name} partition {p}"
            yield Debt("reads_drain", where, cause, since, bound, f"owned by {owners}")
