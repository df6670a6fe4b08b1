"""Chains of losses: which answers a former leader gave, who cut what off, and for whom a partition waits."""

import re
from typing import Any

from simengine.explain.examine import examine
from simengine.scenario import load
from tests.engine.cluster import SECOND

BROKERS = """
format: 1
elr: false
seed: 6
until: {until}s
cluster: {{brokers: {brokers}, controllers: [100]}}
topics: [{{name: t, assignment: [{brokers}], config: {{min.insync.replicas: 1, unclean.leader.election.enable: {on}}}}}]
producers: [{{id: P, topic: t, rate: 20, acks: {acks}}}]
timeline: [{actions}]
"""


DEFAULTS = ("[1, 2]", "1", "false")
Link = dict[str, Any]


def told(until: int, actions: str, brokers: str = "[1, 2]", acks: str = "1", on: str = "false") -> list[Link]:
    """The links of the first chain."""
    return list(examined(until, actions, brokers, acks, on)["chains"][0]["links"])


def examined(until: int, actions: str, brokers: str, acks: str, on: str) -> dict[str, Any]:
    """The findings on a run whose brokers each hold t-0."""
    doc = load(BROKERS.format(until=until, brokers=brokers, on=on, acks=acks, actions=actions).encode())
    return examine(doc, doc.until_us)


def the(links: list[Link], beginning: str) -> Link:
    """The first link that begins so."""
    return next(link for link in links if link["text"].startswith(beginning))


def test_a_leader_is_a_former_one_from_the_first_election_on_not_from_the_one_that_decided() -> None:
    """LIVE-5: broker 2 is elected, then broker 3, then nobody, then broker 3 again, all without broker 1."""
    cut = "{at: 8s, do: 'cut 1|2,3,100'}, {at: 10s, do: kill 2}, {at: 10s, do: kill 3}, {at: 30s, do: start 3}"
    links = told(60, cut, brokers="[1, 2, 3]")
    elected = the(links, "broker 2 became leader of t-0 in epoch 1")["t"]
    last = re.search(r"the last of them at ([\d.]+) s", the(links, "broker 1 acknowledged")["text"])
    assert last is not None and elected - SECOND < float(last[1]) * SECOND <= elected + SECOND // 10
    assert 0 <= the(links, "broker 1, which still took itself")["t"] - elected < SECOND
    assert the(links, "broker 3 became leader of t-0 in epoch 4")


def test_an_answer_that_arrives_after_the_election_was_given_before_it() -> None:
    """PROD-4: with acks=1 its append is the answer; its producer hears of it 600 ms later."""
    links = told(40, "{at: 1s, do: 'slow-link P|1 600ms'}, {at: 5s, do: 'cut 1|2,100'}, {at: 30s, do: heal}")
    elected = the(links, "broker 2 became leader")["t"]
    assert the(links, "broker 1, which still took itself")["t"] - elected >= 6 * SECOND // 10


def test_who_lost_its_end_to_a_power_loss_cut_nothing_off() -> None:
    """LOG-8: the 10 s before the power loss are gone; the rest is cut off by the next process."""
    found = examined(
        70, "{at: 8s, do: 'cut 1|2,100'}, {at: 25s, do: power-loss 1 10000}, {at: 30s, do: start 1}", *DEFAULTS
    )
    links = found["chains"][0]["links"]
    assert any("are lost" in link["text"] for link in links)
    assert not any("cut off its copy" in link["text"] for link in links)


def test_without_a_leader_a_partition_waits_for_any_replica_where_unclean_elections_are_on() -> None:
    """UNC-1, ELEC-7."""
    actions = "{at: 5s, do: kill 2}, {at: 25s, do: kill 1}, {at: 45s, do: start 2}"
    links = told(70, actions, acks="all", on="true")
    waits = "t-0 was without a leader: it waits for broker 1 or 2"
    assert the(links, waits)


def test_a_leader_has_answered_before_it_dies_however_late_its_producer_hears_of_it() -> None:
    """PROD-4: 25 ms are between them; what it appended in its last milliseconds was acknowledged then."""
    doc = load(
        b"{format: 1, seed: 3, until: 30s, elr: false, cluster: {brokers: [1, 2, 3], controllers: [100]}, "
        b"network: {latency: 25ms}, topics: [{name: t, assignment: [[1, 2, 3]], config: {min.insync.replicas: 1}}], "
        b"producers: [{id: Q, topic: t, rate: 200, acks: 1}], timeline: [{at: 5.003s, do: kill 1}]}"
    )
    found = examine(doc, doc.until_us)
    told = [link["t"] for chain in found["chains"] for link in chain["links"] if link["role"] == "acked"]
    assert told
    assert max(told) < 5_003_000
    assert found["incidents"][0]["rpo"]["after_us"] == [0, 0]
    assert found["incidents"][0]["rpo"]["before_us"] > 0


def test_who_responded_to_a_retry_is_not_said() -> None:
    """IDEM-3: broker 0 wrote the record and died; the retry reaches broker 1, which knows the batch."""
    doc = load(
        "{format: 1, elr: false, seed: 1, until: 60s, cluster: {brokers: [0, 1, 2], controllers: [100, 101, 102]}, "
        "topics: [{name: t, assignment: [[0, 1, 2]], config: {unclean.leader.election.enable: true}}], "
        "producers: [{id: P, topic: t, acks: all}], phases: {preferred: 250s}, timeline: ["
        "{at: 1s, do: send P t-0 5}, {at: 5s, do: kill 2}, {at: 6s, do: send P t-0 1}, {at: 7s, do: kill 0}, "
        "{at: 30s, do: kill 1}, {at: 31s, do: start 2}]}"
    )
    [chain] = examine(doc, doc.until_us)["chains"]
    [acked] = [link for link in chain["links"] if link["role"] == "acked"]
    received = "P received the acknowledgement of offset 5 of t-0 with acks=all"
    assert acked["text"] == f"{received} after broker 0 had lost the leadership"
    assert 15 * SECOND < acked["t"] < 30 * SECOND


def test_what_a_former_leader_acknowledges_is_lost_by_the_election_that_replaced_it() -> None:
    """FATE-3, LIVE-5: broker 2 is elected, then broker 3, then nobody, then broker 3; the later ones change nothing."""
    actions = "{at: 8s, do: 'cut 1|2,3,100'}, {at: 30s, do: kill 2}, {at: 45s, do: kill 3}, {at: 60s, do: start 3}"
    found = examined(80, actions, "[1, 2, 3]", "1", "false")
    lost = found["verdict"]["topics"][0]["lost"]
    [chain] = found["chains"]
    assert chain["count"] == lost > 1_300
    assert not any("broker 3 became leader" in link["text"] for link in chain["links"])
    first, *later = found["incidents"]
    assert first["rpo"]["1"] == lost
    assert [one["rpo"]["elsewhere"]["count"] for one in later] == [0, 0]


def test_what_a_former_leader_acknowledges_after_its_topic_was_deleted_did_not_go_with_the_topic() -> None:
    """FATE-3: the leader of the deleted topic never had it."""
    found = examined(80, "{at: 8s, do: 'cut 1|2,100'}, {at: 30s, do: delete t}", "[1, 2]", "1", "false")
    [gone] = [one for one in found["verdict"]["topics"] if one["topic"] == "t (deleted)"]
    assert gone["lost"] == gone["deciding_lost"] > 600
    assert f"{gone['acked'] - gone['lost']} acknowledged records went with it" in gone["sentence"]
    assert sum(chain["count"] for chain in found["chains"]) == gone["lost"]
