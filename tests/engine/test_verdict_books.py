"""The verdict's books of single partitions, entry by entry (FATE-7..9, STOP-3, STOP-4)."""

from typing import Any

import pytest

from simengine.facts.kinds import DUPLICATE_WRITTEN
from simengine.kafka.log.log import Batch, Log
from simengine.kafka.replica.replica import Partition
from simengine.kernel.random import Stream
from simengine.verdict.copies import DuplicateAppends
from simengine.verdict.deliveries import ReaderPosition
from simengine.verdict.expired import ExpiredRecords
from simengine.verdict.exposure import ExposedRecords, Exposure
from simengine.verdict.figures import TopicFigures
from simengine.verdict.final_log import ABSENT, ONCE, TWICE, segments
from simengine.verdict.handed_over import UnackedRecords
from simengine.verdict.hidden import HiddenRecords
from simengine.verdict.latency import FINE, Histogram
from simengine.verdict.outage import NEVER, THETA_US, Closing, Outage
from simengine.verdict.reading import PartitionReads
from simengine.verdict.reads import read_fates
from simengine.verdict.record_set import RecordSet
from simengine.verdict.words import clause
from tests.engine.cluster import SECOND, copy_on, world


def batch(base: int, count: int, epoch: int = 0, client: int = 0, n: int | None = None) -> Batch:
    """Records of one client, numbered as they stand unless said otherwise."""
    return Batch(base, count, epoch, client, base if n is None else n, -1, -1, -1, 0)


def copy_with(broker: int, *batches: Batch, hw: int = 0) -> Partition:
    """A copy of t-0 with exactly these batches."""
    replica = copy_on(world(), broker)
    replica.log = Log()
    for one in batches:
        replica.log.append(one)
    replica.hw = hw
    return replica


# -- times out


@pytest.mark.parametrize(("length", "counted"), [(THETA_US, 0), (THETA_US + 1, THETA_US + 1)])
def test_an_interruption_counts_when_it_is_longer_than_theta(length: int, counted: int) -> None:
    outage = Outage(Closing())
    outage.set(True, 5, 7)
    assert outage.us(5 + length) == counted
    outage.set(False, 5 + length, 0)
    assert outage.us(9 * SECOND) == counted
    assert len(outage.intervals) == (1 if counted else 0)


def test_nothing_is_out_after_the_run_is_closed() -> None:
    outage = Outage(Closing(10 * SECOND))
    outage.set(True, 6 * SECOND, 7)
    assert outage.us(30 * SECOND) == 4 * SECOND
    outage.set(False, 30 * SECOND, 0)
    assert (outage.us(40 * SECOND), outage.intervals) == (4 * SECOND, ((6 * SECOND, 10 * SECOND),))


# -- hidden


def hiding(hw: int, end: int) -> tuple[HiddenRecords, RecordSet, Partition]:
    """Records 0 .. end-1, all acknowledged; consumers are served those below hw."""
    kept = RecordSet()
    kept.add(0, end, 0)
    return HiddenRecords(), kept, copy_with(0, batch(0, end), hw=hw)


@pytest.mark.parametrize(("after", "count"), [(THETA_US - 1, 0), (THETA_US, 5)])
def test_records_are_hidden_once_theta_has_passed(after: int, count: int) -> None:
    hidden, kept, leader = hiding(5, 10)
    hidden.acknowledged(10, leader, 100)
    assert hidden.count(kept, leader, 100 + after) == count
    hidden.look(kept, leader, 100)
    assert hidden.count(kept, None, 100 + after) == count, "above the mark of the last leader"


def test_records_of_a_new_leader_are_hidden_from_its_time_on_and_not_from_that_of_longer_logs() -> None:
    """The records that stood at their offsets before are lost."""
    hidden, kept, leader = hiding(5, 8)
    hidden.acknowledged(10, leader, 0)
    hidden.look(kept, leader, 3 * SECOND)
    leader.log.append(batch(8, 2, 1))
    kept.add(8, 10, 1)
    hidden.acknowledged(10, leader, 4 * SECOND)
    assert hidden.count(kept, leader, 4 * SECOND) == 5
    leader.hw = 8
    hidden.passed(5, leader, 4 * SECOND + 1)
    assert hidden.count(kept, leader, 5 * SECOND - 1) == 0
    assert hidden.count(kept, leader, 5 * SECOND) == 2


