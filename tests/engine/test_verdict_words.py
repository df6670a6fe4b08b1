"""The verdict's sentence: one voice for pages, commands and rows."""

from typing import Any

import pytest

from simengine.facts.decisive import PartitionChanged
from simengine.facts.kinds import ELECTION_NONE
from simengine.facts.schema import FIGURES
from simengine.scenario import load
from simengine.verdict.sentence import NOTHING_YET, ModeStop, SentenceNames, sentence
from simengine.verdict.words import clause, cluster_sentence
from simengine.world.world import build
from tests.engine.cluster import stated
from tests.engine.cluster import world as small_world
from tests.engine.test_verdict import SCENARIOS

SECOND = 1_000_000


def said(*, partitions: int = 1, is_all: bool = True, **some: int) -> str:
    return sentence({**dict.fromkeys(FIGURES, 0), "acked": 50, **some}, partitions, is_all)


@pytest.mark.parametrize(
    ("some", "words"),
    [
        ({"lost": 3, "duplicated": 2, "write_down_all_us": 9 * SECOND}, "3 acknowledged records are gone."),
        ({"lost": 1}, "1 acknowledged record is gone."),
        ({"duplicated": 2}, "2 records exist more than once."),
        (
            {"duplicated": 2, "hidden": 5, "unreadable": 5, "waiting": 1, "silent_us": 9 * SECOND},
            "2 records exist more than once. 5 acknowledged records cannot be read. "
            "Writes have been stopped for 9.0 s.",
        ),
        (
            {"duplicated": 1, "write_down_client_us": 9 * SECOND, "write_same_us": 8 * SECOND, "refused": 3},
            "1 record exists more than once. Writes stood still for 9.0 s (8.0 s by the servers). "
            "3 send() calls failed.",
        ),
        (
            {"duplicated": 84, "by_application": 337},
            "421 records exist more than once, 337 of them because the application sent them again.",
        ),
        ({"by_application": 1}, "1 record exists more than once: the application sent it again."),
        ({"hidden": 9, "unreadable": 9}, "9 acknowledged records cannot be read."),
        (
            {"hidden": 9, "unreadable": 9, "waiting": 1, "waiting_1": 1},
            "9 acknowledged records cannot be read. Writes wait for a leader.",
        ),
        (
            {"write_down_all_us": 9 * SECOND, "read_down_us": 8 * SECOND},
            "Nothing acknowledged was lost. No send() waited longer than 1 s. By the servers' record a partition took "
            "no acks=all writes for 9.0 s and one could not be read for 8.0 s.",
        ),
        (
            {"write_down_all_us": 41 * SECOND, "write_down_1_us": 41 * SECOND, "read_down_us": 41 * SECOND},
            "Nothing acknowledged was lost. No send() waited longer than 1 s. By the servers' record a partition had "
            "no working leader for 41.0 s.",
        ),
        (
            {"lost": 3, "vain_us": 23_800_000},
            "3 acknowledged records are gone. "
            "For 23.8 s every record that a partition acknowledged to a producer was already lost.",
        ),
        (
            {"write_down_client_us": 9 * SECOND, "write_down_1_us": 30 * SECOND},
            "Nothing acknowledged was lost. Writes stood still for 9.0 s (0.0 s by the servers).",
        ),
        (
            {"write_down_client_us": 26_600_000, "write_down_all_us": 99 * SECOND, "write_same_us": 8_600_000},
            "Nothing acknowledged was lost. Writes stood still for 26.6 s (8.6 s by the servers).",
        ),
        (
            {"write_down_client_us": 44_900_000},
            "Nothing acknowledged was lost. Writes stood still for 44.9 s (the topic itself stayed writable).",
        ),
        (
            {"longest_wait_us": 34_900_000},
            "Nothing acknowledged was lost. A send() waited 34.9 s for its response "
            "(the topic itself stayed writable).",
        ),
        (
            {"longest_wait_us": 34_900_000, "client_waits_us": 34_900_000},
            "Nothing acknowledged was lost. A send() has waited 34.9 s for its response "
            "(the topic itself stayed writable).",
        ),
        (
            {"read_down_client_us": 30 * SECOND},
            "Nothing acknowledged was lost. A reader got nothing for 30.0 s (the topic itself stayed readable).",
        ),
        (
            {"read_down_client_us": 30 * SECOND, "write_down_all_us": 29 * SECOND},
            "Nothing acknowledged was lost. A reader got nothing for 30.0 s "
            "(the topic itself stayed readable, but took no acks=all writes for 29.0 s).",
        ),
        ({"longest_wait_us": SECOND, "longest_read_us": SECOND}, "Nothing was lost and nothing stopped."),
        (
            {"read_down_us": 8 * SECOND},
            "Nothing acknowledged was lost. No send() waited longer than 1 s. By the servers' record a partition could "
            "not be read for 8.0 s.",
        ),
        (
            {"read_down_us": 99 * SECOND, "read_same_us": 8 * SECOND, "read_down_client_us": 30 * SECOND},
            "Nothing acknowledged was lost. A reader got nothing for 30.0 s (8.0 s by the servers).",
        ),
        (
            {"longest_read_us": 192 * SECOND},
            "Nothing acknowledged was lost. A record reached its reader after 192.0 s.",
        ),
        (
            {"acked": 0, "write_down_all_us": 17 * SECOND},
            "Nothing acknowledged was lost. Nobody wrote to it; by the servers it would have taken no acks=all writes "
            "for 17.0 s.",
        ),
        (
            {"acked": 0, "stopped_all": 1, "waits_all_us": 2 * SECOND},
            "Nothing acknowledged was lost. Nobody writes to it; by the servers it takes no acks=all writes, "
            "for 2.0 s now.",
        ),
        ({"lost_before": 1000, "before": 1000}, "All 1,000 records from before the run are gone."),
        ({"lost_before": 1, "before": 9}, "1 record from before the run is gone."),
        (
            {"lost": 152, "lost_before": 400, "before": 1000},
            "152 acknowledged records and 400 records from before the run are gone.",
        ),
        (
            {"lost": 152, "lost_before": 1000, "before": 1000, "emptied": 1},
            "Everything that was in it is gone: 152 records of this run and 1,000 from before.",
        ),
        (
            {"lost": 152, "recovered": 5, "lost_before": 1000, "before": 1000, "emptied": 1},
            "147 acknowledged records and all 1,000 records from before the run are gone. 5 more came back: the "
            "application sent them again.",
        ),
        (
            {"acked": 0, "coordinators": 50, "groups_down": 17, "stopped_1": 17, "waits_all_us": 9 * SECOND},
            "No group of 17 of the 50 coordinator partitions can join or commit: they have no working leader.",
        ),
        (
            {"acked": 0, "coordinators": 1, "groups_down": 1, "stopped_1": 1, "waits_all_us": 9 * SECOND},
            "No group can join or commit (1 of 1 coordinator partitions has no working leader).",
        ),
        (
            {"acked": 0, "coordinators": 1, "groups_down": 1, "waits_all_us": 9 * SECOND},
            "No group can join or commit (1 of 1 coordinator partitions cannot be written).",
        ),
        (
            {"acked": 0, "coordinators": 1, "groups_down_us": 9 * SECOND},
            "No group could join or commit for 9.0 s by the servers.",
        ),
        (
            {"acked": 0, "coordinators": 50, "groups_down_us": 9 * SECOND},
            "Some groups could neither join nor commit for up to 9.0 s by the servers.",
        ),
        ({}, "Nothing was lost and nothing stopped."),
        ({"acked": 0}, "Nothing has been acknowledged."),
        ({"acked": 0, "refused": 2}, "Nothing acknowledged was lost. 2 send() calls failed."),
    ],
)
def test_the_sentence_says_the_gravest_true_fact(some: dict[str, Any], words: str) -> None:
    assert said(**some) == words


