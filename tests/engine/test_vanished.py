"""The reason why a record sent with acks=0 vanished: its writer, the later leader, the obstacle (PROD-4, PC-9)."""

import re
from pathlib import Path
from typing import Any

import pytest

from simengine.explain.examine import examine
from simengine.explain.lines import lines_of
from simengine.explain.sentences import Words
from simengine.explain.vanished import beside_words
from simengine.facts.kinds import FLIGHT, MSG_PRODUCE
from simengine.facts.traffic import Flight
from simengine.scenario import load
from simengine.world.world import build
from tests.engine.cluster import facts

S05 = Path(__file__).parent.parent / "scenarios" / "s05-acks-0-to-a-former-leader.yaml"
NAMES = "broker {}".format
DOCUMENT = """
format: 1
until: 60s
elr: false
cluster: {brokers: [0, 1, 2], controllers: [100]}
topics: [{name: t, assignment: [[0, 1, 2]], config: {min.insync.replicas: 1}}]
producers: [{id: P, topic: t, acks: 0, rate: RATE}]
timeline:
"""


def chains(*actions: str, rate: str = "0") -> list[Any]:
    timeline = "".join(f"  - {{{action}}}\n" for action in actions)
    doc = load((DOCUMENT.replace("RATE", rate) + timeline).encode())
    found = examine(doc, doc.until_us)
    vanished = sum(topic["vanished"] for topic in found["verdict"]["topics"])
    assert sum(chain["count"] for chain in found["vanished"]) == vanished > 0
    return list(found["vanished"])


def roles(chain: Any) -> list[str]:
    return [link["role"] for link in chain["links"]]


def told(text: str) -> list[str]:
    doc = load(text.encode())
    return lines_of(examine(doc, doc.until_us), NAMES)


WRITTEN = "broker {} wrote it to its log of t-0; acks=0 waits for no other copy".format
NOT_WRITTEN = "no broker wrote it to its log of t-0, and acks=0 tells its producer nothing"


def test_s05_tells_of_the_election_that_the_producer_did_not_know() -> None:
    lines = told(S05.read_text())
    start = lines.index("Why 1 record of t-0, sent with acks=0, vanished:")
    assert [line.split(" s  ")[1] for line in lines[start + 1 : start + 5]] == [
        "A preferred election is requested for t-0",
        "broker 1 became leader of t-0 in epoch 1, as the preferred leader [PREF-2]",
        "P sent a record of t-0 to broker 0 with acks=0, which ended the call: nobody was to answer [PROD-4, PC-9]",
        f"{NOT_WRITTEN} [PROD-4]",
    ]


def test_what_a_leader_wrote_and_nobody_copied_goes_with_it() -> None:
    (chain,) = chains(
        "at: 5s, do: 'cut 0|1,2'",
        "at: 6s, do: send P t-0 3",
        "at: 7s, do: kill 0",
        "at: 8s, do: heal",
        "at: 30s, do: start 0",
    )
    assert chain["count"] == 3
    assert roles(chain) == ["sent", "written", "fault", "election", "truncated"]
    assert chain["links"][1]["text"] == WRITTEN(0)
    assert chain["links"][4]["rules"] == ["TRUNC-2", "TRUNC-3"]


@pytest.mark.parametrize(
    ("actions", "cause"),
    [
        (
            ("at: 10s, do: 'cut 0|P'",),
            "P and broker 0 could no longer reach each other (the links between broker 0 and P are cut)",
        ),
        (("at: 10s, do: pause 0",), "broker 0 was paused"),
        (("at: 10s, do: power-loss 0",), "broker 0 died (broker 0 loses power)"),
        (("at: 10s, do: pause 0", "at: 14s, do: resume 0", "at: 14100ms, do: kill 0"), "broker 0 died"),
        (("at: 10s, do: 'reassign t-0 1,2'",), "t-0 is to be on brokers 1 and 2"),
    ],
)
def test_what_no_broker_wrote_tells_what_was_in_the_way(actions: tuple[str, ...], cause: str) -> None:
    found = [chain for chain in chains(*actions, rate="200") if chain["links"][-1]["role"] != "truncated"]
    causes = [link["text"] for chain in found for link in chain["links"] if link["role"] == "fault"]
    assert cause in causes
    for chain in found:
        moments = [link["t"] for link in chain["links"]]
        assert moments == sorted(moments)
        assert "sent" in roles(chain)
        assert all(link["rules"] for link in chain["links"] if link["role"] in ("sent", "vanished", "written"))