def test_a_time_without_leader_ends_no_hiding() -> None:
    hidden, kept, leader = hiding(5, 10)
    hidden.look(kept, leader, 0)
    hidden.look(kept, None, SECOND // 2)
    kept.add(10, 12, 0)
    hidden.acknowledged(12, None, SECOND // 2)  # an answer that was on its way
    assert hidden.count(kept, None, SECOND - 1) == 0
    assert hidden.count(kept, None, SECOND) == 7
    leader.log.append(batch(10, 2))
    hidden.look(kept, leader, 6 * SECOND)
    assert hidden.count(kept, leader, 6 * SECOND) == 7
    leader.hw = 10
    assert not hidden.passed(5, leader, 6 * SECOND), "the two are told on"
    assert hidden.count(kept, leader, 6 * SECOND) == 2


@pytest.mark.parametrize(("end", "since"), [(10, 0), (9, 0), (8, 4), (7, 4)])
def test_what_could_be_read_until_a_leader_with_a_lower_mark_came_is_hidden_from_then_on(end: int, since: int) -> None:
    """8 and 9 are hidden from 0 s on; at 4 s a leader begins at 5 that has what is below ``end``: the rest is lost."""
    hidden, kept, leader = hiding(8, 10)
    hidden.look(kept, leader, 0)
    kept.drop(end, 10, 0)
    hidden.look(kept, copy_with(1, batch(0, end), hw=5), 4 * SECOND)
    later = copy_with(2, batch(0, end), hw=6)
    hidden.passed(5, later, 4 * SECOND)
    assert hidden.count(kept, later, (since + 1) * SECOND - 1) == 0 or since == 0
    assert hidden.count(kept, later, 4 * SECOND) == (end - 6 if since == 0 else 0)
    assert hidden.count(kept, later, 5 * SECOND) == end - 6


def test_a_leader_that_begins_below_the_last_one_and_lacks_what_that_hid_hides_anew() -> None:
    """8 and 9 are hidden from 0 s on, 5 to 7 from 4 s on; at 6 s comes a leader that has neither 8 nor 9."""
    hidden, kept, leader = hiding(8, 10)
    hidden.look(kept, leader, 0)
    hidden.look(kept, copy_with(1, batch(0, 10), hw=5), 4 * SECOND)
    assert hidden.count(kept, None, 4 * SECOND) == 5
    kept.drop(8, 10, 0)
    last = copy_with(2, batch(0, 8), hw=4)
    hidden.look(kept, last, 4 * SECOND + 10)
    assert hidden.count(kept, last, 5 * SECOND - 1) == 0
    assert hidden.count(kept, last, 5 * SECOND) == 4


# -- exposure


def exposed(*copies: Partition, until: int = NEVER) -> Exposure:
    """Two live copies are asked for."""
    exposure = Exposure(Closing(until))
    exposure._live, exposure._needed = list(copies), 2
    return exposure


@pytest.mark.parametrize(("length", "counted"), [(THETA_US, 0), (THETA_US + 1, THETA_US + 1)])
def test_an_exposure_counts_when_it_is_longer_than_theta(length: int, counted: int) -> None:
    behind = copy_with(1)
    exposure = exposed(copy_with(0, batch(0, 4)), behind)
    exposure.acknowledged(0, 4, 0, 50)
    assert exposure.us(50 + length) == counted
    behind.log.append(batch(0, 3))
    exposure.copied(behind, 60)
    assert len(exposure._open) == 1, "three of four"
    behind.log.append(batch(3, 1))
    exposure.copied(behind, 50 + length)
    assert exposure._open == []
    assert exposure.us(9 * SECOND) == counted


def test_records_that_are_lost_were_exposed_until_then() -> None:
    exposure = exposed(copy_with(0, batch(0, 4)))
    exposure.acknowledged(0, 4, 0, 0)
    exposure.forget_lost(RecordSet(), 5 * SECOND)
    assert (exposure.us(9 * SECOND), exposure._open) == (5 * SECOND, [])


def test_what_is_exposed_side_by_side_for_long_is_so_since_the_first() -> None:
    exposure = exposed()
    exposure._open = [
        ExposedRecords(0, 2, 0, 2 * SECOND),
        ExposedRecords(2, 4, 0, 3 * SECOND),
        ExposedRecords(4, 6, 0, 9 * SECOND),
    ]
    exposure._join_old(9 * SECOND)
    assert [(int(one.base), int(one.end), int(one.since)) for one in exposure._open] == [
        (0, 4, 2 * SECOND),
        (4, 6, 9 * SECOND),
    ]


def test_what_gets_exposed_below_records_that_are_so_already_is_apart_from_them() -> None:
    kept = RecordSet()
    kept.add(0, 8, 0)
    exposure = exposed()
    exposure._open = [ExposedRecords(5, 8, 0, SECOND)]
    exposure._open_below(kept, 4 * SECOND)
    assert [(int(one.base), int(one.end), int(one.since)) for one in exposure._open] == [
        (0, 5, 4 * SECOND),
        (5, 8, SECOND),
    ]


@pytest.mark.parametrize("minimum", [1, 2, 3])
def test_more_copies_than_a_partition_has_are_not_asked_for(minimum: int) -> None:
    """HW-3: of two replicas two are enough, whatever min.insync.replicas says."""
    run = world(
        topics=[{"name": "t", "assignment": [[0, 1]], "config": {"min.insync.replicas": minimum}}],
        producers=[{"id": "P", "topic": "t", "rate": 10, "acks": "1"}],
    )
    run.run(5 * SECOND)
    assert run.book.account(0).exposure.us(5 * SECOND) == 0


# -- reading


def test_a_group_is_ahead_as_far_as_the_one_who_moved_last_and_began_where_the_first_did() -> None:
    """Whoever took over stands at 6; 2 and 3 were handed to nobody; 4 and 5 twice."""
    leader = copy_with(0, batch(0, 9), hw=8)
    reading = PartitionReads(Closing(NEVER))
    first = reading.reader_of(1)
    reading.delivered(1, 4, 4, 0, None, 0)
    reading.delivered(1, 1, 1, 0, None, 0)
    reading.delivered(2, 4, 2, 0, None, 0)
    assert (int(first.start), int(first.position)) == (1, 2), "it has jumped back"
    counts = read_fates(reading.readers, leader.log, int(leader.hw))
    assert {key: counts[key] for key in ("delivered", "seen", "reread", "skipped", "lagging", "phantoms")} == {
        "delivered": 7,
        "seen": 5,
        "reread": 2,
        "skipped": 2,
        "lagging": 0,
        "phantoms": 0,
    }
    reading.delivered(1, 2, 1, 0, None, 0)
    assert read_fates(reading.readers, leader.log, int(leader.hw))["lagging"] == 1, (
        "from its position 3 on nobody has had offset 3"
    )


def test_a_phantom_is_overwritten_when_another_committed_record_stands_there() -> None:
    """Delivered in epoch 0: 0 to 7. The leader has 0 to 3 of it, then epoch 1 up to 6, which is read up to 5."""
    leader = copy_with(0, batch(0, 4), batch(4, 2, 1), hw=5)
    reader = ReaderPosition(1, Closing(NEVER))
    reader.delivered(0, 8, 0)
    counts = read_fates([reader], leader.log, int(leader.hw))
    assert (counts["seen"], counts["phantoms"], counts["overwritten"]) == (4, 4, 1)


def test_a_reader_waits_for_nothing_that_it_stands_above() -> None:
    """Its time out ends with its position, or when it reads the partition no more."""
    reading = PartitionReads(Closing(NEVER))
    reading.positioned(1, 0, 0)
    reading.reaches(10, 0)
    reader = reading.reader_of(1)
    assert reader.out.since == 0
    assert not reading.positioned(1, 10, 5 * SECOND)
    assert (reader.out.since, reader.out.us(9 * SECOND)) == (-1, 5 * SECOND)


@pytest.mark.parametrize(("handed_at", "since"), [(1, 3), (4, 4)])
def test_a_reader_misses_a_record_since_its_append_also_where_its_leader_was_replaced(
    handed_at: int, since: int
) -> None:
    """Offset 4 was written at 3 s by a leader that the controller had replaced; at 9 s a leader has it."""
    leader = copy_with(0, batch(0, 4), Batch(4, 2, 0, 0, 4, -1, -1, -1, 3 * SECOND))
    reading = PartitionReads(Closing(NEVER))
    reading.positioned(1, 0, 0)
    reading.reaches(4, 0)
    reading.delivered(1, 0, 4, 0, None, handed_at * SECOND)
    reading.leads(leader, 9 * SECOND)
    assert reading.reader_of(1).out.since == since * SECOND


# -- calls


def test_calls_handed_over_are_under_way_for_theta_unless_later_ones_have_arrived() -> None:
    """acks=0: calls 0 to 4 at 0 s, 5 to 9 at 0.6 s."""
    book = UnackedRecords()
    book.add(0, 5, 0)
    book.add(5, 5, 600_000)
    assert book.vanished(SECOND) == 0
    book.appended(batch(0, 2, n=6))  # 6 and 7: what was before them comes no more
    assert (int(book.open_from(SECOND)), int(book.vanished(SECOND))) == (8, 6)
    assert (int(book.open_from(1_700_000)), int(book.vanished(1_700_000))) == (10, 8)
    book.add(10, 1, 1_700_000)
    assert int(book.open_from(1_700_000)) == 10


@pytest.mark.parametrize(
    ("batches", "parts"),
    [
        ([(0, 4)], [(2, 2, ONCE), (4, 4, ABSENT)]),  # one that began before
        ([(0, 4), (3, 3)], [(2, 1, ONCE), (3, 1, TWICE), (4, 2, ONCE), (6, 2, ABSENT)]),
        ([(2, 6), (2, 6), (2, 6)], [(2, 6, TWICE)]),
        ([(8, 2)], [(2, 6, ABSENT)]),
    ],
)
def test_calls_stand_in_a_log_as_often_as_batches_hold_them(
    batches: list[tuple[int, int]], parts: list[tuple[int, int, int]]
) -> None:
    """Calls 2 to 7."""
    assert segments([batch(0, count, n=n) for n, count in batches], 2, 6) == parts


def test_a_batch_is_appended_again_as_far_as_its_calls_were_there_before() -> None:
    """Calls 0 to 3, then 2 to 5, then 4 to 6: of these 4 and 5 are there by the second."""
    leader = copy_with(0)
    copies = DuplicateAppends(0, leader.broker.sim.trace, ExpiredRecords())
    for base, n, count in ((0, 0, 4), (4, 2, 4), (8, 4, 3), (11, 6, 1), (12, 7, 1)):
        added = batch(base, count, n=n)
        leader.log.append(added)
        copies.appended(leader, added)
    assert [(int(copy.n), int(copy.count)) for copy in copies.found] == [(2, 2), (4, 2), (6, 1)]
    copies.look(leader)
    assert (copies.most, copies.most_fact) == (2, copies.found[0].fact), "what doubled most decides, not what came last"


def test_a_copy_counts_from_the_moment_it_is_written() -> None:
    """Its leader may die before anybody asks, and a partition without a leader keeps what the last one had (PC-10)."""
    run = world(producers=[{"id": "P", "topic": "t", "rate": 10, "acks": "all"}])
    run.run(2 * SECOND)
    account = run.book.account(0)
    leader = account.leader()
    assert leader is not None
    last = leader.log.batches[-1]
    again = batch(int(leader.log.leo), int(last.count), epoch=int(last.epoch), n=int(last.n), client=int(last.client))
    leader.log.append(again)
    account.appended(leader, again)
    assert account.copies.count() == last.count
    text, rules = clause(next(f for f in reversed(run.trace.decisive) if f.kind == DUPLICATE_WRITTEN), run.cluster)
    were = "record of a retried batch was" if last.count == 1 else "records of a retried batch were"
    assert text == f"t-0: {int(last.count)} {were} appended again at offset {int(again.base)}"
    assert rules == ["PC-10"]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("per_thousand", [1, 500, 990, 999, 1000])
def test_a_percentile_is_that_of_the_sorted_latencies(seed: int, per_thousand: int) -> None:
    stream = Stream(seed, "latency", "test")
    values = sorted(int(stream.below(2 * FINE)) for _ in range(37))
    histogram = Histogram()
    for us in values:
        histogram.add(us, 1)
    rank = -(-len(values) * per_thousand // 1000)
    assert histogram.percentile(per_thousand) == values[rank - 1]


def test_a_topic_is_written_in_the_strictest_of_its_producers_modes() -> None:
    """The strictest mode names what stops the topic: acks=all, else acks=1, else acks=0."""
    figures = TopicFigures()
    for client, acks, strictest in ((1, 0, 0), (2, 1, 1), (1, 0, 1), (3, -1, -1), (3, 0, 1), (2, 0, 0)):
        figures.written(client, acks)
        assert figures.acks == strictest


@pytest.mark.parametrize(
    ("actions", "records"),
    [
        (["kill 0"], 1),  # the others are on its disk
        (["kill 0", "start 0 empty"], 51),
        (["kill 0", "delete t"], 0),  # as asked
    ],
)
def test_what_no_log_has_has_vanished_though_nobody_leads(actions: list[str], records: int) -> None:
    """PROD-4, FLT-3: fifty records with acks=0 stand on one disk; one more met a killed process with open sockets."""
    made = world(
        topics=[{"name": "t", "assignment": [[0]], "config": {"min.insync.replicas": 1}}],
        producers=[{"id": "P", "topic": "t", "acks": 0, "rate": 10}],
        timeline=[{"at": f"{5 + 15 * i}s", "do": action} for i, action in enumerate(actions)],
    )
    made.run(30 * SECOND)
    verdict: dict[str, Any] = made.verdict()
    [topic] = verdict["topics"]
    assert (topic["handed_over"], topic["vanished"]) == (51, records)
    assert topic["undetermined_handed_over"] == 51 - records
