"""The parts of the time until all was back (the RTO), and losses that go on."""

import re
from typing import Any

import pytest

from simengine.explain.examine import examine
from simengine.explain.incident_words import PARTS
from simengine.scenario import load
from tests.engine.cluster import SECOND
from tests.engine.examining import examined


@pytest.mark.parametrize("name", ["s08-leader-dies", "s12-rolling-restart", "s31-before-replication"])
def test_the_parts_of_an_rto_sum_to_it_but_for_the_time_before_the_first_call(name: str) -> None:
    parts = [
        part
        for incident in examined(name)["incidents"]
        for mode in incident["rto"].values()
        for part in mode["partitions"]
    ]
    assert parts
    for part in parts:
        pieces = [part[f"{name}_us"] for name in PARTS]
        assert 0 <= part["us"] - sum(pieces) <= part["first_call_us"]
        assert min(pieces) >= 0


THREE_COPIES = """
    format: 1
    seed: 7
    until: 90s
    cluster: {brokers: [1, 2, 3], controllers: [100, 101, 102]}
    topics: [{name: t, assignment: [[1, 2, 3]], config: {min.insync.replicas: 2}}]
    producers: [{id: P, topic: t, rate: 50, acks: all}]
    timeline: """


def time_back(actions: str, fault_us: int) -> dict[str, Any]:
    """The RTO of acks=all of the one partition of three copies, by its parts, after the fault at a moment."""
    doc = load(THREE_COPIES + actions)
    incidents = examine(doc, doc.until_us)["incidents"]
    [incident] = [one for one in incidents if one["at_us"] == fault_us]
    [part] = incident["rto"]["all"]["partitions"]
    return dict(part)


def test_losses_that_go_on_for_long_are_told_to_their_end() -> None:
    """A former leader answers for half a minute: the last line names all that the lines before did not."""
    actions = "[{at: 5s, do: 'cut 1|100,101,102'}, {at: 45s, do: heal}]"
    doc = load(THREE_COPIES.replace("acks: all", "acks: 1") + actions)
    chain = examine(doc, doc.until_us)["chains"][0]
    lost = [link for link in chain["links"] if link["role"] == "lost"]
    base, end = chain["ranges"][0][0], chain["ranges"][-1][1]
    assert end - base > 1000
    assert f"offsets {base}–" in lost[0]["text"]
    assert re.search(rf"–{end - 1}, written in epoch 0, are lost, the last of them at 47\.\d+ s", lost[-1]["text"])


LED_AGAIN = """
format: 1
seed: 11
until: 60s
cluster: {brokers: [0, 1, 2], controllers: [100, 101, 102]}
topics: [{name: t, assignment: [[1, 2, 0]], config: {min.insync.replicas: 1}}]
producers: [{id: Q, topic: t, rate: 20, acks: 1}]
timeline:
  - {at: 10s, do: slow 2 3}
  - {at: 10s, do: slow 0 3}
  - {at: 17s, do: kill 1}
  - {at: 18s, do: start 1 wiped}
"""


def test_a_leader_that_comes_back_without_its_log_before_its_session_ends_is_named() -> None:
    """REG-5, STATE-7: nobody else was elected when it lost them; what comes back with the next leader is not told."""
    doc = load(LED_AGAIN.encode())
    [chain] = examine(doc, doc.until_us)["chains"]
    links = [(link["text"], link["role"]) for link in chain["links"]]
    base, end = chain["ranges"][0][0], chain["ranges"][-1][1]
    assert ("broker 1 died", "fault") in links
    assert (
        "broker 1's log of t-0 was gone: its disk was empty (broker 1 starts with its data wiped)",
        "missing",
    ) in links
    assert links[-1][0].startswith(
        f"offsets {base}–{end - 1}, written in epoch 0, are lost: no broker has them in its log or on its disk any more"
    )
    assert base > 0