def test_bytes_that_were_on_the_wire_when_the_broker_died_are_told() -> None:
    (chain,) = chains("at: 8s, do: send P t-0 1", "at: 10s, do: send P t-0 5", "at: 10.0055s, do: kill 0")
    assert chain["count"] == 5
    assert roles(chain) == ["sent", "fault", "vanished"]


def test_what_is_on_its_way_as_acks_changes_goes_with_the_connection() -> None:
    (chain,) = chains("at: 8s, do: send P t-0 1", "at: 10s, do: send P t-0 5", "at: 10.0055s, do: acks t 0")
    texts = [link["text"] for link in chain["links"] if link["role"] == "fault"]
    assert texts == ["P was set to acks=0 (t is now written with acks=0)"]


def test_a_run_with_nothing_vanished_has_no_such_chain() -> None:
    doc = load(S05.read_bytes().replace(b"acks: 0", b"acks: 1"))
    assert examine(doc, doc.until_us)["vanished"] == []


ONE_WRITER = """
format: 1
seed: 11
until: 60s
cluster: {brokers: [1, 2, 3], controllers: [100, 101, 102]}
topics: [{name: t, assignment: [[1, 2, 3]], config: {min.insync.replicas: 2}}]
producers: [{id: B, topic: t, rate: 20, acks: 0}]
timeline:
"""


def test_what_a_former_leader_wrote_is_told_with_the_election_before_it() -> None:
    """A later change of the ISR names the same leader, and is no election."""
    lines = told(ONE_WRITER + "  - {at: 10s, do: 'cut 1|2,3,100,101,102'}\n  - {at: 40s, do: heal}\n")
    elected = next(i for i, line in enumerate(lines) if "broker 2 became leader of t-0 in epoch 1" in line)
    assert any(WRITTEN(1) in line for line in lines[elected:])
    assert not any("All links are healed" in line for line in lines)
    (rpo,) = [line.strip() for line in lines if "RPO" in line]
    assert rpo.startswith("RPO observed: 0; besides, ")


def test_acks_0_is_answered_by_nobody_so_a_probe_tells_when_it_could_be_written_again() -> None:
    lines = told(ONE_WRITER + "  - {at: 20s, do: kill 1}\n")
    (rto,) = [line.strip() for line in lines if "RTO acks=0" in line]
    assert rto.startswith("RTO acks=0: at most ")
    assert rto.endswith("found by a probe each second)")


UNCLEAN = """
format: 1
profile: "4.0"
elr: false
seed: 4
until: 80s
cluster: {brokers: [1, 2, 3], controllers: [100]}
topics: [{name: t, assignment: [[1, 2, 3]], config: {min.insync.replicas: 1, unclean.leader.election.enable: true}}]
producers: [{id: Z, topic: t, rate: 10, acks: 0}]
timeline:
  - {at: 5s, do: "cut 1,2|3"}
  - {at: 45s, do: power-loss 1 3}
  - {at: 46s, do: kill 2}
  - {at: 47s, do: heal}
  - {at: 65s, do: start 1}
  - {at: 66s, do: start 2}
  - {at: 70s, do: rate Z 0}
"""
POWER = """
format: 1
seed: 4
until: 80s
cluster: {brokers: [1, 2], controllers: [100]}
topics: [{name: t, assignment: [[1, 2]], config: {min.insync.replicas: 1}}]
producers: [{id: Z, topic: t, rate: 10, acks: 0}, {id: P, topic: t, rate: 10, acks: all}]
timeline:
  - {at: 20s, do: power-loss all 6}
  - {at: 25s, do: start 1}
  - {at: 25s, do: start 2}
  - {at: 60s, do: rate Z 0}
"""