def test_groups_without_their_offsets_and_partitions_that_nobody_may_lead_are_named() -> None:
    figures = {**dict.fromkeys(FIGURES, 0), "coordinators": 1, "groups_lost": 2}
    gone = sentence(figures, 1, True, SentenceNames(groups=("g", "h")))
    assert gone == "The committed offsets of groups g and h are gone."
    figures = {**dict.fromkeys(FIGURES, 0), "acked": 123, "unled": 1, "unreadable": 123, "stopped_all": 1}
    unled = sentence(figures, 1, True, SentenceNames(unled=("t-0",)))
    assert unled == (
        "Nobody may lead t-0: no replica is in the ISR or the ELR. 123 acknowledged records cannot be read."
    )


def test_an_open_outcome_is_told_in_the_present() -> None:
    down = 8_900_000
    stopped: dict[str, Any] = {"waiting": 1, "write_down_client_us": down, "silent_us": down}
    assert said(**stopped) == "Nothing lost. Writes have been stopped for 8.9 s."
    waited = said(**stopped, waiting_1=1, waits_1_us=down)
    assert waited == "Nothing lost yet. Writes have waited 8.9 s for a leader."
    first_for_the_isr = said(**stopped, waiting_1=1, waits_1_us=down - 6_000_000)
    assert first_for_the_isr == "Nothing lost yet. Writes have been stopped for 8.9 s and wait for a leader."
    assert said(waiting=1, waiting_1=1) == "Nothing lost yet. Writes wait for a leader."
    half = said(waiting=1, waiting_1=1, waits_1_us=down, partitions=2, silent_us=down, write_down_client_us=5 * down)
    assert half == "Nothing lost yet. 1 of 2 partitions is waiting for a leader, for 8.9 s now."
    assert said(waiting=2, partitions=3) == "Nothing lost yet. 2 of 3 partitions are waiting."


