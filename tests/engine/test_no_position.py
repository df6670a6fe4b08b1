"""A consumer or a group that has no position gets nothing, and the verdict says so (CON-8)."""

import re
from typing import Any

import pytest

from simengine.verdict.sentence import NOTHING_WRONG
from simengine.verdict.unread_words import unread_words
from simengine.world.world import World
from tests.engine.cluster import SECOND, world
from tests.engine.test_denied import says, watched

EARLIEST = {"auto.offset.reset": "earliest"}
ALONE = {"id": "C", "partitions": [["t", 0]], "config": EARLIEST}
MEMBER = {"id": "G", "group": "g", "topics": ["t"], "config": EARLIEST}
TWO = [{"name": "t", "assignment": [[0, 1, 2], [1, 2, 0]], "config": {"min.insync.replicas": 2}}]
PRODUCER = {"id": "P", "topic": "t", "rate": 20}


def run(seconds: int, *consumers: dict[str, Any], acts: dict[str, str] | None = None, **document: Any) -> World:
    timeline = [{"at": at, "do": text} for at, text in (acts or {}).items()]
    made = world(producers=[PRODUCER], consumers=list(consumers), timeline=timeline, **document)
    made.run(seconds * SECOND)
    return made


def told(made: World) -> tuple[str, str]:
    verdict: Any = made.verdict()
    return verdict["sentence"], verdict["severity"]


def test_a_consumer_that_reaches_nobody_from_the_start_has_read_nothing() -> None:
    sentence, severity = told(run(40, ALONE, acts={"0s": "cut C|0,1,2"}))
    assert sentence.startswith("Nothing acknowledged was lost. Consumer C has read nothing of t-0 since 0.0")
    assert severity == "warn"


def test_a_group_that_reaches_nobody_has_read_nothing() -> None:
    sentence, _ = told(run(40, MEMBER, acts={"1s": "cut G|0,1,2"}))
    assert sentence.startswith("Nothing acknowledged was lost. Group g has read nothing of t-0 since 0.0")


@pytest.mark.parametrize("consumer", [ALONE, MEMBER])
def test_a_consumer_whose_every_poll_throws_has_read_nothing(consumer: dict[str, Any]) -> None:
    """CON-2: no committed offset, and ``auto.offset.reset`` says none."""
    sentence, severity = told(run(40, consumer | {"config": {"auto.offset.reset": "none"}}))
    assert "has read nothing of t-0 since 0.0" in sentence
    assert severity == "warn"


def test_the_partition_of_a_dead_member_is_read_by_nobody_until_its_session_ends() -> None:
    acts = {"10s": "crash H"}
    during = told(run(30, MEMBER, MEMBER | {"id": "H"}, acts=acts, topics=TWO))
    assert during == ("Nothing acknowledged was lost. Group g has read nothing of t-1 since 10.000 s.", "warn")
    after = run(90, MEMBER, MEMBER | {"id": "H"}, acts=acts, topics=TWO)
    sentence, severity = told(after)
    assert sentence.startswith("Nothing acknowledged was lost. Group g read nothing of t-1 for 4"), sentence
    assert severity == "warn"
    assert after.snapshot()["sentence"] in ("", sentence)


def test_the_time_without_a_position_is_the_figure_of_reads_and_is_told_once() -> None:
    members = (MEMBER, MEMBER | {"id": "H"})
    for seconds, is_open in ((30, True), (90, False)):
        made = run(seconds, *members, acts={"10s": "crash H"}, topics=TWO)
        verdict: Any = made.verdict()
        (topic,) = [one for one in verdict["topics"] if one["topic"] == "t"]
        stated: Any = made.book.figures()["0"]
        assert topic["read_down_client_us"] == stated["read_down_client_us"] >= 20 * SECOND
        assert topic["partitions"][1]["read_down_client_us"] == topic["read_down_client_us"]
        assert bool(stated["read_waits_us"]) is is_open
        assert "A reader" not in verdict["sentence"]


def test_the_sentence_on_many_topics_names_who_reads_nothing() -> None:
    topics = [{"name": name, "assignment": [[0, 1, 2]]} for name in ("t", "u", "v", "w")]
    sentence, _ = told(run(20, ALONE, acts={"0s": "cut C|0,1,2"}, topics=topics))
    assert sentence.startswith("Nothing acknowledged was lost. Consumer C has read nothing of t-0 since 0.0")


@pytest.mark.parametrize("acts", [{}, {"10s": "close H", "12s": "open H"}, {"10s": "close G", "11s": "close H"}])
def test_a_group_that_begins_is_rebalanced_or_ends_in_good_order_is_well(acts: dict[str, str]) -> None:
    assert told(run(40, MEMBER, MEMBER | {"id": "H"}, acts=acts, topics=TWO)) == (NOTHING_WRONG, "ok")


