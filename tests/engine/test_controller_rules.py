"""The controller's rules of detail, on states made by hand: elections, eligible replicas, sessions, shutdown."""

from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from simengine.facts import errors
from simengine.facts.decisive import BrokerRegistration, ControllerChanged, PartitionChanged, RequestRefused
from simengine.facts.kinds import (
    ELECTION_NONE,
    MSG_NAMES,
    REASON_FENCED,
    REG_ACTIVE,
    REG_FENCED,
    REG_SHUTTING_DOWN,
)
from simengine.facts.traffic import Flight
from simengine.kafka.cluster.admin import Reassignment
from simengine.kafka.controller.alter_partition import decide_proposals
from simengine.kafka.controller.election import ELECT_ANY, PartitionChange
from simengine.kafka.controller.fencing import HeartbeatTracker
from simengine.kafka.controller.periodic_elections import PREFERRED_BATCH_MAX, elect_preferred
from simengine.kafka.shared.config import ClusterConfig, TopicSettings
from simengine.kafka.shared.metadata import (
    CLUSTER_SETTINGS,
    BrokerState,
    MetadataImage,
    PartitionRegistration,
    Record,
    broker_record,
    partition_record,
)
from simengine.kafka.wire.controller_api import (
    AlterRequest,
    ControllerAnswer,
    HeartbeatRequest,
    IsrProposal,
    RegisterAnswer,
    RegisterRequest,
)
from simengine.scenario.profiles import PROFILES, VERSIONS
from simengine.world.world import World
from tests.engine.cluster import SECOND, control_of, facts, world

HEARTBEAT = MSG_NAMES.index("Heartbeat")


@dataclass
class State:
    """A partition and its cluster: ELR on, unclean elections off, nobody leads."""

    replicas: list[int] = field(default_factory=lambda: [0, 1, 2])
    isr: list[int] = field(default_factory=list)
    elr: list[int] = field(default_factory=list)
    last_known: list[int] = field(default_factory=list)
    leader: int = -1
    recovering: bool = False
    active: list[int] = field(default_factory=list)
    min_insync: int = 1
    replicas_of_first: list[int] | None = None  # of the topic's partition 0, if that is another one

    def change(self, config: ClusterConfig | None = None) -> PartitionChange:
        """A change of it, to be given its targets."""
        image = MetadataImage()
        image.default_min_insync = self.min_insync
        p = 0 if self.replicas_of_first is None else 1
        if self.replicas_of_first is not None:
            image.apply(partition_record(PartitionRegistration(0, 0, self.replicas_of_first, [], -1, 0, 0), 0, 0, 0))
        base = PartitionRegistration(p, 0, self.replicas, self.isr, self.leader, 3, 7)
        base.elr, base.last_known, base.recovering = self.elr, self.last_known, self.recovering
        image.apply(partition_record(base, 0, 0, 0))
        for broker in range(6):
            image.brokers[broker] = BrokerState(broker, broker, REG_ACTIVE if broker in self.active else REG_FENCED)
        return PartitionChange(base, image, config or ClusterConfig(), ELECT_ANY)


def after(change: PartitionChange) -> tuple[PartitionRegistration, int]:
    """The partition after the change, and the kind of its election."""
    record = change.build(REASON_FENCED, 0)
    if record is None:
        return change.base, ELECTION_NONE
    assert record.partition is not None
    return record.partition, int(record.election)


# -- ELEC-5, ELR-1, ELR-2, ELR-6


@pytest.mark.parametrize(("target", "last_known"), [([], [0]), ([1], [])], ids=["empty", "broker 1"])
def test_the_last_leader_is_remembered_when_the_isr_gets_empty(target: list[int], last_known: list[int]) -> None:
    """ELR-6: not where a cancelled reassignment puts a broker into the ISR that is down (REA-6)."""
    change = State(isr=[0], leader=0).change()
    change.unclean_shutdown, change.target_isr = 0, target
    assert after(change)[0].last_known == last_known


