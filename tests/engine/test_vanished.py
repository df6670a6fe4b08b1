"""Why a record sent with acks=0 vanished: where its bytes were when what happened (PROD-4, PC-9)."""

from pathlib import Path
from typing import Any

import pytest

from simengine.facts.kinds import FLIGHT, MSG_PRODUCE
from simengine.facts.traffic import Flight
from simengine.scenario import load
from simengine.why.examine import examine
from simengine.why.telling import lines_of
from simengine.world import build
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


def test_s05_tells_of_the_former_leader_that_refused_it_and_told_nobody() -> None:
    doc = load(S05.read_bytes())
    lines = lines_of(examine(doc, doc.until_us), NAMES)
    start = lines.index("Why 1 record of t-0, sent with acks=0, vanished:")
    story = [line.split(" s  ")[1] for line in lines[start + 1 : start + 5]]
    assert story[0].startswith("A preferred election is requested for t-0")
    assert story[1] == "broker 1 became leader of t-0 in epoch 1, as the preferred leader [PREF-2]"
    assert story[2].startswith("P sent a record of t-0 to broker 0 with acks=0, which ended the call")
    assert story[3].startswith("broker 0, which had learned at 5.")
    assert "refused it (NOT_LEADER_OR_FOLLOWER) and closed the connection" in story[3]
    assert story[3].endswith("[PROD-1, PROD-4]")


def test_what_a_leader_wrote_and_nobody_copied_goes_with_it() -> None:
    (chain,) = chains(
        "at: 5s, do: 'cut 0|1,2'",
        "at: 6s, do: send P t-0 3",
        "at: 7s, do: kill 0",
        "at: 8s, do: heal",
        "at: 30s, do: start 0",
    )
    assert chain["count"] == 3
    assert roles(chain) == ["fault", "sent", "written", "fault", "election", "truncated"]
    assert "broker 0 wrote it to its log of t-0" in chain["links"][2]["text"]
    assert chain["links"][5]["rules"] == ["TRUNC-2", "TRUNC-3"]


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("cut 0|P", "over a link that lets nothing through"),
        ("pause 0", "in the socket of broker 0, whose process hung"),
    ],
)
def test_what_was_on_its_way_tells_what_it_met(fault: str, words: str) -> None:
    found = chains(f"at: 10s, do: '{fault}'", rate="200")
    texts = [chain["links"][-1]["text"] for chain in found]
    assert any(words in text for text in texts), texts
    for chain in found:
        moments = [link["t"] for link in chain["links"]]
        assert moments == sorted(moments)
        assert "sent" in roles(chain)
        assert all(link["rules"] for link in chain["links"] if link["role"] in ("sent", "vanished", "written"))


def test_bytes_that_were_on_the_wire_when_the_broker_died_are_told() -> None:
    (chain,) = chains("at: 8s, do: send P t-0 1", "at: 10s, do: send P t-0 5", "at: 10.0055s, do: kill 0")
    assert chain["count"] == 5
    assert roles(chain) == ["sent", "fault", "vanished"]
    assert "broker 0" in chain["links"][2]["text"]


def test_a_run_with_nothing_vanished_has_no_such_chain() -> None:
    doc = load(S05.read_bytes().replace(b"acks: 0", b"acks: 1"))
    assert examine(doc, doc.until_us)["vanished"] == []


def told(text: str) -> list[str]:
    doc = load(text.encode())
    return lines_of(examine(doc, doc.until_us), NAMES)


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
    at = next(i for i, line in enumerate(lines) if "which still took itself for the leader, wrote it" in line)
    assert "broker 2 became leader of t-0 in epoch 1 [ELEC-3]" in lines[at - 2]
    assert "are cut" in lines[at - 3]
    assert not any("All links are healed" in line for line in lines)
    (rpo,) = [line.strip() for line in lines if "RPO" in line]
    assert rpo.startswith("RPO observed: 0 by rule (no record had been acknowledged); besides, ")


def test_a_broker_that_does_not_know_yet_that_it_leads_is_said_to_refuse() -> None:
    """PROD-1: acks=0 is never refused for too small an ISR (PROD-2 is of acks=all)."""
    lines = told(ONE_WRITER + "  - {at: 20s, do: kill 1}\n")
    refused = [line for line in lines if "which learned only at" in line]
    assert refused
    assert all("that it leads, refused it (NOT_LEADER_OR_FOLLOWER)" in line for line in refused)
    assert not any("NOT_ENOUGH_REPLICAS" in line for line in lines)


