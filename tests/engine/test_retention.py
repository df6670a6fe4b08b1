"""Retention moves the start of a log by time and by size, and overtakes who reads too slowly."""

import pytest

from simengine.facts.decisive import ConsumerError, ConsumerReset, RecordsExpired
from simengine.facts.kinds import RESET_EARLIEST, RESET_LATEST
from simengine.kafka.log.log import Batch, Log
from simengine.kafka.log.segments import Segments
from simengine.kafka.replica.retention import move_start
from simengine.scenario import DocumentError, load
from simengine.scenario.settings import resolve
from simengine.world.world import Refused, World
from tests.checked import checked
from tests.engine.cluster import facts
from tests.invariants.violation import Violation

DOCUMENT = """
format: 1
until: 60s
cluster: {brokers: [0, 1, 2], controllers: [100], config: {log.retention.check.interval.ms: 5000}}
topics: [{name: t, assignment: [[0, 1, 2]], config: {SETTINGS}}]
producers: [{id: P, topic: t, rate: 10}]
consumers: CONSUMERS
timeline: TIMELINE
"""
TIME = "retention.ms: 10000, segment.ms: 3000"
RESETS = (("E", "earliest"), ("L", "latest"))


def run_to(seconds: float, settings: str, timeline: str = "[]", consumers: str = "[]") -> World:
    """A checked run of the document with these settings of its topic."""
    text = DOCUMENT.replace("SETTINGS", settings).replace("TIMELINE", timeline).replace("CONSUMERS", consumers)
    world = checked(load(text.encode()))
    world.trace.keep_traffic = True
    world.run(int(seconds * 1e6))
    return world


def reader(name: str, how: str) -> str:
    """A consumer with this reset policy."""
    return f"{{id: {name}, topics: [t], config: {{auto.offset.reset: {how}}}}}"


def starts(world: World) -> list[int]:
    """The start offset of each broker's log."""
    return [int(broker.hosted[0].log.start) for broker in world.cluster.brokers]


def sentence(world: World) -> str:
    """The verdict's sentence on the topic."""
    topics = world.verdict()["topics"]
    assert isinstance(topics, list)
    return str(next(one for one in topics if one["topic"] == "t")["sentence"])


def test_whole_segments_go_once_their_newest_record_is_older_than_retention_ms() -> None:
    """LOG-7: at most a segment and an interval late, and the followers with their leader or before it."""
    world = run_to(50, TIME)
    start = starts(world)[0]
    assert all(start <= other <= start + 31 for other in starts(world))  # each looks for itself, at a moment of its own
    assert 500 - 100 - 30 - 50 - 5 <= start <= 500 - 100
    assert facts(world, RecordsExpired)[-1].start == start


def test_time_takes_the_last_segment_too_and_what_comes_next_stands_behind_it() -> None:
    """A log that nobody writes to is empty in the end; its offsets go on."""
    world = run_to(55, "retention.ms: 10000", "[{at: 20s, do: rate P 0}, {at: 50s, do: send P t-0 3}]")
    leader = world.cluster.by_id[0].hosted[0]
    assert (leader.log.leo - leader.log.start) == 3
    assert leader.log.start >= 190


def test_size_leaves_at_least_retention_bytes() -> None:
    """100 bytes a record: 100 stay, and less than a segment of 30 more, beside what came since the last look."""
    world = run_to(60, "retention.bytes: 10000, segment.bytes: 3000")
    leader = world.cluster.by_id[0].hosted[0]
    assert 100 <= leader.log.leo - leader.log.start < 100 + 30 + 50 + 5


def test_a_topic_that_is_only_compacted_keeps_its_records() -> None:
    assert starts(run_to(40, TIME + ", cleanup.policy: compact")) == [0, 0, 0]


def test_retention_can_be_set_while_the_cluster_runs() -> None:
    world = run_to(40, "", "[{at: 20s, do: config t retention.ms 5000}, {at: 21s, do: config t segment.ms 2000}]")
    assert starts(world)[0] > 150


def test_of_records_that_retention_has_not_removed_the_reset_is_the_reason() -> None:
    world = run_to(45, TIME, '[{at: 10s, do: "cut L|0,1,2"}, {at: 40s, do: heal}]', f"[{reader(*RESETS[1])}]")
    [jump] = [fact for fact in world.trace.decisive if isinstance(fact, ConsumerReset) and fact.old > 0]
    starts = [fact.start for fact in world.trace.decisive if isinstance(fact, RecordsExpired) and fact.t < jump.t]
    gone = starts[-1] - jump.old
    removed = f"retention had removed {gone:,} of them"
    jumped = f"auto.offset.reset=latest jumped over {jump.new - jump.old - gone:,} of them"
    assert f"L missed {jump.new - jump.old:,} records of t-0: {removed}; {jumped}." in sentence(world)


def test_a_reader_behind_the_start_resets_by_its_policy_and_the_verdict_counts_what_it_missed() -> None:
    """CON-5; mm16: no error to anybody, and a gap."""
    readers = ", ".join(reader(*one) for one in RESETS)
    world = run_to(45, TIME, '[{at: 10s, do: "cut E,L|0,1,2"}, {at: 40s, do: heal}]', f"[{readers}]")
    jumps = [fact for fact in facts(world, ConsumerReset) if fact.old > 0]
    assert [fact.why for fact in jumps] == [RESET_EARLIEST, RESET_LATEST]
    missed = sum(fact.new - fact.old for fact in jumps)
    assert f"E and L missed {missed} records of t-0: retention had removed" in sentence(world).replace(
        "L and E", "E and L"
    )