@pytest.mark.parametrize("recovered", [True, False])
def test_a_leader_that_has_recovered_is_told_from_one_that_has_not(recovered: bool) -> None:
    """ELEC-5: an AlterPartition that says so ends the state RECOVERING of an unclean election."""
    change = State(isr=[0], leader=0, recovering=True, active=[0, 1]).change()
    change.target_isr, change.recovered = [0, 1], recovered
    assert after(change)[0].recovering is not recovered


@pytest.mark.parametrize(("first", "elr"), [(None, [2]), ([3, 4], []), ([3, 4, 5], [2])], ids=["own", "two", "three"])
def test_the_controller_caps_m_by_the_replicas_of_partition_0(first: list[int] | None, elr: list[int]) -> None:
    """ELR-1, ELR-2: min.insync.replicas is 3, but two in sync are enough where the topic's partition 0 has two."""
    change = State(isr=[0, 1, 2], leader=0, active=[0, 1], min_insync=3, replicas_of_first=first).change()
    change.target_isr = [0, 1]
    assert after(change)[0].elr == elr


def test_a_removed_replica_stays_eligible() -> None:
    """ELR-2, REA-3: broker 3 leaves the replicas while the ISR is below M. It can be elected only as a replica."""
    change = State(replicas=[0, 1, 2, 3], isr=[0, 1, 2, 3], leader=0, active=[0], min_insync=3).change()
    change.replicas, change.target_isr = [0, 1, 2], [0]
    assert after(change)[0].elr == [1, 2, 3]
    change = State(isr=[0], leader=0, elr=[3], active=[3], min_insync=2, last_known=[]).change()
    change.target_isr = []
    made = after(change)[0]
    assert (made.leader, made.isr, made.elr) == (-1, [], [3, 0])


def test_a_removed_replica_that_registers_uncleanly_leaves_the_elr() -> None:
    """ELR-2, ELR-5: Kafka looks at all ELRs that name the broker, whatever the replica lists say."""
    run = world(elr=True, cluster={"brokers": [0, 1, 2, 3], "controllers": [100]})
    run.run(3 * SECOND)
    hold(run, isr=[0], elr=[1, 3])
    run.act(4 * SECOND, "kill 3")
    run.act(5 * SECOND, "start 3 after 1s")
    run.run(30 * SECOND)
    registration = control_of(run).image.partition(0)
    assert registration is not None
    assert 3 not in registration.elr


def test_an_elr_of_removed_replicas_alone_keeps_the_last_known_leader_from_leading() -> None:
    """ELR-6: the ELR is not empty."""
    change = State(isr=[], elr=[3], last_known=[0], active=[0, 1, 2], min_insync=2).change()
    assert after(change)[0].leader == -1


@pytest.mark.parametrize(
    ("adding", "removing", "isr", "complete"),
    [
        ([3, 4], [0, 1], [0, 1, 3, 4], ["3.7", "4.3", "4.4"]),  # broker 2 is kept, and out of sync
        ([3, 4], [0, 1], [0, 1, 2, 3], []),  # broker 4 is added, and out of sync
        ([3, 4], [0, 1], [0, 2, 3, 4], ["3.7", "4.0", "4.1", "4.2", "4.3", "4.4"]),
        ([3], [], [0, 1, 3], ["3.7", "4.3", "4.4"]),  # one more replica
        ([3], [0, 1], [0, 1, 3], ["3.7"]),  # one less: the kept ones have to be in sync
        ([], [0], [0, 1], ["3.7"]),
        ([], [0, 1], [0, 1], []),  # nobody would be in sync
        ([3, 4], [0, 1], [3, 4], ["3.7", "4.3", "4.4"]),
    ],
)
def test_a_move_is_complete_when_those_are_in_sync_that_its_version_waits_for(
    adding: list[int], removing: list[int], isr: list[int], complete: list[str]
) -> None:
    """REA-3: KAFKA-15665 since 3.8, KAFKA-19975 since 4.3."""
    for profile in VERSIONS:
        config = ClusterConfig()
        config.elr = False
        config.all_targets_in_sync = PROFILES[profile].all_targets_in_sync
        config.kept_may_be_out = PROFILES[profile].kept_may_be_out
        kept = [2, *adding]
        replicas = [*kept, *(broker for broker in (0, 1) if broker not in kept)]
        change = State(replicas=replicas, isr=[0, 1], leader=0, active=[0, 1, 2, 3, 4]).change(config)
        change.adding, change.removing, change.target_isr = adding, removing, isr
        made = after(change)[0]
        is_complete = profile in complete
        assert (made.adding == made.removing == []) is is_complete, profile
        assert made.replicas == ([one for one in replicas if one not in removing] if is_complete else replicas)