def test_acknowledgements_are_told_with_the_copies_of_their_own_moment() -> None:
    """PROD-6: two members had the first records, one alone the later ones."""
    doc = load(
        "{format: 1, until: 120s, elr: false, cluster: {brokers: [0, 1, 2], controllers: [100, 101, 102]}, topics: ["
        "{name: t, assignment: [[0, 1, 2]], config: {min.insync.replicas: 1, unclean.leader.election.enable: true}}], "
        "producers: [{id: P, topic: t, acks: all, rate: 2}], timeline: [{at: 3s, do: 'cut 2|0,1'}, "
        "{at: 60s, do: kill 1}, {at: 80s, do: kill 0}, {at: 81s, do: heal}]}"
    )
    [chain] = examine(doc, doc.until_us)["chains"]
    acked = [link for link in chain["links"] if link["role"] == "acked"]
    assert ["brokers 0 and 1, had them" in link["text"] for link in acked] == [True, False]
    assert "alone in its ISR" in acked[1]["text"]
    assert acked[0]["t"] < 60 * SECOND < 69 * SECOND < acked[1]["t"]
    assert "the last of them at 59." in acked[0]["text"]


def test_a_single_replica_acknowledges_whatever_min_insync_replicas_is() -> None:
    """HW-3: M is at most the number of replicas. "Alone in its ISR, and min.insync.replicas is 2" told no cause."""
    doc = load(
        "{format: 1, until: 20s, cluster: {brokers: [0, 1], controllers: [100]}, topics: [{name: t, assignment: "
        "[[0]], config: {min.insync.replicas: 2}}], producers: [{id: P, topic: t, acks: all, rate: 2}], "
        "timeline: [{at: 8s, do: power-loss 0}, {at: 9s, do: start 0 wiped}]}"
    )
    chains = examine(doc, doc.until_us)["chains"]
    acked = [link["text"] for chain in chains for link in chain["links"] if link["role"] == "acked"]
    assert acked
    assert all(text.endswith("no other replica can be in its ISR") for text in acked), acked


def test_a_shutdown_that_stops_writes_later_is_not_over_before_they_stop() -> None:
    """The ISR shrinks below its minimum when the broker is gone: calls made before that succeed (PROD-2)."""
    actions = "[{at: 5s, do: stop 1}, {at: 15s, do: stop 2}, {at: 25s, do: stop 3}, {at: 40s, do: start 1}, "
    part = time_back(actions + "{at: 50s, do: start 2}]", 15 * SECOND)
    assert 30 * SECOND < part["us"] < 45 * SECOND


def test_time_below_the_minimum_isr_is_not_the_clients() -> None:
    """A leader is there after 9 s; writes wait for a second member of the ISR until broker 2 is back (PROD-2)."""
    actions = "[{at: 5s, do: kill 1}, {at: 20s, do: start 1}, {at: 25s, do: kill 2}, {at: 40s, do: kill 1}, "
    part = time_back(actions + "{at: 70s, do: start 2}]", 40 * SECOND)
    assert part["isr_us"] > 20 * SECOND
    assert part["client_us"] + part["settle_us"] < 2 * SECOND


@pytest.mark.parametrize("fault", [10, 12])
def test_an_isr_that_falls_below_its_minimum_only_later_is_not_the_clients_time(fault: int) -> None:
    """PROD-2: broker 2 is fenced first, and two are enough; then broker 3, until 2 is back and joins."""
    part = time_back("[{at: 10s, do: kill 2}, {at: 12s, do: kill 3}, {at: 70s, do: start 2}]", fault * SECOND)
    assert part["isr_us"] > 45 * SECOND
    assert part["client_us"] < SECOND


def test_waiting_for_a_slow_follower_in_the_isr_is_settling() -> None:
    """PROD-6: what was appended waits for it, and the calls behind it in the producer's queue do too."""
    part = time_back("[{at: 5s, do: slow 3 20}, {at: 10s, do: kill 2}, {at: 50s, do: slow 3 off}]", 10 * SECOND)
    assert part["settle_us"] > 5 * SECOND
    assert part["client_us"] < SECOND


def test_waiting_for_a_cut_off_leader_is_the_clients_time() -> None:
    """The call was appended there in vain; what was acknowledged was appended once its request had timed out."""
    actions = "[{at: 5s, do: 'cut 1|2,3,100,101,102'}, {at: 45s, do: heal}]"
    part = time_back(actions, 5 * SECOND)
    assert part["client_us"] > 10 * SECOND
    assert part["settle_us"] < SECOND
