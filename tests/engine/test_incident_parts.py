"""The parts of an RTO: what a partition went through until its writes came back, and what is the client's time."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from simengine.explain.evidence import RecordEvidence
from simengine.explain.examine import examine
from simengine.explain.fact_index import FactIndex
from simengine.explain.incident_words import PARTS, rto_words
from simengine.explain.incidents import Incident, Teller
from simengine.explain.loss_attribution import LossAttribution
from simengine.explain.phases import PartitionPhases
from simengine.explain.recoveries import Recovery
from simengine.explain.sentences import Words
from simengine.explain.write_outages import stop_of, stretches
from simengine.facts.decisive import ActionDone, LeaderActivated, LinkChanged, PartitionChanged, ProcessChanged
from simengine.facts.kinds import (
    ELECTION_CLEAN,
    ELECTION_NONE,
    ELECTION_OFFLINE,
    PROCESS_DOWN,
    PROCESS_PAUSED,
    PROCESS_RUNNING,
    PROCESS_STARTING,
    REASON_FENCED,
)
from simengine.facts.trace import Decisive
from simengine.kafka.shared.standing import BELOW_MIN_ISR, LEADERLESS, OPEN, STALLED
from simengine.scenario import load
from simengine.verdict.outage import THETA_US
from tests.engine.cluster import SECOND
from tests.engine.made_facts import made

P, FAULT, OTHER = 0, 1, 2
NAMES = {"topics": ["t"], "partitions": [[0, 0]], "clients": [], "brokers": [{"id": b} for b in (0, 1, 2)]}
DONE = [
    made(ActionDone, FAULT, 5 * SECOND, text="kill 0"),
    made(ActionDone, OTHER, 6 * SECOND, text="kill 1"),
]


def commit(at: int, leader: int, epoch: int, election: int = ELECTION_CLEAN, isr: tuple[int, ...] = (0, 1)) -> Decisive:
    state = {"leader": leader, "epoch": epoch, "pe": at, "replicas": [0, 1, 2], "isr": [*isr]}
    why = {"reason": REASON_FENCED, "election": election}
    return made(PartitionChanged, 10 * at, at * SECOND, FAULT, p=P, **state, **why)


def acts(at: int, broker: int, epoch: int) -> Decisive:
    return made(LeaderActivated, 10 * at, at * SECOND, broker=broker, p=P, epoch=epoch, isr=[0, 1, 2])


def process(at: int, broker: int, state: int) -> Decisive:
    return made(ProcessChanged, 10 * at, at * SECOND, OTHER, node=broker, state=state)


def linked(at: int, src: int, dst: int, cut: int) -> Decisive:
    return made(LinkChanged, 10 * at, at * SECOND, OTHER, src=src, dst=dst, cut=cut)


def account_of(states: list[tuple[int, int]]) -> Any:
    """A partition that was in these states of the write path, each from a second on."""
    return SimpleNamespace(p=P, calls=[], deleted_by=0, states=[(at * SECOND, state, FAULT) for at, state in states])


def phases(facts: list[Decisive], states: list[tuple[int, int]], mode: str) -> list[tuple[str, int, int]]:
    """The phases of a partition of three copies from 5 s to 40 s, in seconds."""
    past = FactIndex([*DONE, *facts])
    found = PartitionPhases(account_of(states), past, 50 * SECOND).of(mode, 5 * SECOND, 40 * SECOND)
    return [(name, since // SECOND, until // SECOND) for name, since, until in found]


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ([commit(10, 1, 1), acts(12, 1, 1)], [("detect", 5, 10), ("elect", 10, 12)]),
        ([], [("back", 5, 12)]),
        ([commit(8, 0, 0, ELECTION_NONE)], [("back", 5, 12)]),  # an ISR of which the leader is the last
        ([commit(8, 0, 0, ELECTION_NONE), commit(10, 1, 1)], [("detect", 5, 10), ("elect", 10, 12)]),
        (
            [commit(7, -1, 1, ELECTION_OFFLINE), commit(10, 0, 2)],
            [("detect", 5, 7), ("nobody", 7, 10), ("elect", 10, 12)],
        ),
        ([commit(5, 1, 1)], [("elect", 5, 12)]),  # SHUT-2: it moved before the leader was gone
        (  # the elected one is dead too
            [process(6, 1, PROCESS_DOWN), commit(8, 1, 1), commit(10, 2, 2)],
            [("detect", 5, 10), ("elect", 10, 12)],
        ),
        (  # the elected one is started again and acts
            [process(6, 1, PROCESS_DOWN), commit(8, 1, 1), process(10, 1, PROCESS_RUNNING)],
            [("detect", 5, 10), ("elect", 10, 12)],
        ),
        (  # it acts, and takes connections only later
            [process(7, 1, PROCESS_STARTING), commit(8, 1, 1), acts(9, 1, 1), process(12, 1, PROCESS_RUNNING)],
            [("detect", 5, 8), ("elect", 8, 12)],
        ),
        (  # the one that led acts again, in its old epoch: nobody has found out that it was gone
            [
                commit(3, 0, 0, ELECTION_NONE),
                process(6, 0, PROCESS_DOWN),
                process(7, 0, PROCESS_STARTING),
                acts(9, 0, 0),
            ],
            [("back", 5, 12)],
        ),
        (  # it acts, but no client reaches it
            [commit(8, 1, 1), acts(9, 1, 1)],
            [("detect", 5, 8), ("elect", 8, 9), ("back", 9, 12)],
        ),
        ([commit(45, 1, 1)], [("back", 5, 12)]),
        (  # a follower is fenced while it boots: the first commit of all, which elects nobody
            [
                process(5, 0, PROCESS_DOWN),
                process(6, 0, PROCESS_STARTING),
                commit(8, 0, 0, ELECTION_NONE),
                commit(10, 1, 1),
            ],
            [("detect", 5, 10), ("elect", 10, 12)],
        ),
        (  # the elected one led, and died
            [
                commit(2, 1, 1),
                acts(3, 1, 1),
                process(5, 1, PROCESS_DOWN),
                process(6, 1, PROCESS_STARTING),
                acts(8, 1, 1),
                commit(10, 2, 2),
            ],
            [("detect", 5, 10), ("elect", 10, 12)],
        ),
    ],
)
@pytest.mark.parametrize("mode", ["all", "1", "0"])
def test_without_a_leader_a_partition_waits_for_whoever_finds_out_or_for_whoever_is_elected(
    facts: list[Decisive], told: list[tuple[str, int, int]], mode: str
) -> None:
    """ELEC-3, ELEC-7: by who leads by the registration, whether it acts, and how it ends."""
    assert phases([acts(0, 0, 0), *facts], [(5, LEADERLESS), (12, OPEN)], mode) == told


@pytest.mark.parametrize(
    ("facts", "states", "told"),
    [
        # broker 1 hangs: it goes on, or a commit rids the ISR of it
        ([process(4, 1, PROCESS_PAUSED), process(9, 1, PROCESS_RUNNING)], [(4, STALLED), (9, OPEN)], [("back", 5, 9)]),
        (
            [process(4, 1, PROCESS_PAUSED), commit(8, 0, 0, ELECTION_NONE, (0, 2))],
            [(4, STALLED), (9, OPEN)],
            [("detect", 5, 8), ("settle", 8, 9)],
        ),
        (
            [process(4, 1, PROCESS_DOWN), commit(9, 0, 0, ELECTION_NONE, (0,))],
            [(4, STALLED), (9, BELOW_MIN_ISR)],
            [("detect", 5, 9), ("isr", 9, 40)],
        ),
        (  # broker 2 leaves, or comes: nobody has found out that broker 1 hangs
            [
                process(4, 1, PROCESS_PAUSED),
                commit(6, 0, 0, ELECTION_NONE, (0, 1)),
                commit(8, 0, 0, ELECTION_NONE, (0, 1, 2)),
                process(9, 1, PROCESS_RUNNING),
            ],
            [(4, STALLED), (9, OPEN)],
            [("back", 5, 6), ("back", 6, 8), ("back", 8, 9)],
        ),
        (  # it leaves first, and broker 2, which is cut off, is back before it is found out
            [
                process(4, 1, PROCESS_DOWN),
                linked(7, 2, 0, 1),
                commit(8, 0, 0, ELECTION_NONE, (0, 2)),
                linked(12, 2, 0, 0),
            ],
            [(4, STALLED), (12, OPEN)],
            [("detect", 5, 7), ("detect", 7, 8), ("back", 8, 12)],
        ),
        ([linked(4, 0, 1, 1), linked(9, 0, 1, 0)], [(4, STALLED), (9, OPEN)], [("back", 5, 9)]),
        (  # the controllers found the other end of the cut, the leader; or it was told to move
            [linked(4, 0, 1, 1), commit(9, 2, 1, isr=(1, 2))],
            [(4, STALLED), (9, LEADERLESS), (10, OPEN)],
            [("detect", 5, 9), ("elect", 9, 10)],
        ),
        (
            [linked(4, 0, 1, 1), commit(9, 2, 1, isr=(0, 1, 2))],
            [(4, STALLED), (9, LEADERLESS), (10, OPEN)],
            [("back", 5, 9), ("elect", 9, 10)],
        ),
        ([process(4, 1, PROCESS_PAUSED)], [(4, STALLED)], [("detect", 5, 40)]),  # nobody has found it out yet
        ([acts(6, 0, 1)], [(6, STALLED), (9, OPEN)], [("settle", 6, 9)]),  # HW-5
        ([acts(5, 0, 1)], [(6, STALLED), (9, OPEN)], [("settle", 6, 9)]),  # it began to listen later
        (
            [process(3, 1, PROCESS_DOWN), process(4, 1, PROCESS_STARTING), process(9, 1, PROCESS_RUNNING)],
            [(4, STALLED), (12, OPEN)],
            [("back", 5, 9), ("settle", 9, 12)],
        ),
        (  # the leader dies before the member that it waited for is found out
            [process(4, 1, PROCESS_DOWN), process(9, 0, PROCESS_DOWN), commit(12, 2, 1, isr=(2,))],
            [(4, STALLED), (9, LEADERLESS), (13, OPEN)],
            [("detect", 5, 9), ("detect", 9, 12), ("elect", 12, 13)],
        ),
        (  # the link heals when the leader at its other end is dead: nobody is back
            [linked(4, 0, 1, 1), process(7, 0, PROCESS_DOWN), linked(9, 0, 1, 0), commit(12, 1, 1, isr=(1, 2))],
            [(4, STALLED), (7, LEADERLESS), (13, OPEN)],
            [("detect", 5, 7), ("detect", 7, 12), ("elect", 12, 13)],
        ),
        ([], [(4, BELOW_MIN_ISR), (9, OPEN), (20, BELOW_MIN_ISR), (30, OPEN)], [("isr", 5, 9), ("isr", 20, 30)]),
    ],
)
def test_acks_all_waits_besides_for_members_of_the_isr(
    facts: list[Decisive], states: list[tuple[int, int]], told: list[tuple[str, int, int]]
) -> None:
    """HW-3, HW-5, PROD-2, ISR-2."""
    known = [acts(0, 0, 0), commit(1, 0, 0, ELECTION_NONE, (0, 1, 2)), *facts]
    assert phases(known, states, "all") == told
    assert phases(known, [one for one in states if one[1] != LEADERLESS], "1") == []


@pytest.mark.parametrize(
    ("mode", "settling", "isr", "settle", "client"),
    [
        ("all", [(15, 40)], 10, 20, 5),  # until 20 s the ISR is why
        ("all", [(22, 25), (24, 30)], 10, 8, 17),
        ("all", [(2, 60)], 10, 25, 0),
        ("all", [], 10, 0, 25),
        ("1", [(15, 40)], 0, 0, 35),  # PROD-4: it waits for nobody
    ],
)
def test_settling_is_no_time_in_which_the_servers_took_no_call_and_the_rest_is_the_clients(
    mode: str, settling: list[tuple[int, int]], isr: int, settle: int, client: int
) -> None:
    account = account_of([(10, BELOW_MIN_ISR), (20, OPEN)])
    run = cast("Any", SimpleNamespace(book=SimpleNamespace(account=lambda _: account), now_us=50 * SECOND))
    unused = cast("Any", None)
    incident = Incident(5 * SECOND, [])
    teller = Teller(run, FactIndex(DONE), Words(NAMES), LossAttribution([]), RecordEvidence(), [incident], unused)
    spans = [(since * SECOND, until * SECOND) for since, until in settling]
    part = teller._part(0, P, mode, 0, Recovery(0, 5 * SECOND, 40 * SECOND, is_over=True, settling=spans))
    assert part is not None
    found = {name: part[f"{name}_us"] // SECOND for name in ("isr", "settle", "client")}
    assert found == {"isr": isr, "settle": settle, "client": client}
    assert sum(part[f"{name}_us"] for name in ("detect", "nobody", "elect", "back", *found)) == part["us"]


@pytest.mark.parametrize(
    ("after", "cause", "is_its"),
    [
        (0, OTHER, True),
        (-1, FAULT, False),
        (1, FAULT, True),
        (1, OTHER, False),
        (1, 0, False),
        (THETA_US, FAULT, True),
        (THETA_US + 1, FAULT, False),
    ],
)
@pytest.mark.parametrize("is_over", [True, False])
def test_a_stop_is_a_faults_if_it_begins_with_it_or_goes_back_to_it_soon_after(
    after: int, cause: int, is_its: bool, is_over: bool
) -> None:
    since, until = 5 * SECOND + after, 9 * SECOND if is_over else 50 * SECOND + 1
    states = [(since, LEADERLESS, cause), *([(until, OPEN, 0)] if is_over else [])]
    account = cast("Any", SimpleNamespace(states=states))
    assert stop_of(account, FactIndex(DONE), "1", 5 * SECOND, 50 * SECOND) == ((since, until) if is_its else None)


@pytest.mark.parametrize(
    ("states", "all_", "one"),
    [
        ([(2, STALLED), (5, LEADERLESS), (9, BELOW_MIN_ISR), (12, OPEN)], [(2, 12)], [(5, 9)]),
        ([(2, STALLED), (3, OPEN), (5, LEADERLESS), (6, OPEN)], [], []),  # no longer than theta
        ([(2, LEADERLESS), (4, OPEN), (49, LEADERLESS)], [(2, 4), (49, 50)], [(2, 4), (49, 50)]),
        ([], [], []),
    ],
)
def test_a_partition_is_out_in_what_a_mode_asks_for_and_not_beyond_theta(
    states: list[tuple[int, int]], all_: list[tuple[int, int]], one: list[tuple[int, int]]
) -> None:
    """STOP-3: the end of what counts in a verdict is no end of a stop."""
    for mode, expected in (("all", all_), ("1", one), ("0", one)):
        found = stretches(account_of(states), mode, 50 * SECOND)
        assert [(since // SECOND, until // SECOND) for since, until in found] == expected


DOCUMENT = """
format: 1
seed: 3
elr: false
until: 90s
cluster: {brokers: [1, 2, 3], controllers: [100]}
topics: [{name: t, assignment: [[1, 2, 3]], config: {min.insync.replicas: 2}}]
producers: [{id: P, topic: t, rate: 20, acks: all}, {id: Q, topic: t, rate: 20, acks: 1}]
timeline:
"""


def in_seconds(times: dict[str, int]) -> dict[str, int]:
    return {name: round(us / SECOND) for name, us in times.items() if us > SECOND // 2}


def told(*actions: str) -> list[dict[str, dict[str, int]]]:
    """Of each incident the parts of t-0's time that last longer than half a second, by mode; whole seconds."""
    doc = load((DOCUMENT + "\n".join(f"  - {{{one}}}" for one in actions)).encode())
    found = []
    for incident in examine(doc, doc.until_us)["incidents"]:
        parts = {mode: one["partitions"][0] for mode, one in incident["rto"].items() if one["partitions"]}
        times = {
            mode: {"us": part["us"], **{name: part[f"{name}_us"] for name in PARTS}} for mode, part in parts.items()
        }
        found.append({mode: in_seconds(one) for mode, one in times.items()})
    return found