def test_a_move_of_3_7_never_empties_the_isr() -> None:
    config = ClusterConfig()
    config.elr, config.all_targets_in_sync = False, False
    change = State(replicas=[2, 0, 1], isr=[0, 1], leader=0, active=[0, 1, 2]).change(config)
    change.removing, change.target_isr = [0, 1], [0, 1]
    assert after(change)[0].removing == [0, 1]


# -- ELR-7, REA-6, PREF-1, AP-7: by the control of a running cluster


def hold(run: World, **fields: Any) -> PartitionRegistration:
    """Have the controller believe this of t-0."""
    image = control_of(run).image
    base = image.partitions[0]
    assert base is not None
    base = base.copy()
    for name, value in fields.items():
        setattr(base, name, value)
    image.partitions[0] = base
    return base


ONE, OTHER, CLUSTER = 0, 1, CLUSTER_SETTINGS
MIN_ISR = "min.insync.replicas"


@pytest.mark.parametrize(
    ("topic", "key", "value", "cleared"),
    [
        (ONE, MIN_ISR, 3, [ONE]),
        (ONE, MIN_ISR, 2, []),  # it was 2 already
        (OTHER, MIN_ISR, 1, [OTHER]),  # the value of the cluster, but the topic had none
        (CLUSTER, MIN_ISR, 3, [ONE, OTHER]),
        (CLUSTER, MIN_ISR, 1, [ONE, OTHER]),  # as before
        (ONE, "flush.messages", 2, []),
        (CLUSTER, "unclean.leader.election.enable", -1, []),
    ],
)
def test_setting_min_isr_clears_what_was_eligible(topic: int, key: str, value: int, cleared: list[int]) -> None:
    """ELR-7: a topic's by a new value, all by any of the cluster's; ELR and last-known leader alike."""
    run = world(
        elr=True,
        topics=[
            {"name": "one", "assignment": [[0, 1, 2]], "config": {MIN_ISR: 2}},
            {"name": "other", "assignment": [[0, 1, 2]]},
        ],
    )
    control = control_of(run)
    for p in (ONE, OTHER):
        base = control.image.partitions[p]
        assert base is not None
        base = base.copy()
        base.isr, base.elr, base.last_known = [], [1] if p == ONE else [], [] if p == ONE else [1]
        control.image.partitions[p] = base
    own = 2 if topic == ONE and key != MIN_ISR else -1
    run.cluster.admin.set_topic(
        control, topic, TopicSettings(value if key == MIN_ISR else own, -1), f"{key}={value}", 0
    )
    bare = [p for p in (ONE, OTHER) if (r := control.image.partition(p)) and not r.elr and not r.last_known]
    assert bare == cleared


