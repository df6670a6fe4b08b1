"""The gallery is searched in its users' words."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from playground.library.gallery import entries, search_index
from playground.library.question_list import read_questions
from playground.library.search_words import data, words_of
from tools.node import NODE

# what people were seen to search for, and a run that answers it; "" where any run will do
ASKED = {
    "network partition": "s26-zombie",
    "split brain": "s26-zombie",
    "NotEnoughReplicas": "s02-acks-by-min-isr",
    "NOT_ENOUGH_REPLICAS": "s02-acks-by-min-isr",
    "NotLeaderForPartition": "s05-acks-0-to-a-former-leader",
    "TimeoutException": "s24b-healed-too-late",
    "RF=2": "s30-two-replicas-both-wanted",
    "increase replication factor": "s36-reassignment",
    "data center": "s34a-two-sites-west-is-lost",
    "two datacenters": "s34a-two-sites-west-is-lost",
    "stretch": "s34a-two-sites-west-is-lost",
    "consumer offsets": "s46-the-groups-log-is-gone",
    "committed offset": "s46-the-groups-log-is-gone",
    "offset reset": "s14-no-reset-policy",
    "offsets lost": "s46-the-groups-log-is-gone",
    "coordinator": "s46-the-groups-log-is-gone",
    "rejoin": "s41-redelivery",
    "how long": "s08-leader-dies",
    "under replicated": "s19-isr-shrink-and-expand",
    "duplicates": "s06b-lost-answer-without-idempotence",
    "GC pause": "s28-paused-leader",
    "slow disk": "s19b-slow-follower",
    "new disk": "s45a-replaced-disk",
    "empty disk": "s45a-replaced-disk",
    "disk replaced": "s45a-replaced-disk",
    "decommission": "s36-reassignment",
    "kubernetes": "s39-too-fast-restart-after-a-kill",
    "KIP-392": "s40-follower-read",
    "client.rack": "s40-follower-read",
    "closest": "s40-follower-read",
    "preferred leader": "s29a-preferred-leaders-drift",
    "follower": "",
    "zombie": "s26-zombie",
    "ELEC-7": "",
}
# the same things in other people's words
OTHERS = {
    "follower read latency": "s40-follower-read",
    "why does reading from a follower add latency": "s40-follower-read",
    "how long is a preferred election felt": "s12-rolling-restart-with-a-preferred-tick",
    "network split": "s26-zombie",
    "two leaders at the same time": "s26-zombie",
    "NotEnoughReplicasAfterAppendException": "s03a-isr-falls-after-the-append",
    "NOT_LEADER_OR_FOLLOWER": "s26-zombie",
    "org.apache.kafka.common.errors.TimeoutException: Expiring 5 record(s)": "s24b-healed-too-late",
    "replication factor 2": "s30-two-replicas-both-wanted",
    "disaster recovery": "s34a-two-sites-west-is-lost",
    "messages lost with acks=1": "s10-unreplicated-data",
    "consumer starts from the beginning": "",
    "OffsetOutOfRangeException": "s14-no-reset-policy",
    "UNKNOWN_MEMBER_ID": "s46-the-groups-log-is-gone",
    "rebalance": "s41-redelivery",
    "failover time": "s08-leader-dies",
    "URP": "s19-isr-shrink-and-expand",
    "stop the world": "s28-paused-leader",
    "k8s pod evicted": "s39-too-fast-restart-after-a-kill",
    "lost volume": "s45a-replaced-disk",
    "rolling upgrade": "s12-rolling-restart",
    "exactly once": "s06a-lost-answer",
    "out of order": "s07a-reordering",
    "kraft quorum lost": "s38-no-quorum",
    "zookeeper": "s38-no-quorum",
    "power outage": "s18b-epochs-the-longer-log-leads",
    "partiton": "",
    "cross-AZ traffic": "s40-follower-read",
    "acks=-1": "",
    "min isr": "s02-acks-by-min-isr",
    "leader none": "s13-unclean-off",
    "unclean.leader.election.enable": "s14-unclean-on",
    "OOMKilled": "s08-leader-dies",
    "isr flapping": "s19c-joins-and-is-dropped-again",
    "mirrormaker": "s42-failover",
    "mm2": "s56-mirror-killed",
    "where does my consumer group continue after failover": "s42-failover",
    "offset translation": "s42-failover",
    "active-active": "s43-active-active",
    "replication loop": "s43-active-active",
    "mirrormaker duplicates": "s56-mirror-killed",
    "mirrormaker retention": "s57-retention-overtakes",
    "mirrormaker missing records": "s57-retention-overtakes",
    "mirrormaker min.insync.replicas": "s58-min-isr-does-not-travel",
    "mirrormaker failback": "s59-swap-failback",
}
# questions as people wrote them, and the run that must come first
WHOLE = {
    "offsets on the destination seem to be started from 0 and not translated": "s42-failover",
    "auto commit off, broker away longer than the session: messages missed": "s60-committed-offsets-expire",
    "2 AZs × 2 brokers, RF 3, min 2: do I continue?": "s33-no-rack-awareness",
    "sync.group.offsets": "s42-failover",
    "sync.group.offsets.enabled": "s42-failover",
    "sync group offsets": "s42-failover",
    "sync.group.offsets.interval.seconds": "s42-failover",
    "lost controller disk": "s38-no-quorum",
    "pagers": "s70-the-pager-rings-too-late",
    "pager": "s70-the-pager-rings-too-late",
    "controller disk lost": "s38-no-quorum",
}
# words of a symptom, and the question that must come first
QUESTIONS = {
    "acks=1": "acks-1-and-the-leader-dies",
    "acks = 1": "acks-1-and-the-leader-dies",
    "leader dies": "acks-1-and-the-leader-dies",
    "one slow follower": "one-slow-follower",
    "rolling restart": "rolling-restart",
    "nothing is rebuilt": "does-kafka-rebuild-a-lost-replica",
    "every consumer stopped": "every-consumer-stopped",
    "two of three controllers": "two-of-three-controllers-are-gone",
    "which may come back first": "which-replica-may-come-back-first",
    "the AZ is dark": "an-az-goes-dark",
}
TOP = 12


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The results of each query."""
    folder = tmp_path_factory.mktemp("search")
    queries = [
        *ASKED,
        *OTHERS,
        *WHOLE,
        *QUESTIONS,
        "unclean",
        "nothing is rebuilt",
        "",
        "the",
        "flux capacitor",
        "split brain capacitor",
        "acks",
    ]
    (folder / "index.json").write_text(json.dumps(search_index()))
    (folder / "queries.json").write_text(json.dumps(queries))
    script = Path(__file__).with_name("search.js")
    told = subprocess.run(
        [NODE, script, folder / "index.json", folder / "queries.json"], capture_output=True, text=True, check=True
    )
    answers: dict[str, Any] = json.loads(told.stdout)
    return answers