def test_a_cut_of_followers_is_detected_when_the_isr_shrinks_not_when_the_leader_dies_later() -> None:
    """ISR-2, PROD-2: the ISR is too small from 14 s on; it takes its own time to find its leader dead at 40 s."""
    cut, _, killed = told(
        "at: 5s, do: 'cut 1|2,3'",
        "at: 6.5s, do: kill 2",
        "at: 6.5s, do: kill 3",
        "at: 30s, do: heal",
        "at: 40s, do: kill 1",
        "at: 60s, do: start 1",
        "at: 62s, do: start 2",
    )
    assert cut["all"]["isr"] > 20
    assert cut["all"]["detect"] < 22
    assert killed["all"]["detect"] < 11
    assert killed["all"]["nobody"] > 10


def test_a_fault_while_there_is_no_leader_waits_for_the_election_that_an_earlier_one_asked_for() -> None:
    """ELEC-3: the client is not why."""
    _, paused = told("at: 20s, do: kill 1", "at: 22s, do: pause 3", "at: 40s, do: resume 3")
    assert paused["1"]["detect"] >= 5
    assert paused["1"].get("client", 0) <= 1


def test_a_leader_that_is_back_before_its_session_ends_was_not_detected() -> None:
    """LIVE-3."""
    [paused, *_] = told("at: 20s, do: pause 1", "at: 24s, do: resume 1")
    assert paused["1"] == {"us": 4, "back": 4}