@pytest.mark.parametrize("unclean", [False, True])
def test_a_reassignment_is_not_cancelled_where_nobody_would_be_in_sync(unclean: bool) -> None:
    """REA-6: only the joiner 3 is in the ISR; without unclean elections the cancellation is refused."""
    run = world()
    hold(run, replicas=[0, 1, 2, 3], adding=[3], isr=[3], leader=-1)
    control = control_of(run)
    control.image.default_unclean = unclean
    run.cluster.admin.cancel_reassignment(control, Reassignment(0, [], 0))
    now = control.image.partition(0)
    assert now is not None
    assert now.replicas == ([0, 1, 2] if unclean else [0, 1, 2, 3])
    assert len(facts(run, RequestRefused)) == (0 if unclean else 1)


def test_one_run_elects_a_thousand_preferred_leaders_at_most() -> None:
    """PREF-1: there may be more to do afterwards; the next run does it."""
    run = world()
    control = control_of(run)
    count = PREFERRED_BATCH_MAX + 50
    control.image.partitions = [PartitionRegistration(p, 0, [0, 1], [0, 1], 1, 0, 0) for p in range(count)]
    moved = []
    for is_more in (True, False):
        records = elect_preferred(control.image, control.config)
        assert (len(records) == PREFERRED_BATCH_MAX) is is_more
        control.write(records, None)
        moved.append(sum(r is not None and r.leader == 0 for r in control.image.partitions))
    assert moved == [1000, count]


def test_a_run_that_leaves_some_to_do_is_followed_by_the_next_after_10_ms(monkeypatch: pytest.MonkeyPatch) -> None:
    """PREF-1: then the interval begins anew."""
    run = world(
        cluster={
            "brokers": [0, 1, 2],
            "controllers": [100],
            "config": {"leader.imbalance.check.interval.seconds": 20},
        },
        phases={"preferred": "5s"},
    )
    looks: list[int] = []

    def elect(image: MetadataImage, config: ClusterConfig) -> list[Record]:
        looks.append(run.now_us)
        count = PREFERRED_BATCH_MAX if len(looks) < 3 else 0
        return [broker_record(0, image.broker_epoch(0), REG_ACTIVE, 0) for _ in range(count)]

    monkeypatch.setattr("simengine.kafka.controller.control_tasks.elect_preferred", elect)
    run.run(30 * SECOND)
    assert looks == [5_000_000, 5_010_000, 5_020_000, 25_020_000]


def test_a_leader_whose_proposal_ends_its_own_leadership_is_told_so() -> None:
    """AP-7: with broker 2 in sync the reassignment away from broker 0 is complete."""
    run = world()
    base = hold(run, replicas=[1, 2, 0], removing=[0], adding=[2], isr=[0, 1], leader=0)
    control = control_of(run)
    be = int(control.image.broker_epoch(0))
    proposal = IsrProposal(0, base.epoch, base.pe, [0, 1, 2], [-1, -1, -1], True)
    records, decisions = decide_proposals(control.image, control.config, AlterRequest(1, 0, be, [proposal]))
    assert [decision.error for decision in decisions] == [errors.ERR_NEW_LEADER_ELECTED]
    assert records[0].partition is not None
    assert records[0].partition.leader == 1


# -- REG-2, LIVE-6, QUO-4, SHUT-2


class Answers:
    """A connection that keeps what is answered on it."""

    def __init__(self) -> None:
        self.conn = 1
        self.got: list[ControllerAnswer] = []

    def answer(self, answer: ControllerAnswer) -> None:
        self.got.append(answer)


def test_an_incarnation_whose_answer_was_lost_is_what_it_was() -> None:
    """REG-2: it asks again within its own session, gets the same broker epoch, and leaves no ISR; another may not."""
    run = world(timeline=[{"at": "1s", "do": "stop 2"}, {"at": "2s", "do": "start 2 after 1s"}])
    run.run(30 * SECOND)
    control, broker = control_of(run), run.cluster.by_id[2]
    control.image.apply(partition_record(hold(run, isr=[0, 1, 2]), 0, 0, 0))
    answers = Answers()
    for incarnation in (int(broker.incarnation), int(broker.incarnation) + 1):
        control._register(cast("Any", answers), RegisterRequest(1, 2, incarnation, -1))
    first, second = (cast("RegisterAnswer", answer) for answer in answers.got)
    assert (first.error, first.be) == (errors.ERR_NONE, broker.be)
    assert second.error == errors.ERR_DUPLICATE_BROKER_REGISTRATION
    assert control.image.broker_state(2) == REG_ACTIVE
    known = control.image.partition(0)
    assert known is not None
    assert known.isr == [0, 1, 2]


