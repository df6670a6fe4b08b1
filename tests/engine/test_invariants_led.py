"""Clusters led by hand, under all checks, to moments at which a wrong rule would break a named property."""

from typing import Any

from simengine.facts import errors
from simengine.facts.kinds import REASON_PREFERRED
from simengine.kafka.controller.election import ELECT_PREFERRED, PartitionChange
from simengine.kafka.replica.remote import UNKNOWN
from simengine.kafka.replica.replica import COMMITTED, PENDING_EXPAND, Partition
from simengine.kafka.wire.controller_api import AlterAnswer, AlterRequest, IsrDecision, IsrProposal
from simengine.kafka.wire.fetch_api import FetchAnswer, FetchPart
from simengine.scenario import load
from simengine.world.world import World
from tests.checked import checked, checks_of
from tests.engine.canaries import copy_on, started
from tests.engine.cluster import broker_of, fetcher_of

SECOND = 1_000_000


def three_brokers(**document: Any) -> World:
    """Three brokers, t-0 on [0, 1, 2], M=1, records all the time, every check on."""
    base: dict[str, Any] = {
        "format": 1,
        "title": "led",
        "seed": 5,
        "until": "600s",
        "cluster": {"brokers": [0, 1, 2], "controllers": [100, 101, 102]},
        "topics": [{"name": "t", "assignment": [[0, 1, 2]], "config": {"min.insync.replicas": 1}}],
        "producers": [{"id": "P", "topic": "t", "rate": 10, "acks": "all"}],
    }
    return checked(load({**base, **document}))


def leader_of(run: World) -> Partition:
    return copy_on(run, 0)


def test_a_leader_stays_pending_while_its_answer_is_lost() -> None:
    """AP-1, AP-5, AP-6: the controller has added the joiner, the leader does not hear of it (quorum_superset)."""
    cluster = {"brokers": [0, 1, 2], "controllers": [100, 101, 102], "config": {"broker.session.timeout.ms": 300_000}}
    run = three_brokers(timeline=[{"at": "3s", "do": "cut 0|2"}], cluster=cluster)
    run.run(60 * SECOND)
    leader = leader_of(run)
    assert leader.isr == [0, 1]
    run.act(run.now_us + 1, "cut 100,101,102>0")
    run.act(run.now_us + 2, "heal 0|2")
    run.run(run.now_us + 20 * SECOND)
    committed = run.cluster.quorum.image.partition(0)
    assert committed is not None
    assert committed.isr == [0, 1, 2]
    assert leader.pending == PENDING_EXPAND
    run.run(run.now_us + 20 * SECOND)
    assert leader.pending == PENDING_EXPAND
    run.act(run.now_us + 1, "heal")
    run.run(run.now_us + 60 * SECOND)
    assert (leader.pending, leader.isr) == (COMMITTED, [0, 1, 2])


def test_a_proposal_of_an_older_partition_epoch_is_refused() -> None:
    """AP-2: what the leader wanted before it learnt of a change may not become the ISR (quorum_superset)."""
    run = three_brokers(timeline=[{"at": "3s", "do": "cut 0|2"}])
    run.run(60 * SECOND)
    assert leader_of(run).isr == [0, 1]
    control = run.cluster.control()
    assert control is not None
    base = control.image.partition(0)
    assert base is not None
    late = IsrProposal(0, base.epoch, base.pe - 1, [0, 2], [int(control.image.broker_epoch(b)) for b in (0, 2)], True)
    channel = run.cluster.by_id[0].alter_manager.channel
    assert channel is not None
    control.handle(channel, AlterRequest(0, 0, run.cluster.by_id[0].be, [late]))
    run.run(run.now_us + SECOND)
    after = run.cluster.quorum.image.partition(0)
    assert after is not None
    assert after.pe == base.pe


def test_a_proposal_of_another_incarnation_is_refused() -> None:
    """AP-2: STALE_BROKER_EPOCH for a broker epoch that is not the registered one."""
    run = three_brokers(timeline=[{"at": "3s", "do": "cut 0|2"}])
    run.run(60 * SECOND)
    control = run.cluster.control()
    assert control is not None
    base = control.image.partition(0)
    assert base is not None
    assert base.isr == [0, 1]
    channel = run.cluster.by_id[0].alter_manager.channel
    assert channel is not None
    shrunk = IsrProposal(0, base.epoch, base.pe, [0], [int(control.image.broker_epoch(0))], True)
    for be, is_taken in ((run.cluster.by_id[0].be + 1, False), (run.cluster.by_id[0].be, True)):
        control.handle(channel, AlterRequest(0, 0, be, [shrunk]))
        run.run(run.now_us + SECOND)
        after = run.cluster.quorum.image.partition(0)
        assert after is not None
        assert (after.pe > base.pe) is is_taken


