"""The cost of an incident: the responses that end it, the partitions it touched, their return (STOP-5, STOP-6)."""

from typing import Any, cast

import pytest

from simengine.explain.decide import Decision
from simengine.explain.evidence import RecordEvidence
from simengine.explain.examine import examine
from simengine.explain.fact_index import FactIndex
from simengine.explain.incident_words import PARTS, rpo_words, rto_words
from simengine.explain.incidents import Incident, Teller, once_each
from simengine.explain.loss_attribution import LossAttribution, entry_of
from simengine.explain.losses import Loss
from simengine.explain.recoveries import Recoveries
from simengine.explain.sentences import Words
from simengine.explain.settings import Modes
from simengine.explain.write_outages import Ends
from simengine.facts.decisive import RecordsLost
from simengine.facts.errors import ERR_NONE, ERR_REQUEST_TIMED_OUT
from simengine.facts.traffic import Appended, CallsMade, CallsSettled, HwMoved
from simengine.kafka.shared.standing import OPEN, STALLED
from simengine.scenario import load
from simengine.verdict.outage import NEVER, Closing
from simengine.verdict.outcomes import ACKED, CallOutcomes, RecordRange
from simengine.world.world import World
from tests.engine.cluster import SECOND, world
from tests.engine.made_facts import made

CLIENT, P, BROKER, EPOCH = 3, 0, 0, 0


class AtOnce:
    """No fault stops writes for longer than theta."""

    def of(self, fault_us: int, p: int, mode: str) -> int:
        return fault_us

    def lost_us(self, loss: Loss) -> int:
        """Facts of these tests are numbered by their seconds."""
        return loss.taken_by * SECOND if loss.taken_by else NEVER


class Always:
    """A producer that has acks=all, but for calls made at 30 s and later: those have acks=1."""

    def at(self, client: int, at_us: int) -> str:
        return "all" if at_us < 30 * SECOND else "1"


def watching(*losses: Loss, later: int = 100) -> Recoveries:
    """Whoever watches what comes through after a fault at 5 s, and after one at a later second."""
    faults = [5 * SECOND, later * SECOND]
    return Recoveries(faults, list(losses), cast("Ends", AtOnce()), cast("Modes", Always()))


def call(at: int, n: int) -> CallsMade:
    return made(CallsMade, 0, at * SECOND, client=CLIENT, p=P, n=n, count=1)


def appended(at: int, n: int, epoch: int = EPOCH, by: int = BROKER) -> Appended:
    of = {"client": CLIENT, "n": n}
    return made(Appended, 0, at * SECOND, broker=by, p=P, base=100 + n, count=1, epoch=epoch, **of)


def moved(at: int, n: int) -> HwMoved:
    """The high watermark has passed the records of a call."""
    return made(HwMoved, 0, at * SECOND, broker=BROKER, p=P, hw=101 + n)


def settled(at: int, n: int, error: int = ERR_NONE, epoch: int = EPOCH, offset: int | None = None) -> CallsSettled:
    result = {"offset": 100 + n if offset is None else offset, "epoch": epoch, "error": error}
    return made(CallsSettled, 0, at * SECOND, client=CLIENT, p=P, n=n, count=1, **result)


def lost(seq: int, t: int, count: int = 1, epoch: int = EPOCH) -> RecordsLost:
    """Records from offset 101 on are lost."""
    return made(RecordsLost, seq, t, p=P, base=101, count=count, epoch=epoch, acks=1, client=CLIENT)