@pytest.mark.parametrize(("clean_be", "is_clean"), [(0, True), (-1, False), (1, False), (None, False)])
def test_a_stop_was_clean_if_its_marker_names_the_last_registration(clean_be: int | None, is_clean: bool) -> None:
    """REG-3, ELR-5: any other marker, or none, is that of an unclean stop: the broker leaves the ELRs."""
    run = world(elr=True)
    control = control_of(run)
    base = hold(run, isr=[0], elr=[2], leader=0)
    control.image.apply(partition_record(base, 0, 0, 0))
    control.tracker.forget(2)
    known = int(control.image.broker_epoch(2)) + 40
    control.image.brokers[2] = BrokerState(2, known, REG_FENCED)
    marker = -1 if clean_be is None else known + clean_be
    control._register(cast("Any", Answers()), RegisterRequest(1, 2, 999, marker))
    after_it = control.image.partition(0)
    assert after_it is not None
    assert after_it.elr == ([2] if is_clean else [])


@pytest.mark.parametrize("seed", range(3))
def test_a_new_controller_begins_all_its_periods_anew(seed: int) -> None:
    """QUO-4, PREF-1: a dead broker is fenced a session, the preferred leader elected a full interval after that."""
    state = {"leader": 1, "epoch": 3, "isr": [0, 1, 2]}
    nodes = {"brokers": [0, 1, 2], "controllers": [100, 101, 102], "active": 100}
    run = world(
        seed=seed,
        cluster={**nodes, "config": {"leader.imbalance.check.interval.seconds": 30}},
        topics=[{"name": "t", "assignment": [[0, 1, 2]], "initial": {0: state}}],
        phases={"preferred": "25s"},
        timeline=[{"at": "5s", "do": "kill 100"}, {"at": "5s", "do": "kill 2"}],
    )
    run.run(80 * SECOND)
    seen = facts(run, ControllerChanged, BrokerRegistration, PartitionChanged)
    [begun] = [f.t / SECOND for f in seen if isinstance(f, ControllerChanged) and f.controller > 100]
    fenced = [f.t / SECOND for f in seen if isinstance(f, BrokerRegistration) and f.state == REG_FENCED]
    moved = [f.t / SECOND for f in seen if isinstance(f, PartitionChanged) and f.leader == 0]
    assert moved, "the preferred leader is back, but nobody elects it"
    assert 9.0 <= fenced[0] - begun <= 9.2
    assert 30.0 <= moved[0] - begun <= 30.1


def test_a_new_controller_looks_for_unclean_elections_after_a_full_interval() -> None:
    """QUO-4, UNC-2: the topic allows them since then; until its own controller's first look nobody leads."""
    state = {"leader": -1, "epoch": 3, "isr": [2]}
    nodes = {"brokers": [0, 1, {"id": 2, "state": "down"}], "controllers": [100, 101, 102], "active": 100}
    run = world(
        cluster={**nodes, "config": {"unclean.leader.election.interval.ms": 30_000}},
        topics=[{"name": "t", "assignment": [[0, 1, 2]], "initial": {0: state}}],
        phases={"unclean": "25s"},
        timeline=[
            {"at": "5s", "do": "kill 100"},
            {"at": "20s", "do": "config t unclean.leader.election.enable true"},
        ],
    )
    run.run(90 * SECOND)
    seen = facts(run, ControllerChanged, PartitionChanged)
    [begun] = [f.t / SECOND for f in seen if isinstance(f, ControllerChanged) and f.controller > 100]
    led = [f.t / SECOND for f in seen if isinstance(f, PartitionChanged) and f.leader >= 0]
    assert led, "somebody could lead, but nobody looks"
    assert 30.0 <= led[0] - begun <= 30.1