def test_followers_leave_the_isr_only_at_the_ticks_of_the_check() -> None:
    """ISR-1: two partitions whose followers fall behind at different times go at ticks of one rhythm."""
    run = three_brokers(
        topics=[{"name": "t", "assignment": [[0, 1, 2], [0, 1, 2]]}],
        timeline=[
            {"at": "3s", "do": "cut 0|2"},
            {"at": "70s", "do": "heal"},
            {"at": "101300ms", "do": "cut 0|2"},
        ],
    )
    run.run(160 * SECOND)
    assert leader_of(run).isr == [0, 1]


def test_an_answer_of_another_epoch_or_position_is_not_used() -> None:
    """FET-11 (fetch_matched)."""
    for offset, epoch in ((-1, 0), (0, -1)):
        run = started()
        follower = copy_on(run, 1)
        fetcher = fetcher_of(follower)
        assert fetcher is not None
        follower.epoch += 4
        part = FetchPart(0, errors.ERR_NONE, follower.epoch + epoch, follower.log.leo + offset, 0, 0, [])
        answer = FetchAnswer()
        answer.tell([part])
        answer.number = fetcher._number
        fetches = checks_of(run.only).parts.fetches
        fetches.given_up(1, 0)
        fetches.sent(1, 0, fetcher._number)
        hw = follower.hw
        fetcher.process(answer)
        assert follower.hw == hw


def test_nobody_is_elected_from_the_elr_while_a_member_of_the_isr_can_lead() -> None:
    """ELR-4 (elr_wellformed)."""
    run = started()
    control = run.cluster.control()
    assert control is not None
    base = control.image.partition(0)
    assert base is not None
    wanted = base.copy()
    wanted.isr, wanted.elr, wanted.leader, wanted.pe = [2], [0], 2, base.pe
    control.image.partitions[0] = wanted
    run.cluster.quorum.image.partitions[0] = wanted
    checks_of(run.only).parts.metadata.last[0] = wanted
    record = PartitionChange(wanted, control.image, control.config, ELECT_PREFERRED).build(REASON_PREFERRED, 0)
    if record is not None:
        run.cluster.quorum.commit([record])
    assert record is None


def test_a_leader_counts_on_nothing_it_heard_in_an_older_leadership() -> None:
    """HW-5, FET-5 (recorded_leo_sound): leadership goes 0, 1, 0 in a ping-pong, and 2 has cut its log meanwhile."""
    run = three_brokers(seed=6)
    run.run(3 * SECOND)
    run.act(run.now_us + 1, "pause 2")
    run.act(run.now_us + 2, "stop 0")
    run.run(run.now_us + 8 * SECOND)
    run.act(run.now_us + 1, "start 0")
    run.run(run.now_us + 16 * SECOND)
    run.act(run.now_us + 1, "elect preferred t-0")
    run.run(run.now_us + 300_000)
    leader = leader_of(run)
    remote = leader.remote(2)
    assert remote is not None
    assert remote.leo == -1
    run.act(run.now_us + 1, "resume 2")
    run.run(run.now_us + 20 * SECOND)
    assert remote.leo > 0


def test_a_fenced_broker_is_not_taken_into_the_isr() -> None:
    """AP-2 (leader_active): whatever a leader believes, the controller knows who is active."""
    run = three_brokers(timeline=[{"at": "3s", "do": "kill 2"}])
    run.run(20 * SECOND)
    control = run.cluster.control()
    assert control is not None
    base = control.image.partition(0)
    assert base is not None
    assert base.isr == [0, 1]
    bes = [int(control.image.broker_epoch(b)) for b in (0, 1, 2)]
    wanted = IsrProposal(0, base.epoch, base.pe, [0, 1, 2], bes, True)
    channel = run.cluster.by_id[0].alter_manager.channel or broker_of(leader_of(run)).listener.channels[0]
    control.handle(channel, AlterRequest(0, 0, run.cluster.by_id[0].be, [wanted]))
    run.run(run.now_us + SECOND)
    after = run.cluster.quorum.image.partition(0)
    assert after is not None
    assert after.isr == [0, 1]


def test_an_answer_to_an_older_proposal_takes_nothing_back() -> None:
    """AP-4 (quorum_superset): the controller has added the joiner meanwhile."""
    cluster = {"brokers": [0, 1, 2], "controllers": [100, 101, 102], "config": {"broker.session.timeout.ms": 300_000}}
    run = three_brokers(timeline=[{"at": "3s", "do": "cut 0|2"}], cluster=cluster)
    run.run(60 * SECOND)
    leader = leader_of(run)
    run.act(run.now_us + 1, "cut 100,101,102>0")
    run.act(run.now_us + 2, "heal 0|2")
    run.run(run.now_us + 20 * SECOND)
    assert leader.pending == PENDING_EXPAND
    manager = broker_of(leader).alter_manager
    assert manager._in_flight
    leader.pending_id += 1
    decision = IsrDecision(0, errors.ERR_INELIGIBLE_REPLICA, [], -1, -1, -1)
    manager.on_answer(AlterAnswer(manager._request_id, errors.ERR_NONE, [decision]))
    assert leader.pending == PENDING_EXPAND