def test_a_stop_that_the_next_fault_begins_within_a_second_is_not_the_first_ones() -> None:
    """Calls made between the two came through."""
    first, second = told("at: 20s, do: kill 3", "at: 20.9s, do: kill 1")
    assert "us" not in first["1"]
    assert second["1"]["detect"] >= 7


def test_a_client_that_waits_for_an_answer_on_its_way_does_not_settle() -> None:
    """HW-1: what it sent is committed once broker 3 is fenced; Q, which reaches the leader, can write all the while."""
    [cut] = told("at: 20s, do: 'cut 1>P'", "at: 20s, do: kill 3", "at: 40s, do: heal")
    assert cut["all"]["client"] >= 9
    assert "settle" not in cut["all"]


def test_a_producer_that_is_cut_off_from_the_leader_has_a_time_though_the_servers_are_well() -> None:
    """RTO, as clients see it: the other producer is not concerned; with another broker nothing stops."""
    cut, other, to_it = told(
        "at: 10s, do: 'cut P|1'",
        "at: 20s, do: heal",
        "at: 40s, do: 'cut P|2'",
        "at: 50s, do: heal",
        "at: 60s, do: 'cut 1>Q'",
        "at: 70s, do: heal",
    )
    assert cut["all"]["client"] == cut["all"]["us"] >= 10
    assert "1" not in cut
    assert other == {}
    assert to_it["1"]["client"] >= 10
    assert "all" not in to_it


