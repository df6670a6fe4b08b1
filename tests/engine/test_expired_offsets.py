"""CON-10: committed offsets that nobody uses expire, and who joins then begins by auto.offset.reset."""

import re

import pytest

from simengine.facts.decisive import ConsumerReset, OffsetsExpired
from simengine.facts.kinds import RESET_EARLIEST, RESET_LATEST
from simengine.scenario import load
from simengine.world.world import World
from tests.checked import checked
from tests.engine.cluster import stated

DOCUMENT = """
format: 1
seed: 1
until: 120s
cluster:
  brokers: [1, 2, 3]
  config: {{offsets.retention.minutes: 1, offsets.retention.check.interval.ms: 5000}}
topics: [{{name: t, assignment: [[1, 2, 3]]}}, {{name: u, assignment: [[1, 2, 3]]}}]
producers: [{{id: p, topic: t, rate: 10}}]
consumers:
  - {{id: c, group: g, topics: [t], config: {{auto.offset.reset: {reset}, auto.commit.interval.ms: 1000}}}}
timeline:
  - {{at: 10s, do: {gone}}}
{more}"""


def ended(reset: str = "latest", gone: str = "close c", more: str = "") -> World:
    """The run, at its end."""
    world = checked(load(DOCUMENT.format(reset=reset, gone=gone, more=more).encode()))
    world.run(120_000_000)
    return world


def test_offsets_of_an_empty_group_expire_after_the_retention_at_the_next_look() -> None:
    [fact] = stated(ended(), OffsetsExpired)
    assert (fact.text, fact.count) == ("g", 1)
    assert 70_000_000 <= fact.t < 75_500_000


def test_a_group_is_empty_once_the_session_of_its_crashed_member_is_over() -> None:
    [fact] = stated(ended(gone="crash c"), OffsetsExpired)
    assert 115_000_000 <= fact.t <= 120_000_000


def test_a_group_with_members_keeps_its_offsets() -> None:
    assert stated(ended(gone="rate p 20"), OffsetsExpired) == []


def test_a_group_that_comes_back_in_time_keeps_them() -> None:
    assert stated(ended(more="  - {at: 60s, do: open c}\n"), OffsetsExpired) == []


@pytest.mark.parametrize(("reset", "how"), [("latest", RESET_LATEST), ("earliest", RESET_EARLIEST)])
def test_who_joins_after_that_begins_by_its_reset_policy(reset: str, how: int) -> None:
    world = ended(reset, more="  - {at: 90s, do: open c}\n")
    assert [fact.why for fact in stated(world, ConsumerReset) if fact.t > 90_000_000] == [how]


def test_what_a_group_misses_by_that_is_said() -> None:
    topics = ended(more="  - {at: 90s, do: open c}\n").verdict()["topics"]
    assert isinstance(topics, list)
    said = next(one["sentence"] for one in topics if one["topic"] == "t")
    why = r"there was no committed offset, and auto\.offset\.reset=latest jumped over them"
    assert re.search(rf"c missed 8[0-9]{{2}} records of t-0: {why}\.$", said)


def test_what_a_group_reads_again_by_that_is_said() -> None:
    world = ended("earliest", more="  - {at: 90s, do: open c}\n")
    assert [fact.new for fact in stated(world, ConsumerReset) if fact.t > 90_000_000] == [0]
    topics = world.verdict()["topics"]
    assert isinstance(topics, list)
    said = next(one["sentence"] for one in topics if one["topic"] == "t")
    assert re.search(r"g read (9[0-9]|100) records of t-0 again: committed offsets had expired\.$", said)


def test_a_group_that_comes_back_in_time_reads_nothing_again() -> None:
    topics = ended("earliest", more="  - {at: 60s, do: open c}\n").verdict()["topics"]
    assert "again: committed" not in str(topics)