def stories(text: str) -> list[list[str]]:
    """Each story's links, without moments, in the order in which they are told."""
    doc = load(text.encode())
    found = examine(doc, doc.until_us)
    assert sum(chain["count"] for chain in found["vanished"]) == found["verdict"]["topics"][0]["vanished"] > 0
    return [[link["text"] for link in chain["links"]] for chain in found["vanished"]]


def test_who_wrote_it_is_the_leader_that_it_was_sent_to_and_no_follower_that_copied_it() -> None:
    written = [text for story in stories(UNCLEAN) for text in story if " wrote it to its log of t-0;" in text]
    assert written
    assert set(written) == {WRITTEN(1)}


def test_the_elections_told_lead_to_the_one_without_it_and_no_change_of_the_isr_is_one() -> None:
    """Broker 2, elected first, had it and died; an ISR that shrank at 41 s, or grew at 70 s, elects nobody (ELEC-5)."""
    (whole,) = [story for story in stories(UNCLEAN) if len([text for text in story if " cut its log" in text]) == 2]
    elections = [text.partition(" of t-0")[0] for text in whole if "became leader" in text]
    assert elections == ["broker 2 became leader", "broker 3 became leader"]
    assert [text for text in whole if " died" in text] == ["broker 1 died (broker 1 loses power)", "broker 2 died"]


def test_what_a_power_loss_took_from_a_log_was_not_truncated() -> None:
    """LOG-8."""
    (story,) = [story for story in stories(POWER) if story[1] == WRITTEN(1)]
    assert [text.partition(" ended at")[0] for text in story[2:5]] == [
        "broker 1 died (all brokers lose their power)",
        "broker 1 lost what it had not flushed: its log of t-0",
        "broker 2 lost what it had not flushed: its log of t-0",
    ]


def test_a_log_that_went_with_its_disk_was_not_truncated() -> None:
    """STATE-7."""
    text = (
        POWER.replace("[1, 2], controllers", "[1], controllers").replace("[[1, 2]]", "[[1]]").replace("start 2", "heal")
    )
    found = stories(text.replace("power-loss all 6", "kill 1").replace("start 1", "start 1 wiped"))
    written = next(story for story in found if story[1] == WRITTEN(1))
    assert "broker 1's log of t-0 was gone: its disk was empty (broker 1 starts with its data wiped)" in written


def test_what_a_hand_took_out_of_the_air_is_told_so() -> None:
    world = build(load(UNCLEAN.encode()))
    world.trace.keep_kinds([FLIGHT])
    world.run(44_832_500)  # the record sent at 44.832329 s is on its way for a millisecond
    flight = [one.seq for one in facts(world, Flight) if one.msg == MSG_PRODUCE][-1]
    text = UNCLEAN.replace("  - {at: 45s", f"  - {{at: 44.8325s, do: drop {flight}}}\n  - {{at: 45s")
    assert any("A message is lost with its connection" in story for story in stories(text))


