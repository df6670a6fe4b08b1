"""The times in each state of the write path equal those of looking at the servers after every event (section 5)."""

import pytest

from simengine.kafka.replica import LEADER
from simengine.kernel.facts import PROCESS_DOWN, PROCESS_RUNNING, PROCESS_STARTING, PROCESS_STOPPING
from simengine.scenario import load
from simengine.swarm.draw import document_of, draw
from simengine.world import World, build

OPEN, STALLED, REFUSED, LEADERLESS = range(4)


def state_of(world: World, p: int) -> int:
    """The table of section 5, word for word."""
    cluster = world.cluster
    committed = cluster.quorum.image.partition(p)
    assert committed is not None
    if committed.leader < 0:
        return LEADERLESS
    broker = cluster.by_id[int(committed.leader)]
    replica = broker.replica(p)
    serves = broker.process in (PROCESS_RUNNING, PROCESS_STOPPING)  # up, not paused, and its listeners are open
    if not serves or replica is None or replica.role != LEADER or replica.epoch != committed.epoch:
        return LEADERLESS
    clients = world.cluster.net.nodes[len(cluster.brokers) + len(cluster.controllers) :]
    writers = [clients[int(calls.client)] for calls in world.book.account(p).calls]
    net = cluster.net
    if writers and all(net.is_cut(one, broker) or net.is_cut(broker, one) for one in writers):
        return LEADERLESS
    if len(replica.isr) < replica.min_isr:
        return REFUSED
    for remote in replica.remotes:
        member = cluster.by_id[int(remote.broker)]
        is_out = member.process in (PROCESS_DOWN, PROCESS_STARTING) or member.paused or remote.leo < 0
        if remote.in_maximal and (is_out or net.is_cut(member, broker) or net.is_cut(broker, member)):
            return STALLED
    return OPEN


@pytest.mark.parametrize("seed", range(1, 13))
def test_the_states_last_as_long_as_a_look_after_every_event_says(seed: int) -> None:
    world = build(load(document_of(draw(seed))))
    partitions = [int(account.p) for account in world.book.accounts]
    mine = {p: [0, 0, 0, 0] for p in partitions}
    now = dict.fromkeys(partitions, OPEN)
    since = 0
    until = min(world.doc.until_us, 40_000_000)
    while world.now_us < until:
        world.run(until, 1)
        for p in partitions:
            mine[p][now[p]] += world.now_us - since
            now[p] = state_of(world, p)
        since = world.now_us
    for p in partitions:
        account = world.book.account(p)
        opened, stalled, refused, leaderless = (int(account.us_in(state, until)) for state in range(4))
        assert [refused, leaderless] == mine[p][2:], p
        assert opened + stalled == mine[p][OPEN] + mine[p][STALLED], p
        assert stalled >= mine[p][STALLED], p  # also while a high watermark stands: test_recount_times holds how long
