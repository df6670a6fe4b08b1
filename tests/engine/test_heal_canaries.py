"""Canaries for the liveness properties of the heal phase: each rejects a healed cluster that was broken by hand."""

from typing import Any

import pytest

from simengine.facts.decisive import IsrProposed, IsrRefused
from simengine.facts.errors import ERR_INVALID_UPDATE_VERSION, ERR_UNKNOWN_TOPIC_OR_PARTITION
from simengine.facts.kinds import PROCESS_STARTING, REG_FENCED
from simengine.kafka.log.log import Batch
from simengine.kafka.replica.replica import PENDING_SHRINK, Partition
from simengine.kafka.shared.metadata import BrokerState, PartitionRegistration
from simengine.scenario import load
from simengine.verdict.outcomes import REFUSED, CallOutcomes
from simengine.world.world import build
from tests.checked import checked, checks_of
from tests.engine.canaries import SECOND, copy_on, rejects
from tests.engine.cluster import broker_of
from tests.swarm import debts, heal, healed_clients
from tests.swarm.healed import Healed

CLUSTER: dict[str, Any] = {"brokers": [0, 1, 2], "controllers": [100, 101, 102]}
EVERYBODY = {**CLUSTER, "how": "kill"}


def healed(*, checks: bool = True, **document: Any) -> Healed:
    """Three brokers, t-0 on [0, 1, 2] led by 0, M=2; ten records, all acknowledged and read, and then silence."""
    base: dict[str, Any] = {
        "format": 1,
        "title": "healed",
        "seed": 5,
        "elr": True,
        "until": "60s",
        "cluster": CLUSTER,
        "topics": [{"name": "t", "assignment": [[0, 1, 2]], "config": {"min.insync.replicas": 2}}],
        "producers": [{"id": "P", "topic": "t", "rate": 0, "acks": "all"}],
        "consumers": [{"id": "C", "partitions": [["t", 0]], "config": {"auto.offset.reset": "earliest"}}],
        "phases": {"preferred": "5s"},
        "timeline": [{"at": "1s", "do": "send P t-0 10"}],
    }
    run = (checked if checks else build)(load({**base, **document}))
    run.run(8 * SECOND)
    return Healed(run, EVERYBODY)


def committed(state: Healed) -> PartitionRegistration:
    """The registration of t-0 that the controller has committed."""
    return state.registrations()[0]


def check_all(state: Healed) -> None:
    """All that `converge` checks after the drain."""
    heal.check_controllers(state)
    heal.check_partitions(state)
    heal.check_churn(state.world, 6 * SECOND, heal.refused_fetches(state.world))
    healed_clients.check_calls(state)
    healed_clients.check_readers(state)


def test_a_healed_cluster_holds_all_properties() -> None:
    check_all(healed())


def test_controller_elected_rejects_a_quorum_without_an_active_controller() -> None:
    state = healed()
    state.cluster.quorum.active = None
    rejects("controller_elected", lambda: check_all(state))


def test_broker_runs_rejects_a_process_that_never_came_up_and_one_that_stays_fenced() -> None:
    state = healed()
    state.cluster.by_id[1].process = PROCESS_STARTING
    rejects("broker_runs", lambda: check_all(state))
    state = healed()
    image = state.cluster.quorum.image
    image.brokers[1] = BrokerState(1, image.broker_epoch(1), REG_FENCED)
    rejects("broker_runs", lambda: check_all(state))


def test_the_heal_waits_for_a_process_that_may_still_give_its_registration_up() -> None:
    """QUO-6: it is up, but not for long if its first minute was spent behind a cut (seed 314406)."""
    state = healed()
    assert not heal.revive(state)
    state.cluster.by_id[1].process = PROCESS_STARTING
    assert heal.revive(state)


def test_leader_elected_rejects_a_partition_that_somebody_could_lead() -> None:
    state = healed()
    committed(state).leader = -1
    rejects("leader_elected", lambda: check_all(state))


def test_leader_elected_waits_for_the_task_after_a_reassignment_of_a_leaderless_partition() -> None:
    """REA-1, UNC-2: to give it another replica elects nobody uncleanly."""
    config = {"unclean.leader.election.enable": True}
    nodes = {"brokers": [0, 1], "controllers": [100]}
    state = healed(cluster=nodes, topics=[{"name": "t", "assignment": [[1]], "config": config}])
    world = state.world
    world.act(world.now_us + 1, "kill 1")
    world.act(world.now_us + 20 * SECOND, "reassign t-0 0")
    world.run(world.now_us + 30 * SECOND)
    core = Healed(world, {**nodes, "brokers": [0], "how": "kill"})
    assert (committed(core).leader, core.candidates(committed(core))) == (-1, [])
    world.run(world.now_us + 300 * SECOND)
    assert committed(core).leader == 0