def test_no_probe_ends_the_wait_of_a_call() -> None:
    """P reaches the leader all the while; Q is cut off, and calls then."""
    text = DOCUMENT.replace("topic: t, rate: 20, acks: 1", "topic: t, rate: 0, acks: 1")
    text += "  - {at: 20s, do: 'cut Q|1'}\n  - {at: 27s, do: send Q t-0 1}\n  - {at: 54.5s, do: heal}"
    doc = load(text.encode())
    [incident] = examine(doc, doc.until_us)["incidents"]
    time = "at most 37.1 s (t-0: client 30.1 s, first call 7.0 s after the fault)"
    assert incident["words"][1] == f"RTO acks=1: {time}"


@pytest.mark.parametrize("cut", ["1>Q", "Q>1", "Q|1"])
def test_a_producer_that_stays_cut_off_needs_its_links(cut: str) -> None:
    doc = load((DOCUMENT + f"  - {{at: 10s, do: 'cut {cut}'}}").encode())
    [incident] = examine(doc, doc.until_us)["incidents"]
    assert incident["words"][1] == "RTO acks=1: none so far; t-0 needs the links between Q and broker 1"


def test_parts_that_do_not_show_are_not_told() -> None:
    parts = dict.fromkeys(
        ("detect_us", "nobody_us", "elect_us", "back_us", "isr_us", "vain_us", "client_us", "settle_us"), 40_000
    )
    part = {"partition": "t-0", "us": 280_000, "by_probe": False, "is_new": False, "first_call_us": 0, **parts}
    rto = {"partitions": [part], "never": [], "median_us": 280_000, "worst_us": 280_000, "again": []}
    assert rto_words("1", rto) == "RTO acks=1: worst 0.3 s (t-0)"
    part["nobody_us"] = 50_000
    assert rto_words("1", rto) == "RTO acks=1: worst 0.3 s (t-0: nobody may lead 0.1 s)"