def test_a_proposal_of_an_older_leadership_does_not_become_the_isr() -> None:
    """AP-2 (leader_completeness): E and PE are compared, or a member that has missed records is elected later."""
    run = three_brokers()
    run.run(3 * SECOND)
    run.act(run.now_us + 1, "stop 0")
    run.act(run.now_us + 10 * SECOND, "start 0")
    run.run(run.now_us + 30 * SECOND)
    run.act(run.now_us + 1, "elect preferred t-0")
    run.act(run.now_us + 2 * SECOND, "cut 2|0,1")
    run.run(run.now_us + 60 * SECOND)
    control = run.cluster.control()
    assert control is not None
    base = control.image.partition(0)
    assert base is not None
    assert (base.leader, base.isr, base.epoch) == (0, [0, 1], 2)
    bes = [int(control.image.broker_epoch(b)) for b in (0, 2)]
    late = IsrProposal(0, base.epoch - 1, base.pe - 1, [0, 2], bes, True)
    leader = run.cluster.by_id[0]
    channel = leader.alter_manager.channel or leader.listener.channels[0]
    run.act(run.now_us + 1, "kill 1")
    control.handle(channel, AlterRequest(0, 0, leader.be, [late]))
    run.act(run.now_us + 2, "kill 0")
    run.run(run.now_us + 15 * SECOND)
    after = run.cluster.quorum.image.partition(0)
    assert after is not None
    assert after.leader == -1, "nobody who is alive has all records"


def test_a_divergence_found_for_another_position_cuts_nothing() -> None:
    """FET-11 (no_committed_truncation): a late answer names an end that lies far below what was committed since."""
    for offset, epoch in ((-1, 0), (0, -1)):
        run = started()
        follower = copy_on(run, 1)
        fetcher = fetcher_of(follower)
        assert fetcher is not None
        leo = int(follower.log.leo)
        part = FetchPart(0, errors.ERR_NONE, follower.epoch + epoch, leo + offset, 0, 0, [])
        part.diverging_epoch, part.diverging_end = follower.log.cache.last(), 2
        answer = FetchAnswer()
        answer.tell([part])
        answer.number = fetcher._number
        checks_of(run.only).parts.fetches.given_up(1, 0)
        checks_of(run.only).parts.fetches.sent(1, 0, fetcher._number)
        fetcher.process(answer)
        assert follower.log.leo == leo


def test_an_unclean_election_is_won_by_the_first_active_replica_though_another_has_the_longer_log() -> None:
    """UNC-4 (election_rule)."""
    config = {"min.insync.replicas": 1, "unclean.leader.election.enable": True}
    run = three_brokers(
        elr=False,
        topics=[{"name": "t", "assignment": [[0, 1, 2]], "config": config}],
        timeline=[{"at": "3s", "do": "cut 1|0,2"}, {"at": "60s", "do": "cut 2|0"}, {"at": "120s", "do": "kill 0"}],
    )
    run.run(119 * SECOND)
    assert leader_of(run).isr == [0]
    assert copy_on(run, 1).log.leo < copy_on(run, 2).log.leo
    run.run(135 * SECOND)
    after = run.cluster.quorum.image.partition(0)
    assert after is not None
    assert after.leader == 1


def test_a_joiner_below_the_start_of_the_epoch_waits_although_it_has_the_leaders_high_watermark() -> None:
    """ISR-5: a new leader's mark is behind (HW-5), and the joiner lacks what was acknowledged (strong_isr; S25)."""
    run = three_brokers(timeline=[{"at": "3s", "do": "cut 0|2"}])
    run.run(60 * SECOND)
    leader = leader_of(run)
    assert leader.isr == [0, 1]
    joiner, member = leader.remote(2), leader.remote(1)
    assert joiner is not None
    assert member is not None
    run.act(run.now_us + 1, "cut 0|1")
    run.run(run.now_us + SECOND)
    leader.epoch_start, leader.hw = leader.log.leo, copy_on(run, 2).log.leo
    member.leo, joiner.leo = UNKNOWN, UNKNOWN
    run.act(run.now_us + 1, "slow 2 100")
    run.act(run.now_us + 2, "heal 0|2")
    while joiner.leo < leader.epoch_start:
        assert leader.isr == [0, 1]
        run.run(run.now_us + SECOND // 100)
        assert run.now_us < 100 * SECOND
    run.run(run.now_us + SECOND)
    assert leader.isr == [0, 1, 2]