def test_isr_full_rejects_a_replica_that_is_up_and_outside() -> None:
    state = healed()
    committed(state).isr = [0, 1]
    rejects("isr_full", lambda: check_all(state))


@pytest.mark.parametrize(("adding", "removing"), [([2], []), ([], [2])])
def test_reassignment_completes_rejects_replicas_still_to_be_added_or_removed(
    adding: list[int], removing: list[int]
) -> None:
    state = healed()
    committed(state).adding, committed(state).removing = adding, removing
    rejects("reassignment_completes", lambda: check_all(state))


def test_preferred_returns_rejects_another_leader_than_the_first_replica_of_the_isr() -> None:
    state = healed(cluster={**CLUSTER, "config": {"leader.imbalance.check.interval.seconds": 10}})
    assert state.preferred_us == 10 * SECOND
    check_all(state)
    committed(state).replicas = [1, 0, 2]
    rejects("preferred_returns", lambda: check_all(state))


def test_ap_resolved_rejects_a_change_that_nobody_has_decided() -> None:
    state = healed()
    leader = copy_on(state.world, 0)
    leader.pending, leader.pending_isr = PENDING_SHRINK, [0, 1]
    rejects("ap_resolved", lambda: check_all(state))


@pytest.mark.parametrize("error", [ERR_UNKNOWN_TOPIC_OR_PARTITION, ERR_INVALID_UPDATE_VERSION])
def test_a_leader_that_an_outdated_controller_did_not_know_waits_for_ever(error: int) -> None:
    """AP-2, AP-5: only this answer to its pending change is an excuse; it owes neither that nor a joiner."""
    state = healed()
    leader = copy_on(state.world, 0)
    leader.pending, leader.pending_isr = PENDING_SHRINK, [0, 1]
    proposed = IsrProposed(0, broker=0, p=0, epoch=0, pe=0, isr=[0, 1], maximal=[0, 1, 2])
    leader.pending_cause = state.world.trace.state(proposed)
    state.world.trace.state(IsrRefused(leader.pending_cause, broker=0, p=0, error=error, isr=[0, 1]))
    if error == ERR_INVALID_UPDATE_VERSION:
        rejects("ap_resolved", lambda: check_all(state))
        return
    assert not [debt for debt in debts.debts_of_nodes(state) if debt.name in ("ap_resolved", "isr_full")]
    check_all(state)


@pytest.mark.parametrize(("broker", "field"), [(0, "role"), (0, "epoch"), (1, "epoch"), (1, "leader"), (1, "pe")])
def test_metadata_converges_rejects_a_broker_that_believes_otherwise(broker: int, field: str) -> None:
    state = healed()
    copy = copy_on(state.world, broker)
    setattr(copy, field, getattr(copy, field) + 1)
    rejects("metadata_converges", lambda: check_all(state))


def test_metadata_converges_rejects_a_member_that_does_not_host_the_partition() -> None:
    state = healed()
    state.cluster.by_id[1].drop(copy_on(state.world, 1), 0)
    rejects("metadata_converges", lambda: check_all(state))


def shorter(copy: Partition) -> None:
    copy.log.leo -= 1


def other_batches(copy: Partition) -> None:
    copy.log.batches.pop()


def other_epochs(copy: Partition) -> None:
    copy.log.cache.starts[-1] += 1


def lower_mark(copy: Partition) -> None:
    copy.hw -= 1


@pytest.mark.parametrize("harm", [shorter, other_batches, other_epochs, lower_mark])
def test_logs_converge_rejects_a_copy_unlike_the_leaders(harm: Any) -> None:
    state = healed()
    harm(copy_on(state.world, 1))
    rejects("logs_converge", lambda: check_all(state))