def test_without_a_policy_the_reader_gets_an_error_and_stays_where_it_was() -> None:
    reader = "[{id: N, group: g, topics: [t], config: {auto.offset.reset: none, enable.auto.commit: false}}]"
    timeline = '[{at: 1s, do: commit N t-0 0}, {at: 8s, do: "cut N|0,1,2"}, {at: 40s, do: heal}]'
    errors = facts(run_to(50, TIME, timeline, reader), ConsumerError)
    assert errors
    assert all(fact.client == 1 for fact in errors)


def test_what_retention_removed_is_not_lost_when_a_copy_that_never_had_it_leads() -> None:
    """FET-13: its log begins where its leader's did."""
    timeline = '[{at: 5s, do: kill 2}, {at: 30s, do: start 2 empty}, {at: 45s, do: "reassign t-0 2"}]'
    world = run_to(55, TIME, timeline)
    copy = world.cluster.by_id[2].hosted[0]
    assert world.cluster.by_id[2].leads() == [copy]
    assert copy.log.batches[0].base > 0
    assert {row["fate"] for row in world.record_fates()} <= {"acked, kept", "not answered yet, not written"}


@pytest.mark.parametrize("start", [95, 1_000])
def test_a_start_above_young_records_or_the_high_watermark_breaks_a_property(start: int) -> None:
    world = run_to(10, TIME)
    leader = world.cluster.by_id[0].hosted[0]
    with pytest.raises(Violation, match="retention_removes_old_only"):
        move_start(leader, start)


def test_a_segment_ends_when_it_is_full_or_old() -> None:
    """`LogSegment.shouldRoll`, told by the bases of segments."""
    segments = Segments(0)
    segments.roll_records, segments.roll_us = 10, 1_000
    for base, count, at in ((0, 6, 0), (6, 4, 500), (10, 1, 600), (11, 9, 1_600), (20, 1, 2_700)):
        segments.appended(Batch(base, count, 0, 0, base, -1, -1, -1, at))
    assert [segment.base for segment in segments.segments] == [0, 10, 20]
    segments.truncated(12, 1_600)
    assert [(segment.base, segment.count) for segment in segments.segments] == [(0, 10), (10, 2)]


LONGEST = "9223372036854775807"


@pytest.mark.parametrize("key", ["log.retention.ms", "log.roll.ms", "log.retention.check.interval.ms"])
def test_the_longest_times_that_a_broker_takes_are_never_over(key: str) -> None:
    text = DOCUMENT.replace("SETTINGS", "").replace("TIMELINE", "[]").replace("CONSUMERS", "[]")
    text = text.replace("log.retention.check.interval.ms: 5000", f"{key}: {LONGEST}")
    world = checked(load(text.encode()))
    world.run(20_000_000)
    assert starts(world) == [0, 0, 0]


def test_the_longest_times_and_sizes_that_a_topic_takes_are_never_over() -> None:
    settings = f"retention.ms: {LONGEST}, segment.ms: {LONGEST}, retention.bytes: {LONGEST}, segment.bytes: 2147483647"
    assert starts(run_to(20, settings)) == [0, 0, 0]


@pytest.mark.parametrize("key", ["log.retention.hours", "log.retention.minutes", "log.roll.hours"])
def test_the_most_hours_and_minutes_that_a_broker_takes_are_counted_as_31_years(key: str) -> None:
    text = DOCUMENT.replace("SETTINGS", "").replace("TIMELINE", "[]").replace("CONSUMERS", "[]")
    settings = resolve(load(text.replace("log.retention.check.interval.ms: 5000", f"{key}: 2147483647").encode()))
    counted = settings.common.roll_us if key == "log.roll.hours" else settings.common.retention_us
    assert counted == 10**15


@pytest.mark.parametrize(("own", "is_kept"), [("", True), ("cleanup.policy: 'compact, delete', ", False)])
def test_the_brokers_cleanup_policy_is_that_of_topics_without_one(own: str, is_kept: bool) -> None:
    text = DOCUMENT.replace("SETTINGS", own + TIME).replace("TIMELINE", "[]").replace("CONSUMERS", "[]")
    key = "log.retention.check.interval.ms: 5000"
    world = checked(load(text.replace(key, f"{key}, log.cleanup.policy: compact").encode()))
    world.run(50_000_000)
    assert (starts(world) == [0, 0, 0]) == is_kept


@pytest.mark.parametrize("value", ["remove", "compact;delete", "delete,delete"])
def test_a_cleanup_policy_that_kafka_does_not_have_is_refused(value: str) -> None:
    with pytest.raises(DocumentError, match="not a value of this key"):
        run_to(1, f"cleanup.policy: '{value}'")
    with pytest.raises(Refused, match="compact,delete"):
        run_to(1, "").check(f"config t cleanup.policy {value}")


def recovered(end: int) -> tuple[list[int], list[int]]:
    """The epoch cache after a start that reads all epochs from records, with ``end`` as the log's end.

    Before: epoch 0 has records 0-9 and 10-19, epoch 3 has 20-29, each a segment; retention has left offset 15 and on.
    """
    log = Log()
    log.segments = Segments(0)
    log.segments.roll_records, log.segments.roll_us = 10, 1_000_000
    for base, epoch in ((0, 0), (10, 0), (20, 3)):
        log.append(Batch(base, 10, epoch, 0, base, -1, -1, -1, base))
    log.raise_start(15)
    log.truncate(end)
    log.cache.truncate(0)
    log.recover_epochs(-1)
    return log.cache.epochs, log.cache.starts


def test_a_start_finds_no_epochs_in_segments_that_retention_has_deleted() -> None:
    """LOG-7, LOG-10: a power failure took the only entry, and what stood before it is gone (mirrored seed 1004)."""
    assert recovered(30) == ([0, 3], [15, 20])
    assert recovered(20) == ([0], [15])
    assert recovered(10) == ([], [])