def test_acks_0_is_answered_by_nobody_so_a_probe_tells_when_it_could_be_written_again() -> None:
    lines = told(ONE_WRITER + "  - {at: 20s, do: kill 1}\n")
    (rto,) = [line.strip() for line in lines if "RTO acks=0" in line]
    assert rto.startswith("RTO acks=0: at most ")
    assert rto.endswith("found by a probe each second, as acks=0 is never answered)")


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
    written = [text for story in stories(UNCLEAN) for text in story if " wrote it to its log of t-0" in text]
    assert written
    assert all(text.startswith("broker 1 wrote it") for text in written), written


def test_the_elections_told_lead_to_the_one_without_it_and_no_change_of_the_isr_is_one() -> None:
    """Broker 2, elected first, had it and died; an ISR that shrank at 41 s, or grew at 70 s, elects nobody (ELEC-5)."""
    told = stories(UNCLEAN)
    elections = [text for story in told for text in story if "became leader" in text]
    without = "broker 3 became leader of t-0 in epoch 2 without it, though not in the ISR"
    assert len(elections) > 2
    assert elections == ["broker 2 became leader of t-0 in epoch 1", without] * (len(elections) // 2)
    (whole,) = [story for story in told if len([text for text in story if "cut it off" in text]) == 2]
    done = [text for text in whole if text.startswith("Broker")]
    assert done == ["Broker 1 loses power", "Broker 2 is killed"]


def test_what_a_power_loss_took_from_a_log_was_not_truncated() -> None:
    """LOG-8; nobody is elected in the place of a leader that comes back in time (REG-5)."""
    (story,) = [story for story in stories(POWER) if "broker 1 wrote it" in story[1]]
    assert story[2] == "All brokers lose their power"
    end = story[3].rpartition(" ")[2]
    lost = [f"broker {broker} lost what it had not flushed: its log of t-0 ended at {end}" for broker in (1, 2)]
    assert story[3:] == [*lost, "broker 1 led t-0 again without it, still in epoch 0"]


def test_a_log_that_went_with_its_disk_was_not_truncated() -> None:
    """STATE-7."""
    text = (
        POWER.replace("[1, 2], controllers", "[1], controllers").replace("[[1, 2]]", "[[1]]").replace("start 2", "heal")
    )
    told = stories(text.replace("power-loss all 6", "kill 1").replace("start 1", "start 1 wiped"))
    written = next(story for story in told if "broker 1 wrote it" in story[1])
    assert written[2:4] == ["Broker 1 starts with its data wiped", "broker 1's log of t-0 was gone: its disk was empty"]


@pytest.mark.parametrize(("document", "at", "why"), [(UNCLEAN, 70, "Broker 1 loses power"), (POWER, 26, "All brokers")])
def test_what_comes_to_a_host_that_was_restarted_meets_no_process_that_could_refuse_it(
    document: str, at: int, why: str
) -> None:
    """TCP-1, FLT-3: what was sent into the dark is retransmitted to a host that does not know the connection."""
    doc = load(document.encode())
    found = examine(doc, doc.until_us)["vanished"]
    (chain,) = [one for one in found if "started again" in one["links"][-1]["text"]]
    fault, sent, last = chain["links"]
    assert fault["text"].startswith(why)
    assert fault["t"] < sent["t"] < last["t"]
    assert last["t"] // 1_000_000 == at
    assert "its host did not know the connection any more and reset it" in last["text"]
    assert last["rules"] == ["TCP-1", "FLT-3", "PROD-4"]
    assert not any("refused" in link["text"] for one in found for link in one["links"])


def test_a_host_that_stays_dark_takes_nothing() -> None:
    """PC-7."""
    (chain,) = [one for one in chains("at: 10s, do: power-loss 0", rate="20") if one["links"][0]["role"] == "fault"]
    texts = [link["text"] for link in chain["links"]]
    assert texts[0] == "Broker 0 loses power"
    assert texts[2] == "it was sent to broker 0, whose host was dark: nobody took it"


def test_what_a_hand_took_out_of_the_air_is_told_so() -> None:
    world = build(load(UNCLEAN.encode()))
    world.trace.keep_kinds([FLIGHT])
    world.run(44_832_500)  # the record sent at 44.832329 s is on its way for a millisecond
    flight = [one.seq for one in facts(world, Flight) if one.msg == MSG_PRODUCE][-1]
    text = UNCLEAN.replace("  - {at: 45s", f"  - {{at: 44.8325s, do: drop {flight}}}\n  - {{at: 45s")
    (story,) = [story for story in stories(text) if "taken out of the air" in story[-1]]
    assert story[1] == "A message is lost with its connection"


def at_incidents(text: str) -> dict[int, int]:
    """By second of an incident: how many that were handed over with acks=0 are counted at it."""
    doc = load(text.encode())
    found = examine(doc, doc.until_us)
    return {one["at_us"] // 1_000_000: one["rpo"]["handed_over"] for one in found["incidents"]}


def test_each_is_counted_at_the_fault_that_its_own_story_names() -> None:
    """What came after the power loss met a dark host; the kill led to the election of one without what came before."""
    text = UNCLEAN.replace("  - {at: 70s", "  - {at: 69s, do: pause 2}\n  - {at: 70s")
    assert at_incidents(text) == {5: 0, 45: 250, 46: 400, 69: 0}


def test_what_no_fault_brought_about_is_counted_at_none() -> None:
    """A requested election moves the leader (PREF-2); the broker that was stopped before has no part in that."""
    text = ONE_WRITER.replace("rate: 20", "rate: 200")
    text += "  - {at: 10s, do: stop 1}\n  - {at: 20s, do: start 1}\n  - {at: 40s, do: elect preferred t-0}\n"
    doc = load(text.encode())
    found = examine(doc, doc.until_us)["vanished"]
    counts: dict[str, int] = {}
    for chain in found:
        cause = next(link["text"] for link in chain["links"] if link["role"] == "fault")
        counts[cause] = counts.get(cause, 0) + chain["count"]
    assert sorted(counts) == ["A preferred election is requested for t-0", "Broker 1 shuts down cleanly"]
    assert at_incidents(text) == {10: counts["Broker 1 shuts down cleanly"]}


def test_a_producer_that_sent_nothing_meanwhile_has_not_noticed_that_the_host_was_dark() -> None:
    """PC-7: nobody reset its connection; TCP-1: the restarted host does, as the next record comes."""
    sends = ("at: 8s, do: send P t-0 1", "at: 20s, do: send P t-0 1")
    (chain,) = chains(sends[0], "at: 10s, do: power-loss 0", "at: 10500ms, do: start 0", sends[1])
    assert [link["role"] for link in chain["links"]] == ["fault", "sent", "vanished"]
    assert chain["links"][0]["text"] == "Broker 0 loses power"
    assert "which had been started again: its host did not know the connection any more" in chain["links"][2]["text"]


def test_a_record_that_a_slow_broker_took_up_late_was_refused_only_then() -> None:
    """One that hung works through what lay in its sockets: it came before the broker knew that it leads no more."""
    found = chains("at: 10s, do: pause 0", "at: 30s, do: resume 0", rate="200")
    late = [
        link for chain in found for link in chain["links"] if "took it up only when it had learned at" in link["text"]
    ]
    assert late
    for link in late:
        learned = float(link["text"].split("learned at ")[1].split(" s")[0])
        assert link["t"] / 1e6 < learned


def test_what_a_slow_broker_had_not_taken_up_went_with_its_process() -> None:
    found = chains("at: 10s, do: pause 0", "at: 14s, do: resume 0", "at: 14100ms, do: kill 0", rate="200")
    lay = [chain for chain in found if "whose process ended before it took it up" in chain["links"][1]["text"]]
    assert lay
    assert all(chain["links"][2]["text"] == "Broker 0 is killed" for chain in lay)


def test_a_broker_that_never_learned_that_it_leads_is_said_to_refuse() -> None:
    """It was elected while it was cut off from the controller."""
    text = DOCUMENT.replace("RATE", "20").replace("until", "seed: 2\nuntil")
    told = stories(text + "  - {at: 10s, do: kill 0}\n  - {at: 15s, do: 'cut 1|100'}\n")
    texts = [text for story in told for text in story]
    assert any("broker 1, which had not learned that it leads, refused it" in text for text in texts), texts


def test_what_was_on_its_way_as_acks_changed_went_with_the_connection() -> None:
    (chain,) = chains("at: 8s, do: send P t-0 1", "at: 10s, do: send P t-0 5", "at: 10.0055s, do: acks t 0")
    texts = [link["text"] for link in chain["links"]]
    assert texts[1:] == ["t is now written with acks=0", "it was on its way to broker 0 as the connection was closed"]


def test_what_lay_in_the_socket_of_a_process_that_hung_is_refused_when_it_goes_on_and_leads_no_more() -> None:
    """FLT-2, PROD-1: it reads its sockets slowly at first, and learns meanwhile that another broker leads."""
    paused = "at: 10s, do: pause 0"
    found = chains(paused, "at: 30s, do: resume 0 slow", rate="20")
    refused = [chain for chain in found if "refused it" in chain["links"][-1]["text"] and chain["count"] > 50]
    assert len(refused) == 1, found
    links = refused[0]["links"]
    assert [link["text"] for link in links if link["role"] == "fault"] == ["Broker 0 is paused", "Broker 0 goes on"]
    assert links[-1]["text"].startswith("broker 0, which took it up only when it had learned at 30.")
    assert links[-1]["t"] > links[-2]["t"] == 30_000_000
    assert not any("hung" in link["text"] for chain in found for link in chain["links"])
    for end in ((), ("at: 30s, do: kill 0",)):
        (links,) = [chain["links"] for chain in chains(paused, *end, rate="20")]
        assert links[-1]["text"] == "it lay in the socket of broker 0, whose process hung: nobody wrote it there"


def test_a_broker_that_gave_its_replica_up_refuses_what_still_comes() -> None:
    """AP-7, PROD-1: it follows nobody, and has learned that it leads no more."""
    found = chains("at: 10s, do: 'reassign t-0 1,2'", rate="50")
    last = [chain["links"][-1]["text"] for chain in found if " to broker 0 with " in chain["links"][-2]["text"]]
    assert last
    assert all(text.startswith("broker 0, which had learned at 10.") for text in last), last
    assert all("refused it (NOT_LEADER_OR_FOLLOWER)" in text for text in last)


def test_what_a_resumed_broker_refuses_is_told_with_the_commit_that_took_its_leadership() -> None:
    """FLT-2, UNC-1: broker 0 learns late that it was fenced, when it has been elected anew (RF 2, broker 1 died)."""
    text = DOCUMENT.replace("RATE", "20").replace("[[0, 1, 2]]", "[[0, 1]]").replace("elr:", "seed: 8\nelr:")
    text = text.replace("min.insync.replicas: 1", "min.insync.replicas: 1, unclean.leader.election.enable: true")
    actions = ("10s, do: pause 0", "22s, do: kill 1", "40s, do: resume 0 slow")
    doc = load((text + "".join(f"  - {{at: {action}}}\n" for action in actions)).encode())
    found = examine(doc, doc.until_us)
    stories_of_it = [chain["links"] for chain in found["vanished"] if "leads no more" in chain["links"][-1]["text"]]
    assert stories_of_it
    for links in stories_of_it:
        assert [link["text"] for link in links if link["role"] == "election"] == [
            "broker 1 became leader of t-0 in epoch 1"
        ]
        assert links[0]["text"] == "Broker 0 is paused"
    count = sum(chain["count"] for chain in found["vanished"] if chain["links"][0]["text"] == "Broker 0 is paused")
    assert found["incidents"][0]["rpo"]["handed_over"] == count


def test_what_a_broker_had_not_taken_up_when_it_hung_again_is_refused_once_it_goes_on() -> None:
    """FLT-2: it was up for 10 ms in between; 15 s in which it hung again are no time to take anything up."""
    again = ("at: 25.01s, do: pause 0", "at: 40s, do: resume 0")
    found = chains("at: 10s, do: pause 0", "at: 25s, do: resume 0", *again, rate="20")
    texts = [link["text"] for chain in found for link in chain["links"]]
    assert any("took it up only when it had learned at 40." in text for text in texts)
    assert not any("it was on its way" in text for text in texts)
