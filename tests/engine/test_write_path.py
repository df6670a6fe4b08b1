"""The times in each state of the write path equal those of looking at the servers after every event (STOP-1)."""

import pytest

from simengine.facts.kinds import PROCESS_DOWN, PROCESS_RUNNING, PROCESS_STARTING, PROCESS_STOPPING
from simengine.scenario import load
from simengine.verdict.account import PartitionCounters
from simengine.verdict.outage import NEVER, THETA_US
from simengine.verdict.write_path import leader_of
from simengine.world.world import World, build
from tests.swarm.draw import document_of, draw

OPEN, STALLED, REFUSED, LEADERLESS = range(4)


def state_of(world: World, p: int) -> int:
    """STOP-1, STOP-2: the table of states, links between brokers and clients left aside."""
    cluster = world.cluster
    account = world.book.account(p)
    replica = (
        account.serving() if account.commits is not None else leader_of(cluster, p)
    )  # groups commit where they can
    if replica is None:
        return LEADERLESS
    broker = cluster.by_id[int(replica.broker.id)]
    is_up = broker.process in (PROCESS_RUNNING, PROCESS_STOPPING)
    if not is_up or not broker.listening:  # not paused; one that stops before it has started never listened
        return LEADERLESS
    net = cluster.net
    if len(replica.isr) < replica.min_isr:
        return REFUSED
    for remote in replica.remotes:
        member = cluster.by_id[int(remote.broker)]
        is_out = member.process in (PROCESS_DOWN, PROCESS_STARTING) or member.paused or remote.leo < 0
        if remote.in_maximal_isr and (is_out or net.is_cut(member, broker) or net.is_cut(broker, member)):
            return STALLED
    return OPEN


class Watched:
    """The state of a partition's servers and of its leader's high watermark, noted after every event."""

    def __init__(self, start: int, until: int) -> None:
        self.until = until
        self.stretches: list[tuple[int, int, int]] = []  # since us, state of the servers, since when the HW stands
        self.epoch = self.hw = -1
        self.stands = start  # us; NEVER where it stands below no record

    def look(self, world: World, p: int) -> None:
        leader = leader_of(world.cluster, p)
        if leader is not None:
            is_moved = (int(leader.epoch), int(leader.hw)) != (self.epoch, self.hw)
            self.epoch, self.hw = int(leader.epoch), int(leader.hw)
            if leader.hw >= leader.log.leo:
                self.stands = NEVER
            elif is_moved or self.stands == NEVER:
                self.stands = world.now_us
        found = (state_of(world, p), self.stands)
        if not self.stretches or self.stretches[-1][1:] != found:
            self.stretches.append((world.now_us, *found))

    def states(self) -> list[tuple[int, int, int]]:
        """(since, until, state): open stretches are stalled while the high watermark stands for longer than theta."""
        ends = [since for since, _, _ in self.stretches[1:]] + [self.until]
        found = []
        for (since, state, stands), end in zip(self.stretches, ends, strict=True):
            is_stalled = state == OPEN and end - stands > THETA_US
            found.append((since, end, STALLED if is_stalled else state))
        return found

    def us_in(self) -> list[int]:
        us = [0, 0, 0, 0]
        for since, end, state in self.states():
            us[state] += end - since
        return us

    def out_us(self) -> int:
        """The stretches without a moment in which it was open, those longer than theta."""
        total = length = 0
        for since, end, state in [*self.states(), (0, 0, OPEN)]:
            if state != OPEN:
                length += end - since
            elif end > since or not end:
                total += length if length > THETA_US else 0
                length = 0
        return total


def passes_within_an_event(account: PartitionCounters) -> bool:
    """True if it was open for an instant only: a high watermark that passes ends a stop, and nobody can look then."""
    ends = [since for since, _, _ in account.states[1:]]
    return any(since == end and state == OPEN for (since, state, _), end in zip(account.states, ends, strict=False))


@pytest.mark.parametrize("seed", [*range(1, 13), 73, 260, 262])
def test_the_states_last_as_long_as_a_look_after_every_event_says(seed: int) -> None:
    world = build(load(document_of(draw(seed))))
    until = min(world.doc.until_us, 40_000_000)
    watched = {int(account.p): Watched(0, until) for account in world.book.accounts}
    for p, one in watched.items():
        one.look(world, p)
    while world.now_us < until:
        world.run(until, 1)
        for p, one in watched.items():
            one.look(world, p)
    for p, one in watched.items():
        account = world.book.account(p)
        assert [int(account.us_in(state, until)) for state in range(4)] == one.us_in(), p
        if not passes_within_an_event(account):
            assert int(account.out_all.us(until)) == one.out_us(), p