def at_incidents(text: str) -> dict[int, int]:
    """By second of an incident: how many that were handed over with acks=0 are counted at it."""
    doc = load(text.encode())
    found = examine(doc, doc.until_us)
    return {one["at_us"] // 1_000_000: one["rpo"]["handed_over"] for one in found["incidents"]}


def test_each_is_counted_at_the_fault_that_its_own_story_names() -> None:
    """Records sent into the dark met no process (TCP-1); broker 3, elected for the kill, lacks the earlier ones."""
    text = UNCLEAN.replace("  - {at: 70s", "  - {at: 69s, do: pause 2}\n  - {at: 70s")
    assert at_incidents(text) == {5: 0, 45: 228, 46: 422, 69: 0}


def test_what_no_fault_brought_about_is_counted_at_none() -> None:
    """A requested election moves the leader (PREF-2); the broker that was stopped before has no part in that."""
    text = ONE_WRITER.replace("rate: 20", "rate: 200")
    text += "  - {at: 10s, do: stop 1}\n  - {at: 20s, do: start 1}\n  - {at: 40s, do: elect preferred t-0}\n"
    doc = load(text.encode())
    counts: dict[str, int] = {}
    for chain in examine(doc, doc.until_us)["vanished"]:
        cause = next(link["text"] for link in chain["links"] if link["role"] == "fault")
        counts[cause] = counts.get(cause, 0) + chain["count"]
    assert sorted(counts) == ["A preferred election is requested for t-0", "broker 1 shut down cleanly"]
    assert at_incidents(text) == {10: counts["broker 1 shut down cleanly"]}


def test_what_no_fault_brought_about_is_said_with_what_did() -> None:
    text = ONE_WRITER.replace("rate: 20", "rate: 200")
    text += "  - {at: 10s, do: stop 1}\n  - {at: 20s, do: start 1}\n  - {at: 40s, do: elect preferred t-0}\n"
    doc = load(text.encode())
    found = examine(doc, doc.until_us)
    beside = sum(one["count"] for one in found["vanished"]) - sum(
        one["rpo"]["handed_over"] for one in found["incidents"]
    )
    assert beside > 0
    said = f"Besides, {beside} records sent with acks=0 vanished by none of these faults: {beside} at 40.000 s (a "
    assert found["vanished_beside"] == f"{said}preferred election is requested for t-0)."
    by_itself = load(text.replace("  - {at: 40s, do: elect preferred t-0}\n", "").encode())  # PREF-1
    said = examine(by_itself, by_itself.until_us)["vanished_beside"]
    assert re.search(r"faults: 2 at 57\.\d+ s \(broker 1 became leader of t-0 in epoch 2, as the preferred l", said)
    calm = load((ONE_WRITER + "  - {at: 10s, do: stop 1}\n").encode())
    assert examine(calm, calm.until_us)["vanished_beside"] == ""


def test_a_vanished_record_without_a_story_is_said_to_have_no_known_reason() -> None:
    said = beside_words([], [], 2, Words(build(load(ONE_WRITER.replace("timeline:", "").encode())).names()))
    assert said == ("Besides, 2 records sent with acks=0 vanished by none of these faults: 2 for an unknown reason.")


def test_a_broker_that_does_not_know_yet_that_it_leads_is_told() -> None:
    """QUO-5: the producer heard of the election from another broker first."""
    document = DOCUMENT.replace("RATE", "400").replace("format: 1\n", "format: 1\nseed: 2\n")
    doc = load((document + "  - {at: 10s, do: stop 0}\n").encode())
    links = [link for chain in examine(doc, doc.until_us)["vanished"] for link in chain["links"]]
    elected = next(link for link in links if link["text"].startswith("broker 1 became leader of t-0"))
    (unaware,) = {link["text"]: link for link in links if "did not yet know that it leads t-0" in link["text"]}.values()
    assert unaware["text"].startswith("broker 1 did not yet know that it leads t-0, so no broker wrote it to its log;")
    assert (unaware["role"], unaware["rules"]) == ("vanished", ["QUO-5", "PROD-1", "PROD-4"])
    assert elected["t"] < unaware["t"]


ONE_COPY = """
format: 1
until: 30s
cluster: {brokers: [0, 1], controllers: [100]}
topics: [{name: t, assignment: [[0]], config: {min.insync.replicas: 1}}]
producers: [{id: P, topic: t, acks: 0, rate: 10}, {id: Q, topic: t, acks: 1, rate: 10}]
timeline:
"""


@pytest.mark.parametrize(
    ("actions", "records"),
    [
        (["at: 5s, do: kill 0"], 0),  # they are on its disk
        (["at: 5s, do: kill 0", "at: 20s, do: start 0 empty"], 50),
        (["at: 5s, do: kill 0", "at: 20s, do: delete t"], 0),  # as asked
    ],
)
def test_what_no_log_has_has_vanished_though_nobody_leads(actions: list[str], records: int) -> None:
    doc = load((ONE_COPY + "".join(f"  - {{{action}}}\n" for action in actions)).encode())
    found = examine(doc, doc.until_us)
    [topic] = [one for one in found["verdict"]["topics"] if one["calls"]]
    assert (topic["handed_over"], topic["vanished"]) == (50, records)
    assert topic["undetermined_handed_over"] == 50 - records
    rpo = found["incidents"][-1]["rpo"]
    assert rpo["handed_over"] == records