def test_what_no_call_waits_for_is_no_stop() -> None:
    """The controllers' record has no leader, and brokers that do not hear of it go on. The next leader decides."""
    unheard = said(stopped_all=1, stopped_1=1, waits_all_us=41 * SECOND, waits_1_us=41 * SECOND)
    assert unheard == "Nothing lost yet."


def test_a_stop_of_some_partitions_names_their_number() -> None:
    figures = {**dict.fromkeys(FIGURES, 0), "acked": 9, "write_down_client_us": 9 * SECOND, "write_down_1_us": 1}
    one = sentence(figures, 6, True, SentenceNames(stood=1))
    assert (
        one
        == "Nothing acknowledged was lost. Writes to 1 of 6 partitions stood still for 9.0 s (0.0 s by the servers)."
    )
    some = sentence(figures, 6, True, SentenceNames(stood=2))
    assert "Writes to 2 of 6 partitions stood still for up to 9.0 s" in some
    assert "Writes stood still for 9.0 s" in sentence(figures, 6, True, SentenceNames(stood=6))
    felt = ModeStop("all", 9 * SECOND, 0, 0), ModeStop("1", 5 * SECOND, 0, 0)
    modes = sentence(figures, 6, True, SentenceNames(stood=1, stops=felt))
    assert "Writes to 1 of 6 partitions with acks=all stood still for 9.0 s (0.0 s by the servers) and with" in modes


def test_several_stops_are_told_as_a_time_in_all() -> None:
    """Nobody may take the sum of three short stops for one long stop, least of all for one that goes on."""
    figures = {**dict.fromkeys(FIGURES, 0), "acked": 9, "write_down_client_us": 27 * SECOND, "write_down_1_us": 1}
    stopped = SentenceNames(writes_in_parts=True)
    told = "Nothing acknowledged was lost. Writes stood still for 27.0 s in all (0.0 s by the servers)."
    assert sentence(figures, 1, True, stopped) == told
    going_on = {**figures, "client_waits_us": 2 * SECOND}
    assert "Writes have stood still for 27.0 s in all (" in sentence(going_on, 1, True, stopped)
    modes = ModeStop("all", 27 * SECOND, 0, 0, in_parts=True), ModeStop("1", 5 * SECOND, 0, 0)
    both = sentence(figures, 1, True, stopped._replace(stops=modes))
    assert "with acks=all stood still for 27.0 s in all (0.0 s by the servers) and with acks=1 for 5.0 s (" in both
    reads = {**dict.fromkeys(FIGURES, 0), "acked": 9, "read_down_client_us": 30 * SECOND}
    assert "A reader got nothing for 30.0 s in all (" in sentence(reads, 1, True, SentenceNames(reads_in_parts=True))


def test_the_time_of_a_stop_that_goes_on_is_its_own() -> None:
    """Ten seconds in the past are no part of a stop that began 9 s ago."""
    down, now = 18_900_000, 8_900_000
    stopped: dict[str, Any] = {"waiting": 1, "write_down_client_us": down, "silent_us": now}
    assert said(**stopped) == "Nothing lost. Writes have been stopped for 8.9 s."
    waited = said(**stopped, waiting_1=1, waits_1_us=now)
    assert waited == "Nothing lost yet. Writes have waited 8.9 s for a leader."
    both = said(**stopped, waiting_1=1, waits_1_us=now - 6_000_000)
    assert both == "Nothing lost yet. Writes have been stopped for 8.9 s and wait for a leader."
    new = said(**stopped | {"silent_us": 0, "write_down_client_us": 21_600_000})
    assert new == "Nothing lost yet. Writes wait."


