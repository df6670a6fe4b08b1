"""Faults of the engine that random runs brought to light, each as the shortest way to it."""

import pytest

from simengine.clients.network.metadata import NO_LEADER
from simengine.clients.producer.accumulator import PartitionQueue
from simengine.kafka.controller.control import ReplicationControlManager
from simengine.kafka.replica.replica import COMMITTED
from simengine.kafka.replica.roles import take_registration
from simengine.kafka.wire.api import MetadataAnswer
from simengine.kernel.connecting import CONNECTING, UP
from simengine.scenario import load
from tests.checked import checked, checks_of
from tests.engine.cluster import SECOND, channels_of, fetcher_of, session_of, world
from tests.invariants.link_checks import message_conservation

SMALL = {
    "format": 1,
    "title": "found",
    "seed": 5,
    "until": "60s",
    "cluster": {"brokers": [0, 1, 2], "controllers": [100, 101, 102]},
    "topics": [{"name": "t", "assignment": [[0, 1, 2]], "config": {"min.insync.replicas": 2}}],
}


def test_a_replica_that_a_reassignment_removed_is_not_proposed_for_the_isr() -> None:
    """REA-4, ISR-5: the session of the removed follower goes on, without the partition (seed 1014)."""
    run = world(producers=[{"id": "P", "topic": "t", "rate": 10}])
    run.run(3 * SECOND)
    leader = run.cluster.by_id[0].replica(0)
    assert leader is not None
    assert leader.registration is not None
    leader.isr = [0, 1]
    removed = leader.remote(2)
    assert removed is not None
    session = session_of(removed)
    assert session is not None
    session.left_isr(removed)
    without = leader.registration.copy()
    without.replicas, without.isr, without.pe = [0, 1], [0, 1], leader.pe + 1
    take_registration(leader, without, 0)
    session._try_to_join()
    assert leader.pending == COMMITTED
    assert not removed.covered


def test_a_refused_connection_whose_reset_meets_a_cut_is_tried_again() -> None:
    """TCP-1: the next SYN goes out after the heal, and at the latest the attempt times out (seed 1255)."""
    run = world(network={"latency": "20ms"})
    run.run(2 * SECOND)
    follower, leader = run.cluster.by_id[1], run.cluster.by_id[0]
    channel = follower.fetchers.by_leader[0].channel
    leader.listening = False
    channel.connect()
    run.run(run.now_us + 25_000)
    run.act(run.now_us + 1, "cut 0|1")
    run.run(run.now_us + SECOND)
    assert channel.state == CONNECTING
    leader.listening = True
    run.act(run.now_us + 1, "heal")
    run.run(run.now_us + 3 * SECOND)
    assert channel.state == UP


def test_a_broker_waits_two_seconds_for_a_connection_to_a_controller_before_it_asks_another() -> None:
    """QUO-5: a voter that is silent holds a process up no longer than a request may take (seed 314406)."""
    for n in (1, 2):
        run = world(cluster={"brokers": [0, 1, 2], "controllers": [100, 101, 102, 103, 104]})
        run.run(2 * SECOND)
        silent = [c for c in run.cluster.controllers if c is not run.cluster.quorum.active][:n]
        run.act(run.now_us + 1, f"cut 2|{','.join(str(int(voter.id)) for voter in silent)}")
        run.run(run.now_us + SECOND)
        listener = run.cluster.by_id[2].listener
        listener.end()
        for channel in listener.channels:
            if channel.controller in silent:
                channel.open()
        listener.begin(silent[0])
        run.run(run.now_us + 9 * SECOND)
        assert listener.leader is run.cluster.quorum.active


def test_a_controller_that_was_paused_over_an_election_leads_no_more_when_it_is_resumed() -> None:
    """QUO-1, QUO-6: it learns of the newer epoch from any majority, also when no controller is active (seed 1752)."""
    run = world()
    run.run(3 * SECOND)
    first = run.cluster.quorum.active
    assert first is not None
    run.act(run.now_us + 1, f"pause {int(first.id)}")
    run.run(run.now_us + 8 * SECOND)
    second = run.cluster.quorum.active
    assert second is not None
    assert second is not first
    outdated = first.control
    assert isinstance(outdated, ReplicationControlManager)
    run.act(run.now_us + 1, f"kill {int(second.id)}")
    run.act(run.now_us + 2, f"resume {int(first.id)}")
    run.run(run.now_us + 2)
    assert outdated.is_closed
    run.run(run.now_us + 8 * SECOND)
    active = run.cluster.quorum.active
    assert active is not None
    assert active.control is not outdated