def test_a_partition_is_back_with_the_first_success_of_a_call_made_after_the_fault() -> None:
    """RTO: neither an older call's success nor a newer one's failure."""
    seen = watching()
    facts = [call(1, 0), call(6, 1), call(7, 2), appended(7, 0), settled(8, 0), settled(9, 1, ERR_REQUEST_TIMED_OUT)]
    for fact in [*facts, appended(10, 2), settled(11, 2), settled(12, 1)]:
        seen.feed(fact)
    [wait] = seen.by_incident[0].values()
    assert (wait.first_call, wait.made_us // SECOND, wait.acked_us // SECOND) == (1, 6, 11)


def test_what_a_former_leader_answers_is_no_success() -> None:
    """LIVE-5, STOP-3, STOP-6: what a zombie accepts is doomed, whatever began the stop; RTO waits for the new epoch."""
    assert recovered(replaced_at=7) == 12


def test_what_the_next_fault_loses_had_come_through() -> None:
    """At 15 s somebody was to lead without it, for a fault at 10 s."""
    assert recovered(replaced_at=15, later=10) == 8


def test_what_is_lost_before_the_next_fault_is_no_success() -> None:
    """Nobody has replaced the leader yet when it answers at 8 s; its records are lost with its leadership."""
    assert recovered(replaced_at=15) == 12


def recovered(replaced_at: int, later: int = 100) -> int:
    """The second when writes are back: call 1 (older epoch, lost by an election) succeeds at 8 s, call 2 at 12 s."""
    gone = lost(9, 20 * SECOND, epoch=EPOCH - 1)
    seen = watching(Loss(P, EPOCH - 1, 1, replaced_at, replaced_at, [gone], [(101, 102)]), later=later)
    for fact in [call(6, 1), call(7, 2), settled(8, 1, epoch=EPOCH - 1), settled(12, 2)]:
        seen.feed(fact)
    [wait] = seen.by_incident[0].values()
    return wait.acked_us // SECOND


def test_a_success_counts_for_the_mode_of_the_call_that_had_it() -> None:
    """RTO: a call with acks=1, made when the producer was told its acks anew, is no success of acks=all."""
    seen = watching()
    for fact in [call(6, 1), call(31, 2), appended(31, 2), settled(32, 2)]:
        seen.feed(fact)
    acked = {mode: wait.acked_us for (_, _, mode), wait in seen.by_incident[0].items()}
    assert acked == {"all": NEVER, "1": 32 * SECOND}


@pytest.mark.parametrize(
    ("facts", "settling"),
    [
        ([appended(7, 1), settled(31, 1)], [(7, 31)]),
        ([appended(7, 1), appended(20, 1, by=BROKER + 1), settled(31, 1)], [(7, 31)]),  # 20 s: a follower's copy
        ([appended(7, 1), moved(9, 1), settled(31, 1)], [(7, 9)]),  # its answer came late
        ([appended(7, 1), moved(9, 0), moved(12, 2), settled(31, 1)], [(7, 12)]),
        ([appended(7, 1), appended(30, 1, EPOCH + 1), settled(31, 1, epoch=EPOCH + 1)], [(30, 31)]),  # 7 s: in vain
        ([settled(20, 0), appended(21, 1), settled(31, 1)], [(4, 20), (21, 31)]),  # it waited behind an earlier one
        ([settled(9, 0, ERR_REQUEST_TIMED_OUT), appended(21, 1), settled(31, 1)], [(21, 31)]),
        ([appended(7, 2), settled(8, 2), settled(31, 3)], [(7, 8)]),  # the first success
        ([settled(31, 1)], []),  # an empty span ended what was counted
        ([appended(7, 1), settled(8, 2, ERR_REQUEST_TIMED_OUT), settled(9, 1)], [(7, 9)]),  # answered out of order
    ],
)
def test_calls_settle_from_the_leaders_append_until_the_high_watermark_passes_them(
    facts: list[Any], settling: list[tuple[int, int]]
) -> None:
    """RTO: of the call that is acknowledged, and of those before it (HW-1). LOG-1: an epoch's leader appends first."""
    seen = watching()
    for fact in [call(1, 0), appended(4, 0), call(6, 1), *facts]:
        seen.feed(fact)
    [wait] = seen.by_incident[0].values()
    assert [(since // SECOND, until // SECOND) for since, until in wait.settling] == settling


def test_what_followers_append_is_not_kept() -> None:
    """LOG-1: a run of a million calls would keep them all, and ask them all at each answer."""
    seen = watching()
    copy = appended(8, 1, by=BROKER + 1)
    for fact in [call(6, 1), appended(7, 1), settled(8, 1), copy]:
        seen.feed(fact)
    assert not seen._appends[CLIENT, P]


def telling(run: World, *incidents: Incident) -> Teller:
    """Whoever tells of these incidents, and has no evidence of losses."""
    unused = cast("Any", None)
    names = {"topics": ["t"], "partitions": [[0, 0]], "clients": [], "brokers": [{"id": b} for b in (0, 1, 2)]}
    return Teller(run, FactIndex([]), Words(names), LossAttribution([]), RecordEvidence(), list(incidents), unused)


@pytest.mark.parametrize(
    ("is_killed", "minimum", "needs"),
    [
        (True, 2, "broker 1 (min.insync.replicas 2)"),
        (True, 3, "broker 1 (min.insync.replicas 3)"),  # HW-3: two are enough where there are two
        (False, 3, ""),
        (True, 1, ""),
    ],
)
def test_a_partition_that_takes_no_call_needs_as_many_replicas_as_it_lacks(
    is_killed: bool, minimum: int, needs: str
) -> None:
    """PROD-2."""
    timeline = [{"at": "1s", "do": "kill 1"}] if is_killed else []
    topics = [{"name": "t", "assignment": [[0, 1]], "config": {"min.insync.replicas": minimum}}]
    run = world(topics=topics, timeline=timeline)
    run.run(30 * SECOND)
    found = telling(run)._needs_of(0, "all")
    assert (found.needs, found.would_lose) == (needs, -1)


@pytest.mark.parametrize(
    ("minimum", "mode", "needs"),
    [
        (1, "1", ""),
        (1, "all", ""),
        (2, "1", ""),
        (2, "all", "broker 0 (min.insync.replicas 2)"),
    ],
)
def test_a_partition_whose_next_leader_lives_needs_nobody_to_be_elected(minimum: int, mode: str, needs: str) -> None:
    """ELEC-3: it is elected once the dead one is fenced; acks=all wants its ISR filled besides (PROD-2)."""
    topics = [{"name": "t", "assignment": [[0, 1]], "config": {"min.insync.replicas": minimum}}]
    run = world(topics=topics, timeline=[{"at": "1s", "do": "kill 0"}])
    run.run(2 * SECOND)
    found = telling(run)._needs_of(0, mode)
    assert (found.needs, found.would_lose) == (needs, -1)


@pytest.mark.parametrize(
    ("minimum", "mode", "start", "needs", "is_unclean_enough"),
    [
        (2, "1", [], "broker {}", False),
        (2, "all", [], "broker {}, and broker {} or {} (min.insync.replicas 2)", False),
        (3, "all", [], "brokers 0, 1 and 2 (min.insync.replicas 3)", False),
        (2, "1", [2], "broker {}", True),
        (2, "all", [2], "broker {}", False),  # broker 2 joins it, and would lead alone without it
        (1, "all", [2], "broker {}", True),
    ],
)
def test_acks_all_needs_a_sufficient_isr_besides_a_leader(
    minimum: int, mode: str, start: list[int], needs: str, is_unclean_enough: bool
) -> None:
    """ELEC-7, PROD-2: the last member of the ISR leads again when it is back, and alone it may not be enough."""
    topics = [{"name": "t", "assignment": [[0, 1, 2]], "config": {"min.insync.replicas": minimum}}]
    actions = [("1s", "kill 2"), ("20s", "kill 0"), ("20s", "kill 1"), *(("40s", f"start {one}") for one in start)]
    run = world(topics=topics, timeline=[{"at": at, "do": do} for at, do in actions])
    run.run(60 * SECOND)
    last = run.cluster.quorum.image.partition(0)
    assert last is not None
    others = sorted({0, 1, 2}.difference(last.isr))
    found = telling(run)._needs_of(0, mode)
    assert (found.needs, found.would_lose >= 0) == (needs.format(*last.isr, *others), is_unclean_enough)


def test_a_time_that_only_a_probe_knows_says_so() -> None:
    part: dict[str, Any] = {"partition": "t-0", "us": 15 * SECOND, "by_probe": True, "is_new": False}
    part = {f"{name}_us": 0 for name in PARTS} | part | {"detect_us": 14_800_000}
    words = rto_words("all", {"partitions": [part], "never": [], "median_us": 15 * SECOND, "worst_us": 15 * SECOND})
    assert words == "RTO acks=all: at most 15.0 s (t-0: detect 14.8 s, found by a probe each second)"


@pytest.mark.parametrize(
    ("needs", "told"), [("", " (the servers would have taken a call 9.0 s after the fault)"), ("broker 1", "")]
)
def test_beside_a_time_it_is_told_whether_calls_wait_though_the_servers_would_take_them(needs: str, told: str) -> None:
    part = {f"{name}_us": 0 for name in PARTS} | {"partition": "t-0", "us": 0, "by_probe": False, "is_new": False}
    never = [{"partition": "t-1", "needs": needs, "would_lose": -1, "open_us": 9 * SECOND, "gone": ""}]
    words = rto_words("1", {"partitions": [part | {"first_call_us": 0}], "never": never})
    assert words == f"RTO acks=1: worst 0.0 s (t-0); 1 more partition never so far{told}"


@pytest.mark.parametrize(("which", "undetermined"), [(0, 0), (1, 10)])
def test_records_without_a_leader_are_undecided_at_the_last_incident_of_their_partition(
    which: int, undetermined: int
) -> None:
    """RPO: four of 14 are lost already."""
    run = world(producers=[{"id": "P", "topic": "t"}])
    run.run(SECOND)
    account = run.book.account(0)
    calls = CallOutcomes(0, Closing())
    calls.add(0, 14, ACKED, 0, 0, -1)
    account.calls = [calls]
    account.losses.acked, account.losses.lost = [RecordRange(0, 14, 0, -1, 0)], [RecordRange(6, 4, 0, -1, 0)]
    image = run.cluster.quorum.image
    base = image.partitions[0]
    assert base is not None
    base = base.copy()
    base.leader = -1
    image.partitions[0] = base
    account.states = [(5 * SECOND, STALLED, 0), (7 * SECOND, OPEN, 0), (9 * SECOND, STALLED, 0), (12 * SECOND, OPEN, 0)]
    incidents = (Incident(5 * SECOND, []), Incident(9 * SECOND, []))
    assert telling(run, *incidents)._rpo(which)["undetermined"] == undetermined


def booked(decided_at: int, *acts: int) -> LossAttribution:
    """The incident that counts a loss of 30 s: incidents at 5, 9, 20 and 40 s, one of them decided it (-1: none)."""
    loss = Loss(P, EPOCH, 1, 0, 0, [lost(7, 30, 3)], [(101, 104)])
    decision = None if decided_at < 0 else Decision(0, decided_at, "kill 1", 3, 0, 1)
    return LossAttribution([entry_of(loss, acts, decision, [5, 9, 20, 40])])


@pytest.mark.parametrize(
    ("decided_at", "acts", "where"),
    [
        (9, (9, 20), 9),  # which decided, though a later one took the last copy
        (9, (20,), 9),
        (7, (9, 20), 20),  # no fault decided it: the newest in its chain, up to which nothing was lost
        (-1, (5, 9), 9),
        (-1, (9, 40), 9),  # what was done after it did not lose it
        (-1, (), None),  # nor what has nothing to do with it
    ],
)
def test_a_loss_is_counted_once_at_the_fault_that_decided_it_else_at_the_newest_of_its_chain(
    decided_at: int, acts: tuple[int, ...], where: int | None
) -> None:
    book = booked(decided_at, *acts)
    assert [at for at in (5, 9, 20, 40) if book.on(at)] == ([] if where is None else [where])


def test_a_fault_that_took_the_last_copy_of_what_an_earlier_one_decided_names_that() -> None:
    book = booked(9, 5, 9, 20)
    assert [book.elsewhere(at)["count"] for at in (5, 9, 20, 40)] == [0, 0, 3, 0]
    rpo = {"all": 0, "1": 0, "groups": [], "undetermined": 0}
    rpo |= {"deleted": {"count": 0, "words": ""}}
    said = rpo_words({**rpo, "elsewhere": {"count": 3, "at_us": [9 * SECOND]}})
    assert said == "RPO observed: 0 counted here, 3 lost records it has a part in are counted at 9.000 s"
    assert rpo_words({**rpo, "elsewhere": book.elsewhere(5)}) == "RPO observed: 0"


@pytest.mark.parametrize(
    ("actions", "mode", "needs"),
    [
        (("kill 2",), "all", "a controller majority"),  # without one nobody who starts gets registered
        (("pause 2",), "all", "a controller majority or broker 2 to go on"),
        (("cut 0|2",), "all", "the links between broker 0 and broker 2"),
        (("kill 1", "kill 2"), "all", "a controller majority, and broker 1 or 2"),
        (("kill 2",), "1", ""),
        ((), "all", ""),
        (("kill 0",), "1", "a controller majority"),
        (("kill 0",), "all", "a controller majority"),
        (("pause 0",), "1", "a controller majority or broker 0 to go on"),
        (("kill 0", "kill 1"), "all", "a controller majority, and broker 0 or 1 (min.insync.replicas 2)"),
        (("kill 0", "kill 1", "kill 2"), "1", "a controller majority, and broker 0"),  # ELEC-7: the last one
    ],
)
def test_without_a_controller_majority_nothing_is_elected_nor_leaves_an_isr(
    actions: tuple[str, ...], mode: str, needs: str
) -> None:
    """QUO-6: who is silent is not fenced; a leader waits for it as long."""
    faults = [{"at": "5s", "do": do} for do in ("kill 100", "kill 101", *actions)]
    run = world(timeline=faults)
    run.run(60 * SECOND)
    assert telling(run)._needs_of(0, mode).needs == needs


def test_partitions_that_need_the_same_are_told_together() -> None:
    def words(*never: tuple[str, str, int], open_us: int = -1) -> str:
        keys = ("partition", "needs", "would_lose")
        told = [dict(zip(keys, one, strict=True)) | {"open_us": open_us, "gone": ""} for one in never]
        return rto_words("all", {"partitions": [], "never": told}).removeprefix("RTO acks=all: none so far")

    assert words(("t-0", "", -1)) == " for t-0"
    assert words(("t-0", "", -1), open_us=9 * SECOND) == (
        " for t-0 (the servers would have taken a call 9.0 s after the fault)"
    )
    assert words(("t-0", "", -1), ("t-1", "", -1), ("t-2", "", -1)) == " for t-0, t-1 and t-2"
    assert words(("t-0", "broker 1", -1), ("t-1", "broker 1", -1)) == "; t-0 and t-1 need broker 1"
    assert words(("t-0", "broker 1", 3)) == "; t-0 needs broker 1 or an unclean election (would lose 3 records)"
    assert words(("t-0", "broker 1", 3), ("t-1", "broker 1", 4)) == (
        "; t-0 and t-1 need broker 1 or unclean elections (would lose 7 records)"
    )
    assert words(("t-0", "broker 1", 3), ("t-1", "", -1), ("t-2", "broker 2", -1)) == (
        " for t-1; t-0 needs broker 1 or an unclean election (would lose 3 records); t-2 needs broker 2"
    )
    assert words(*((f"t-{n}", "broker 1", -1) for n in range(5))) == (
        "; t-0, t-1 and t-2 need broker 1; 2 more partitions wait too"
    )


def test_a_partition_with_several_producers_counts_once_by_its_worst() -> None:
    """RTO: neither in the median nor among those that never came back does it stand twice."""
    back = [
        {"partition": name, "us": us, "by_probe": by_probe, "first_call_us": 0}
        for name, us, by_probe in (("t-0", 3, False), ("t-1", 8, False), ("t-0", 5, False), ("t-1", 7, False))
    ]
    never = [{"partition": name, "needs": ""} for name in ("t-1", "t-2", "t-2")]
    assert once_each(back, never) == ([back[2], back[1]], [never[1]])


def test_where_a_producers_call_tells_the_time_no_probe_for_another_does() -> None:
    """Q called late: what P's call knows is not to be bounded by a probe."""
    back = [
        {"partition": "t-0", "us": us, "by_probe": by_probe, "first_call_us": 0}
        for us, by_probe in ((5, True), (3, False), (4, True))
    ]
    assert once_each(back, []) == ([back[1]], [])


def test_where_a_producer_called_soon_no_late_first_call_of_another_tells_the_time() -> None:
    back = [
        {"partition": "t-0", "us": us, "by_probe": False, "first_call_us": called_us}
        for us, called_us in ((5_884_000, 40_000), (5_900_000, 1_100_000))
    ]
    assert once_each(back, []) == ([back[0]], [])


def test_two_producers_of_one_partition_have_no_median() -> None:
    doc = load(
        b"{format: 1, until: 30s, cluster: {brokers: [0, 1, 2], controllers: [100]}, "
        b"topics: [{name: t, assignment: [[0, 1, 2]], config: {min.insync.replicas: 2}}], "
        b"producers: [{id: P, topic: t, acks: all, rate: 20}, {id: Q, topic: t, acks: all, rate: 2}], "
        b"timeline: [{at: 5s, do: kill 0}]}"
    )
    [incident] = examine(doc, doc.until_us)["incidents"]
    assert len(incident["rto"]["all"]["partitions"]) == 1
    assert incident["words"][1].startswith("RTO acks=all: worst ")


THREE_BROKERS = """
format: 1
until: 40s
cluster: {{brokers: [{{id: 0, rack: a}}, {{id: 1, rack: a}}, {{id: 2, rack: b}}], controllers: [100]}}
topics: [{{name: t, assignment: [[0, 1]]}}, {{name: quiet, assignment: [[2, 1]]}}]
producers: [{{id: P, topic: t, acks: all}}]
consumers: [{{id: C, group: g, topics: [t]}}]
phases: {{preferred: 250s}}
timeline: [{{at: 1s, do: send P t-0 3}}, {actions}]
"""


@pytest.mark.parametrize(
    ("actions", "faults"),
    [
        ("{at: 3s, do: kill 1}, {at: 5s, do: kill 1}, {at: 6s, do: pause 1}, {at: 7s, do: stop 1}", ["3 kill 1"]),
        ("{at: 3s, do: start 1 empty}, {at: 5s, do: start-rack a}", []),
        ("{at: 3s, do: kill 1}, {at: 5s, do: start 1 empty}", ["3 kill 1", "5 start 1 empty"]),
        ("{at: 3s, do: stop 1}, {at: 3s, do: start 1 empty}", ["3 stop 1, start 1 empty"]),
        ("{at: 3s, do: 'cut 0|1'}, {at: 5s, do: 'cut 0>1'}, {at: 6s, do: heal}", ["3 cut 0|1"]),
        ("{at: 3s, do: kill 1}, {at: 5s, do: kill 0}, {at: 6s, do: kill-rack a}", ["3 kill 1", "5 kill 0"]),
        ("{at: 3s, do: kill 1}, {at: 5s, do: kill 1}, {at: 5s, do: kill 2}", ["3 kill 1", "5 kill 2"]),
    ],
)
def test_an_action_without_an_effect_is_no_incident(actions: str, faults: list[str]) -> None:
    """FLT-3: nothing follows from the second kill of a dead broker, nor from an empty start of a running one."""
    doc = load(THREE_BROKERS.format(actions=actions).encode())
    incidents = examine(doc, doc.until_us)["incidents"]
    assert [f"{one['at_us'] // SECOND} {one['text']}" for one in incidents] == faults