@pytest.mark.parametrize(("behind", "state"), [(1, REG_FENCED), (0, REG_ACTIVE)])
def test_a_broker_is_unfenced_when_it_has_seen_its_own_registration(behind: int, state: int) -> None:
    """LIVE-6: the controller looks at the metadata offset of the heartbeat, whatever the broker wants."""
    control = control_of(world())
    be = int(control.image.broker_epoch(2))
    control.image.brokers[2] = BrokerState(2, be, REG_FENCED)
    control._heartbeat(cast("Any", Answers()), HeartbeatRequest(1, 2, be, be - behind, False, False))
    assert control.image.broker_state(2) == state


def test_a_new_controller_gives_sessions_to_unfenced_brokers_only() -> None:
    """QUO-4: a fenced one has no session that would keep its next incarnation waiting."""
    run = world()
    run.run(SECOND)
    control = control_of(run)
    control.tracker = HeartbeatTracker(control.config.session_us)
    for broker, state in ((1, REG_SHUTTING_DOWN), (2, REG_FENCED)):
        control.image.brokers[broker] = BrokerState(broker, control.image.broker_epoch(broker), state)
    control.begin(SECOND, SECOND, SECOND)
    assert [int(control.tracker.last_at(broker)) for broker in (0, 1, 2)] == [SECOND, SECOND, -1]


@pytest.mark.parametrize(("seen", "may_exit"), [([100, 99], False), ([100, 100], True)])
def test_a_broker_may_exit_when_every_active_one_has_seen_it_leave(seen: list[int], may_exit: bool) -> None:
    """SHUT-2: the shutdown record of broker 2, which leads nothing, has offset 100."""
    control = control_of(world())
    be = int(control.image.broker_epoch(2))
    control.image.brokers[2] = BrokerState(2, be, REG_SHUTTING_DOWN)
    control._shutdown_at[2] = 100
    control._metadata_seen = dict(enumerate(seen))
    assert control._advance_shutdown(2, be, REG_SHUTTING_DOWN, []) is may_exit


@pytest.mark.parametrize(("leads", "may_exit"), [(False, True), (True, False)])
def test_a_new_controller_knows_of_no_shutdown_and_lets_go_whoever_leads_nothing(leads: bool, may_exit: bool) -> None:
    """SHUT-2: what its predecessor waited for is in no record; nobody need have beaten yet. Else it begins anew."""
    run = world()
    control = control_of(run)
    control.image.apply(partition_record(hold(run, isr=[0, 1, 2], leader=2 if leads else 0), 0, 0, 0))
    be = int(control.image.broker_epoch(2))
    control.image.brokers[2] = BrokerState(2, be, REG_SHUTTING_DOWN)
    records: list[Record] = []
    assert control._advance_shutdown(2, be, REG_SHUTTING_DOWN, records) is may_exit
    states = [record.broker.state for record in records if record.broker is not None]
    assert states == ([REG_FENCED] if may_exit else []), "it is known to be leaving"
    assert (2 in control._shutdown_at) is not may_exit
    assert control._advance_shutdown(2, be, REG_SHUTTING_DOWN, []) is may_exit, "now it waits for the others"


def test_the_second_heartbeat_of_a_shutdown_follows_after_50_ms() -> None:
    """SHUT-2: then every two seconds."""
    run = world(timeline=[{"at": "3s", "do": "stop 0"}])
    run.run(3 * SECOND - 1)
    facts(run)
    run.run(5 * SECOND)
    beats = [f.t / SECOND for f in facts(run, Flight) if f.msg == HEARTBEAT and f.src == 0]
    assert beats[1] - beats[0] < 0.3, "the answer takes a commit of the quorum"
    assert len(beats) < 4