def test_a_client_that_knows_no_leader_keeps_asking_after_an_answer_that_is_too_old() -> None:
    """PC-6, PC-8: an older leader epoch is no news, and no reason to stop asking (seed 3431)."""
    run = world(consumers=[{"id": "C", "partitions": [["t", 0]], "config": {"auto.offset.reset": "earliest"}}])
    run.run(3 * SECOND)
    metadata = run.cluster_parts.consumers[0].reader().metadata
    metadata.leaders[0], metadata.epochs[0] = NO_LEADER, 7
    metadata._is_stale = False
    metadata.refreshed(MetadataAnswer([0], [0], [3], [0, 1, 2]))
    assert metadata.leaders[0] == NO_LEADER
    assert metadata._is_stale


def test_an_unclean_winner_that_acts_when_its_epoch_is_over_begins_its_branch() -> None:
    """UNC-1: what it commits until it hears of the newer epoch is of its own log (seed 1833)."""
    run = checked(load({**SMALL, "producers": [{"id": "P", "topic": "t", "rate": 10}]}))
    run.run(3 * SECOND)
    leader = run.cluster.by_id[0].replica(0)
    committed = run.cluster.quorum.image.partition(0)
    assert leader is not None
    assert committed is not None
    parts = checks_of(run.only).parts
    parts.hws.committed(committed, True)
    committed.epoch += 1
    parts.hws.activated(leader)
    assert [int(branch.epoch) for branch in parts.ghosts.of(0).branches] == [0, int(leader.epoch)]


def test_a_producer_knows_that_what_follows_an_expired_first_attempt_is_refused() -> None:
    """IDEM-5, IDEM-7: only a batch in retry leaves a doubt that ends in a new epoch (seeds 1144, 1905)."""
    run = world(producers=[{"id": "P", "topic": "t", "rate": 10, "acks": "all"}])
    run.run(3 * SECOND)
    producer = run.cluster_parts.producers[0]
    sender = producer._sender
    assert sender is not None
    run.act(run.now_us + 1, "rate P 0")
    run.run(run.now_us + 3 * SECOND)
    assert not producer.is_stuck_out_of_order()
    sender.queues[0].next_seq += 1
    assert producer.is_stuck_out_of_order()
    sender.sequences.epoch += 1
    assert not producer.is_stuck_out_of_order()


def test_a_client_that_knows_only_dead_brokers_begins_anew_after_five_minutes() -> None:
    """KIP-1102: two brokers whose back-offs never run at once are tried in turn for ever else (seeds 1234, 1954)."""
    run = world(
        topics=[{"name": "t", "assignment": [[0]], "config": {"min.insync.replicas": 1}}],
        producers=[{"id": "P", "topic": "t", "rate": 0, "config": {"delivery.timeout.ms": 600_000}}],
    )
    run.act(SECOND, "kill 1")
    run.act(SECOND, "kill 2")
    run.run(2 * SECOND)
    producer = run.cluster_parts.producers[0]
    sender = producer.sender()
    assert sender is not None
    sender.hang_up()
    sender.metadata.nodes = [1, 2]
    run.act(run.now_us + 1, "send P t-0 1")
    run.run(300 * SECOND)
    assert producer.acked == 0
    run.run(306 * SECOND)
    assert producer.acked == 1


def test_a_client_that_let_go_of_its_leader_does_not_wait_for_the_connection_to_it() -> None:
    """KIP-1102, PC-8: batches for a silent leader would else have it tried, and nobody asked meanwhile."""
    run = world(
        topics=[{"name": "t", "assignment": [[0, 1]], "config": {"min.insync.replicas": 1}}],
        producers=[{"id": "P", "topic": "t", "rate": 1, "config": {"delivery.timeout.ms": 600_000}}],
    )
    run.run(2 * SECOND)
    producer = run.cluster_parts.producers[0]
    sender = producer.sender()
    assert sender is not None
    sender.metadata.nodes = [0]
    run.act(run.now_us + 1, "cut 0|1,2,100,101,102,P")
    run.run(290 * SECOND)
    before = int(producer.acked)
    run.run(360 * SECOND)
    assert producer.acked > before
    assert sender.metadata.leaders[0] == 1