@pytest.mark.parametrize(("query", "run"), [*ASKED.items(), *OTHERS.items()])
def test_what_people_search_for_is_found(found: dict[str, Any], query: str, run: str) -> None:
    names = [hit["name"] for hit in found[query]["hits"]]
    assert names
    assert not run or run in names[:TOP], names[:TOP]


@pytest.mark.parametrize(("question", "run"), WHOLE.items())
def test_a_whole_question_finds_its_run_first(found: dict[str, Any], question: str, run: str) -> None:
    runs = {entry.name for entry in entries()}
    assert next(hit["name"] for hit in found[question]["hits"] if hit["name"] in runs) == run


@pytest.mark.parametrize(
    ("query", "run"),
    [
        ("coordinator", "s46-the-groups-log-is-gone"),
        ("RF=2", "s30-two-replicas-both-wanted"),
        ("unclean", "s14-min-isr-2"),
    ],
)
def test_a_word_in_the_title_outweighs_one_elsewhere(found: dict[str, Any], query: str, run: str) -> None:
    assert found[query]["hits"][0]["name"] == run


@pytest.mark.parametrize(("query", "key"), QUESTIONS.items())
def test_a_question_is_found_before_the_runs(found: dict[str, Any], query: str, key: str) -> None:
    assert found[query]["hits"][0]["name"] == key


@pytest.mark.django_db
def test_a_question_that_is_found_is_marked_and_leads_to_its_page() -> None:
    text = Client().get("/gallery").content.decode()
    for question in read_questions():
        card = text.partition(f'data-testid="gallery-question-{question.key}"')[2].partition("</li>")[0]
        assert f'<a href="/questions/{question.key}">' in card and ">Question</span>" in card


def test_a_phrase_is_one_word_and_says_how_many_results_know_it(found: dict[str, Any]) -> None:
    [term] = found["split brain"]["terms"]
    assert term["text"] == "split brain" and 3 <= term["known"] <= 30
    assert [term["text"] for term in found["NOT_ENOUGH_REPLICAS"]["terms"]] == ["not enough replicas"]


def test_a_word_that_no_run_knows_is_told_and_the_others_still_find(found: dict[str, Any]) -> None:
    told = found["split brain capacitor"]
    assert [(term["text"], term["known"] > 0) for term in told["terms"]] == [
        ("split brain", True),
        ("capacitor", False),
    ]
    assert told["hits"] and not any(hit["all"] for hit in told["hits"])
    assert found["flux capacitor"]["hits"] == [] and found[""]["hits"] == []


def test_runs_beyond_those_that_are_shown_are_counted(found: dict[str, Any]) -> None:
    told = found["acks"]
    [term] = told["terms"]
    assert told["whole"] == term["known"] > len(told["hits"]) == 24
    assert told["text"] == f"The best 24 of {term['known']} results for “acks”"
    few = found["mirrormaker failback"]
    assert few["whole"] <= len(few["hits"]) and few["text"].startswith(f"{few['whole']} result")


def test_a_slip_of_the_finger_is_read_as_the_word_that_was_meant(found: dict[str, Any]) -> None:
    [term] = found["partiton"]["terms"]
    assert term["readAs"].startswith("partition") and term["known"] > 0


def test_every_word_of_the_file_belongs_to_a_run_that_exists() -> None:
    names = [entry.name for entry in entries()]
    for beginning in data()["runs"]:
        assert any(name.startswith(beginning) for name in names), beginning
    assert all(words_of(entry.name) for entry in entries())


def test_every_question_has_words_of_its_own_in_the_file() -> None:
    assert list(data()["questions"]) == [question.key for question in read_questions()]


@pytest.mark.django_db
def test_the_page_has_two_exits_below_what_it_finds() -> None:
    text = Client().get("/gallery").content.decode()
    section = text[text.index('id="gallery-found"') :]
    assert re.search(r'href="/play\?new=1" data-testid="exit-sandbox"', section)
    assert 'href="/import" data-testid="exit-paste"' in section