@pytest.mark.parametrize("harm", [other_batches, other_epochs])
def test_logs_converge_lets_wrong_epoch_beginnings_hide_a_fork(harm: Any) -> None:
    """LOG-3, REG-5 d, TRUNC-2: whoever has them is not told where it differs; but its end is that of the leader."""
    state = healed()
    copy = copy_on(state.world, 1)
    checks_of(state.world.only).parts.logs.shadow(copy).is_mislabelled = True
    harm(copy)
    check_all(state)
    copy.log.leo -= 1
    rejects("logs_converge", lambda: check_all(state))


def test_no_churn_rejects_a_change_after_the_cluster_had_settled_but_no_preferred_election() -> None:
    state = healed(cluster={**CLUSTER, "config": {"leader.imbalance.check.interval.seconds": 30}})
    world = state.world
    world.act(world.now_us + 1, "stop 0")
    world.act(world.now_us + 10 * SECOND, "start 0")
    heal.check_churn(world, world.now_us, 0)
    since = world.now_us
    world.run(since + 25 * SECOND)
    rejects("no_churn", lambda: heal.check_churn(world, since, heal.refused_fetches(world)))
    since = world.now_us
    world.run(since + 30 * SECOND)
    assert committed(state).leader == 0, "a preferred election has happened"
    heal.check_churn(world, since, heal.refused_fetches(world))


def calls_of(state: Healed) -> CallOutcomes:
    """The account of P's calls to t-0."""
    return state.world.book.account(0).calls[0]


def test_write_resolved_rejects_a_call_that_has_not_ended() -> None:
    state = healed()
    state.world.cluster_parts.producers[0].calls[0].in_flight += 1
    rejects("write_resolved", lambda: check_all(state))


def test_write_resolved_rejects_a_new_call_that_nobody_acknowledges() -> None:
    state = healed()
    healed_clients.check_writes(state)
    state.world.cluster_parts.producers[0].acked -= 1
    for replica in (copy_on(state.world, broker) for broker in (1, 2)):
        broker_of(replica).fetchers.stop(replica)
    rejects("write_resolved", lambda: healed_clients.check_writes(state))


def test_write_resolved_leaves_few_retries_a_call_for_old_metadata_and_one_for_a_dead_connection() -> None:
    """PC-4, PC-5, TCP-1: what a client learns only by using it (seed 7311296); its third call must succeed."""
    config = {"retries": 0, "enable.idempotence": False}
    state = healed(producers=[{"id": "P", "topic": "t", "rate": 0, "acks": "all", "config": config}])
    world, producer = state.world, state.world.cluster_parts.producers[0]
    to_1, to_0, call = "reassign t-0 1,0,2", "reassign t-0 0,1,2", "send P t-0 1"
    away, back = (to_1, "elect preferred t-0"), (to_0, "elect preferred t-0")
    for verb in (*away, call, call, *back, call, call, "cut P|1", "kill 1", "start 1", "heal", *away):
        world.act(world.now_us + 1, verb)
        world.run(world.now_us + 15 * SECOND)
    assert committed(state).leader == 1
    failed = int(producer.failed)
    before = int(producer.acked)
    healed_clients.check_writes(state)
    assert (producer.acked - before, producer.failed - failed) == (1, 2)
    for broker in (0, 2):
        copy = copy_on(world, broker)
        broker_of(copy).fetchers.stop(copy)
    rejects("write_resolved", lambda: healed_clients.check_writes(state))


def test_fate_total_rejects_a_call_without_an_outcome_and_one_with_two() -> None:
    state = healed()
    calls_of(state).runs.pop()
    rejects("fate_total", lambda: check_all(state))
    state = healed()
    calls_of(state).add(3, 1, REFUSED, -1, -1, -1)
    rejects("fate_total", lambda: check_all(state))


def test_refused_absent_rejects_a_copy_of_a_refused_call_on_any_disk() -> None:
    """PROD-2: also above the high watermark, where no verdict looks."""
    state = healed()
    calls = calls_of(state)
    calls.made += 1
    calls.add(10, 1, REFUSED, -1, -1, -1)
    check_all(state)
    log = copy_on(state.world, 2).log
    last = log.batches[-1]
    log.append(Batch(log.leo, 1, last.epoch, last.client, 10, -1, -1, -1, 0))
    rejects("refused_absent", lambda: healed_clients.check_calls(state))


def test_reads_drain_rejects_a_reader_below_the_high_watermark() -> None:
    state = healed()
    state.world.cluster_parts.consumers[0].reader().assignment.positions[0].stated -= 1
    rejects("reads_drain", lambda: check_all(state))