def test_answers_of_a_host_that_lost_power_arrive_in_order_or_not_at_all() -> None:
    """PC-7, LOG-8: what was in the air arrives, what met a cut is not repeated by the next process (seed 31475)."""
    run = world(
        topics=[{"name": "t", "assignment": [[0]], "config": {"min.insync.replicas": 1}}],
        producers=[{"id": "P", "topic": "t", "rate": 100, "acks": "all", "config": {"linger.ms": 0}}],
        network={"latency": "60ms"},
    )
    run.run(3 * SECOND)
    producer = run.cluster_parts.producers[0]
    channel = next(c for c in channels_of(producer) if c.server.id == 0 and c.state == UP)
    before = int(producer.acked)
    run.act(run.now_us + 1, "power-loss 0")
    run.run(run.now_us + SECOND // 20)
    assert producer.acked > before
    assert not [message for message in channel.held() if not message.to_server]
    run.act(run.now_us + 1, "start 0")
    run.run(run.now_us + 30 * SECOND)
    message_conservation(run.cluster_parts.net)
    verdict = run.verdict()
    assert verdict["balance_ok"] is True


def test_answers_that_met_a_cut_are_gone_with_the_power() -> None:
    """LOG-8, TCP-1: no memory is left to repeat them from."""
    run = world(producers=[{"id": "P", "topic": "t", "rate": 100, "acks": "1"}], network={"latency": "20ms"})
    run.run(3 * SECOND)
    producer = run.cluster_parts.producers[0]
    channel = next(c for c in channels_of(producer) if c.server.id == 0 and c.state == UP)
    run.act(run.now_us + 1, "cut 0>P")
    run.run(run.now_us + SECOND // 10)
    assert [message for message in channel.held() if not message.to_server]
    run.act(run.now_us + 1, "power-loss 0")
    run.run(run.now_us + 1)
    assert not [message for message in channel.held() if not message.to_server]
    message_conservation(run.cluster_parts.net)


def test_a_long_queue_of_requests_without_answers_is_worked_off() -> None:
    """PROD-10, PROD-12: a broker that was slow has thousands of acks=0 requests before it (seed 31597)."""
    run = world(producers=[{"id": "P", "topic": "t", "rate": 0, "acks": "0", "config": {"linger.ms": 0}}])
    run.run(3 * SECOND)
    producer = run.cluster_parts.producers[0]
    run.act(run.now_us + 1, "send P t-0 1")
    run.run(run.now_us + SECOND)
    channel = next(c for c in channels_of(producer) if c.server.id == 0 and c.state == UP)
    channel.busy = True
    run.act(run.now_us + 1, "rate P 2000")
    run.run(run.now_us + 2 * SECOND)
    channel.next_request()
    leader = run.cluster.by_id[0].replica(0)
    assert leader is not None
    assert leader.log.leo > 2000


def test_a_follower_that_is_sent_a_batch_from_below_its_end_fetches_no_more() -> None:
    """FET-3, LOG-1: with no epoch cached nobody looks for the fork, and its end lies in a batch (seed 60369)."""
    run = world(producers=[{"id": "P", "topic": "t", "rate": 0}])
    run.act(SECOND, "send P t-0 20")
    run.run(3 * SECOND)
    follower = run.cluster.by_id[1].replica(0)
    assert follower is not None
    log = follower.log
    log.truncate(5)
    log.cache.truncate(0)
    fetcher = fetcher_of(follower)
    assert fetcher is not None
    fetcher._mark_dirty(follower)
    run.run(run.now_us + 2 * SECOND)
    assert fetcher_of(follower) is None
    assert log.leo == 5


def test_a_cut_and_a_heal_keep_the_order_of_what_was_in_the_air_and_what_was_sent_after() -> None:
    """TCP-1: what met the cut later was sent earlier; nothing overtakes it (seeds 60520, 60560)."""
    for heal_after in (1_000, SECOND // 20, SECOND // 2):
        producer = {"id": "P", "topic": "t", "rate": 200, "acks": "1", "config": {"linger.ms": 0}}
        run = world(producers=[producer], network={"latency": "80ms"})
        run.run(3 * SECOND)
        for _ in range(5):
            run.act(run.now_us + 1, "cut 0|P")
            run.run(run.now_us + heal_after)
            message_conservation(run.cluster_parts.net)
            run.act(run.now_us + 1, "heal")
            for _ in range(8):
                run.run(run.now_us + SECOND // 10)
                message_conservation(run.cluster_parts.net)
        assert run.verdict()["balance_ok"] is True


def test_a_batch_holds_consecutive_calls_only() -> None:
    """PC-14: a call that blocked and failed leaves a hole; what follows it must end under its own numbers (64158)."""
    run = world(producers=[{"id": "P", "topic": "t", "rate": 0}])
    run.run(SECOND)
    queue = PartitionQueue(0, run.cluster_parts.producers[0].calls_to(0))
    queue.append(0, 3, 160, 0)
    queue.append(3, 2, 160, 0)
    queue.append(6, 4, 160, 0)
    assert [(batch.n, batch.count) for batch in queue.waiting] == [(0, 5), (6, 4)]


@pytest.mark.parametrize("verb", ["kill", "stop", "power-loss"])
def test_a_controller_that_boots_can_be_ended(verb: str) -> None:
    """It came up all the same, and voted (seed 6600010); the next process comes up in its own time."""
    run = world()
    run.act(SECOND, "kill 100")
    run.act(3 * SECOND, "start 100 after 5s")
    run.act(4 * SECOND, f"{verb} 100")
    run.act(6 * SECOND, "start 100 after 10s")
    run.run(5 * SECOND)
    booting = next(c for c in run.cluster.controllers if c.id == 100)
    assert not booting.pending_boot
    run.run(15 * SECOND)
    assert not booting.up
    run.run(17 * SECOND)
    assert booting.up