def test_a_topic_that_took_no_writes_of_acks_all_is_not_said_to_have_stayed_writable() -> None:
    """HW-2: its calls of acks=all wait for a second member of the ISR until 29 s; with acks=1 they would not."""
    actions = [("10s", "kill 1"), ("10s", "kill 2"), ("29s", "acks t 1")]
    clients = [{"id": "P", "topic": "t", "rate": 10}]
    run = small_world(producers=clients, timeline=[{"at": at, "do": do} for at, do in actions], until="30s")
    run.run(30 * SECOND)
    verdict: Any = run.verdict()
    said = verdict["topics"][0]["sentence"]
    assert said == "Nothing lost. Writes with acks=all have been stopped for 19.9 s.", (
        "those calls wait for their responses"
    )
    acks_1 = sentence(
        {**dict.fromkeys(FIGURES, 0), "acked": 9, "write_down_client_us": 9 * SECOND, "write_down_all_us": 8 * SECOND},
        1,
        False,
    )
    assert " (the topic itself stayed writable with acks=1, but took no acks=all writes for 8.0 s)." in acks_1


def test_two_stops_of_a_run_are_not_told_as_one() -> None:
    actions = [("1s", "kill 1"), ("1s", "kill 2"), ("20s", "start 1"), ("40s", "kill 1")]
    clients = [{"id": "P", "topic": "t", "rate": 10}]
    run = small_world(producers=clients, timeline=[{"at": at, "do": do} for at, do in actions], until="60s")
    run.run(60 * SECOND)
    verdict: Any = run.verdict()
    (topic,) = verdict["topics"]
    assert 40 * SECOND < topic["write_down_all_us"] < 45 * SECOND
    assert "Writes have been stopped for 19.9 s." in topic["sentence"]


def test_only_what_all_of_them_wait_for_is_named() -> None:
    """One partition has no leader, the other a leader and too few in its ISR (PROD-5)."""
    assert said(waiting=2, waiting_1=1, partitions=2) == "Nothing lost yet. Writes wait."
    assert said(waiting=2, waiting_1=1, partitions=4) == "Nothing lost yet. 2 of 4 partitions are waiting."


def test_each_mode_of_acks_that_stopped_is_named_and_no_other() -> None:
    """The modes in which calls were made: ``acks=1`` goes on below ``min.insync.replicas``, or stops as well."""
    figures = {**dict.fromkeys(FIGURES, 0), "acked": 9, "write_down_client_us": 54 * SECOND}
    all_, one = ModeStop("all", 54 * SECOND, 53 * SECOND, 0), ModeStop("1", 0, 0, 0)
    only_all = sentence(figures, 1, True, SentenceNames(stops=(one, all_)))
    assert only_all.endswith(" Writes with acks=all stood still for 54.0 s (53.0 s by the servers).")
    both = sentence(figures, 1, True, SentenceNames(stops=(ModeStop("1", 30 * SECOND, 30 * SECOND, 0), all_)))
    assert both.endswith(
        " Writes with acks=all stood still for 54.0 s (53.0 s by the servers) and with acks=1 for 30.0 s "
        "(30.0 s by the servers)."
    )
    now = {**figures, "waiting": 1, "silent_us": 9 * SECOND}
    assert " Writes with acks=all have been stopped for 9.0 s" in sentence(
        now, 1, True, SentenceNames(stops=(one, all_._replace(waiting=1)))
    )


def test_a_topic_with_several_producers_is_judged_by_the_strictest_of_them() -> None:
    """Whoever wrote last: the sentence, the figures so far and the whole verdict speak of one mode."""
    clients = [{"id": name, "topic": "t", "rate": 50, "acks": acks} for name, acks in (("A", "all"), ("B", "1"))]
    run = small_world(producers=clients, timeline=[{"at": "5s", "do": "kill 1"}, {"at": "5s", "do": "kill 2"}])
    told = []
    for second in range(6, 40, 3):
        run.run(second * SECOND)
        verdict: Any = run.verdict()
        (topic,) = verdict["topics"]
        figures = run.book.figures()["0"]
        assert (topic["acks"], figures["acks"]) == ("all", -1)
        assert figures["sentence"] == topic["sentence"]
        told.append((topic["write_down_all_us"], topic["write_down_1_us"], topic["sentence"]))
    assert told[-1][0] > told[-1][1] == 0
    assert told[-1][2].endswith(" records cannot be read. Writes with acks=all have been stopped for 34.0 s.")