def test_praise_is_denied_where_a_consumer_has_no_position() -> None:
    made = world(producers=[PRODUCER], consumers=[ALONE], timeline=[{"at": "0s", "do": "cut C|0,1,2"}])
    denied = watched(made, 20 * SECOND)
    denied.check()
    assert "us that a consumer or group had no position" in says(denied, NOTHING_WRONG)


@pytest.mark.parametrize("topics", [None, TWO], ids=["one partition", "two"])
def test_a_group_whose_last_member_died_reads_nothing_from_then_on(topics: Any) -> None:
    extra = {} if topics is None else {"topics": topics}
    made = run(40, MEMBER, acts={"10s": "crash G"}, **extra)
    where = "t-0" if topics is None else "t-0 and t-1"
    last = f"Group g has read nothing of {where} since 10.000 s: its last member died."
    assert told(made) == (f"Nothing acknowledged was lost. {last}", "warn")


def test_it_has_read_nothing_until_another_member_reads() -> None:
    acts = {"10s": "crash G", "30s": "open H"}
    sentence, severity = told(run(120, MEMBER, MEMBER | {"id": "H", "state": "closed"}, acts=acts))
    assert sentence.startswith("Nothing acknowledged was lost. Group g read nothing of t-0 for "), sentence
    assert severity == "warn"


def test_of_two_members_that_die_the_second_one_is_the_last() -> None:
    acts = {"10s": "crash G", "80s": "crash H"}
    sentence, _ = told(run(120, MEMBER, MEMBER | {"id": "H"}, acts=acts, topics=TWO))
    assert "has read nothing of t-0 and t-1 since 80.000 s: its last member died." in sentence


def test_a_partition_that_was_read_for_longer_is_not_named_with_the_other() -> None:
    """The member with t-1 dies 10 s before the one with t-0."""
    sentence, _ = told(run(30, MEMBER, MEMBER | {"id": "H"}, acts={"10s": "crash H", "20s": "crash G"}, topics=TWO))
    assert "has read nothing of t-1 since 10.000 s" in sentence


@pytest.mark.parametrize(
    ("consumer", "acts"),
    [
        (MEMBER, {"10s": "close G"}),
        (MEMBER, {"1s": "rate P 0", "10s": "close G"}),
        (ALONE | {"group": "g"}, {"10s": "crash C"}),
    ],
    ids=["closed", "closed at rest", "one that reads by itself, and may be replaced by any"],
)
def test_a_reader_that_the_application_ends_misses_nothing(consumer: dict[str, Any], acts: dict[str, str]) -> None:
    assert "has read nothing" not in told(run(40, consumer, acts=acts))[0]


def test_a_reader_that_got_nothing_had_no_position_or_no_response_in_all() -> None:
    """STOP-4: it is cut off for 8 s, and later its session ends and another member reads for it after some 45 s."""
    acts = {"5s": "cut G|0", "13s": "heal", "30s": "crash G"}
    made = run(90, MEMBER, MEMBER | {"id": "H"}, acts=acts)
    verdict: Any = made.verdict()
    [topic] = [one for one in verdict["topics"] if one["topic"] == "t"]
    reading = made.book.account(0).reading
    [alone] = [reader for reader in reading.readers if reader.runs and reader.out.intervals]
    [want] = reading.unread.wants
    assert len(alone.out.intervals) == len(want.spans) == 1
    (cut_at, back_at), (died_at, read_at) = alone.out.intervals[0], want.spans[0]
    assert back_at - cut_at > 7 * SECOND
    assert read_at - died_at > 40 * SECOND
    assert topic["read_down_client_us"] == back_at - cut_at + read_at - died_at


def test_partitions_without_a_position_are_told_since_the_first_of_them() -> None:
    made = run(20, MEMBER, acts={"0s": "cut G|0,1,2"}, topics=TWO)
    accounts = made.book.accounts_of(0)
    for number, account in enumerate(accounts):
        account.reading.unread.wants[0].since = 5 * SECOND + number * 11_000
    assert unread_words(made.cluster, accounts) == "Group g has read nothing of t-0 and t-1 since 5.000 s."


def test_a_consumer_that_waited_for_its_position_is_told_so() -> None:
    sentence, _ = told(run(60, ALONE, acts={"0s": "cut C|0,1,2", "10s": "heal"}))
    assert re.search(r"Consumer C waited \d+\.\d s for its position in t-0\.", sentence), sentence
