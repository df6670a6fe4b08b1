"""The actions that are incidents, and the reason why one lost nothing: by rule or by luck (STOP-5)."""

import pytest

from simengine.explain.examine import examine
from simengine.explain.fact_index import FactIndex
from simengine.explain.luck import ends_of
from simengine.facts.decisive import ActionDone, ProcessChanged
from simengine.facts.kinds import PROCESS_DOWN
from simengine.scenario import load
from tests.engine.made_facts import made

THREE_BROKERS = """
format: 1
until: 40s
cluster: {{brokers: [{{id: 0, rack: a}}, {{id: 1, rack: a}}, {{id: 2, rack: b}}], controllers: [100]}}
topics: [{{name: t, assignment: [[0, 1]]}}, {{name: quiet, assignment: [[2, 1]]}}]
producers: [{{id: P, topic: t, acks: {acks}}}]
consumers: [{{id: C, group: g, topics: [t]}}]
phases: {{preferred: 250s}}
timeline: [{actions}]
"""
SENT = "{at: 1s, do: send P t-0 3}, "


def told(acks: str, actions: str) -> list[tuple[int, str]]:
    """The incidents of a run, each with what is said of its RPO."""
    doc = load(THREE_BROKERS.format(acks=acks, actions=actions).encode())
    return [(one["at_us"] // 1_000_000, one["words"][0]) for one in examine(doc, doc.until_us)["incidents"]]


@pytest.mark.parametrize("acks", ["all", "1"])
@pytest.mark.parametrize("cut", ["'cut P>0'", "'cut C|0'"])
def test_the_link_of_a_client_loses_nothing_by_rule(acks: str, cut: str) -> None:
    """FLT-4: no broker misses anything that it had."""
    assert told(acks, f"{SENT}{{at: 5s, do: {cut}}}") == [
        (5, "RPO observed: 0 by rule (only links of clients were hit)")
    ]


@pytest.mark.parametrize(
    ("acks", "sent", "fault", "reason"),
    [
        ("0", SENT, "power-loss 0", "no record had been acknowledged"),
        ("all", "", "power-loss all", "no record had been acknowledged"),
        ("1", "", "kill 0", "no record had been acknowledged"),
        ("all", "", "kill 2", "no record had been acknowledged"),
        ("all", SENT, "kill 2", "no record had been acknowledged where a leader was hit"),
        ("all", SENT, "power-loss 2", "no record had been acknowledged where a leader was hit"),
        ("all", SENT, "kill 1", "no leader was hit"),
        ("1", SENT, "'cut 0|1'", "no leader lost its link to the active controller"),
        ("1", SENT, "'cut 1|2'", "no leader lost its link to the active controller"),  # 2 leads the other topic
        ("1", SENT, "'cut 1|100'", "no leader was hit"),
    ],
)
def test_what_holds_nothing_acknowledged_loses_nothing_by_rule(acks: str, sent: str, fault: str, reason: str) -> None:
    """PROD-4, LOG-8: a hand-over promises nothing. Whose records had been acknowledged is said."""
    [(_, words)] = told(acks, f"{sent}{{at: 5s, do: {fault}}}, {{at: 30s, do: send P t-0 1}}")
    assert words.startswith(f"RPO observed: 0 by rule ({reason})")


def test_a_leader_that_goes_on_after_the_fault_answers_early_though_nothing_was_acknowledged_before() -> None:
    """PROD-4: what is acknowledged by a leader that is cut off may be lost yet."""
    [(_, words)] = told("1", "{at: 5s, do: 'cut 0|100'}, {at: 6s, do: send P t-0 3}, {at: 9s, do: heal}")
    assert "0 by luck (acks=1 is answered before another" in words


def test_the_internal_topic_is_told_apart() -> None:
    """CON-6: broker 2 leads __consumer_offsets alone."""
    doc = load(
        b"{format: 1, until: 20s, cluster: {brokers: [0, 1, 2], controllers: [100]}, topics: ["
        b"{name: t, assignment: [[0, 1]]}, {name: __consumer_offsets, assignment: [[2, 1]]}], "
        b"producers: [{id: P, topic: t, acks: all}], timeline: [{at: 1s, do: send P t-0 3}, {at: 5s, do: kill 2}]}"
    )
    [incident] = examine(doc, doc.until_us)["incidents"]
    assert incident["words"][0] == "RPO observed: 0 by rule (no record had been acknowledged where a leader was hit)"


@pytest.mark.parametrize(
    ("actions", "faults"),
    [
        ("{at: 3s, do: kill 1}, {at: 5s, do: kill 1}, {at: 6s, do: pause 1}, {at: 7s, do: stop 1}", ["3 kill 1"]),
        ("{at: 3s, do: start 1 empty}, {at: 5s, do: start-rack a}", []),
        ("{at: 3s, do: kill 1}, {at: 5s, do: start 1 empty}", ["3 kill 1", "5 start 1 empty"]),
        ("{at: 3s, do: stop 1}, {at: 3s, do: start 1 empty}", ["3 stop 1, start 1 empty"]),
        ("{at: 3s, do: 'cut 0|1'}, {at: 5s, do: 'cut 0>1'}, {at: 6s, do: heal}", ["3 cut 0|1"]),
        ("{at: 3s, do: kill 1}, {at: 5s, do: kill-rack a}", ["3 kill 1", "5 kill-rack a"]),  # broker 0 lived
        ("{at: 3s, do: kill 1}, {at: 5s, do: kill 0}, {at: 6s, do: kill-rack a}", ["3 kill 1", "5 kill 0"]),
        ("{at: 3s, do: kill 100}, {at: 5s, do: kill 100}", ["3 kill 100"]),
        ("{at: 3s, do: kill 1}, {at: 5s, do: kill 1}, {at: 5s, do: kill 2}", ["3 kill 1", "5 kill 2"]),
    ],
)
def test_an_action_without_an_effect_is_no_incident(actions: str, faults: list[str]) -> None:
    """FLT-3: nothing follows from the second kill of a dead broker, nor from an empty start of a running one."""
    assert faults_told(f"{SENT}{actions}") == faults


def faults_told(actions: str) -> list[str]:
    """Second and actions of each incident."""
    doc = load(THREE_BROKERS.format(acks="all", actions=actions).encode())
    incidents = examine(doc, doc.until_us)["incidents"]
    return [f"{one['at_us'] // 1_000_000} {one['text']}" for one in incidents]


def test_a_power_loss_after_the_death_hits_the_log_that_it_takes() -> None:
    """LOG-8: the process was dead, and what its disk had not got yet goes now."""
    (_, killed), (_, dark) = told("1", f"{SENT}{{at: 3s, do: kill 0}}, {{at: 4s, do: power-loss 0 3}}")
    assert "0 by luck (acks=1 is answered before another" in killed
    assert "0 by luck (a power loss takes what was not flushed)" in dark


def test_an_incident_is_over_when_something_else_breaks_or_is_undone() -> None:
    """A fault without effect ends none."""
    texts = ["kill 0", "kill 0", "kill 1", "start 0", "kill 2"]
    done = [made(ActionDone, 2 * n, n, index=n, text=text) for n, text in enumerate(texts, 1)]
    died = [made(ProcessChanged, 2 * n + 1, n, 2 * n, node=n, state=PROCESS_DOWN) for n in (1, 3, 4, 5)]
    past = FactIndex(sorted([*done, *died], key=lambda fact: fact.seq))
    assert ends_of(past, [1, 3, 5], 9) == [3, 4, 9]


EARLY, ALL = (
    "acks=1 is answered before another replica has the record",
    "acks=all, and each replica that may be elected has the records",
)
KILLED = [(20, "kill 0"), (50, "start 0")]
CUT_OFF = [(20, "'cut 0|100'"), (24, "heal")]


@pytest.mark.parametrize(
    ("acks", "changes", "fault", "reason"),
    [
        ("1", [], KILLED, EARLY),
        ("1", [(10, "acks t all"), (11, "send P t-0 1")], KILLED, EARLY),
        ("all", [(10, "acks t 0")], KILLED, ALL),
        ("all", [(30, "acks t 1"), (35, "send P t-0 1")], KILLED, ALL),
        ("all", [(22, "acks t 1"), (23, "send P t-0 1")], CUT_OFF, EARLY),
        ("all", [(30, "acks t 1"), (31, "send P t-0 1")], CUT_OFF, ALL),
    ],
)
def test_acks_1_is_luck_where_a_leader_that_was_hit_had_answered_so(
    acks: str, changes: list[tuple[int, str]], fault: list[tuple[int, str]], reason: str
) -> None:
    """PROD-4: by the fault; where a leader that was hit may go on, until somebody heals it."""
    actions = ", ".join(f"{{at: {at}s, do: {action}}}" for at, action in sorted([*changes, *fault]))
    [(_, words)] = told(acks, f"{SENT}{actions}")
    assert words == f"RPO observed: 0 by {'luck' if reason == EARLY else 'rule'} ({reason})"


def test_a_producer_that_calls_a_partition_later_only_risked_nothing_at_the_incident() -> None:
    """PROD-4: P has acks=1, and sends its first record when the leader is dead."""
    text = THREE_BROKERS.format(
        acks="1", actions="{at: 1s, do: send Q t-0 3}, {at: 20s, do: kill 0}, {at: 35s, do: send P t-0 1}"
    )
    doc = load(text.replace("producers: [", "producers: [{id: Q, topic: t, acks: all}, ").encode())
    [incident] = examine(doc, doc.until_us)["incidents"]
    assert incident["words"][0] == f"RPO observed: 0 by rule ({ALL})"


def test_a_cut_from_a_leader_that_is_cut_off_from_the_controllers_already_is_luck() -> None:
    """FLT-5: the first cut takes its leadership, the second one what its followers do not copy any more."""
    first, second = told("1", f"{SENT}{{at: 30s, do: 'cut 0|100'}}, {{at: 32s, do: 'cut 0|1'}}")
    assert first[1].startswith("RPO observed: 0 by luck (")
    assert second[1].startswith("RPO observed: 0 by luck (acks=1 is answered before another")


@pytest.mark.parametrize("cut", ["0|1", "0>1", "0|1,100"])
def test_a_cut_from_a_leader_that_was_killed_already_loses_nothing_by_rule(cut: str) -> None:
    """FLT-3: a process that has ended acknowledges nothing more, though the controller has not fenced it yet."""
    _, severed = told("1", f"{SENT}{{at: 20s, do: kill 0}}, {{at: 22s, do: 'cut {cut}'}}")
    assert severed[1] == "RPO observed: 0 by rule (a broker of each link was down already)"


def test_a_power_loss_of_the_follower_of_a_leader_that_stands_still_is_luck() -> None:
    """LOG-8: the follower may be elected with what is left of its log."""
    paused, dark = told(
        "all", f"{SENT}{{at: 3s, do: pause 0}}, {{at: 5s, do: power-loss 1 0}}, {{at: 6s, do: start 1}}"
    )
    assert paused[1] == f"RPO observed: 0 by rule ({ALL})"
    assert dark[1] == "RPO observed: 0 by luck (a power loss takes what was not flushed)"


def test_the_election_of_the_last_known_leader_is_not_called_clean() -> None:
    """ELR-6: all three processes ended, and their logs are whole."""
    doc = load(
        b"{format: 1, elr: true, until: 40s, cluster: {brokers: [0, 1, 2], controllers: [100]}, "
        b"topics: [{name: t, assignment: [[0, 1, 2]], config: {min.insync.replicas: 2}}], "
        b"producers: [{id: P, topic: t, acks: all}], timeline: [{at: 1s, do: send P t-0 3}, {at: 10s, do: kill 0}, "
        b"{at: 10s, do: kill 1}, {at: 10s, do: kill 2}, {at: 25s, do: start 0}, {at: 25s, do: start 1}]}"
    )
    [incident] = examine(doc, doc.until_us)["incidents"]
    assert incident["words"][0] == f"RPO observed: 0 by rule ({ALL})"
    assert "clean" not in ALL


@pytest.mark.parametrize("acks", ["all", "1"])
def test_the_copy_of_a_deleted_topic_on_a_dead_broker_is_no_single_copy(acks: str) -> None:
    """PLACE-7: brokers that run delete theirs, as asked."""
    [(_, words)] = told(acks, f"{SENT}{{at: 5s, do: kill 1}}, {{at: 7s, do: delete t}}")
    assert words == "RPO observed: 0 by rule (no leader was hit)"


def test_a_leader_s_death_is_no_rule_where_its_heir_lost_records_before() -> None:
    """LOG-8, REG-5: broker 1 is in the ISR, and back without what its power loss took, before it has registered."""
    died = "{at: 5s, do: power-loss 1 2}, {at: 5.4s, do: start 1}, {at: 5.9s, do: kill 0}, {at: 6.2s, do: start 0}"
    assert told("all", f"{SENT}{died}")[-1] == (5, "RPO observed: 0 by luck (3 records had one copy)")


@pytest.mark.parametrize(
    ("producer", "more"),
    [
        ("{id: P, topic: a, acks: 1, rate: 5}", "; elsewhere no other replica may lead, and a log keeps its records"),
        ("{id: P, topic: a, acks: 0, rate: 5}", "; elsewhere only acks=0, which acknowledges nothing"),
        ("{id: P, topic: b, acks: all, rate: 5}", ""),
    ],
)
def test_a_partition_that_is_not_written_with_acks_all_or_has_one_copy_has_its_own_reason(
    producer: str, more: str
) -> None:
    """PROD-4: topic a has one replica, on the broker that leads b."""
    text = (
        "{format: 1, until: 30s, cluster: {brokers: [0, 1], controllers: [100]}, topics: ["
        "{name: a, assignment: [[0]]}, {name: b, assignment: [[0, 1]]}], producers: ["
        f"{producer}, {{id: Q, topic: b, acks: all, rate: 5}}], "
        "timeline: [{at: 5s, do: kill 0}, {at: 6s, do: start 0}]}"
    )
    doc = load(text.encode())
    [incident] = examine(doc, doc.until_us)["incidents"]
    assert f"0 by rule ({ALL}{more})" in incident["words"][0]