def test_what_stops_depends_on_acks() -> None:
    assert said(stopped_all=1, is_all=False) == "Nothing was lost and nothing stopped."
    topic = {"stopped_all": 1, "write_down_all_us": 9 * SECOND}
    assert said(**topic, is_all=False) == "Nothing was lost and nothing stopped."
    assert said(waiting=1, waiting_1=1, is_all=False) == "Nothing lost yet. Writes wait for a leader."


def test_a_cut_that_leaves_every_process_up_is_said_to_stop_writes() -> None:
    """S24: the leader is cut off from its followers; no process has died, no leader has moved (FLT-4)."""
    world = build(load((SCENARIOS / "s24-brokers-only-partition.yaml").read_bytes()))
    world.run(11_500_000)
    figures = world.book.figures()["0"]
    assert (figures["stopped_all"], figures["stopped_1"]) == (1, 0)
    assert figures["sentence"] == "Nothing lost yet. Writes wait."


@pytest.mark.parametrize("name", ["s13-unclean-off", "s10-unreplicated-data", "s24-brokers-only-partition"])
def test_the_whole_verdict_says_what_the_run_said_as_it_went(name: str) -> None:
    world = build(load((SCENARIOS / f"{name}.yaml").read_bytes()))
    for second in range(31):
        world.run(second * SECOND)
        figures = world.book.figures()
        topics: Any = world.verdict()["topics"]
        for topic in topics:
            index = next(i for i, one in enumerate(world.cluster.topics) if one.name == topic["topic"])
            assert topic["sentence"] == figures.get(str(index), {"sentence": NOTHING_YET})["sentence"], second


def test_a_stop_by_a_cut_goes_back_to_the_action_not_to_one_direction_of_one_link() -> None:
    """S24: the leader is cut off from both followers, which is four facts of links and one action (FLT-4)."""
    world = build(load((SCENARIOS / "s24-brokers-only-partition.yaml").read_bytes()))
    world.run(15 * SECOND)
    topics: Any = world.verdict()["topics"]
    assert topics[0]["deciding"]["text"] == "the links between broker 0 and brokers 1 and 2 are cut"
    assert topics[0]["deciding"]["rules"] == ["FLT-4"]


@pytest.mark.parametrize(
    ("some", "words"),
    [
        ({"lost": 1}, "orders: 1 acknowledged record is gone."),  # two are gone: each topic has lost its own
        ({"hidden": 9, "unreadable": 9}, "orders: 9 acknowledged records cannot be read."),
        ({"handed_over": 5}, "orders: 5 records were handed over with acks=0: none vanished."),
        (
            {"write_down_client_us": 9 * SECOND, "write_same_us": 8 * SECOND},
            "Nothing acknowledged was lost. Writes stood still for 9.0 s (8.0 s by the servers).",
        ),
        ({}, "Nothing was lost and nothing stopped."),
    ],
)
def test_what_topics_have_in_common_is_said_once_unless_it_counts_records(some: dict[str, Any], words: str) -> None:
    figures = {**dict.fromkeys(FIGURES, 0), "acked": 50, **some}
    topics: list[Any] = [{**figures, "topic": name, "sentence": said(**some)} for name in ("orders", "payments")]
    assert cluster_sentence(topics) == words
    assert cluster_sentence(topics[:1]) == said(**some)


def test_the_leader_at_the_end_of_a_reassignment_is_not_said_to_lead_as_its_leader_had_asked() -> None:
    """AP-7: it is the old leader's proposal that completes it, and the old leader who goes."""
    brokers = {"brokers": [0, 1, 2, 3], "controllers": [100]}
    run = small_world(cluster=brokers, timeline=[{"at": "5s", "do": "reassign t-0 3,1,2"}])
    run.run(20 * SECOND)
    led = [fact for fact in stated(run, PartitionChanged) if fact.election != ELECTION_NONE and fact.t > 0]
    assert [clause(fact, run.cluster) for fact in led] == [
        ("broker 3 became leader of t-0 in epoch 1 as its reassignment was complete", ["ELEC-3", "AP-7"])
    ]