def rto_told(*actions: str, until: int = 40, config: str = "") -> list[str]:
    """The words on the RTO of each incident, of one producer with acks=all."""
    text = f"""
format: 1
seed: 1
until: {until}s
cluster: {{brokers: [1, 2, 3], controllers: [100, 101, 102]}}
topics: [{{name: t, assignment: [[1, 2, 3]], config: {{min.insync.replicas: 1}}}}]
producers: [{{id: P, topic: t, rate: 10, config: {{{config}}}}}]
timeline:
"""
    doc = load((text + "\n".join(f"  - {{{one}}}" for one in actions)).encode())
    return [" ".join(incident["words"][1:]) for incident in examine(doc, doc.until_us)["incidents"]]


def test_no_probe_ends_the_time_of_a_producer_whose_calls_wait() -> None:
    """RTO, as clients see it: P's calls wait to the end of the run, though another broker leads."""
    assert rto_told("at: 6s, do: power-loss 1", until=25) == [
        "RTO acks=all: none so far for t-0 (the servers would have taken a call 11.0 s after the fault)"
    ]


@pytest.mark.parametrize(
    "actions",
    [
        ["at: 10s, do: kill 3", "at: 12s, do: delete t"],
        ["at: 10s, do: 'cut P|1,2,3'", "at: 12s, do: delete t"],
        ["at: 10s, do: 'cut P|1,2,3'", "at: 12s, do: delete t", "at: 16s, do: heal"],
        ["at: 10s, do: kill 1", "at: 12s, do: delete t", "at: 30s, do: create t 2"],
    ],
)
def test_a_deleted_topic_takes_no_call_again_and_needs_nothing(actions: list[str]) -> None:
    assert rto_told(*actions)[0].startswith("RTO acks=all: none: topic t was deleted at 12.0")


def test_a_partition_has_its_time_from_its_creation_on() -> None:
    """Three are created while the controllers have not found out that a member of their ISR is gone."""
    text = "at: 10s, do: kill 1", "at: 13s, do: partitions t 4"
    assert rto_told(*text, config="metadata.max.age.ms: 1000") == [
        "RTO acks=all: median 7.1 s, worst 10.4 s (t-0: detect 9.8 s, elect 0.1 s, settle 0.5 s)"
    ]
    words = {"partitions": [], "never": [{"gone": "topic t was deleted at 2.000 s"}] * 2}
    assert rto_words("all", words) == "RTO acks=all: none: topic t was deleted at 2.000 s"
